/* decoder.c - carriers, and the constants of a conversion from a format to one
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

/* binary32 and binary64: width, fraction bits, bias. */
const fpfmt_carrier fpfmt_carriers[CARRIERS] = { { 32, 23, 127 }, { 64, 52, 1023 } };

static uint64_t mask(bool yes)
{
    return yes ? UINT64_MAX : 0;
}

uint64_t fpfmt_carrier_infinity(int carrier)
{
    return low_bits(fpfmt_carriers[carrier].bits - 1) ^
           low_bits(fpfmt_carriers[carrier].fraction_bits);
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
 * inputs say anything; the others would have no occasion. */
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

uint8_t fpfmt_bytes_of(const fpfmt_format *format)
{
    int width = shape_width(format);
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

bool fpfmt_is_reached(const fpfmt_format *format, int carrier)
{
    int emin = shape_emin(format), bias = fpfmt_carriers[carrier].bias;
    return shape_width(format) <= 32 && shape_offset(format) == 0 &&
           format->fraction_bits <= fpfmt_carriers[carrier].fraction_bits && emin >= 1 - bias &&
           emin <= bias;
}

/* A format that the element functions reach has no finer steps and no more bits than the carrier,
 * so that only its largest value can be too large; of others fpfmt_contains looks at everything. */
bool fpfmt_carries(const fpfmt_format *format, int carrier)
{
    static const fpfmt_format formats[CARRIERS] = {
        { .sign_bits = 1,
          .exponent_bits = 8,
          .fraction_bits = 23,
          .bias = 127,
          .nans = FPFMT_NANS_IEEE,
          .infinity = FPFMT_INFINITY_IEEE,
          .overflow = FPFMT_OVERFLOW_INF },
        { .sign_bits = 1,
          .exponent_bits = 11,
          .fraction_bits = 52,
          .bias = 1023,
          .nans = FPFMT_NANS_IEEE,
          .infinity = FPFMT_INFINITY_IEEE,
          .overflow = FPFMT_OVERFLOW_INF },
    };
    if (fpfmt_is_reached(format, carrier))
        return shape_emax(format) <= fpfmt_carriers[carrier].bias;
    return fpfmt_contains(&formats[carrier], format);
}

uint64_t fpfmt_value_of(const fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *rules, uint64_t code, int carrier)
{
    uint32_t narrow;
    uint64_t wide;
    if (decoder->reference)
        return fpfmt_to_carrier(format, code, rules, carrier, NULL);
    return carrier == CARRIER_32 ? decode_32(decoder, (uint32_t)code, &narrow)
                                 : decode_64(decoder, code, &wide);
}

/* Which instruction decodes to binary32; the decoder's other fields are set. binary16 and bfloat16
 * are told by their fields. A code of up to 8 bits is read as a binary16 with the same fields,
 * times scale: it has the five exponent bits of binary16 and its specials, or fewer, so that no
 * exponent field is all ones there. The products must be zero or normal, and scale finite: the
 * smallest product, 2^(emin - fraction_bits), is normal with emin from -119 on for up to 7 fraction
 * bits (-112 is asked for), and scale, 2^(emin + 14), is finite up to emin 113. */
static void set_native(fpfmt_decoder *k, const fpfmt_format *format, const fpfmt_policy *policy)
{
    int emin = shape_emin(format), exponent_bits = format->exponent_bits;
    bool ieee = format->nans == FPFMT_NANS_IEEE;
    if (format->sign_bits == 0 || k->flush_below != 0 || k->reference || is_fixed_point(format) ||
        (ieee && policy->nan != FPFMT_NAN_QUIET))
        return;
    if (shape_width(format) == 16 && ieee && emin == -14 && format->fraction_bits == 10)
        k->native = NATIVE_HALF;
    else if (shape_width(format) == 16 && ieee && emin == -126 && format->fraction_bits == 7)
        k->native = NATIVE_BFLOAT;
    else if (k->bytes == 1 && (ieee ? exponent_bits == 5 : exponent_bits <= 4) && emin >= -112 &&
             emin <= 113)
        k->native = NATIVE_SMALL;
    k->half_shift = (uint8_t)(10 - format->fraction_bits);
    k->scale = (uint32_t)(emin + 14 + 127) << 23;
}

/* See fpfmt_decoder in kernels/kernel.h for each constant. The element function does not reach a
 * format whose steps, as integers times a power of two, would be subnormal carriers, unless its
 * subnormals are the carrier's and need no power; nor fixed point with as many bits as the
 * carrier's fraction, whose lowest value has one more. */
void fpfmt_make_decoder(fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier)
{
    int fraction_bits = fpfmt_carriers[carrier].fraction_bits, bias = fpfmt_carriers[carrier].bias;
    /* first: the carrier's exponent field of 2^emin. shifts: the format's subnormals are the
     * carrier's, and a code is the upper bits of its value. */
    int64_t first = shape_emin(format) + bias, step = shape_emin(format) - format->fraction_bits;
    bool fixed = is_fixed_point(format), shifts = first == 1 && !fixed;
    uint64_t infinity = fpfmt_carrier_infinity(carrier), quiet = UINT64_C(1) << (fraction_bits - 1);
    bool payload = format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_CANONICAL;
    bool preserve = payload && policy->nan == FPFMT_NAN_PRESERVE;

    *decoder = (fpfmt_decoder){
        .carries = fpfmt_carries(format, carrier),
        .reference = !fpfmt_is_reached(format, carrier) || (!shifts && step + bias < 1) ||
                     (fixed && format->fraction_bits == fraction_bits),
        .bytes = fpfmt_bytes_of(format),
        .code_mask = low_bits(shape_width(format)),
        .sign_bit = shape_sign_mask(format),
        .negate = fixed ? low_bits(shape_width(format)) : shape_sign_mask(format),
        .add = fixed,
        .extra_bits = (uint64_t)(fraction_bits - format->fraction_bits),
        .hidden_from = fixed    ? UINT64_MAX
                       : shifts ? 0
                                : UINT64_C(1) << format->fraction_bits,
        .normal_exponent = (uint64_t)(first - 1) << fraction_bits,
        .subnormal_exponent = (uint64_t)step << fraction_bits,
        .has_infinity = mask(format->infinity != FPFMT_INFINITY_NONE),
        .infinity = shape_infinity(format),
        .first_nan = 1,
        .width = (uint8_t)shape_width(format),
    };
    if (decoder->reference)
        return;
    if (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS && !fixed)
        decoder->flush_below = UINT64_C(1) << format->fraction_bits;
    if (carrier == CARRIER_32)
        set_native(decoder, format, policy);
    if (format->nans == FPFMT_NANS_NONE)
        return;
    /* NaN are the magnitude codes above infinity, or the largest one, or, whole, one code with its
     * sign. */
    bool whole = format->nans == FPFMT_NANS_NEGATIVE_ZERO;
    decoder->nan_mask = whole ? decoder->code_mask : decoder->code_mask & ~shape_sign_mask(format);
    decoder->first_nan =
        format->nans == FPFMT_NANS_IEEE ? decoder->infinity + 1 : shape_nan(format);
    decoder->last_nan = whole ? decoder->first_nan : decoder->nan_mask;
    decoder->nan_set = infinity | (preserve ? 0 : quiet);
    decoder->nan_keep = payload ? low_bits(format->fraction_bits) << decoder->extra_bits : 0;
    if (!whole && policy->nan != FPFMT_NAN_CANONICAL)
        decoder->nan_sign = UINT64_C(1) << (fpfmt_carriers[carrier].bits - 1);
    if (format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_PRESERVE)
        decoder->quiet = UINT64_C(1) << (format->fraction_bits - 1);
}
