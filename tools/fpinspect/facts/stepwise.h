/* stepwise.h - an expression as a program computes it in one format, rounded at every step
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_STEPWISE_H
#define FPINSPECT_STEPWISE_H

#include "facts/report.h"
#include "values/expression.h"

/* A number that enters, or an operation on what came before. */
typedef struct {
    const char *text;      /* of the expression, its operands included */
    int length, factors;   /* with factors n of them, as text^n */
    char brief[64];        /* the same; where it is long, results that it takes are … */
    const quantity *exact; /* before it was rounded */
    const fpfmt_format *format;
    fpfmt_policy policy; /* the column's, with a seed of its own */
    uint64_t code;
    fpfmt_value stored;
    unsigned flags;
} step;

/* Takes every step, the last of which is the result; all its flags are joined in *flags. visit is
 * called for each step, unless it is NULL. */
step take_steps(const expression *of, const fpfmt_format *format, const fpfmt_policy *policy,
                void (*visit)(const step *here, void *context), void *context, unsigned *flags);

/* Fills in the stepwise members of a report but the list of steps; its input has a formula. */
void compute_stepwise(report *made);

/* The list of steps too, for programs, and its end. */
void list_steps(report *made);
void release_steps(report *made);

/* Of stepwise_facts. */
extern const field stepwise_fields[];

#endif
