/* decimals.h - exact decimals and rationals of the tests, by GMP
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_DECIMALS_H
#define FPFMT_TESTS_DECIMALS_H

#include <stdbool.h>

#include "oracle.h"

/* text to a rational: digits with at most one point, then an exponent of ten. */
void decimal_to_ratio(mpq_t ratio, const char *digits, long exponent);

/* |ratio| = 0.digits * 10^point without trailing zeros; no digits of zero. False if the decimal
 * does not end. digits takes what its size says. */
bool ratio_to_decimal(char *digits, size_t size, long *point, const mpq_t ratio);

/* The decimal as the library lays it out: plain from 1e-4 to below 1e16, else d.ddde-8. */
void lay_out(char *text, size_t size, bool negative, const char *digits, long point);

/* The rational of a finite value without tail, and of a magnitude. */
void value_to_ratio(mpq_t ratio, fpfmt_value value);
void magnitude_to_ratio(mpq_t ratio, const mpfr_t magnitude);

/* The value with the first 64 bits of a rational, and whether there is more. */
fpfmt_value ratio_to_value(const mpq_t ratio);

/* Are they the same, in every field that means something? */
bool same_value(fpfmt_value a, fpfmt_value b);

/* Check that the text is read to its end as exactly this rational; zero has no sign of its own. */
void check_read(const char *text, const mpq_t expected, bool negative_zero);

#endif
