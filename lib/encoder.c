/* encoder.c - the constants of a conversion from a carrier to a format
 * SPDX-License-Identifier: MIT
 *
 * Every field that a decision reads is set (kernels/kernel.h says which); none is cleared first, as
 * calls for a few elements make an encoder each time. What a policy makes of overflow, infinity and
 * NaN is not decided here: fpfmt_encode's own functions are asked once, and what they answer is
 * kept. */

#include "bits.h"
#include "encode.h"
#include "plan.h"
#include "shape.h"

/* The constants of goes_away by mode; away from zero, every rest goes. */
static const struct {
    bool nearest, tie, tie_odd, never[2], never_odd;
} limits[FPFMT_ROUND_END] = {
    [FPFMT_ROUND_NEAREST_EVEN] = { .nearest = true, .tie_odd = true },
    [FPFMT_ROUND_NEAREST_AWAY] = { .nearest = true, .tie = true },
    [FPFMT_ROUND_NEAREST_ZERO] = { .nearest = true },
    [FPFMT_ROUND_TOWARD_ZERO] = { .never = { true, true } },
    [FPFMT_ROUND_UPWARD] = { .never = { false, true } },
    [FPFMT_ROUND_DOWNWARD] = { .never = { true, false } },
    [FPFMT_ROUND_TO_ODD] = { .never_odd = true },
};

/* All ones for yes. */
static uint64_t mask(bool yes)
{
    return yes ? UINT64_MAX : 0;
}

/* How elements decide, and the constants of that. In STOCHASTIC_A the first 32 bits of a distance
 * and N random ones tell all, as N is at most 32; in B half a unit is added, which takes one bit
 * more. */
static void set_decision(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                         int carrier)
{
    unsigned rounding = policy->rounding;
    bool even = rounding == FPFMT_ROUND_NEAREST_EVEN, chance = rounding >= FPFMT_ROUND_COUNT;
    k->rounding = policy->rounding;
    k->random_bits = chance ? (uint8_t)fpfmt_rule_with(policy, 0).bits : 0;
    bool few = rounding == FPFMT_ROUND_STOCHASTIC_A ||
               (rounding == FPFMT_ROUND_STOCHASTIC_B && k->random_bits < 32);
    if (!fpfmt_is_reached(format, carrier) || format->tie == FPFMT_TIE_LARGER)
        k->decision = DECIDE_REFERENCE;
    else if (!chance)
        k->decision = even ? DECIDE_EVEN : DECIDE_THRESHOLD;
    else
        k->decision = few && carrier == CARRIER_32 ? DECIDE_CHANCE_32 : DECIDE_CHANCE_64;
    k->equal_chance = mask(rounding == FPFMT_ROUND_STOCHASTIC_EQUAL);
    k->nearest = mask(limits[rounding].nearest);
    k->tie = limits[rounding].tie;
    k->tie_odd = limits[rounding].tie_odd;
    k->never[0] = mask(limits[rounding].never[0]);
    k->never[1] = mask(limits[rounding].never[1]);
    k->never_odd = mask(limits[rounding].never_odd);
}

/* The least carrier magnitude that a mode without chance takes to upper rather than to lower, two
 * neighbours of the format as carrier magnitudes; odd says that the code of lower is. Where there
 * is none in between, that is upper itself. */
static uint64_t goes_up_from(unsigned rounding, bool negative, uint64_t lower, uint64_t upper,
                             bool odd)
{
    uint64_t middle = lower + (upper - lower) / 2;
    if (upper - lower < 2)
        return upper;
    switch (rounding) {
    case FPFMT_ROUND_NEAREST_EVEN: return odd ? middle : middle + 1;
    case FPFMT_ROUND_NEAREST_AWAY: return middle;
    case FPFMT_ROUND_NEAREST_ZERO: return middle + 1;
    case FPFMT_ROUND_AWAY_FROM_ZERO: return lower + 1;
    case FPFMT_ROUND_UPWARD: return negative ? upper : lower + 1;
    case FPFMT_ROUND_DOWNWARD: return negative ? lower + 1 : upper;
    case FPFMT_ROUND_TO_ODD: return odd ? upper : lower + 1;
    default: return upper; /* toward zero; by chance: see tiny_after */
    }
}

/* The least carrier magnitude that is not tiny: the smallest normal, or after rounding what rounds
 * to it when the exponent is not bounded, IEEE 754-2019 7.5. Its lower neighbour is then half a
 * step of the format below it. The carrier's binade below 2^emin has steps half as wide too, so
 * that this is as many of them, 2^extra_bits, as a step is above; but not where 2^emin is the
 * carrier's smallest normal, below which its steps stay. The neighbour's significand is all ones,
 * and so its code odd, unless the hidden bit is all there is. */
static uint64_t not_tiny(const fpfmt_encoder *k, const fpfmt_policy *policy, int carrier,
                         bool negative)
{
    uint64_t normal = k->biased_emin << fpfmt_carriers[carrier].fraction_bits;
    uint64_t step = UINT64_C(1) << k->extra_bits >> (k->biased_emin == 1);
    if (policy->tininess == FPFMT_TININESS_BEFORE_ROUNDING)
        return normal;
    return goes_up_from(policy->rounding, negative, normal - step, normal, k->fraction_bits > 0);
}

/* Tininess, and what of it becomes zero, in and out. */
static void set_subnormals(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                           int carrier)
{
    bool input = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS;
    bool result = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS;
    k->flush_input_below = input ? UINT64_C(1) << fpfmt_carriers[carrier].fraction_bits : 0;
    k->flush_tiny = mask(result);
    k->tiny_after_rounding = mask(policy->tininess == FPFMT_TININESS_AFTER_ROUNDING);
    for (int sign = 0; sign < 2; sign++)
        k->tiny_below[sign] = is_fixed_point(format) ? 0 : not_tiny(k, policy, carrier, sign);
}

/* See with_sign in kernels/element.h. */
static void set_signs(fpfmt_encoder *k, const fpfmt_format *format)
{
    bool fixed = is_fixed_point(format);
    k->code_mask = low_bits(k->width);
    k->negate = fixed ? k->code_mask : shape_sign_mask(format);
    k->add = fixed;
    k->negative_zero =
        mask(format->sign_bits != 0 && !fixed && format->nans != FPFMT_NANS_NEGATIVE_ZERO);
    k->zero_negate = fixed || k->negative_zero ? k->negate : 0;
}

/* Where results overflow, and what overflow and infinities become. In an unsigned format every
 * magnitude code but 0 of a negative number is too large, and overflow_code is what negative
 * numbers become. */
static void set_range(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy)
{
    bool after = policy->overflow_test == FPFMT_OVERFLOW_TEST_AFTER_ROUNDING;
    for (int sign = 0; sign < 2; sign++) {
        bool refused = sign && format->sign_bits == 0;
        unsigned over = 0, infinite = 0;
        k->max[sign] = refused ? 0 : fpfmt_largest(format, sign, policy);
        k->overflow_if_cut[sign] = after || refused ? UINT64_MAX : k->max[sign];
        k->overflow_code[sign] = fpfmt_encode_beyond(format, sign, policy, &over);
        k->infinity_code[sign] = fpfmt_encode_infinity(format, sign, policy, &infinite);
        k->overflow_flags[sign] = over;
        k->infinity_flags[sign] = infinite;
    }
}

/* NaN: the code of a NaN without payload, less its quiet bit where signaling ones stay so, and how
 * much of a payload joins it. */
static void set_nans(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy)
{
    bool payload = format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_CANONICAL;
    bool preserve = payload && policy->nan == FPFMT_NAN_PRESERVE;
    /* A payload is the fraction but for its top bit, the quiet bit; where signaling NaN stay so
     * that bit is kept too, and not set. */
    uint64_t quiet = payload ? UINT64_C(1) << (format->fraction_bits - 1) : 0;
    unsigned raised = 0, signaled = 0;
    fpfmt_value nan = { .kind = FPFMT_KIND_QUIET_NAN };
    for (int sign = 0; sign < 2; sign++) {
        nan.negative = sign;
        k->nan_set[sign] = fpfmt_encode_nan(format, nan, policy, &raised);
        k->nan_set[sign] &= preserve ? ~quiet : UINT64_MAX;
    }
    nan.kind = FPFMT_KIND_SIGNALING_NAN;
    fpfmt_encode_nan(format, nan, policy, &signaled);
    k->nan_flags = raised;
    k->signaling_flags = signaled;
    k->nan_keep = payload ? low_bits(format->fraction_bits - !preserve) : 0;
    k->nan_value_keep = payload ? k->nan_keep << k->extra_bits : 0;
    k->nan_nonzero = preserve ? low_bits(format->fraction_bits) << k->extra_bits : 0;
}

/* Which of the ways of fast.h reaches the encoder. None does where anything has to be flushed or
 * complemented, where the carrier has no extra bits to cut, where overflow is tested before
 * rounding, NaN keep signaling or signs are dropped, or where 64 random bits decide. By shift it
 * takes the carrier's smallest exponent; by sum half of the smallest step must be a normal carrier,
 * biased_emin - (m + 1) >= 1, the power that is added to the largest clamp finite, and a fraction
 * bit there, to make steps and codes odd together. */
static int cut_method_of(const fpfmt_encoder *k, const fpfmt_format *format,
                         const fpfmt_policy *policy, int carrier)
{
    int fraction_bits = fpfmt_carriers[carrier].fraction_bits;
    bool plain = k->add == 0 && k->flush_tiny == 0 && k->flush_input_below == 0 &&
                 k->extra_bits > 0 && policy->overflow_test == FPFMT_OVERFLOW_TEST_AFTER_ROUNDING &&
                 k->nan_nonzero == 0 && k->source_mask == low_bits(fpfmt_carriers[carrier].bits);
    /* ABOVE in fast.h compares what may be as large as past_max, as signed words in some sets. */
    if (!plain || k->decision == DECIDE_CHANCE_64 ||
        k->past_max > low_bits(fpfmt_carriers[carrier].bits - 1))
        return CUT_BY_ELEMENT;
    if (k->biased_emin == 1)
        return CUT_BY_SHIFT;
    return format->fraction_bits > 0 && k->biased_emin >= k->fraction_bits + 2 &&
                   (k->past_max >> fraction_bits) + k->extra_bits <
                       fpfmt_carrier_infinity(carrier) >> fraction_bits
               ? CUT_BY_SUM
               : CUT_BY_ELEMENT;
}

/* Binary16 and bfloat16 as processors know them: IEEE NaN that become quiet and keep their payload,
 * infinities that stay, and to nearest even overflow to infinity, or toward zero, of which binary16
 * has an instruction too, to the largest value. */
static int native_of(const fpfmt_encoder *k, const fpfmt_format *format, int carrier)
{
    if (carrier != CARRIER_32 || k->width != 16 || format->nans != FPFMT_NANS_IEEE)
        return NATIVE_NONE;
    uint64_t max = k->max[0], infinity = max + 1, quiet = UINT64_C(1) << (k->fraction_bits - 1);
    bool inf = k->infinity_code[0] == infinity && k->infinity_code[1] == (infinity | k->negate);
    bool even = k->decision == DECIDE_EVEN && k->overflow_code[0] == infinity;
    bool down = k->rounding == FPFMT_ROUND_TOWARD_ZERO && k->overflow_code[0] == max;
    bool payload = k->nan_keep == quiet - 1 && k->nan_set[0] == (infinity | quiet);
    if (!inf || !payload)
        return NATIVE_NONE;
    if (k->cut_method == CUT_BY_SUM && k->fraction_bits == 10 && k->biased_emin == 113 &&
        (even || down))
        return NATIVE_HALF;
    return k->cut_method == CUT_BY_SHIFT && k->fraction_bits == 7 && even ? NATIVE_BFLOAT
                                                                          : NATIVE_NONE;
}

/* Which way is taken, the clamp that goes with it, and what is left to set right in the codes of
 * clamped magnitudes. A clamp serves for overflow if what overflow becomes is the largest value, or
 * the code after it, of either sign; for infinity if that becomes the same; and for NaN if that
 * does too. The carrier's infinity must not lie below the clamp. */
static void set_cut_method(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                           int carrier)
{
    uint64_t one = UINT64_C(1) << k->extra_bits;
    uint64_t top = (k->max[0] << k->extra_bits) +
                   ((k->biased_emin - 1) << fpfmt_carriers[carrier].fraction_bits);
    uint64_t sign = k->negate, over = k->overflow_code[0];
    bool alike = k->negative_zero != 0 && k->overflow_code[1] == (over | sign) &&
                 k->infinity_code[0] == over && k->infinity_code[1] == (over | sign) &&
                 k->nan_set[1] == (k->nan_set[0] | sign);
    k->past_max = top + one;
    k->cut_method = (uint8_t)cut_method_of(k, format, policy, carrier);
    k->clamp = over == k->max[0] ? top : k->past_max;
    if (!alike || over > k->max[0] + 1 || k->clamp > fpfmt_carrier_infinity(carrier))
        k->fixup = FIXUP_ALL;
    else if (k->nan_keep != 0 || k->nan_set[0] != over)
        k->fixup = FIXUP_NAN;
    else
        k->fixup = FIXUP_NONE;
    k->native = (uint8_t)native_of(k, format, carrier);
    /* In an unsigned format a negative input overflows from the first step on, which overflow_from
     * does not say; the formats of fnuz kind, which have no -0 either, are left out with them. */
    k->flags_from_input = k->cut_method != CUT_BY_ELEMENT && k->negative_zero != 0 &&
                          (k->decision == DECIDE_EVEN || k->decision == DECIDE_THRESHOLD);
    for (int negative = 0; negative < 2; negative++)
        k->overflow_from[negative] =
            goes_up_from(policy->rounding, negative, top, k->past_max, k->max[0] & 1);
}

/* What the encoder's codes are as carried values. */
static void set_values(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                       int carrier)
{
    fpfmt_decoder decoder;
    fpfmt_policy rules = { .nan = policy->nan };
    fpfmt_make_decoder(&decoder, format, &rules, carrier);
    k->min_value = fpfmt_value_of(&decoder, format, &rules, 1, carrier);
    for (int sign = 0; sign < 2; sign++) {
        k->overflow_value[sign] =
            fpfmt_value_of(&decoder, format, &rules, k->overflow_code[sign], carrier);
        k->infinity_value[sign] =
            fpfmt_value_of(&decoder, format, &rules, k->infinity_code[sign], carrier);
        k->nan_value_set[sign] =
            fpfmt_value_of(&decoder, format, &rules, k->nan_set[sign], carrier);
    }
}

void fpfmt_make_encoder(fpfmt_encoder *encoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier, bool carried)
{
    const bool drops_sign = format->sign_bits == 0 && policy->negative == FPFMT_NEGATIVE_DROP;
    encoder->width = (uint8_t)shape_width(format);
    encoder->bytes = fpfmt_bytes_of(format);
    encoder->carries = carried && fpfmt_carries(format, carrier);
    set_decision(encoder, format, policy, carrier);
    if (encoder->decision == DECIDE_REFERENCE)
        return;
    encoder->source_mask = low_bits(fpfmt_carriers[carrier].bits - drops_sign);
    encoder->biased_emin = (uint64_t)(shape_emin(format) + fpfmt_carriers[carrier].bias);
    encoder->fraction_bits = format->fraction_bits;
    encoder->extra_bits = (uint64_t)(fpfmt_carriers[carrier].fraction_bits - format->fraction_bits);
    set_subnormals(encoder, format, policy, carrier);
    set_signs(encoder, format);
    set_range(encoder, format, policy);
    set_nans(encoder, format, policy);
    set_cut_method(encoder, format, policy, carrier);
    if (encoder->carries)
        set_values(encoder, format, policy, carrier);
}
