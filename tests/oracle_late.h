/* oracle_late.h - groups of products whose sum the start joins late, in exact fractions
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_ORACLE_LATE_H
#define FPFMT_TESTS_ORACLE_LATE_H

#include "oracle_engines.h"

/* What a group came to: a number, or else which sign of infinity, or NaN. */
typedef enum { LATE_NUMBER, LATE_INFINITE, LATE_NAN } late_outcome;

/* The start and the products of elements i to before end, one group, before the last rounding. */
late_outcome oracle_late(oracle_number *total, const fpfmt_accumulator *how,
                         const oracle_format *to, const oracle_number *start, oracle_series a,
                         oracle_series b, size_t i, size_t end);

#endif
