/* oracle_scaled.h - sums of operands that share scales as aligned engines make them, in fractions
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_ORACLE_SCALED_H
#define FPFMT_TESTS_ORACLE_SCALED_H

#include <fpfmt.h>

enum { MOST = 160, FURTHEST = 3 };

/* An operand: elements and scales a stride apart, which may go backwards, and their values. */
typedef struct {
    fpfmt_series series;
    unsigned char codes[4 * 2 * FURTHEST * MOST], scales[4 * 2 * FURTHEST * MOST];
    double element[MOST], scale[MOST]; /* the scale of each element */
} operand;

/* A random number below a bound, and whether one of so many came up. */
size_t random_below(size_t bound);
bool chance(size_t one_in);

double value_of(const fpfmt_format *format, uint64_t code);

/* A code; one whose value is finite and not far from 1's binade, or 0, if near. */
uint64_t random_code(const fpfmt_format *format, bool near);

/* near: no code is special. scale NULL: there are none. */
void make_operand(operand *made, const fpfmt_format *format, const fpfmt_format *scale, size_t size,
                  bool near);

/* The sum from a start, a value of the output format, over n elements. */
double oracle_scaled(const fpfmt_accumulator *how, const fpfmt_format *to, double start,
                     const operand *a, const operand *b, size_t n);

#endif
