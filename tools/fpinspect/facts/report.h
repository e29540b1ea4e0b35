/* report.h - one value in one format under one policy: everything a screen or a field may need
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_REPORT_H
#define FPINSPECT_REPORT_H

#include <fpfmt.h>

#include "kit/records.h"
#include "values/input.h"
#include "values/request.h"

enum { REASON_SIZE = 240 };

/* What comes out where every operation is rounded, as stepwise.h has it. */
typedef struct {
    coded result;
    maybe_ratio ulps; /* off the exact result, over the step there */
    unsigned flags;
    fact_list steps; /* of step_facts, where they are wanted */
} stepwise_facts;

/* One rounding, told by explanation.h. */
typedef struct {
    const char *range, *remainder; /* words of the schema */
    int emin, quantum;             /* powers of two: the smallest normal, and the step */
    uint64_t kept;                 /* whole steps of the magnitude */
    int guard, round, sticky;      /* bits below them */
    bool away;                     /* the magnitude was rounded up */
    maybe_ratio cut;               /* what is below the whole steps, in steps */
    coded toward, from_zero;       /* the neighbours */
    maybe_ratio chance;            /* of going from zero, in stochastic rounding */
    fact_list modes;               /* of mode_facts: the result in every mode without chance */
    char reason[REASON_SIZE];      /* why there is no place for the value; "" if there is one */
} explanation_facts;

typedef struct {
    input *in;
    const char *text; /* of the input */
    union {
        coded result;
        struct {
            const fpfmt_format *format;
            uint64_t code;
        };
    };
    bool has_below, has_above; /* neighbours of the result, where they are wanted */
    coded below, above;
    const policy_choice *column;
    const char *policy_name;
    char rounding[ROUNDING_SIZE];
    unsigned overflow; /* FPFMT_OVERFLOW_... */
    fpfmt_policy policy;
    unsigned flags;
    fpfmt_value from, stored; /* what the last step rounded, and to what */
    unsigned status;          /* FPFMT_OUTCOME_... */
    bool measured;
    maybe_ratio error, relative, ulps; /* stored - input; over the input; over the step there */
    bool stepwise_done, explained;
    stepwise_facts stepwise;
    explanation_facts explanation;
} report;

/* All that programs may see of a report; of --print the words are their names and aliases. */
extern const field report_fields[];

/* The field of that name or alias that --print may ask for; NULL if there is none. */
const field *report_field(const char *name);

/* Is it a field of what --stepwise computes? */
bool is_stepwise_field(const field *here);

/* Fills in what these fields of report_fields need and make_report leaves out; clear_report ends
 * what that took. */
void complete_report(report *made, const field *const *fields, size_t count);
void clear_report(report *made);

void make_report(report *made, const request *chosen, input *in, const fpfmt_format *format,
                 const policy_choice *column);

/* The value after the steps of --via from first up to end, their flags OR-ed in. */
fpfmt_value through_steps(const request *chosen, const policy_choice *column, fpfmt_value value,
                          uint64_t element, size_t first, size_t end, unsigned *flags);

/* The policy of one step, for the value of this index. */
fpfmt_policy step_policy(const request *chosen, const policy_choice *column, size_t index,
                         uint64_t element);

/* The same without --via: the direct result. */
void make_direct(report *made, const request *chosen, input *in, const fpfmt_format *format,
                 const policy_choice *column);

/* Fills in error, relative and ulps, where these exist. */
void measure_error(report *made);

/* The distance from the lower neighbour in steps, exactly. */
bool remainder_of(fpfmt_ratio *remainder, report *made, const fpfmt_explanation *told);

/* The chance that stochastic rounding goes away from zero: that distance, or what the policy's mode
 * makes of it. */
bool chance_of(fpfmt_ratio *chance, report *made, const fpfmt_explanation *told);

/* --fail-on: whether one of its conditions is met. */
bool meets_condition(const report *made, const request *chosen);

/* Why a value has no place in its format, as a sentence; false if it has one. */
bool reason_of(char text[REASON_SIZE], const report *made);

/* "inexact, tie → even" and its like; why a zero or an overflow came about is in the word. */
void describe_status(char text[64], const report *made);

#endif
