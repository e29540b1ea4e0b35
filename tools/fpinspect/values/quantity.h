/* quantity.h - exact numbers, or infinity and NaN, and arithmetic of the finite ones
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_QUANTITY_H
#define FPINSPECT_QUANTITY_H

#include <fpfmt.h>
#include <limits.h>

enum { NO_ERROR = INT_MIN };

/* A number as a ratio, or infinity or NaN. */
typedef struct {
    fpfmt_value special; /* of kind ZERO where ratio is the number */
    fpfmt_ratio ratio;
    int error;              /* it is off by less than 2^error, where a constant or a root was cut */
    bool typed;             /* a format has taken part, or infinity or NaN */
    bool p3109;             /* a format of IEEE P3109 has */
    const fpfmt_format *of; /* whose value it is, as nextup needs; NULL after arithmetic */
} quantity;

/* Why there is no result where one of these is false. */
extern const char too_large[];

/* The quantity of a value. False if that is not known exactly. */
bool set_quantity(quantity *x, fpfmt_value value);

bool is_special(const quantity *x);
bool is_zero(const quantity *x); /* not of infinity and NaN */

/* |x| is below 2^size. */
int size_of(const quantity *x);

/* log2 of a product of bounds 2^a and 2^b; with NO_ERROR, which is 0, NO_ERROR. */
int bound_times(int a, int b);

/* What to round: cut to 64 bits, and inexact too where the quantity is off. */
fpfmt_value value_of(const quantity *x);

/* Are so many leading bits right that any format has the right result? */
bool is_well_known(const quantity *x);

/* Of finite operands from x on: x[0] becomes the result. False if it does not fit. */
bool exact_add(quantity *x);
bool exact_subtract(quantity *x);
bool exact_multiply(quantity *x);
bool exact_divide(quantity *x);
bool exact_fma(quantity *x);
bool exact_sqrt(quantity *x);
bool exact_rem(quantity *x);
bool exact_min(quantity *x);
bool exact_max(quantity *x);

/* x becomes x - n y, n the integer nearest to x / y, the even one of two. False if it does not
 * fit. */
bool nearest_remainder(fpfmt_ratio *x, const fpfmt_ratio *y);

#endif
