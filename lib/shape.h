/* shape.h - what encode and decode need of a format, computed from its row
 * SPDX-License-Identifier: MIT
 *
 * A magnitude code is the code without its sign. It counts steps: in every sound format the next
 * magnitude code is the next value, so that rounding may work on it as on an integer. In particular
 * a carry out of the fraction adds 1 to the exponent field, and the largest subnormal and the
 * smallest normal are one step apart.
 *
 * These functions are inlined into everything that rounds; all take a sound format (fpfmt_defect).
 */

#ifndef FPFMT_SHAPE_H
#define FPFMT_SHAPE_H

#include <fpfmt.h>

#include "bits.h"

/* Two's complement: value = code / 2^bias, with fraction_bits bits besides the sign. */
static inline bool is_fixed_point(const fpfmt_format *format)
{
    return format->exponent_bits == 0;
}

/* Bits of a code. */
static inline int shape_width(const fpfmt_format *format)
{
    return format->sign_bits + format->exponent_bits + format->fraction_bits;
}

/* Bytes of a code in an array: the narrowest of uint8_t, uint16_t, uint32_t and uint64_t. */
static inline size_t shape_bytes(const fpfmt_format *format)
{
    int width = shape_width(format);
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

/* log2 of the smallest normal's binade: of exponent field 1 where field 0 is of subnormals, else of
 * field 0. Fixed point counts as all subnormals: emin is where its first normal number would be,
 * fraction_bits binades above a step, so that encode needs no other case for it. */
static inline int shape_emin(const fpfmt_format *format)
{
    if (is_fixed_point(format))
        return format->fraction_bits - format->bias;
    return (format->exponent_zero == FPFMT_EXPONENT_ZERO_SUBNORMALS) - format->bias;
}

/* What is to be taken off a magnitude code that was made as (binade above emin) * 2^fraction_bits
 * plus a significand with its hidden bit. With subnormals nothing: the hidden bit is the 1 that the
 * smallest normal has in its exponent field. Without them that field is 0, and the hidden bit is
 * too much. So 0 says that field 0 has subnormals, fixed point included. */
static inline uint64_t shape_offset(const fpfmt_format *format)
{
    bool hidden = format->exponent_zero != FPFMT_EXPONENT_ZERO_SUBNORMALS;
    return hidden ? UINT64_C(1) << format->fraction_bits : 0;
}

/* The sign bit of a code; 0 in a format without sign. */
static inline uint64_t shape_sign_mask(const fpfmt_format *format)
{
    return format->sign_bits == 0 ? 0 : UINT64_C(1) << (shape_width(format) - 1);
}

/* The magnitude code of infinity; 0 where there is none. */
static inline uint64_t shape_infinity(const fpfmt_format *format)
{
    int bits = format->exponent_bits + format->fraction_bits;
    switch ((fpfmt_infinity)format->infinity) {
    case FPFMT_INFINITY_NONE: break;
    case FPFMT_INFINITY_IEEE: return low_bits(format->exponent_bits) << format->fraction_bits;
    case FPFMT_INFINITY_TOP: return low_bits(bits) - (format->nans == FPFMT_NANS_ALL_ONES);
    }
    return 0;
}

/* The code of the positive quiet NaN with payload 0; 0 where there is no NaN. Where NaN has the
 * code that -0 would have, that is a code with the sign bit, and the NaN has no sign. */
static inline uint64_t shape_nan(const fpfmt_format *format)
{
    switch ((fpfmt_nans)format->nans) {
    case FPFMT_NANS_NONE: break;
    case FPFMT_NANS_IEEE:
        return shape_infinity(format) | UINT64_C(1) << (format->fraction_bits - 1);
    case FPFMT_NANS_ALL_ONES: return low_bits(format->exponent_bits + format->fraction_bits);
    case FPFMT_NANS_NEGATIVE_ZERO: return shape_sign_mask(format);
    }
    return 0;
}

/* The magnitude code of the largest finite value of a sign. Two's complement reaches one step
 * further below zero than above. */
static inline uint64_t shape_max(const fpfmt_format *format, bool negative)
{
    if (is_fixed_point(format))
        return low_bits(format->fraction_bits) + (negative & format->sign_bits);
    if (format->infinity != FPFMT_INFINITY_NONE)
        return shape_infinity(format) - 1;
    return low_bits(format->exponent_bits + format->fraction_bits) -
           (format->nans == FPFMT_NANS_ALL_ONES);
}

/* log2 of the largest positive value's binade. In fixed point that value counts as a subnormal. */
static inline int shape_emax(const fpfmt_format *format)
{
    uint64_t max = shape_max(format, false);
    int field = (int)(max >> format->fraction_bits);
    int emin = shape_emin(format);
    if (field == 0 && shape_offset(format) == 0)
        return emin - format->fraction_bits + bit_length(max) - 1;
    return emin + field - (shape_offset(format) == 0);
}

/* Does every code mean the same in both formats? How values are rounded and what the formats are
 * called, that is overflow, tie, specials and the texts, decides no code's meaning. */
static inline bool shape_equal(const fpfmt_format *a, const fpfmt_format *b)
{
    return a->sign_bits == b->sign_bits && a->exponent_bits == b->exponent_bits &&
           a->fraction_bits == b->fraction_bits && a->bias == b->bias && a->nans == b->nans &&
           a->infinity == b->infinity && a->exponent_zero == b->exponent_zero;
}

#endif
