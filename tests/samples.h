/* samples.h - codes and values to try: edges of fields, neighbours, random ones
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_SAMPLES_H
#define FPFMT_TESTS_SAMPLES_H

#include "oracle.h"

/* A random word from a fixed seed, and a line of diagnostics with the seed. */
uint64_t random_word(void);
void print_seed(void);

/* The n-th of any number of codes: one bit and one step from the special codes, then random. */
uint64_t sample_code(const oracle_format *reference, unsigned n);

/* The n-th of any number of values: significands of every length, exponents near and far, cut
 * tails, now and then zeros and specials. */
fpfmt_value sample_value(unsigned n);

/* A value, its neighbours one part in 2^64 away, and half that. Returns how many: none of zero. */
enum { NEIGHBORS = 5 };
size_t neighbors_of(fpfmt_value values[NEIGHBORS], const mpfr_t magnitude);

/* The library's format of that name; a mismatch is reported if it has none. */
fpfmt_format found(const oracle_format *reference);

/* The formats of up to 16 bits and some of P3109, by index; NULL past the last. */
const oracle_format *small_format(size_t index);

/* Bits of the host's numbers. */
float float_of(uint64_t code);
double double_of(uint64_t code);
uint64_t code_of_float(float x);
uint64_t code_of_double(double x);

#endif
