/* array_sets.h - every set of kernels against the scalar functions, codes, values and flags
 * SPDX-License-Identifier: MIT
 *
 * Tests of arrays take long; a program for each operation lets them run side by side. */

#ifndef FPFMT_TESTS_ARRAY_SETS_H
#define FPFMT_TESTS_ARRAY_SETS_H

#include <stddef.h>

/* ENCODES or ROUNDS of arrays.h, from a carrier of so many bytes: every format, policy and mode. */
void test_rounding(int operation, size_t bytes);

/* All codes of up to 16 bits, or some of more, of every format, in every policy, to a carrier. */
void test_decode(size_t bytes);

#endif
