/* fpfmt_inline.h - float to bf16, fp16, E5M2 and E4M3 and back, without a library
 * SPDX-License-Identifier: MIT
 *
 * Each function gives the bits of fpfmt_encode or fpfmt_decode under the default policy: nearest
 * even; overflow to infinity, in E4M3 to NaN; NaN quieted, its sign and the payload's top bits
 * kept. All is integer arithmetic, so the machine's rounding and flush modes do not matter. */

#ifndef FPFMT_INLINE_H
#define FPFMT_INLINE_H

#include <stdint.h>
#include <string.h>

/* C++ may warn about casts as C writes them; they are meant. */
#if defined __cplusplus && defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* ---- steps; a magnitude is a code without its sign, m the format's number of fraction bits, and
 * least the exponent field that float has for the format's smallest normal ---- */

static inline uint32_t fpfmt_inline_code(float x)
{
    uint32_t code;
    memcpy(&code, &x, sizeof code);
    return code;
}

static inline float fpfmt_inline_float(uint32_t code)
{
    float x;
    memcpy(&x, &code, sizeof x);
    return x;
}

/* A float's magnitude, not NaN, to the format's as if its exponents had no end. Below least the
 * exponent stays, and the significand loses bits instead. The hidden bit and a carry add themselves
 * into the exponent. From a shift by 25 on, which is where the floats without a hidden bit are,
 * all rounds to 0. */
static inline uint32_t fpfmt_inline_narrow(uint32_t magnitude, int m, int least)
{
    int above = (int)(magnitude >> 23) - least;
    int shift = 23 - m - (above < 0 ? above : 0);
    uint32_t significand = (magnitude & 0x7FFFFF) | 0x800000;
    if (shift > 25)
        shift = 25;
    significand += (UINT32_C(1) << (shift - 1)) - 1 + (significand >> shift & 1);
    return ((uint32_t)(above < 0 ? 0 : above) << m) + (significand >> shift);
}

/* A finite magnitude of the format to float's. A subnormal moves up until it has its hidden bit;
 * that bit and the exponent field count on from least. */
static inline uint32_t fpfmt_inline_widen(uint32_t magnitude, int m, int least)
{
    if (magnitude == 0)
        return 0;
    for (; magnitude >> m == 0; least--)
        magnitude <<= 1;
    return (magnitude << (23 - m)) + ((uint32_t)(least - 1) << 23);
}

/* ---- bf16: the upper half of a float ---- */

/* Adding just under half of the unit, and the rest of the half where the unit is odd, carries into
 * the upper half what rounds up, and past the largest value into infinity. */
static inline uint16_t fpfmt_bf16_from_f32(float x)
{
    uint32_t code = fpfmt_inline_code(x);
    if ((code & 0x7FFFFFFF) > 0x7F800000)
        return (uint16_t)(code >> 16 | 0x40);
    return (uint16_t)((code + 0x7FFF + (code >> 16 & 1)) >> 16);
}

static inline float fpfmt_f32_from_bf16(uint16_t code)
{
    uint32_t quiet = (code & 0x7FFF) > 0x7F80 ? 0x400000 : 0;
    return fpfmt_inline_float((uint32_t)code << 16 | quiet);
}

/* ---- fp16: 5 exponent bits, 10 fraction bits; the smallest normal is 2^-14, 113 - 127 ---- */

static inline uint16_t fpfmt_fp16_from_f32(float x)
{
    uint32_t code = fpfmt_inline_code(x), magnitude = code & 0x7FFFFFFF, result;
    if (magnitude > 0x7F800000)
        result = 0x7E00 | (magnitude >> 13 & 0x3FF);
    else if ((result = fpfmt_inline_narrow(magnitude, 10, 113)) > 0x7C00)
        result = 0x7C00;
    return (uint16_t)(code >> 16 & 0x8000) | (uint16_t)result;
}

static inline float fpfmt_f32_from_fp16(uint16_t code)
{
    uint32_t magnitude = code & 0x7FFF, result;
    if (magnitude >= 0x7C00)
        result = 0x7F800000 | (magnitude & 0x3FF) << 13 | (magnitude > 0x7C00 ? 0x400000 : 0);
    else
        result = fpfmt_inline_widen(magnitude, 10, 113);
    return fpfmt_inline_float((uint32_t)(code & 0x8000) << 16 | result);
}

/* ---- E5M2: the upper half of an fp16, rounded once all the same ---- */

static inline uint8_t fpfmt_e5m2_from_f32(float x)
{
    uint32_t code = fpfmt_inline_code(x), magnitude = code & 0x7FFFFFFF, result;
    if (magnitude > 0x7F800000)
        result = 0x7E | (magnitude >> 21 & 3);
    else if ((result = fpfmt_inline_narrow(magnitude, 2, 113)) > 0x7C)
        result = 0x7C;
    return (uint8_t)((code >> 24 & 0x80) | result);
}

static inline float fpfmt_f32_from_e5m2(uint8_t code)
{
    return fpfmt_f32_from_fp16((uint16_t)(code << 8));
}

/* ---- E4M3 of OCP: the smallest normal is 2^-6, 121 - 127; 0x7F is NaN, and all above 464 ---- */

static inline uint8_t fpfmt_e4m3_from_f32(float x)
{
    uint32_t code = fpfmt_inline_code(x), result = 0x7F;
    if ((code & 0x7FFFFFFF) <= 0x7F800000)
        result = fpfmt_inline_narrow(code & 0x7FFFFFFF, 3, 121);
    return (uint8_t)((code >> 24 & 0x80) | (result < 0x7F ? result : 0x7F));
}

static inline float fpfmt_f32_from_e4m3(uint8_t code)
{
    uint32_t magnitude = code & 0x7F;
    uint32_t result = magnitude == 0x7F ? 0x7FC00000 : fpfmt_inline_widen(magnitude, 3, 121);
    return fpfmt_inline_float((uint32_t)(code & 0x80) << 24 | result);
}

#if defined __cplusplus && defined __GNUC__
#pragma GCC diagnostic pop
#endif

#endif
