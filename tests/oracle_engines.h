/* oracle_engines.h - matrix engines and dot product instructions, written again from their sources
 * SPDX-License-Identifier: MIT
 *
 * In exact integers of any size, and by operations of MPFR. From fpfmt.h it takes the parameters of
 * an accumulator, which are the question. */

#ifndef FPFMT_TESTS_ORACLE_ENGINES_H
#define FPFMT_TESTS_ORACLE_ENGINES_H

#include "oracle.h"

/* Codes of a format. */
typedef struct {
    const oracle_format *format;
    const uint64_t *codes;
} oracle_series;

/* start + a[0] x b[0] + ..., codes of an IEEE format, as an engine computes it. how is one of those
 * from FPFMT_ACCUMULATE_ALIGNED on. */
uint64_t oracle_dot(const fpfmt_accumulator *how, const oracle_format *to, uint64_t start,
                    oracle_series a, oracle_series b, size_t n);

#endif
