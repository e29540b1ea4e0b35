/* oracle_numbers.h - numbers of MPFR as the arithmetic of binary32 rounds them
 * SPDX-License-Identifier: MIT
 *
 * Numbers have ORACLE_NUMBER_BITS bits: products of three numbers of binary64 are exact, and what
 * is cut of a quotient sets the last bit, so that it is rounded once more as the quotient itself.
 */

#ifndef FPFMT_TESTS_ORACLE_NUMBERS_H
#define FPFMT_TESTS_ORACLE_NUMBERS_H

#include "oracle.h"

enum { ORACLE_NUMBER_BITS = 192 };

/* A number as MPFR has it, and back; NaN is positive then and has no payload. */
void oracle_as_mpfr(mpfr_t x, const oracle_number *number);
void oracle_set_mpfr(oracle_number *number, const mpfr_t x);

/* The code that a number has in a format, and the number of a code. */
uint64_t oracle_encode_mpfr(const oracle_format *format, const mpfr_t x,
                            const fpfmt_policy *policy);
void oracle_decode_mpfr(mpfr_t x, const oracle_format *format, uint64_t code);

/* To binary32, ties to even. */
void oracle_round_32(mpfr_t rounded, const mpfr_t x);

/* a / b, and what binary32 makes of a / b, a x b and 1 / x. */
void oracle_divide(mpfr_t quotient, const mpfr_t a, const mpfr_t b);
void oracle_divide_32(mpfr_t quotient, const mpfr_t a, const mpfr_t b);
void oracle_multiply_32(mpfr_t product, const mpfr_t a, const mpfr_t b);
void oracle_invert_32(mpfr_t inverse, const mpfr_t x);

/* A processor's minimum of x and the largest binary32, which is the latter for NaN. */
void oracle_cap_32(mpfr_t x);

#endif
