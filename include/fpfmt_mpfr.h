/* fpfmt_mpfr.h - values of fpfmt.h to and from numbers of MPFR
 * SPDX-License-Identifier: MIT
 *
 * Any function of MPFR, rounded once into any format:
 *
 *     int ternary = mpfr_exp(y, x, MPFR_RNDN);
 *     code = fpfmt_encode(format, fpfmt_from_mpfr(y, ternary), policy, &flags);
 *
 * is the correctly rounded exponential in every mode of the policy if y has at least 64 bits. All
 * of this is inline and allocates nothing. Link with MPFR and GMP. */

#ifndef FPFMT_MPFR_H
#define FPFMT_MPFR_H

#include <fpfmt.h>

#include <mpfr.h>

/* C++ may warn about casts as C writes them; they are meant. */
#if defined __cplusplus && defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    FPFMT_MPFR_LIMB_BITS = 8 * (int)sizeof(mp_limb_t),
    FPFMT_MPFR_LIMBS = 64 / FPFMT_MPFR_LIMB_BITS /* that a significand takes, the lowest first */
};

/* x becomes value, rounded to its precision and into MPFR's range of exponents; returns MPFR's
 * ternary, the sign of x - value. Without a cut tail x is exact from 64 bits on, and the value of
 * a format from the format's precision on. With one it is rounded correctly to at most 63 bits; an
 * x of more takes the significand, and the ternary tells that the value lies farther from 0.
 * NaN keeps its sign and no payload. */
static inline int fpfmt_to_mpfr(mpfr_ptr x, fpfmt_value value, mpfr_rnd_t rounding)
{
    int i, ternary, sign = value.negative ? -1 : 1;
    bool fine = mpfr_get_prec(x) >= 64;
    mp_limb_t limbs[2 * FPFMT_MPFR_LIMBS] = { 0 };
    mpfr_t wide;
    switch ((fpfmt_kind)value.kind) {
    case FPFMT_KIND_ZERO: mpfr_set_zero(x, sign); return 0;
    case FPFMT_KIND_SUBNORMAL:
    case FPFMT_KIND_NORMAL: break;
    case FPFMT_KIND_INFINITE: mpfr_set_inf(x, sign); return 0;
    case FPFMT_KIND_QUIET_NAN:
    case FPFMT_KIND_SIGNALING_NAN:
        mpfr_set_nan(x);
        return mpfr_setsign(x, x, value.negative, MPFR_RNDN);
    }
    for (i = 0; i < FPFMT_MPFR_LIMBS; i++)
        limbs[FPFMT_MPFR_LIMBS + i] = (mp_limb_t)(value.significand >> FPFMT_MPFR_LIMB_BITS * i);
    limbs[0] = value.inexact && !fine; /* a bit far below those of x stands for any tail */
    mpfr_custom_init_set(wide, sign * MPFR_REGULAR_KIND, (mpfr_exp_t)value.exponent + 1, 128,
                         limbs);
    ternary = mpfr_set(x, wide, rounding);
    if (value.inexact && fine)
        ternary = -sign;
    return mpfr_check_range(x, ternary, rounding);
}

/* The top 64 bits of a regular x; *rest: what is left below, as FPFMT_REMAINDER_... */
static inline uint64_t fpfmt_mpfr_cut(mpfr_srcptr x, uint8_t *rest)
{
    const mpfr_flags_t flags = mpfr_flags_save();
    mp_limb_t limbs[2 * FPFMT_MPFR_LIMBS] = { 0 };
    uint64_t significand = 0, next = 0;
    mpfr_t top;
    int i, more;
    mpfr_custom_init_set(top, MPFR_ZERO_KIND, 0, 128, limbs);
    more = mpfr_set(top, x, MPFR_RNDZ) != 0;
    mpfr_flags_restore(flags, MPFR_FLAGS_ALL);
    for (i = 0; i < FPFMT_MPFR_LIMBS; i++) {
        next |= (uint64_t)limbs[i] << FPFMT_MPFR_LIMB_BITS * i;
        significand |= (uint64_t)limbs[FPFMT_MPFR_LIMBS + i] << FPFMT_MPFR_LIMB_BITS * i;
    }
    *rest = (uint8_t)(next >> 63 << 1 | (next << 1 != 0 || more));
    return significand;
}

/* The number that x was rounded from: x, put right by the ternary which the operation that made x
 * returned, in whatever rounding mode; 0 says that x is exact. Bits past the 64th become a cut
 * tail. MPFR's flags stay.
 *
 * If the ternary is not 0, x should have at least 64 bits: then the result is the exact number,
 * cut. From an x of p < 64 bits comes a value on the right side of all that p bits can hold, which
 * is enough for formats of a precision below p, in two's complement below p - 1. Integers of 64
 * bits take an x of 66.
 *
 * Infinity or 0 with a ternary, and exponents past +-2^24, become values past the range of every
 * format, as in fpfmt_parse. That is right in MPFR's default range of exponents. */
static inline fpfmt_value fpfmt_from_mpfr(mpfr_srcptr x, int ternary)
{
    const mpfr_exp_t farthest = 1 << 24;
    const uint64_t top_bit = UINT64_C(1) << 63;
    bool negative = mpfr_signbit(x) != 0, outward = negative ? ternary < 0 : ternary > 0;
    fpfmt_value value = { FPFMT_KIND_NORMAL, negative, FPFMT_REMAINDER_NONE, 0, 0, 0 };
    mpfr_exp_t exponent = mpfr_inf_p(x) ? farthest + 1 : -farthest - 1;
    if (!mpfr_regular_p(x) && (mpfr_nan_p(x) || ternary == 0)) {
        value.kind = mpfr_zero_p(x)  ? FPFMT_KIND_ZERO
                     : mpfr_inf_p(x) ? FPFMT_KIND_INFINITE
                                     : FPFMT_KIND_QUIET_NAN;
        return value;
    }
    value.significand = top_bit;
    if (mpfr_regular_p(x)) {
        value.significand = fpfmt_mpfr_cut(x, &value.inexact);
        exponent = mpfr_get_exp(x) - 1;
    }
    if (ternary != 0 && value.inexact == FPFMT_REMAINDER_HALF)
        value.inexact = outward ? FPFMT_REMAINDER_BELOW_HALF : FPFMT_REMAINDER_ABOVE_HALF;
    if (ternary != 0 && value.inexact == FPFMT_REMAINDER_NONE) {
        /* The number lies beside x; where that is below, it is in the unit before. */
        value.inexact = outward ? FPFMT_REMAINDER_ABOVE_HALF : FPFMT_REMAINDER_BELOW_HALF;
        value.significand -= outward;
        if (value.significand < top_bit) {
            value.significand = UINT64_MAX;
            exponent--;
        }
    }
    if (exponent > farthest || exponent < -farthest) {
        exponent = exponent < 0 ? -farthest : farthest;
        value.inexact = FPFMT_REMAINDER_BELOW_HALF;
    }
    value.exponent = (int32_t)exponent;
    return value;
}

#ifdef __cplusplus
}
#endif

#if defined __cplusplus && defined __GNUC__
#pragma GCC diagnostic pop
#endif

#endif
