/* any_row.h - what fpfmt.h says of a row, computed on whole numbers for rows of few bits
 * SPDX-License-Identifier: MIT
 *
 * It shares no code with lib/ and needs no other library: the values of a row are listed from the
 * meaning of its fields, in units that make all of them and what lies between whole, and a rounding
 * is a search in that list. */

#ifndef FPFMT_TESTS_ANY_ROW_H
#define FPFMT_TESTS_ANY_ROW_H

#include <fpfmt.h>

enum {
    ROW_CODES = 1 << 11,   /* magnitude codes of the widest row, and the one past the last */
    ROW_EXPONENT_BITS = 5, /* so that 2^FINER times the largest value is below 2^48 units */
    ROW_FRACTION_BITS = 6,
    FINER = 6 /* log2 of the units in the smallest step */
};

typedef struct {
    fpfmt_format format;
    int unit; /* log2 of the unit */
    bool has_zero, fixed;
    uint64_t max, lowest, infinity, nan; /* magnitude codes; lowest: of the negatives; 0 is none */
    uint64_t min_normal;                 /* magnitude code */
    uint64_t size[ROW_CODES + 1];        /* what magnitude codes stand for; past lowest one more */
} any_row;

/* Lists the values of a sound row of at most these field sizes. */
void list_row(any_row *row, const fpfmt_format *format);

/* A code, with its sign, of a magnitude code. */
uint64_t row_code(const any_row *row, bool negative, uint64_t magnitude);

/* So many units as a value, and whether there is a bit more. */
fpfmt_value units_value(const any_row *row, bool negative, uint64_t units, bool tail);

/* The code of units, infinity or zero by the policy, of any mode without chance; or for
 * STOCHASTIC_A with these random bits. A tail is more than nothing and less than a unit. */
uint64_t expected_of_units(const any_row *row, bool negative, uint64_t units, bool tail,
                           const fpfmt_policy *policy, uint64_t random, unsigned *flags);
uint64_t expected_of_infinity(const any_row *row, bool negative, const fpfmt_policy *policy,
                              unsigned *flags);

#endif
