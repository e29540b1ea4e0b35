/* operands.h - operands to try together: interesting exponents with interesting significands, and
 * those whose result nearly cancels, is a tie, or lies at an end of the range
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_OPERANDS_H
#define FPFMT_TESTS_OPERANDS_H

#include <fpfmt.h>

/* A code at random: of every ten about eight are interesting, one special, one any. */
uint64_t operand_code(const fpfmt_format *format);

/* Three codes, each of its own format; they have something to do with each other more often than
 * not. to: the format that their result is meant for. */
void related_codes(uint64_t codes[3], const fpfmt_format *const formats[3], const fpfmt_format *to);

/* Three exact values with significands of up to 64 bits, near to and far from each other. */
void related_values(fpfmt_value values[3]);

#endif
