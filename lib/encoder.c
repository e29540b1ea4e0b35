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
    const fpfmt_mode *mode = fpfmt_mode_of(policy->rounding);
    k->rounding = policy->rounding;
    k->chance = mode->chance;
    k->random_bits = fpfmt_mode_has_chance(mode) ? (uint8_t)fpfmt_rule_with(policy, 0).bits : 0;
    k->policy_bits = fpfmt_mode_asks_for_bits(mode);
    /* Where 32 random bits and as many of the distance carry: rounded up, it takes one bit more. */
    bool few = k->policy_bits && (mode->chance == CHANCE_DISTANCE ||
                                  (mode->chance == CHANCE_TIES_UP && k->random_bits < 32));
    if (!fpfmt_is_reached(format, carrier) || format->tie == FPFMT_TIE_LARGER)
        k->decision = DECIDE_REFERENCE;
    else if (!fpfmt_mode_has_chance(mode))
        k->decision = fpfmt_mode_ties_to_even(mode) ? DECIDE_EVEN : DECIDE_THRESHOLD;
    else
        k->decision = few && carrier == CARRIER_32 ? DECIDE_CHANCE_32 : DECIDE_CHANCE_64;
    k->equal_chance = mask(mode->chance == CHANCE_EQUAL);
    k->nearest = mask(mode->nearest);
    k->tie_odd = mode->nearest & mode->odd_turns;
    k->never_odd = mask(!mode->nearest & mode->odd_turns);
    for (int sign = 0; sign < 2; sign++) {
        k->tie[sign] = mode->nearest & mode->away[sign];
        k->never[sign] = mask(!mode->nearest & !mode->away[sign]);
    }
}

/* The least carrier magnitude that a mode without chance takes to upper rather than to lower, two
 * neighbours of the format as carrier magnitudes; odd says that the code of lower is. Where there
 * is none in between, or chance decides, that is upper itself: tiny_after tells what else goes
 * there. */
static uint64_t goes_up_from(const fpfmt_mode *mode, bool negative, uint64_t lower, uint64_t upper,
                             bool odd)
{
    bool leaves = fpfmt_mode_leaves(mode, negative, odd);
    if (upper - lower < 2 || fpfmt_mode_has_chance(mode))
        return upper;
    if (mode->nearest)
        return lower + (upper - lower) / 2 + !leaves;
    return leaves ? lower + 1 : upper;
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
    uint64_t normal = k->biased_emin << fpfmt_carriers[carrier]->fraction_bits;
    uint64_t step = UINT64_C(1) << k->extra_bits >> (k->biased_emin == 1);
    if (policy->tininess == FPFMT_TININESS_BEFORE_ROUNDING)
        return normal;
    return goes_up_from(fpfmt_mode_of(policy->rounding), negative, normal - step, normal,
                        k->fraction_bits > 0);
}

/* Tininess, and what of it becomes zero, in and out. */
static void set_subnormals(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                           int carrier)
{
    bool input = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS;
    bool result = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS;
    k->flush_input_below = input ? UINT64_C(1) << fpfmt_carriers[carrier]->fraction_bits : 0;
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
    int fraction_bits = fpfmt_carriers[carrier]->fraction_bits;
    bool plain = k->add == 0 && k->flush_tiny == 0 && k->flush_input_below == 0 &&
                 k->extra_bits > 0 && policy->overflow_test == FPFMT_OVERFLOW_TEST_AFTER_ROUNDING &&
                 k->nan_nonzero == 0 &&
                 k->source_mask == low_bits(shape_width(fpfmt_carriers[carrier]));
    /* ABOVE in fast.h compares what may be as large as past_max, as signed words in some sets. */
    if (!plain || k->decision == DECIDE_CHANCE_64 ||
        k->past_max > low_bits(shape_width(fpfmt_carriers[carrier]) - 1))
        return CUT_BY_ELEMENT;
    if (k->biased_emin == 1)
        return CUT_BY_SHIFT;
    return format->fraction_bits > 0 && k->biased_emin >= k->fraction_bits + 2 &&
                   (k->past_max >> fraction_bits) + k->extra_bits <
                       shape_infinity(fpfmt_carriers[carrier]) >> fraction_bits
               ? CUT_BY_SUM
               : CUT_BY_ELEMENT;
}

/* Binary16 and bfloat16 as processors know them: IEEE NaN that become quiet and keep their payload,
 * infinities that stay, and to nearest even overflow to infinity, or toward zero, of which binary16
 * has an instruction too, to the largest value. */
static int native_of(const fpfmt_encoder *k, const fpfmt_format *format, int carrier)
{
    int native = carrier == CARRIER_32 ? fpfmt_native_of(format) : NATIVE_NONE;
    if (native == NATIVE_NONE)
        return NATIVE_NONE;
    uint64_t max = k->max[0], infinity = max + 1, quiet = UINT64_C(1) << (k->fraction_bits - 1);
    bool inf = k->infinity_code[0] == infinity && k->infinity_code[1] == (infinity | k->negate);
    bool even = k->decision == DECIDE_EVEN && k->overflow_code[0] == infinity;
    bool down = k->rounding == FPFMT_ROUND_TOWARD_ZERO && k->overflow_code[0] == max;
    bool payload = k->nan_keep == quiet - 1 && k->nan_set[0] == (infinity | quiet);
    if (!inf || !payload)
        return NATIVE_NONE;
    bool has_instruction = native == NATIVE_HALF ? k->cut_method == CUT_BY_SUM && (even || down)
                                                 : k->cut_method == CUT_BY_SHIFT && even;
    return has_instruction ? native : NATIVE_NONE;
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
                   ((k->biased_emin - 1) << fpfmt_carriers[carrier]->fraction_bits);
    uint64_t sign = k->negate, over = k->overflow_code[0];
    bool alike = k->negative_zero != 0 && k->overflow_code[1] == (over | sign) &&
                 k->infinity_code[0] == over && k->infinity_code[1] == (over | sign) &&
                 k->nan_set[1] == (k->nan_set[0] | sign);
    k->past_max = top + one;
    k->cut_method = (uint8_t)cut_method_of(k, format, policy, carrier);
    k->clamp = over == k->max[0] ? top : k->past_max;
    if (!alike || over > k->max[0] + 1 || k->clamp > shape_infinity(fpfmt_carriers[carrier]))
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
    const fpfmt_mode *mode = fpfmt_mode_of(policy->rounding);
    for (int negative = 0; negative < 2; negative++)
        k->overflow_from[negative] = goes_up_from(mode, negative, top, k->past_max, k->max[0] & 1);
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
    encoder->bytes = (uint8_t)shape_bytes(format);
    encoder->carries = carried && fpfmt_carries(format, carrier);
    set_decision(encoder, format, policy, carrier);
    if (encoder->decision == DECIDE_REFERENCE)
        return;
    encoder->source_mask = low_bits(shape_width(fpfmt_carriers[carrier]) - drops_sign);
    encoder->biased_emin = (uint64_t)(shape_emin(format) + fpfmt_carriers[carrier]->bias);
    encoder->fraction_bits = format->fraction_bits;
    encoder->extra_bits =
        (uint64_t)(fpfmt_carriers[carrier]->fraction_bits - format->fraction_bits);
    set_subnormals(encoder, format, policy, carrier);
    set_signs(encoder, format);
    set_range(encoder, format, policy);
    set_nans(encoder, format, policy);
    set_cut_method(encoder, format, policy, carrier);
    if (encoder->carries)
        set_values(encoder, format, policy, carrier);
}
