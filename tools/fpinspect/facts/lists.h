/* lists.h - the tables of the library as facts
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_LISTS_H
#define FPINSPECT_LISTS_H

#include "values/request.h"

/* Each fills in a list of facts, which has a schema, and returns true. */

/* A policy, in the library's words for its fields. */
typedef struct {
    const char *name, *summary;
    unsigned rounding, overflow, overflow_test, subnormal, nan, negative, tininess, specials;
    const char *exceptions; /* as "tf32:rna", separated by blanks; NULL for none */
} policy_facts;
extern const field policy_fields[];
bool gather_policies(fact_list *facts, const request *chosen);

/* A word for how to round: a mode, or a rule for what overflows. */
typedef struct {
    const char *family; /* "rounding" or "overflow": the option that takes the word */
    const char *name, *aliases, *summary;
} mode_word_facts;
extern const field mode_word_fields[];
bool gather_modes(fact_list *facts, const request *chosen);

/* A row for each accumulator and formats that it takes. */
typedef struct {
    const char *name, *summary, *inputs, *outputs;
    int group, fraction_bits, kept_bits; /* 0 where that says nothing */
    const char *rounding;                /* of a group's result or a step; NULL: the policy's */
    const char *checked, *open;
} accumulator_facts;
extern const field accumulator_fields[];
bool gather_accumulators(fact_list *facts, const request *chosen);

#endif
