/* oracle_results.c - numbers in an engine's output format
 * SPDX-License-Identifier: MIT */

#include "oracle_results.h"

uint64_t oracle_infinity(const oracle_format *format, bool negative)
{
    return format->infinity + (negative ? oracle_sign(format) : 0);
}

/* Is the magnitude past the largest value, were the exponent unbounded, and cut to the precision?
 */
static bool is_past(const oracle_format *format, const oracle_number *number)
{
    mpfr_t beyond;
    mpfr_init2(beyond, 64);
    oracle_magnitude(beyond, format, format->max + 1);
    bool past = mpfr_greaterequal_p(number->magnitude, beyond) != 0;
    mpfr_clear(beyond);
    return past;
}

uint64_t oracle_round_to(const oracle_format *format, const oracle_number *number,
                         const fpfmt_policy *policy)
{
    bool finite = number->kind == FPFMT_KIND_SUBNORMAL || number->kind == FPFMT_KIND_NORMAL;
    unsigned flags = 0;
    if (finite && policy->rounding != FPFMT_ROUND_NEAREST_EVEN && is_past(format, number))
        return oracle_infinity(format, number->negative);
    return oracle_encode(format, number, policy, &flags);
}

/* The format with fewer fraction bits; drop is how many. */
static oracle_format shortened(const oracle_format *to, int kept_bits, int *drop)
{
    oracle_format format = *to;
    *drop = kept_bits == 0 || kept_bits >= to->precision - 1 ? 0 : to->precision - 1 - kept_bits;
    format.bits -= *drop;
    format.precision -= *drop;
    format.infinity >>= *drop;
    format.nan >>= *drop;
    format.max = format.infinity - 1;
    return format;
}

uint64_t oracle_result(const fpfmt_accumulator *how, const oracle_format *to,
                       const oracle_number *total)
{
    int drop;
    oracle_format format = shortened(to, how->kept_bits, &drop);
    fpfmt_policy policy = { .rounding =
                                how->nearest ? FPFMT_ROUND_NEAREST_EVEN : FPFMT_ROUND_TOWARD_ZERO };
    return oracle_round_to(&format, total, &policy) << drop;
}
