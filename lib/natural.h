/* natural.h - naturals of up to 16320 bits, for exact text
 * SPDX-License-Identifier: MIT
 *
 * A result that does not fit returns false, and leaves its operand undefined. So what a function
 * may need is bounded, and nothing is allocated; 16320 bits are ratio.c's 16256 and what its
 * division adds.
 */

#ifndef FPFMT_NATURAL_H
#define FPFMT_NATURAL_H

#include <fpfmt.h>

/* A natural is length limbs, the last one not 0; zero has no limbs. Operands of one call may be one
 * object where both are inputs only, or where a comment says so. */
void fpfmt_natural_set(fpfmt_natural *n, uint64_t x);
void fpfmt_natural_copy(fpfmt_natural *to, const fpfmt_natural *from);
int fpfmt_natural_compare(const fpfmt_natural *a, const fpfmt_natural *b); /* -1, 0 or 1 */
int fpfmt_natural_bits(const fpfmt_natural *n);                            /* 0 for 0 */
int fpfmt_natural_trailing_zeros(const fpfmt_natural *n);                  /* of n > 0 */
/* n becomes n * 2^bits, or n / 2^bits rounded down, for bits from 0 up. */
bool fpfmt_natural_shift_left(fpfmt_natural *n, int bits);
void fpfmt_natural_shift_right(fpfmt_natural *n, int bits);
/* a becomes a + b, a - b or a * b; a and b may be one object. */
bool fpfmt_natural_add(fpfmt_natural *a, const fpfmt_natural *b);
void fpfmt_natural_subtract(fpfmt_natural *a, const fpfmt_natural *b); /* a >= b */
bool fpfmt_natural_multiply(fpfmt_natural *a, const fpfmt_natural *b);
/* n becomes n * factor + addend, or n * base^exponent for an exponent from 0 up. */
bool fpfmt_natural_multiply_small(fpfmt_natural *n, uint32_t factor, uint32_t addend);
bool fpfmt_natural_multiply_power(fpfmt_natural *n, uint32_t base, int exponent); /* base <= 10 */

/* n becomes n / divisor rounded down; returns the remainder. */
uint32_t fpfmt_natural_divide_small(fpfmt_natural *n, uint32_t divisor);

/* *quotient becomes n / divisor rounded down, and n the remainder. The divisor is not 0, and all
 * three are objects of their own. */
void fpfmt_natural_divide(fpfmt_natural *quotient, fpfmt_natural *n, const fpfmt_natural *divisor);
void fpfmt_natural_gcd(fpfmt_natural *a, const fpfmt_natural *b); /* of a, b > 0, into a */

#endif
