/* plan.c - the constants of a prepared conversion
 * SPDX-License-Identifier: MIT */

#include "plan.h"

#include "bits.h"
#include "encode.h"
#include "kernels/scalar.h"
#include "shape.h"

#define WORD_BITS 32
#include "kernels/element.h"
#include "kernels/end.h"

#define WORD_BITS 64
#include "kernels/element.h"
#include "kernels/end.h"

/* binary32 and binary64. */
static const struct {
    uint8_t bits, fraction_bits;
    int16_t bias;
} carriers[CARRIERS] = { { 32, 23, 127 }, { 64, 52, 1023 } };

static uint64_t mask(bool yes)
{
    return yes ? UINT64_MAX : 0;
}

static uint64_t carrier_infinity(int carrier)
{
    return low_bits(carriers[carrier].bits - 1) ^ low_bits(carriers[carrier].fraction_bits);
}

fpfmt_value fpfmt_from_carrier(uint64_t bits, int carrier)
{
    float single;
    double twice;
    uint32_t narrow = (uint32_t)bits;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&twice, &bits, sizeof twice);
    return carrier == CARRIER_32 ? fpfmt_from_f32(single) : fpfmt_from_f64(twice);
}

/* Values are exact in the carrier, so that of the policy only the rules for NaN and for subnormal
 * inputs say anything. */
uint64_t fpfmt_to_carrier(const fpfmt_format *format, uint64_t code, const fpfmt_policy *policy,
                          int carrier, unsigned *flags)
{
    fpfmt_policy rules = { .nan = policy->nan,
                           .subnormal = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS };
    fpfmt_value value = fpfmt_decode(format, code);
    uint32_t narrow;
    uint64_t bits;
    float single;
    double twice;
    if (carrier == CARRIER_32) {
        single = fpfmt_to_f32(value, &rules, flags);
        memcpy(&narrow, &single, sizeof narrow);
        return narrow;
    }
    twice = fpfmt_to_f64(value, &rules, flags);
    memcpy(&bits, &twice, sizeof bits);
    return bits;
}

static uint8_t bytes_of(const fpfmt_format *format)
{
    int width = shape_width(format);
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

/* The element functions reach formats whose codes count from zero through subnormals, in steps no
 * finer than the carrier's. */
static bool is_reached(const fpfmt_format *format, int carrier)
{
    return shape_width(format) <= 32 && shape_offset(format) == 0 &&
           format->fraction_bits <= carriers[carrier].fraction_bits &&
           shape_emin(format) + carriers[carrier].bias >= 1;
}

bool fpfmt_carries(const fpfmt_format *format, int carrier)
{
    static const fpfmt_format formats[CARRIERS] = {
        { .sign_bits = 1, .exponent_bits = 8, .fraction_bits = 23, .bias = 127,
          .nans = FPFMT_NANS_IEEE, .infinity = FPFMT_INFINITY_IEEE, .overflow = FPFMT_OVERFLOW_INF },
        { .sign_bits = 1, .exponent_bits = 11, .fraction_bits = 52, .bias = 1023,
          .nans = FPFMT_NANS_IEEE, .infinity = FPFMT_INFINITY_IEEE, .overflow = FPFMT_OVERFLOW_INF },
    };
    if (is_reached(format, carrier))
        return shape_emax(format) <= carriers[carrier].bias;
    return fpfmt_contains(&formats[carrier], format);
}

/* The constants of goes_away. */
static void set_limits(fpfmt_encoder *k, unsigned rounding)
{
    const uint64_t all = UINT64_MAX;
    switch (rounding) {
    case FPFMT_ROUND_NEAREST_EVEN: k->nearest = all, k->tie_odd = 1; break;
    case FPFMT_ROUND_NEAREST_AWAY: k->nearest = all, k->tie = 1; break;
    case FPFMT_ROUND_NEAREST_ZERO: k->nearest = all; break;
    case FPFMT_ROUND_TOWARD_ZERO: k->never[0] = k->never[1] = all; break;
    case FPFMT_ROUND_UPWARD: k->never[1] = all; break;
    case FPFMT_ROUND_DOWNWARD: k->never[0] = all; break;
    case FPFMT_ROUND_TO_ODD: k->never_odd = all; break;
    default: break; /* away from zero: every rest goes */
    }
}

static void set_decision(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                         int carrier)
{
    k->rounding = policy->rounding;
    k->random_bits = (uint8_t)fpfmt_rule_with(policy, 0).bits;
    k->equal_chance = mask(policy->rounding == FPFMT_ROUND_STOCHASTIC_EQUAL);
    bool few = policy->rounding == FPFMT_ROUND_STOCHASTIC_A ||
               (policy->rounding == FPFMT_ROUND_STOCHASTIC_B && k->random_bits < 32);
    if (!is_reached(format, carrier) || format->tie == FPFMT_TIE_LARGER)
        k->decide = DECIDE_REFERENCE;
    else if (k->random_bits == 0)
        k->decide = policy->rounding == FPFMT_ROUND_NEAREST_EVEN ? DECIDE_EVEN : DECIDE_LIMIT;
    else
        k->decide = few && carrier == CARRIER_32 ? DECIDE_CHANCE_32 : DECIDE_CHANCE_64;
    set_limits(k, policy->rounding);
}

/* The least carrier magnitude that a mode without chance takes to upper rather than to lower, two
 * neighbours of the format; odd says that the code of lower is. */
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
 * to it when the exponent is not bounded; its lower neighbour there has an odd code, unless the
 * hidden bit is all there is. */
static uint64_t not_tiny(const fpfmt_format *format, const fpfmt_policy *policy, int carrier,
                         bool negative, uint64_t first)
{
    int drop = carriers[carrier].fraction_bits - format->fraction_bits;
    uint64_t normal = first << carriers[carrier].fraction_bits;
    uint64_t step = first == 1 ? UINT64_C(1) << drop >> 1 : UINT64_C(1) << drop;
    if (policy->tininess == FPFMT_TININESS_BEFORE_ROUNDING)
        return normal;
    return goes_up_from(policy->rounding, negative, normal - step, normal,
                        format->fraction_bits > 0);
}

static void set_subnormals(fpfmt_encoder *k, const fpfmt_format *format,
                           const fpfmt_policy *policy, int carrier)
{
    if (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS)
        k->flush_input = UINT64_C(1) << carriers[carrier].fraction_bits;
    k->flush_tiny = mask(policy->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS);
    k->tiny_after = mask(policy->tininess == FPFMT_TININESS_AFTER_ROUNDING);
    for (int sign = 0; sign < 2 && !is_fixed_point(format); sign++)
        k->tiny[sign] = not_tiny(format, policy, carrier, sign, k->first);
}

static void set_signs(fpfmt_encoder *k, const fpfmt_format *format)
{
    bool fixed = is_fixed_point(format);
    k->code_mask = low_bits(shape_width(format));
    k->negate = fixed ? k->code_mask : shape_sign_mask(format);
    k->add = fixed;
    k->negative_zero =
        mask(format->sign_bits != 0 && !fixed && format->nans != FPFMT_NANS_NEGATIVE_ZERO);
    k->zero_negate = fixed || k->negative_zero ? k->negate : 0;
}

static void set_range(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy)
{
    for (int sign = 0; sign < 2; sign++) {
        bool refused = sign && format->sign_bits == 0;
        unsigned over = 0, infinite = 0;
        k->max[sign] = refused ? 0 : fpfmt_largest(format, sign, policy);
        k->before[sign] =
            policy->overflow_test == FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING && !refused
                ? k->max[sign]
                : UINT64_MAX;
        k->over[sign] = fpfmt_encode_beyond(format, sign, policy, &over);
        k->infinity[sign] = fpfmt_encode_infinity(format, sign, policy, &infinite);
        k->over_flags[sign] = over;
        k->infinity_flags[sign] = infinite;
    }
}

static void set_nans(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy)
{
    bool payload = format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_CANONICAL;
    bool preserve = payload && policy->nan == FPFMT_NAN_PRESERVE;
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
    k->nan_value_keep = payload ? k->nan_keep << k->drop : 0;
    k->nan_bare = preserve ? low_bits(format->fraction_bits) << k->drop : 0;
}

/* Vector sets take these, by sums where the smallest step's half is no subnormal carrier, and the
 * largest power to add is finite. */
static int way_of(const fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                  int carrier)
{
    int fraction_bits = carriers[carrier].fraction_bits;
    bool chance = k->decide != DECIDE_EVEN && k->decide != DECIDE_LIMIT;
    bool plain = k->add == 0 && k->flush_tiny == 0 && k->flush_input == 0 && k->drop > 0 &&
                 policy->overflow_test == FPFMT_OVERFLOW_TEST_AFTER_ROUNDING && k->nan_bare == 0 &&
                 k->source_mask == low_bits(carriers[carrier].bits);
    if (!plain)
        return WAY_LOOP;
    if (k->first == 1)
        return !chance || (k->decide == DECIDE_CHANCE_32 &&
                           policy->rounding == FPFMT_ROUND_STOCHASTIC_A)
                   ? WAY_SHIFT
                   : WAY_LOOP;
    return !chance && format->fraction_bits > 0 && k->first >= k->fraction_bits + 2 &&
                   (k->next >> fraction_bits) + k->drop < carrier_infinity(carrier) >> fraction_bits
               ? WAY_SUM
               : WAY_LOOP;
}

/* Binary16 and bfloat16 as processors know them. */
static int native_of(const fpfmt_encoder *k, const fpfmt_format *format, int carrier)
{
    if (carrier != CARRIER_32 || k->width != 16 || format->nans != FPFMT_NANS_IEEE)
        return NATIVE_NONE;
    uint64_t max = k->max[0], infinity = max + 1, quiet = UINT64_C(1) << (k->fraction_bits - 1);
    bool inf = k->infinity[0] == infinity && k->infinity[1] == (infinity | k->negate);
    bool even = k->decide == DECIDE_EVEN && k->over[0] == infinity;
    bool down = k->rounding == FPFMT_ROUND_TOWARD_ZERO && k->over[0] == max;
    bool payload = k->nan_keep == quiet - 1 && k->nan_set[0] == (infinity | quiet);
    if (!inf || !payload)
        return NATIVE_NONE;
    if (k->way == WAY_SUM && k->fraction_bits == 10 && k->first == 113 && (even || down))
        return NATIVE_HALF;
    return k->way == WAY_SHIFT && even ? NATIVE_BFLOAT : NATIVE_NONE;
}

/* What a magnitude cut to a limit, the largest or the next one, leaves to do to its code. */
static void set_way(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                    int carrier)
{
    uint64_t one = UINT64_C(1) << k->drop;
    uint64_t top = (k->max[0] << k->drop) + ((k->first - 1) << carriers[carrier].fraction_bits);
    uint64_t sign = k->negate, over = k->over[0];
    bool alike = k->negative_zero != 0 && k->over[1] == (over | sign) && k->infinity[0] == over &&
                 k->infinity[1] == (over | sign) && k->nan_set[1] == (k->nan_set[0] | sign);
    k->next = top + one;
    k->way = (uint8_t)way_of(k, format, policy, carrier);
    k->limit = over == k->max[0] ? top : k->next;
    if (!alike || over > k->max[0] + 1 || k->limit > carrier_infinity(carrier))
        k->patch = PATCH_ALL;
    else if (k->nan_keep != 0 || k->nan_set[0] != over)
        k->patch = PATCH_NAN;
    else
        k->patch = PATCH_NOTHING;
    k->native = (uint8_t)native_of(k, format, carrier);
    k->scans = k->way != WAY_LOOP && k->negative_zero != 0 &&
               (k->decide == DECIDE_EVEN || k->decide == DECIDE_LIMIT);
    for (int negative = 0; negative < 2; negative++)
        k->over_from[negative] =
            goes_up_from(policy->rounding, negative, top, k->next, k->max[0] & 1);
}

/* A code carried. */
static uint64_t value_of(const fpfmt_decoder *decoder, const fpfmt_format *format,
                         const fpfmt_policy *rules, uint64_t code, int carrier)
{
    uint32_t narrow;
    uint64_t wide;
    if (decoder->reference)
        return fpfmt_to_carrier(format, code, rules, carrier, NULL);
    return carrier == CARRIER_32 ? decode_32(decoder, (uint32_t)code, &narrow)
                                 : decode_64(decoder, code, &wide);
}

static void set_values(fpfmt_encoder *k, const fpfmt_format *format, const fpfmt_policy *policy,
                       int carrier)
{
    fpfmt_decoder decoder;
    fpfmt_policy rules = { .nan = policy->nan };
    fpfmt_make_decoder(&decoder, format, &rules, carrier);
    k->min_value = value_of(&decoder, format, &rules, 1, carrier);
    for (int sign = 0; sign < 2; sign++) {
        k->over_value[sign] = value_of(&decoder, format, &rules, k->over[sign], carrier);
        k->infinity_value[sign] = value_of(&decoder, format, &rules, k->infinity[sign], carrier);
        k->nan_value_set[sign] = value_of(&decoder, format, &rules, k->nan_set[sign], carrier);
    }
}

void fpfmt_make_encoder(fpfmt_encoder *encoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier, bool carried)
{
    *encoder = (fpfmt_encoder){ .bytes = bytes_of(format), .width = (uint8_t)shape_width(format) };
    encoder->carries = carried && fpfmt_carries(format, carrier);
    set_decision(encoder, format, policy, carrier);
    if (encoder->decide == DECIDE_REFERENCE)
        return;
    encoder->source_mask = low_bits(carriers[carrier].bits);
    if (format->sign_bits == 0 && policy->negative == FPFMT_NEGATIVE_DROP)
        encoder->source_mask >>= 1;
    encoder->first = (uint64_t)(shape_emin(format) + carriers[carrier].bias);
    encoder->fraction_bits = format->fraction_bits;
    encoder->drop = (uint64_t)(carriers[carrier].fraction_bits - format->fraction_bits);
    set_subnormals(encoder, format, policy, carrier);
    set_signs(encoder, format);
    set_range(encoder, format, policy);
    set_nans(encoder, format, policy);
    set_way(encoder, format, policy, carrier);
    if (encoder->carries)
        set_values(encoder, format, policy, carrier);
}

/* Of a decoder to binary32 whose other fields are set. */
static void set_native(fpfmt_decoder *k, const fpfmt_format *format, const fpfmt_policy *policy)
{
    int emin = shape_emin(format), exponent_bits = format->exponent_bits;
    bool ieee = format->nans == FPFMT_NANS_IEEE;
    if (format->sign_bits == 0 || k->flush != 0 || k->reference || is_fixed_point(format) ||
        (ieee && policy->nan != FPFMT_NAN_QUIET))
        return;
    if (shape_width(format) == 16 && ieee && emin == -14 && format->fraction_bits == 10)
        k->native = NATIVE_HALF;
    else if (shape_width(format) == 16 && ieee && emin == -126)
        k->native = NATIVE_BFLOAT;
    else if (k->bytes == 1 && (ieee ? exponent_bits == 5 : exponent_bits <= 4) && emin >= -112 &&
             emin <= 113)
        k->native = NATIVE_SMALL;
    k->half_shift = (uint8_t)(10 - format->fraction_bits);
    k->scale = (uint32_t)(emin + 14 + 127) << 23;
}

void fpfmt_make_decoder(fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier)
{
    int fraction_bits = carriers[carrier].fraction_bits, bias = carriers[carrier].bias;
    int64_t first = shape_emin(format) + bias, step = shape_emin(format) - format->fraction_bits;
    bool fixed = is_fixed_point(format), shifts = first == 1 && !fixed;
    uint64_t infinity = carrier_infinity(carrier), quiet = UINT64_C(1) << (fraction_bits - 1);
    bool payload = format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_CANONICAL;
    bool preserve = payload && policy->nan == FPFMT_NAN_PRESERVE;

    *decoder = (fpfmt_decoder){
        .carries = fpfmt_carries(format, carrier),
        .reference = !is_reached(format, carrier) || (!shifts && step + bias < 1),
        .bytes = bytes_of(format),
        .code_mask = low_bits(shape_width(format)),
        .sign_bit = shape_sign_mask(format),
        .negate = fixed ? low_bits(shape_width(format)) : shape_sign_mask(format),
        .add = fixed,
        .drop = (uint64_t)(fraction_bits - format->fraction_bits),
        .hidden = fixed ? UINT64_MAX : shifts ? 0 : UINT64_C(1) << format->fraction_bits,
        .normal = (uint64_t)(first - 1) << fraction_bits,
        .subnormal = (uint64_t)step << fraction_bits,
        .has_infinity = mask(format->infinity != FPFMT_INFINITY_NONE),
        .infinity = shape_infinity(format),
        .infinite_value = infinity,
        .first_nan = 1,
        .width = (uint8_t)shape_width(format),
    };
    if (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS && !fixed)
        decoder->flush = UINT64_C(1) << format->fraction_bits;
    if (carrier == CARRIER_32)
        set_native(decoder, format, policy);
    if (format->nans == FPFMT_NANS_NONE)
        return;
    bool whole = format->nans == FPFMT_NANS_NEGATIVE_ZERO;
    decoder->nan_mask = whole ? decoder->code_mask : decoder->code_mask & ~shape_sign_mask(format);
    decoder->first_nan =
        format->nans == FPFMT_NANS_IEEE ? decoder->infinity + 1 : shape_nan(format);
    decoder->last_nan = whole ? decoder->first_nan : decoder->nan_mask;
    decoder->nan_set = infinity | (preserve ? 0 : quiet);
    decoder->nan_keep = payload ? low_bits(format->fraction_bits) << decoder->drop : 0;
    if (!whole && policy->nan != FPFMT_NAN_CANONICAL)
        decoder->nan_sign = UINT64_C(1) << (carriers[carrier].bits - 1);
    if (format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_PRESERVE)
        decoder->quiet = UINT64_C(1) << (format->fraction_bits - 1);
}

/* Formats of up to 8 bits whose values have at most the upper half of a binary32. */
static void fill_table(fpfmt_prepared *inside)
{
    fpfmt_decoder *decoder = &inside->decoder[CARRIER_32];
    uint32_t low = 0, value, signaling;
    if (decoder->bytes != 1 || decoder->reference || !decoder->carries)
        return;
    for (uint32_t code = 0; code < 256; code++) {
        value = decode_32(decoder, code, &signaling);
        low |= value;
        inside->table[0][code] = (uint8_t)(value >> 16);
        inside->table[1][code] = (uint8_t)(value >> 24);
    }
    decoder->has_table = (low & 0xFFFF) == 0;
}

const fpfmt_prepared *fpfmt_prepared_in(const fpfmt_plan *plan)
{
    const fpfmt_prepared *inside = (const void *)plan->prepared;
    return inside->mark == FPFMT_PREPARED ? inside : NULL;
}

bool fpfmt_prepare(fpfmt_plan *plan, const fpfmt_format *format, const fpfmt_policy *policy,
                   const fpfmt_kernels *set)
{
    fpfmt_prepared *inside = (void *)plan->prepared;
    _Static_assert(sizeof *inside <= sizeof plan->prepared, "a plan is too small");
    *plan = (fpfmt_plan){ .set = set == NULL ? fpfmt_best_kernels() : set };
    if (fpfmt_defect(format) != NULL || fpfmt_policy_defect(policy) != NULL ||
        !plan->set->runs_here())
        return false;
    plan->format = *format;
    plan->policy = *fpfmt_or_default(policy);
    for (int carrier = 0; carrier < CARRIERS; carrier++) {
        fpfmt_make_encoder(&inside->encoder[carrier], format, &plan->policy, carrier, true);
        fpfmt_make_decoder(&inside->decoder[carrier], format, &plan->policy, carrier);
    }
    fill_table(inside);
    inside->mark = FPFMT_PREPARED;
    return true;
}
