/* oracle_decide.c - what a number becomes once its place is known: rounding, overflow, flags, NaN
 * SPDX-License-Identifier: MIT */

#include "oracle.h"

/* Does the magnitude go up? even: the parity of the code below; zero: that code is zero. */
static bool rounds_up(const oracle_format *format, unsigned mode, bool negative, int remainder,
                      bool even, bool zero)
{
    bool inexact = remainder != ORACLE_EXACT;
    switch (mode) {
    case FPFMT_ROUND_NEAREST_EVEN:
        if (remainder == ORACLE_HALF)
            return format->tie_larger ? !zero : !even;
        return remainder == ORACLE_ABOVE_HALF;
    case FPFMT_ROUND_NEAREST_AWAY: return remainder >= ORACLE_HALF;
    case FPFMT_ROUND_NEAREST_ZERO: return remainder == ORACLE_ABOVE_HALF;
    case FPFMT_ROUND_TOWARD_ZERO: return false;
    case FPFMT_ROUND_AWAY_FROM_ZERO: return inexact;
    case FPFMT_ROUND_UPWARD: return inexact && !negative;
    case FPFMT_ROUND_DOWNWARD: return inexact && negative;
    default: return inexact && even;
    }
}

static bool is_tiny(const oracle_format *format, const oracle_number *number,
                    const oracle_place *place, const fpfmt_policy *policy)
{
    bool even = (oracle_min_normal(format) - 1) % 2 == 0;
    if (!place->subnormal)
        return false;
    if (place->under || place->edge < 0 || policy->tininess == FPFMT_TININESS_BEFORE_ROUNDING)
        return true;
    return !rounds_up(format, policy->rounding, number->negative, place->edge, even, false);
}

static uint64_t nan_of_sign(const oracle_format *format, bool negative)
{
    bool two = oracle_has_negative_zero(format);
    return format->nan + (negative && two ? oracle_sign(format) : 0);
}

/* Of a value past either end. 5.8 of IEEE 754-2019 has invalid alone for integers. */
static unsigned flags_outside(const oracle_format *format, const fpfmt_policy *policy)
{
    if (format->kind == ORACLE_INTEGER && policy->overflow == FPFMT_OVERFLOW_INVALID)
        return FPFMT_FLAG_INVALID;
    return FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INEXACT;
}

static uint64_t choose_overflow(const oracle_format *format, const oracle_number *number,
                                const fpfmt_policy *given)
{
    fpfmt_policy plain = *given;
    const fpfmt_policy *policy = &plain;
    if (given->overflow == FPFMT_OVERFLOW_INVALID)
        plain.overflow = format->kind == ORACLE_INTEGER ? FPFMT_OVERFLOW_MAX : FPFMT_OVERFLOW_SPEC;
    bool infinite = number->kind == FPFMT_KIND_INFINITE, negative = number->negative;
    bool symmetric = policy->overflow == FPFMT_OVERFLOW_SYMMETRIC;
    uint64_t max = oracle_limit(format, negative && !symmetric);
    unsigned mode = policy->rounding, inner = negative ? FPFMT_ROUND_UPWARD : FPFMT_ROUND_DOWNWARD;
    unsigned choice = policy->overflow == FPFMT_OVERFLOW_SPEC ? format->overflow : policy->overflow;
    if (!infinite && policy->overflow <= FPFMT_OVERFLOW_INF) {
        if (mode == FPFMT_ROUND_TOWARD_ZERO || mode == inner)
            return oracle_code(format, negative, max);
        if (mode == FPFMT_ROUND_TO_ODD && (format->infinity == 0 || format->infinity % 2 == 0))
            return oracle_code(format, negative, max);
    }
    if (choice == FPFMT_OVERFLOW_INF && format->infinity != 0)
        return oracle_code(format, negative, format->infinity);
    if ((choice == FPFMT_OVERFLOW_INF || choice == FPFMT_OVERFLOW_NAN) && format->nan != 0)
        return nan_of_sign(format, negative);
    return oracle_code(format, negative, max);
}

/* A nonzero negative that does not round to zero, for a format without sign. */
static uint64_t choose_negative(const oracle_format *format, const oracle_number *number,
                                const fpfmt_policy *policy, unsigned *flags)
{
    unsigned mode = policy->rounding;
    bool inner = mode == FPFMT_ROUND_TOWARD_ZERO || mode == FPFMT_ROUND_UPWARD;
    bool spec =
        (policy->overflow <= FPFMT_OVERFLOW_NAN || policy->overflow == FPFMT_OVERFLOW_INVALID) &&
        policy->negative == FPFMT_NEGATIVE_SPEC;
    if (format->kind == ORACLE_INTEGER && policy->negative != FPFMT_NEGATIVE_ZERO) {
        *flags |= flags_outside(format, policy);
        return 0;
    }
    inner &= number->kind != FPFMT_KIND_INFINITE && oracle_has_zero(format);
    *flags |= spec && !inner ? FPFMT_FLAG_INVALID : FPFMT_FLAG_INEXACT;
    return spec && !inner ? format->nan : 0;
}

static uint64_t choose_nan(const oracle_format *format, const oracle_number *number,
                           const fpfmt_policy *policy, unsigned *flags)
{
    bool signaling = number->kind == FPFMT_KIND_SIGNALING_NAN;
    bool preserve = policy->nan == FPFMT_NAN_PRESERVE && format->kind == ORACLE_IEEE;
    uint64_t quiet = format->nan - format->infinity, payload = number->payload;
    int width = format->precision - 2;
    if ((signaling && !preserve) || format->nan == 0)
        *flags |= FPFMT_FLAG_INVALID;
    if (format->nan == 0 && policy->nan == FPFMT_NAN_OPPOSITE_ZERO)
        return oracle_code(format, !number->negative && oracle_has_negative_zero(format), 0);
    if (format->nan == 0)
        return format->max;
    if (policy->nan == FPFMT_NAN_CANONICAL)
        return format->nan;
    if (format->kind != ORACLE_IEEE)
        return nan_of_sign(format, number->negative);
    for (int i = number->payload_bits; i > width; i--)
        payload /= 2;
    for (int i = number->payload_bits; i > 0 && i < width; i++)
        payload *= 2;
    payload %= quiet;
    if (signaling && preserve)
        return format->infinity + (payload == 0 ? 1 : payload) +
               (number->negative ? oracle_sign(format) : 0);
    return format->nan + payload + (number->negative ? oracle_sign(format) : 0);
}

static uint64_t choose_zero(const oracle_format *format, bool negative, unsigned *flags)
{
    if (!oracle_has_zero(format))
        *flags |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
    return oracle_code(format, negative && oracle_has_negative_zero(format), 0);
}

static uint64_t choose_infinity(const oracle_format *format, const oracle_number *number,
                                const fpfmt_policy *policy, unsigned *flags)
{
    bool clamped =
        policy->overflow == FPFMT_OVERFLOW_MAX || policy->overflow == FPFMT_OVERFLOW_SYMMETRIC;
    if (number->negative && !format->is_signed)
        return choose_negative(format, number, policy, flags);
    if (format->infinity != 0 && !clamped)
        return oracle_code(format, number->negative, format->infinity);
    *flags |= flags_outside(format, policy);
    return choose_overflow(format, number, policy);
}

static uint64_t choose_finite(const oracle_format *format, const oracle_number *number,
                              const oracle_place *place, const fpfmt_policy *policy,
                              unsigned *flags)
{
    bool negative = number->negative;
    bool inexact = place->remainder != ORACLE_EXACT || place->under;
    bool tiny = is_tiny(format, number, place, policy);
    uint64_t limit = oracle_limit(format, negative && policy->overflow != FPFMT_OVERFLOW_SYMMETRIC);
    uint64_t code = place->below + rounds_up(format, policy->rounding, negative, place->remainder,
                                             place->below % 2 == 0,
                                             place->below == 0 && oracle_has_zero(format));
    if (negative && !format->is_signed && !oracle_has_zero(format))
        return choose_negative(format, number, policy, flags);
    if (tiny && (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS)) {
        *flags |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
        return choose_zero(format, negative, flags);
    }
    if (negative && !format->is_signed && code != 0)
        return choose_negative(format, number, policy, flags);
    if (code > limit || (policy->overflow_test == FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING &&
                         place->below + inexact > limit)) {
        *flags |= flags_outside(format, policy);
        return choose_overflow(format, number, policy);
    }
    if (inexact)
        *flags |= FPFMT_FLAG_INEXACT | (tiny ? FPFMT_FLAG_UNDERFLOW : 0);
    return oracle_code(format, negative && format->is_signed, code);
}

uint64_t oracle_choose(const oracle_format *format, const oracle_number *given,
                       const oracle_place *place, const fpfmt_policy *policy, unsigned *flags)
{
    bool dropped = !format->is_signed && policy->negative == FPFMT_NEGATIVE_DROP;
    oracle_number number = *given;
    number.negative &= !dropped;
    if (number.kind == FPFMT_KIND_SUBNORMAL && (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS))
        number.kind = FPFMT_KIND_ZERO;
    switch (number.kind) {
    case FPFMT_KIND_ZERO: return choose_zero(format, number.negative, flags);
    case FPFMT_KIND_INFINITE: return choose_infinity(format, &number, policy, flags);
    case FPFMT_KIND_SUBNORMAL:
    case FPFMT_KIND_NORMAL: return choose_finite(format, &number, place, policy, flags);
    default: return choose_nan(format, &number, policy, flags);
    }
}

uint64_t oracle_encode(const oracle_format *format, const oracle_number *number,
                       const fpfmt_policy *policy, unsigned *flags)
{
    oracle_place place = { .edge = -1 };
    if (number->kind == FPFMT_KIND_SUBNORMAL || number->kind == FPFMT_KIND_NORMAL)
        oracle_find(format, number, &place);
    return oracle_choose(format, number, &place, policy, flags);
}
