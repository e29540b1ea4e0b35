/* value.c - host numbers to exact values, and back with one rounding
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include <string.h>

#include "bits.h"
#include "carrier.h"
#include "encode.h"

fpfmt_value fpfmt_from_f32(float x)
{
    uint32_t code;
    memcpy(&code, &x, sizeof code);
    return fpfmt_decode(fpfmt_carriers[CARRIER_32], code);
}

fpfmt_value fpfmt_from_f64(double x)
{
    uint64_t code;
    memcpy(&code, &x, sizeof code);
    return fpfmt_decode(fpfmt_carriers[CARRIER_64], code);
}

/* An integer is never subnormal, whatever format it goes to. */
static fpfmt_value from_magnitude(bool negative, uint64_t magnitude)
{
    int bits = bit_length(magnitude);
    if (magnitude == 0)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO };
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .negative = negative,
                          .exponent = bits - 1,
                          .significand = magnitude << (64 - bits) };
}

fpfmt_value fpfmt_from_i64(int64_t x)
{
    return from_magnitude(x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

fpfmt_value fpfmt_from_u64(uint64_t x)
{
    return from_magnitude(false, x);
}

float fpfmt_to_f32(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags)
{
    uint32_t code = (uint32_t)fpfmt_encode(fpfmt_carriers[CARRIER_32], value, policy, flags);
    float x;
    memcpy(&x, &code, sizeof x);
    return x;
}

double fpfmt_to_f64(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags)
{
    uint64_t code = fpfmt_encode(fpfmt_carriers[CARRIER_64], value, policy, flags);
    double x;
    memcpy(&x, &code, sizeof x);
    return x;
}

/* The rounded magnitude, at most limit; past it the limit, with invalid alone, IEEE 754-2019 5.8
 * and 7.2 j. NaN gives 0, as in Arm's FCVTZS. A magnitude from 2^64 on is past every limit, and
 * told before it is cut, as a cut holds 64 bits. */
static uint64_t to_magnitude(fpfmt_value value, uint64_t limit, const fpfmt_policy *policy,
                             unsigned *flags)
{
    bool flushed = value.kind == FPFMT_KIND_SUBNORMAL && policy != NULL &&
                   (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS);
    if (fpfmt_value_is_zero(value) || flushed)
        return 0;
    bool finite = value.kind == FPFMT_KIND_SUBNORMAL || value.kind == FPFMT_KIND_NORMAL;
    if (!finite || value.exponent > 63) {
        *flags |= FPFMT_FLAG_INVALID;
        return finite || fpfmt_value_is_infinite(value) ? limit : 0;
    }
    fpfmt_cut cut = fpfmt_cut_at(value, 0);
    fpfmt_rule rule = fpfmt_rule_of(policy);
    bool away = fpfmt_rounds_away(&rule, value.negative, cut.kept & 1, &cut);
    if (cut.kept > limit || (away && cut.kept == limit)) {
        *flags |= FPFMT_FLAG_INVALID;
        return limit;
    }
    if (cut.remainder != FPFMT_REMAINDER_NONE)
        *flags |= FPFMT_FLAG_INEXACT;
    return cut.kept + away;
}

/* The limit is one more below zero; INT64_MIN cannot be made by negating. */
int64_t fpfmt_to_i64(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags)
{
    unsigned raised = 0;
    uint64_t limit = (uint64_t)INT64_MAX + value.negative;
    uint64_t magnitude = to_magnitude(value, limit, policy, &raised);
    if (flags != NULL)
        *flags |= raised;
    if (!value.negative)
        return (int64_t)magnitude;
    return magnitude > (uint64_t)INT64_MAX ? INT64_MIN : -(int64_t)magnitude;
}

uint64_t fpfmt_to_u64(fpfmt_value value, const fpfmt_policy *policy, unsigned *flags)
{
    unsigned raised = 0;
    uint64_t limit = value.negative ? 0 : UINT64_MAX;
    uint64_t magnitude = to_magnitude(value, limit, policy, &raised);
    if (flags != NULL)
        *flags |= raised;
    return magnitude;
}
