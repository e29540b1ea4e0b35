/* stepwise.h - an expression as a program computes it in one format, rounded at every step
 * SPDX-License-Identifier: MIT */

#ifndef STEPWISE_H
#define STEPWISE_H

#include "expression.h"
#include "report.h"

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

/* Why an expression cannot be taken step by step, as a sentence; NULL if it can. */
const char *stepwise_defect(const expression *of);

/* Takes every step, the last of which is the result; all its flags are joined in *flags. visit is
 * called for each step, unless it is NULL. */
step take_steps(const expression *of, const fpfmt_format *format, const fpfmt_policy *policy,
                void (*visit)(const step *here, void *context), void *context, unsigned *flags);

/* Fills in the stepwise members of a report; its input has a formula. */
void compute_stepwise(report *made);

#endif
