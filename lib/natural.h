/* natural.h - naturals of up to 16320 bits, for exact text
 * SPDX-License-Identifier: MIT
 *
 * A result that does not fit returns false, and leaves its operand undefined. */

#ifndef FPFMT_NATURAL_H
#define FPFMT_NATURAL_H

#include <fpfmt.h>

void fpfmt_natural_set(fpfmt_natural *n, uint64_t x);
void fpfmt_natural_copy(fpfmt_natural *to, const fpfmt_natural *from);
int fpfmt_natural_compare(const fpfmt_natural *a, const fpfmt_natural *b);
int fpfmt_natural_bits(const fpfmt_natural *n);           /* 0 for 0 */
int fpfmt_natural_trailing_zeros(const fpfmt_natural *n); /* of n > 0 */
bool fpfmt_natural_shift_left(fpfmt_natural *n, int bits);
void fpfmt_natural_shift_right(fpfmt_natural *n, int bits);
bool fpfmt_natural_add(fpfmt_natural *a, const fpfmt_natural *b);
void fpfmt_natural_subtract(fpfmt_natural *a, const fpfmt_natural *b); /* a >= b */
bool fpfmt_natural_multiply(fpfmt_natural *a, const fpfmt_natural *b);
bool fpfmt_natural_multiply_small(fpfmt_natural *n, uint32_t factor, uint32_t addend);
bool fpfmt_natural_multiply_power(fpfmt_natural *n, uint32_t base, int exponent); /* base <= 10 */
uint32_t fpfmt_natural_divide_small(fpfmt_natural *n, uint32_t divisor); /* the remainder */
/* *quotient = n / divisor rounded down, and n becomes the remainder. */
void fpfmt_natural_divide(fpfmt_natural *quotient, fpfmt_natural *n, const fpfmt_natural *divisor);
void fpfmt_natural_gcd(fpfmt_natural *a, const fpfmt_natural *b); /* of a, b > 0, into a */

#endif
