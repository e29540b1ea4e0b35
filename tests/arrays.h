/* arrays.h - what array conversions are held to: one element at a time by the scalar functions
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_ARRAYS_H
#define FPFMT_TESTS_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fpfmt.h>

/* The formats that arrays are tried with: every row of the table, and grammar names at the bounds
 * of what kernels take. False past the last. */
bool array_format(fpfmt_format *format, size_t index);

/* Policies by index: overflow, subnormals, NaN, tininess, signs. rounding is left to the caller. */
bool array_policy(fpfmt_policy *policy, size_t index);

/* Rounding modes with their random bits, by index; deterministic ones first. */
bool array_mode(fpfmt_policy *policy, size_t index);

/* A carrier is binary32 or binary64, by its bytes: 4 or 8. */
size_t code_bytes(const fpfmt_format *format);
uint64_t load_word(const void *from, size_t bytes);
void store_word(void *to, uint64_t word, size_t bytes);

/* Carrier bits worth trying: values of the format, midpoints, neighbours, specials, random ones. By
 * turns 64 of these, and 64 that are finite, do not overflow and do not vanish. */
void fill_carriers(void *values, size_t bytes, size_t n, const fpfmt_format *format);

/* Element i by the scalar functions: the code, or the carried value of it. */
uint64_t expected_code(const fpfmt_format *format, const fpfmt_policy *policy, uint64_t bits,
                       size_t bytes, uint64_t index, unsigned *flags);
uint64_t expected_value(const fpfmt_format *format, const fpfmt_policy *policy, uint64_t code,
                        size_t bytes);

/* A code as decoding gives it: NaN and subnormals by the policy. */
uint64_t expected_decoded(const fpfmt_format *format, const fpfmt_policy *policy, uint64_t code,
                          size_t bytes, unsigned *flags);

bool holds(size_t bytes, const fpfmt_format *format);

uint64_t random_bits_64(void);

/* The sets of kernels that run here, by index; NULL past the last. */
const fpfmt_kernels *set_here(size_t index);

/* What is done to an array, and with which plans. */
enum { ENCODES, ROUNDS, DECODES, CONVERTS };
typedef struct {
    int operation;
    size_t bytes;            /* of the carrier; CONVERTS has none */
    fpfmt_plan plan, source; /* source: of CONVERTS */
} array_call;

/* Every operation with every carrier, by index; false past the last. */
bool array_operation(array_call *call, size_t index);
const char *operation_name(const array_call *call);

/* Prepare the plans; source is used by CONVERTS alone. False if the carrier is refused. */
bool prepare_call(array_call *call, const fpfmt_format *format, const fpfmt_format *source,
                  const fpfmt_policy *policy, const fpfmt_kernels *set);

/* Bytes of an element that goes in, and of one that comes out. */
size_t input_bytes(const array_call *call);
size_t output_bytes(const array_call *call);

/* n elements worth trying: carriers near values of the format, or codes. */
void fill_call_input(const array_call *call, void *in, size_t n);

/* By plan; the one-shot twin; and element index by the scalar functions. */
bool run_call(const array_call *call, void *out, const void *in, size_t n, uint64_t first,
              unsigned *flags);
bool run_once(const array_call *call, void *out, const void *in, size_t n,
              const fpfmt_policy *policy, unsigned *flags);
uint64_t expected_of_call(const array_call *call, uint64_t word, uint64_t index, unsigned *flags);

#endif
