/* carrier.h - binary32 and binary64, the numbers of C in which values come in and go out
 * SPDX-License-Identifier: MIT
 *
 * A carrier is float or double, as the row of its format: bits, bias, bytes and infinity follow
 * from the row, and stand nowhere else but in the kernels, which are written for the two. */

#ifndef FPFMT_LIB_CARRIER_H
#define FPFMT_LIB_CARRIER_H

#include <fpfmt.h>

enum { CARRIER_32, CARRIER_64, CARRIERS };

/* The rows of the table of formats, by carrier. */
extern const fpfmt_format *const fpfmt_carriers[CARRIERS];

/* What C says of them: a call for one element has no time to measure a row. */
static inline size_t carrier_bytes(int carrier)
{
    return carrier == CARRIER_32 ? sizeof(float) : sizeof(double);
}

/* The rows of the two formats that processors convert from and to float. */
extern const fpfmt_format *const fpfmt_binary16, *const fpfmt_bfloat16;

/* A carrier's bits to the value, exactly. Bits above those of binary32 are ignored. */
fpfmt_value fpfmt_from_carrier(uint64_t bits, int carrier);

/* A code of the format to the bits of a carrier that holds its value. Of the policy the rules for
 * NaN and for subnormal inputs count, as nothing is rounded. This is what the element functions of
 * the kernels are held to. */
uint64_t fpfmt_to_carrier(const fpfmt_format *format, uint64_t code, const fpfmt_policy *policy,
                          int carrier, unsigned *flags);

#endif
