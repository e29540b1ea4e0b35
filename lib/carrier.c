/* carrier.c - values to and from the bits of binary32 and binary64
 * SPDX-License-Identifier: MIT */

#include "carrier.h"

fpfmt_value fpfmt_from_carrier(uint64_t bits, int carrier)
{
    return fpfmt_decode(fpfmt_carriers[carrier], bits);
}

uint64_t fpfmt_to_carrier(const fpfmt_format *format, uint64_t code, const fpfmt_policy *policy,
                          int carrier, unsigned *flags)
{
    fpfmt_policy rules = { .nan = policy->nan,
                           .subnormal = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS };
    return fpfmt_encode(fpfmt_carriers[carrier], fpfmt_decode(format, code), &rules, flags);
}
