/* limits.c - limits of a format beyond those that fpfmt_measure has
 * SPDX-License-Identifier: MIT */

#include "values/limits.h"

#include "kit/number.h"

int bottom_of(const fpfmt_format *format)
{
    return fpfmt_decode(format, fpfmt_measure(format).min_positive).exponent;
}

fpfmt_value largest_consecutive_integer(const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    fpfmt_value max = fpfmt_decode(format, limits.max), one = fpfmt_from_i64(1);
    fpfmt_value candidate = fpfmt_from_u64(UINT64_C(1) << limits.precision);
    unsigned flags = 0;
    fpfmt_encode(format, one, NULL, &flags);
    if (flags != 0)
        return fpfmt_from_i64(0);
    fpfmt_encode(format, candidate, &(fpfmt_policy){ .overflow = FPFMT_OVERFLOW_MAX }, &flags);
    if (flags == 0)
        return candidate;
    return fpfmt_from_u64(
        fpfmt_to_u64(max, &(fpfmt_policy){ .rounding = FPFMT_ROUND_TOWARD_ZERO }, NULL));
}

bool epsilon_of(const fpfmt_format *format, fpfmt_value *epsilon)
{
    fpfmt_value one = fpfmt_from_i64(1);
    unsigned flags = 0;
    fpfmt_encode(format, one, NULL, &flags);
    *epsilon = fpfmt_ulp(format, one);
    return flags == 0;
}

bool flush_threshold(const fpfmt_format *format, int *exponent)
{
    fpfmt_limits limits = fpfmt_measure(format);
    fpfmt_value least = fpfmt_decode(format, limits.min_positive);
    *exponent = least.exponent - 1;
    return limits.has_zero && is_power_of_two(least);
}
