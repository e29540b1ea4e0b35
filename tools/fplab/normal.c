/* normal.c - random numbers that are the same everywhere
 * SPDX-License-Identifier: MIT */

#include "normal.h"

#include <fpfmt.h>

#include <mpfr.h>

enum { bits = 53 };

static uint64_t random_bits(uint64_t seed, uint64_t index)
{
    const fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = seed };
    return fpfmt_random_bits(index, &policy) >> (64 - bits);
}

/* n / 2^53, exact. */
static double fraction(uint64_t n)
{
    fpfmt_value value = fpfmt_from_u64(n);
    if (value.kind != FPFMT_KIND_ZERO)
        value.exponent -= bits;
    return fpfmt_to_f64(value, NULL, NULL);
}

double uniform_deviate(uint64_t seed, uint64_t index)
{
    return fraction(random_bits(seed, index));
}

/* The cosine or sine of s / 2^53 of a turn. The angle is taken from the nearest quarter, so that
 * its relative error is not magnified: the result is within 2 ulp. */
static void wave(mpfr_ptr result, uint64_t s, bool sine)
{
    uint64_t quarters = (s + (UINT64_C(1) << (bits - 3))) >> (bits - 2);
    int64_t rest = (int64_t)s - (int64_t)(quarters << (bits - 2));
    bool swapped = quarters % 2 == 1, beyond = (quarters + !sine) % 4 > 1;
    mpfr_t angle;
    mpfr_init2(angle, mpfr_get_prec(result));
    mpfr_const_pi(angle, MPFR_RNDN);
    mpfr_mul_d(angle, angle, fpfmt_to_f64(fpfmt_from_i64(rest), NULL, NULL), MPFR_RNDN);
    mpfr_div_2ui(angle, angle, bits - 1, MPFR_RNDN);
    if (sine != swapped)
        mpfr_sin(result, angle, MPFR_RNDN);
    else
        mpfr_cos(result, angle, MPFR_RNDN);
    if (beyond)
        mpfr_neg(result, result, MPFR_RNDN);
    mpfr_clear(angle);
}

/* sqrt(-2 ln (r / 2^53)), within 1 ulp. */
static void distance(mpfr_ptr result, uint64_t r)
{
    mpfr_set_d(result, fraction(r), MPFR_RNDN);
    mpfr_log(result, result, MPFR_RNDN);
    mpfr_mul_si(result, result, -2, MPFR_RNDN);
    mpfr_sqrt(result, result, MPFR_RNDN);
}

double normal_deviate(uint64_t seed, uint64_t index)
{
    uint64_t even = index & ~UINT64_C(1), r = random_bits(seed, even) + 1;
    uint64_t s = random_bits(seed, even + 1);
    bool good = false;
    double result = 0;
    for (mpfr_prec_t precision = 96; !good; precision *= 2) {
        mpfr_t radius, factor;
        mpfr_inits2(precision, radius, factor, (mpfr_ptr)NULL);
        distance(radius, r);
        wave(factor, s, index % 2 == 1);
        mpfr_mul(radius, radius, factor, MPFR_RNDN);
        good = mpfr_zero_p(radius) ||
               mpfr_can_round(radius, precision - 3, MPFR_RNDN, MPFR_RNDN, bits);
        result = mpfr_get_d(radius, MPFR_RNDN);
        mpfr_clears(radius, factor, (mpfr_ptr)NULL);
    }
    return result;
}

typedef int (*error_function)(mpfr_t, const mpfr_t, mpfr_rnd_t);

/* Of x / sqrt(2), which is within 1 ulp. That the error function magnifies: by 2 (x^2 / 2) at most,
 * less than 2^11 below 40. */
static double chance(double x, error_function of)
{
    bool good = false;
    double result = 0;
    for (mpfr_prec_t precision = 96; !good; precision *= 2) {
        mpfr_t at;
        mpfr_init2(at, precision);
        mpfr_sqrt_ui(at, 2, MPFR_RNDN);
        mpfr_d_div(at, x, at, MPFR_RNDN);
        of(at, at, MPFR_RNDN);
        good = mpfr_can_round(at, precision - 13, MPFR_RNDN, MPFR_RNDN, bits);
        result = mpfr_get_d(at, MPFR_RNDN);
        mpfr_clear(at);
    }
    return result;
}

/* Beyond 40 deviations lies less than half the smallest double. */
static const double farthest = 40;

double normal_beyond(double x)
{
    return x > farthest ? 0 : x <= 0 ? 1 : chance(x, mpfr_erfc);
}

double normal_within(double x)
{
    return x > farthest ? 1 : x <= 0 ? 0 : chance(x, mpfr_erf);
}
