/* decode.c - code to value, exactly
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "bits.h"
#include "shape.h"

/* (-1)^negative * magnitude * 2^step as a value of this kind, normalised; zero for magnitude 0. */
static fpfmt_value scaled(bool negative, uint64_t magnitude, int step, uint8_t kind)
{
    int bits = bit_length(magnitude);
    if (magnitude == 0)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO, .negative = negative };
    return (fpfmt_value){ .kind = kind,
                          .negative = negative,
                          .exponent = step + bits - 1,
                          .significand = magnitude << (64 - bits) };
}

/* IEEE NaN have a payload, the fraction but for its top bit, which is set in quiet ones, IEEE
 * 754-2019 6.2.1. Elsewhere there is one NaN, quiet, with a sign only where both signs of the
 * largest magnitude are NaN. */
static fpfmt_value decode_nan(const fpfmt_format *format, uint64_t magnitude, bool negative)
{
    if (format->nans != FPFMT_NANS_IEEE)
        return (fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN,
                              .negative = negative && format->nans == FPFMT_NANS_ALL_ONES };
    uint64_t quiet = UINT64_C(1) << (format->fraction_bits - 1);
    return (fpfmt_value){
        .kind = magnitude & quiet ? FPFMT_KIND_QUIET_NAN : FPFMT_KIND_SIGNALING_NAN,
        .negative = negative,
        .payload_bits = (uint8_t)(format->fraction_bits - 1),
        .significand = magnitude & (quiet - 1),
    };
}

/* Whether a code is NaN; magnitude is the code without its sign bit. */
static bool is_nan(const fpfmt_format *format, uint64_t code, uint64_t magnitude)
{
    switch ((fpfmt_nans)format->nans) {
    case FPFMT_NANS_NONE: break;
    case FPFMT_NANS_IEEE: return magnitude > shape_infinity(format);
    case FPFMT_NANS_ALL_ONES: return magnitude == shape_nan(format);
    case FPFMT_NANS_NEGATIVE_ZERO: return code == shape_nan(format);
    }
    return false;
}

/* Any code of any format: the definition, of which fpfmt_decode makes normal numbers by itself.
 * Field 0 holds zero and subnormals, with the steps of the smallest normal's binade; or zero and
 * normals (DLFloat16), or normals alone (E8M0). Fixed point has no field, and complements negative
 * codes. */
static fpfmt_value decode_special(const fpfmt_format *format, uint64_t code, uint64_t magnitude,
                                  bool negative)
{
    int field = (int)(magnitude >> format->fraction_bits);
    uint64_t fraction = magnitude & low_bits(format->fraction_bits);
    int step = shape_emin(format) - format->fraction_bits;
    if (is_fixed_point(format)) {
        magnitude = negative ? (0 - code) & low_bits(shape_width(format)) : code;
        return scaled(negative, magnitude, -format->bias, FPFMT_KIND_NORMAL);
    }
    if (is_nan(format, code, magnitude))
        return decode_nan(format, magnitude, negative);
    if (format->infinity != FPFMT_INFINITY_NONE && magnitude == shape_infinity(format))
        return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = negative };
    if (magnitude == 0 && format->exponent_zero != FPFMT_EXPONENT_ZERO_NORMALS)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO, .negative = negative };
    if (shape_offset(format) == 0 && field == 0)
        return scaled(negative, fraction, step, FPFMT_KIND_SUBNORMAL);
    step += shape_offset(format) == 0 ? field - 1 : field;
    return scaled(negative, fraction | UINT64_C(1) << format->fraction_bits, step,
                  FPFMT_KIND_NORMAL);
}

fpfmt_value fpfmt_decode(const fpfmt_format *format, uint64_t code)
{
    int fraction_bits = format->fraction_bits, exponent_bits = format->exponent_bits;
    uint64_t magnitude = code & low_bits(exponent_bits + fraction_bits);
    bool negative = (code & shape_sign_mask(format)) != 0;
    /* Whatever the format, its first and its last two exponents alone hold more than normals: zero
     * and subnormals, and infinity and NaN, which without fraction bits take an exponent each.
     * Field 0 less 1 is larger than any, so that one comparison finds all three. */
    uint64_t field = magnitude >> fraction_bits;
    if (field - 1 >= low_bits(exponent_bits) - 2 || exponent_bits < 2)
        return decode_special(format, code & low_bits(shape_width(format)), magnitude, negative);
    bool subnormals = format->exponent_zero == FPFMT_EXPONENT_ZERO_SUBNORMALS;
    uint64_t significand = magnitude << (63 - fraction_bits) | UINT64_C(1) << 63;
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .negative = negative,
                          .exponent = shape_emin(format) - subnormals + (int32_t)field,
                          .significand = significand };
}
