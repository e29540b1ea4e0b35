/* oracle_results.h - numbers in an engine's output format
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_ORACLE_RESULTS_H
#define FPFMT_TESTS_ORACLE_RESULTS_H

#include "oracle.h"

uint64_t oracle_infinity(const oracle_format *format, bool negative);

/* Rounded; what truncation or rounding to odd would bring past the largest value is infinite. */
uint64_t oracle_round_to(const oracle_format *format, const oracle_number *number,
                         const fpfmt_policy *policy);

/* What a group of an aligning accumulator came to, in the output format. */
uint64_t oracle_result(const fpfmt_accumulator *how, const oracle_format *to,
                       const oracle_number *total);

#endif
