/* decoder.c - the constants of a conversion from a format to a carrier
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

static uint64_t mask(bool yes)
{
    return yes ? UINT64_MAX : 0;
}

bool fpfmt_is_reached(const fpfmt_format *format, int carrier)
{
    int emin = shape_emin(format), bias = fpfmt_carriers[carrier]->bias;
    return shape_width(format) <= 32 && shape_offset(format) == 0 &&
           format->fraction_bits <= fpfmt_carriers[carrier]->fraction_bits && emin >= 1 - bias &&
           emin <= bias;
}

/* A format that the element functions reach has no finer steps and no more bits than the carrier,
 * so that only its largest value can be too large; of others fpfmt_contains looks at everything. */
bool fpfmt_carries(const fpfmt_format *format, int carrier)
{
    if (fpfmt_is_reached(format, carrier))
        return shape_emax(format) <= fpfmt_carriers[carrier]->bias;
    return fpfmt_contains(fpfmt_carriers[carrier], format);
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

int fpfmt_native_of(const fpfmt_format *format)
{
    return shape_equal(format, fpfmt_binary16)   ? NATIVE_HALF
           : shape_equal(format, fpfmt_bfloat16) ? NATIVE_BFLOAT
                                                 : NATIVE_NONE;
}

/* Which instruction decodes to binary32; the decoder's other fields are set. binary16 and bfloat16
 * are told by their fields. A code of up to 8 bits is read as a binary16 with the same fields,
 * times scale: it has the five exponent bits of binary16 and its specials, or fewer, so that no
 * exponent field is all ones there. The products must be zero or normal, and scale finite: the
 * smallest product, 2^(emin - fraction_bits), is normal with emin from -119 on for up to 7 fraction
 * bits (-112 is asked for), and scale, 2^(emin + 14), is finite up to emin 113. */
static void set_native(fpfmt_decoder *k, const fpfmt_format *format, const fpfmt_policy *policy)
{
    const fpfmt_format *half = fpfmt_binary16, *single = fpfmt_carriers[CARRIER_32];
    int emin = shape_emin(format), exponent_bits = format->exponent_bits;
    bool ieee = format->nans == FPFMT_NANS_IEEE;
    if (format->sign_bits == 0 || k->flush_below != 0 || k->reference || is_fixed_point(format) ||
        (ieee && policy->nan != FPFMT_NAN_QUIET))
        return;
    k->native = (uint8_t)fpfmt_native_of(format);
    if (k->bytes == 1 && (ieee ? exponent_bits == 5 : exponent_bits <= 4) && emin >= -112 &&
        emin <= 113)
        k->native = NATIVE_SMALL;
    k->half_shift = (uint8_t)(half->fraction_bits - format->fraction_bits);
    k->scale = (uint32_t)(emin - shape_emin(half) + single->bias) << single->fraction_bits;
}

/* See fpfmt_decoder in kernels/kernel.h for each constant. The element function does not reach a
 * format whose steps, as integers times a power of two, would be subnormal carriers, unless its
 * subnormals are the carrier's and need no power; nor fixed point with as many bits as the
 * carrier's fraction, whose lowest value has one more. */
void fpfmt_make_decoder(fpfmt_decoder *decoder, const fpfmt_format *format,
                        const fpfmt_policy *policy, int carrier)
{
    int fraction_bits = fpfmt_carriers[carrier]->fraction_bits,
        bias = fpfmt_carriers[carrier]->bias;
    /* first: the carrier's exponent field of 2^emin. shifts: the format's subnormals are the
     * carrier's, and a code is the upper bits of its value. */
    int64_t first = shape_emin(format) + bias, step = shape_emin(format) - format->fraction_bits;
    bool fixed = is_fixed_point(format), shifts = first == 1 && !fixed;
    uint64_t infinity = shape_infinity(fpfmt_carriers[carrier]);
    uint64_t quiet = UINT64_C(1) << (fraction_bits - 1);
    bool payload = format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_CANONICAL;
    bool preserve = payload && policy->nan == FPFMT_NAN_PRESERVE;

    *decoder = (fpfmt_decoder){
        .carries = fpfmt_carries(format, carrier),
        .reference = !fpfmt_is_reached(format, carrier) || (!shifts && step + bias < 1) ||
                     (fixed && format->fraction_bits == fraction_bits),
        .bytes = (uint8_t)shape_bytes(format),
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
        decoder->nan_sign = UINT64_C(1) << (shape_width(fpfmt_carriers[carrier]) - 1);
    if (format->nans == FPFMT_NANS_IEEE && policy->nan != FPFMT_NAN_PRESERVE)
        decoder->quiet = UINT64_C(1) << (format->fraction_bits - 1);
}
