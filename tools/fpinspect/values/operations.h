/* operations.h - the operations that expressions have
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_OPERATIONS_H
#define FPINSPECT_OPERATIONS_H

#include "values/quantity.h"

enum { MOST_OPERANDS = 3, REMARK_SIZE = 200 };

/* What operations raised, and of the first that did a sentence. */
typedef struct {
    unsigned flags;
    char remark[REMARK_SIZE];
} events;

typedef struct operation operation;
struct operation {
    const char *name; /* a symbol, or the letters of a function */
    unsigned operands;
    bool selects;
    int operation;              /* FPFMT_OPERATION_..., or how fpfmt_select selects */
    bool (*exact)(quantity *x); /* of finite operands: x[0] becomes the result, if it fits */
    const char *refusal;        /* why plain numbers have no result; NULL if they always have one */
    /* Instead of all that, what makes x[0] the result, infinite and NaN operands included; NULL, or
     * why there is none. */
    const char *(*whole)(quantity *x, const fpfmt_policy *policy, unsigned *flags);
};

/* The operation of that name, NULL if there is none. */
const operation *find_operation(const char *name, size_t length);

/* Function number index, from 0; NULL past the last. */
const operation *function_at(size_t index);

/* x[0] becomes the exact result. Of the policy the direction, which gives sums of zero their sign,
 * and specials matter. NULL, or why there is no result: numbers alone do not divide by zero. */
const char *apply(const operation *what, quantity *x, const fpfmt_policy *policy, events *raised);

/* x^n in the same way. */
const char *apply_power(quantity *x, int64_t n, const fpfmt_policy *policy, events *raised);

/* The result for values x, rounded once. */
uint64_t apply_rounded(const operation *what, const fpfmt_value *x, const fpfmt_format *format,
                       const fpfmt_policy *policy, unsigned *flags);

#endif
