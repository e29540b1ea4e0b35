/* beyond.c - what a policy makes of what no rounding decides: past the ends, infinity, NaN, zero
 * SPDX-License-Identifier: MIT
 *
 * The contracts are in encode.h. These functions are called seldom, by encode, and once for each
 * plan, by encoder.c, which keeps their answers. */

#include "encode.h"

#include "bits.h"
#include "shape.h"

/* The rule for overflow: the policy's, or where that is SPEC, or INVALID but of no integer, the
 * row's own, which says as much about infinite inputs and the lowest code of two's complement as if
 * the policy had said it. */
static unsigned overflow_rule(const fpfmt_format *format, const fpfmt_policy *policy)
{
    bool invalid = policy->overflow == FPFMT_OVERFLOW_INVALID && !is_fixed_point(format);
    return policy->overflow == FPFMT_OVERFLOW_SPEC || invalid ? format->overflow : policy->overflow;
}

uint64_t fpfmt_largest(const fpfmt_format *format, bool negative, const fpfmt_policy *policy)
{
    bool symmetric = overflow_rule(format, policy) == FPFMT_OVERFLOW_SYMMETRIC;
    return shape_max(format, negative & !symmetric);
}

/* The quiet NaN without payload, of a sign where it can have one; the format has NaN. */
static uint64_t nan_code(const fpfmt_format *format, bool negative)
{
    return format->nans == FPFMT_NANS_NEGATIVE_ZERO
               ? shape_nan(format)
               : fpfmt_with_sign(format, shape_nan(format), negative);
}

/* IEEE 754-2019 5.8: an integer that is out of range raises invalid, and nothing else. */
static unsigned flags_beyond(const fpfmt_format *format, const fpfmt_policy *policy)
{
    bool invalid =
        is_fixed_point(format) && overflow_rule(format, policy) == FPFMT_OVERFLOW_INVALID;
    return invalid ? FPFMT_FLAG_INVALID : FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INEXACT;
}

/* What the policy makes of a magnitude past the largest, or of an infinite input that does not stay
 * infinite.
 *
 * Where the format's specification or infinity is asked for, a finite magnitude that the mode
 * rounds toward zero stays at the largest value, IEEE 754-2019 7.4; to odd it becomes whichever of
 * the largest value and infinity has an odd code, the largest value where there is no infinity. An
 * infinite input is no finite value that a mode could turn inward. What the choice lacks in the
 * format falls from infinity to NaN to the largest value. */
static uint64_t overflowed(const fpfmt_format *format, const fpfmt_policy *policy, bool negative,
                           bool infinite)
{
    unsigned choice = overflow_rule(format, policy);
    uint64_t max = fpfmt_largest(format, negative, policy);
    bool as_specified = policy->overflow == FPFMT_OVERFLOW_SPEC ||
                        policy->overflow == FPFMT_OVERFLOW_INF ||
                        policy->overflow == FPFMT_OVERFLOW_INVALID;
    /* A directed mode decides between the largest value and what comes after it, as between any
     * two neighbours. By parity it can only where that is a code, that of infinity. */
    const fpfmt_mode *mode = fpfmt_mode_of(policy->rounding);
    if (as_specified && !infinite && fpfmt_mode_is_directed(mode) &&
        (!fpfmt_mode_leaves(mode, negative, max & 1) ||
         (mode->odd_turns && format->infinity == FPFMT_INFINITY_NONE)))
        choice = FPFMT_OVERFLOW_MAX;
    if (choice == FPFMT_OVERFLOW_INF && format->infinity != FPFMT_INFINITY_NONE)
        return fpfmt_with_sign(format, shape_infinity(format), negative);
    if (choice <= FPFMT_OVERFLOW_NAN && format->nans != FPFMT_NANS_NONE)
        return nan_code(format, negative);
    return fpfmt_with_sign(format, max, negative);
}

/* Whether overflow is to become the largest value. */
static bool saturates(const fpfmt_policy *policy)
{
    return policy->overflow >= FPFMT_OVERFLOW_MAX && policy->overflow <= FPFMT_OVERFLOW_SYMMETRIC;
}

/* As at the upper end, the modes that round toward zero or up go to 0, the nearest value, where the
 * format has one; E8M0 has not, and ignores the mode. */
uint64_t fpfmt_encode_negative(const fpfmt_format *format, const fpfmt_policy *policy,
                               bool infinite, unsigned *flags)
{
    const fpfmt_mode *mode = fpfmt_mode_of(policy->rounding);
    bool has_zero = format->exponent_zero != FPFMT_EXPONENT_ZERO_NORMALS;
    bool upward =
        has_zero && !infinite && fpfmt_mode_is_directed(mode) && !mode->away[1] && !mode->odd_turns;
    if (is_fixed_point(format) && policy->negative != FPFMT_NEGATIVE_ZERO) {
        *flags |= flags_beyond(format, policy);
        return 0;
    }
    if (policy->negative == FPFMT_NEGATIVE_ZERO || saturates(policy) || upward) {
        *flags |= FPFMT_FLAG_INEXACT;
        return 0;
    }
    *flags |= FPFMT_FLAG_INVALID;
    return shape_nan(format);
}

uint64_t fpfmt_encode_zero(const fpfmt_format *format, bool negative, unsigned *flags)
{
    if (format->exponent_zero == FPFMT_EXPONENT_ZERO_NORMALS)
        *flags |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
    return fpfmt_with_sign(format, 0, negative);
}

uint64_t fpfmt_encode_beyond(const fpfmt_format *format, bool negative, const fpfmt_policy *policy,
                             unsigned *flags)
{
    if (negative && format->sign_bits == 0)
        return fpfmt_encode_negative(format, policy, false, flags);
    *flags |= flags_beyond(format, policy);
    return overflowed(format, policy, negative, false);
}

uint64_t fpfmt_encode_infinity(const fpfmt_format *format, bool negative,
                               const fpfmt_policy *policy, unsigned *flags)
{
    unsigned rule = overflow_rule(format, policy);
    bool kept = rule != FPFMT_OVERFLOW_MAX && rule != FPFMT_OVERFLOW_SYMMETRIC;
    if (negative && format->sign_bits == 0)
        return fpfmt_encode_negative(format, policy, true, flags);
    if (format->infinity != FPFMT_INFINITY_NONE && kept)
        return fpfmt_with_sign(format, shape_infinity(format), negative);
    *flags |= flags_beyond(format, policy);
    return overflowed(format, policy, negative, true);
}

/* The magnitude code of an IEEE NaN. IEEE 754-2019 6.2.3: a payload that comes from a field of bits
 * keeps its top bits at the top, so that what a narrower format has of it is what a wider one gives
 * back; one from text is an integer, at the bottom. */
static uint64_t ieee_nan(const fpfmt_format *format, fpfmt_value value, bool quiet)
{
    int bits = format->fraction_bits - 1;
    uint64_t payload = value.significand;
    if (value.payload_bits > bits)
        payload = shift_right(payload, value.payload_bits - bits);
    else if (value.payload_bits > 0)
        payload <<= bits - value.payload_bits;
    payload &= low_bits(bits);
    if (!quiet && payload == 0)
        payload = 1; /* all zero would be infinity; with one fraction bit, the quiet bit */
    return shape_infinity(format) | payload | (quiet ? UINT64_C(1) << bits : 0);
}

uint64_t fpfmt_encode_nan(const fpfmt_format *format, fpfmt_value value, const fpfmt_policy *policy,
                          unsigned *flags)
{
    bool signaling = value.kind == FPFMT_KIND_SIGNALING_NAN;
    bool keeps = policy->nan == FPFMT_NAN_PRESERVE && format->nans == FPFMT_NANS_IEEE;
    if (signaling && !keeps)
        *flags |= FPFMT_FLAG_INVALID;
    if (format->nans == FPFMT_NANS_NONE) {
        *flags |= FPFMT_FLAG_INVALID;
        if (policy->nan == FPFMT_NAN_OPPOSITE_ZERO)
            return fpfmt_with_sign(format, 0, !value.negative);
        return shape_max(format, false);
    }
    if (policy->nan == FPFMT_NAN_CANONICAL)
        return shape_nan(format);
    if (format->nans != FPFMT_NANS_IEEE)
        return nan_code(format, value.negative);
    return fpfmt_with_sign(format, ieee_nan(format, value, !(signaling && keeps)), value.negative);
}
