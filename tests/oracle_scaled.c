/* oracle_scaled.c - engines' sums of operands that share scales, in exact fractions
 * SPDX-License-Identifier: MIT
 *
 * The model knows no more of the library than what a code's value is: terms, places and sums are
 * fractions of GMP, and each rounding is a division of integers. Sums so far are doubles, which
 * hold every value of the output formats. */

#include "oracle_scaled.h"

#include <limits.h>
#include <math.h>

#include <gmp.h>

#include "samples.h"

size_t random_below(size_t bound)
{
    return (size_t)(random_word() % bound);
}

bool chance(size_t one_in)
{
    return random_below(one_in) == 0;
}

double value_of(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_to_f64(fpfmt_decode(format, code), NULL, NULL);
}

/* The binade of the smallest normal number; in fixed point as if the top bit were a hidden one. */
static long emin_of(const fpfmt_format *format)
{
    if (format->exponent_bits == 0)
        return format->fraction_bits - format->bias;
    return (format->exponent_zero == FPFMT_EXPONENT_ZERO_SUBNORMALS) - format->bias;
}

uint64_t random_code(const fpfmt_format *format, bool near)
{
    uint64_t mask = (UINT64_C(2) << (fpfmt_measure(format).width - 1)) - 1;
    uint64_t code = random_word() & mask;
    double value = value_of(format, code);
    while (near && value != 0 && !(fabs(value) < 0x1p20 && fabs(value) > 0x1p-20)) {
        code = random_word() & mask;
        value = value_of(format, code);
    }
    return code;
}

void make_operand(operand *made, const fpfmt_format *format, const fpfmt_format *scale, size_t size,
                  bool near)
{
    const ptrdiff_t strides[2] = { (ptrdiff_t)random_below(2 * FURTHEST + 1) - FURTHEST,
                                   (ptrdiff_t)random_below(2 * FURTHEST + 1) - FURTHEST };
    const size_t origin[2] = { strides[0] < 0 ? FURTHEST * MOST : 0,
                               strides[1] < 0 ? FURTHEST * MOST : 0 };
    made->series = (fpfmt_series){
        .format = format,
        .codes = made->codes + origin[0] * (size_t)((fpfmt_measure(format).width + 7) / 8),
        .stride = strides[0],
    };
    for (size_t i = 0; i < FURTHEST * MOST * 2; i++)
        fpfmt_store_code(format, made->codes, i, random_code(format, near));
    for (size_t i = 0; scale != NULL && i < FURTHEST * MOST * 2; i++)
        fpfmt_store_code(scale, made->scales, i, random_code(scale, near));
    if (scale != NULL)
        made->series.scales = (fpfmt_scales){
            scale, made->scales + origin[1] * (size_t)((fpfmt_measure(scale).width + 7) / 8),
            strides[1], size
        };
    for (size_t i = 0; i < MOST; i++) {
        size_t e = (size_t)((ptrdiff_t)origin[0] + (ptrdiff_t)i * strides[0]);
        size_t f = (size_t)((ptrdiff_t)origin[1] + (ptrdiff_t)(i / size) * strides[1]);
        made->element[i] = value_of(format, fpfmt_load_code(format, made->codes, e));
        made->scale[i] =
            scale == NULL ? 1 : value_of(scale, fpfmt_load_code(scale, made->scales, f));
    }
}

/* ---- the model ---- */

static mpq_t total, part, factor;
static mpz_t units;

static void start_model(void)
{
    static bool started;
    if (started)
        return;
    started = true;
    mpq_inits(total, part, factor, NULL);
    mpz_init(units);
}

static void shift(mpq_t x, long exponent)
{
    if (exponent >= 0)
        mpq_mul_2exp(x, x, (mp_bitcnt_t)exponent);
    else
        mpq_div_2exp(x, x, (mp_bitcnt_t)-exponent);
}

/* x in units of 2^unit, cut toward zero or rounded to nearest even. */
static void to_units(mpq_t x, long unit, bool nearest)
{
    mpz_t twice;
    shift(x, 1 - unit);
    mpz_init(twice);
    mpz_tdiv_q(twice, mpq_numref(x), mpq_denref(x));
    bool inexact = !mpz_divisible_p(mpq_numref(x), mpq_denref(x)), negative = mpq_sgn(x) < 0;
    mpz_abs(twice, twice);
    bool half = mpz_odd_p(twice);
    mpz_fdiv_q_2exp(twice, twice, 1);
    if (nearest && half && (inexact || mpz_odd_p(twice)))
        mpz_add_ui(twice, twice, 1);
    if (negative)
        mpz_neg(twice, twice);
    mpq_set_z(x, twice);
    shift(x, unit);
    mpz_clear(twice);
}

/* A fraction rounded to a format with so many fraction bits; past the largest value, infinite. x
 * is changed. The sign of 0 is that of what was rounded. */
static double rounded(mpq_t x, const fpfmt_format *to, int fraction_bits, bool nearest)
{
    int sign = mpq_sgn(x), emin = (int)emin_of(to), exponent;
    if (sign == 0)
        return 0;
    mpq_set(factor, x);
    mpq_abs(factor, factor);
    exponent =
        (int)mpz_sizeinbase(mpq_numref(factor), 2) - (int)mpz_sizeinbase(mpq_denref(factor), 2);
    shift(factor, -exponent);
    exponent -= mpq_cmp_ui(factor, 1, 1) < 0;
    to_units(x, (exponent < emin ? emin : exponent) - fraction_bits, nearest);
    double value = mpq_sgn(x) == 0 ? 0 : mpq_get_d(x);
    if (fabs(value) >= ldexp(1, fpfmt_measure(to).emax + 1))
        value = INFINITY;
    return copysign(value, sign);
}

/* The binade a number is aligned by. */
static long place_of(const fpfmt_format *format, double value)
{
    long emin = emin_of(format), exponent = ilogb(value);
    return format->exponent_bits == 0 || exponent < emin ? emin : exponent;
}

typedef struct {
    const fpfmt_accumulator *how;
    const fpfmt_format *to;
    const operand *a, *b;
    bool scaled; /* scales count as elements come; else they come late */
} model;

/* Elements i to end as a term, in part; its place. False if it is 0. */
static bool take_term(const model *it, size_t i, size_t end, long *place)
{
    bool joined = it->how->joined > 1;
    *place = 0;
    mpq_set_ui(part, 0, 1);
    for (size_t k = i; k < end; k++) {
        double product = it->a->element[k] * it->b->element[k]; /* exact: of narrow formats */
        mpq_set_d(factor, product);
        mpq_add(part, part, factor);
        if (product != 0 && !joined)
            *place = place_of(it->a->series.format, it->a->element[k]) +
                     place_of(it->b->series.format, it->b->element[k]);
    }
    const operand *both[] = { it->a, it->b };
    for (int s = 0; it->scaled && s < 2; s++) {
        mpq_set_d(factor, both[s]->scale[i]);
        mpq_mul(part, part, factor);
        if (both[s]->series.scales.codes != NULL && both[s]->scale[i] != 0)
            *place += place_of(both[s]->series.scales.format, both[s]->scale[i]);
    }
    return mpq_sgn(part) != 0;
}

/* What infinities and NaN give: doubles add them as every format does; 0 if there are none. */
static double specials(const model *it, double sum, size_t i, size_t end)
{
    double special = isfinite(sum) ? 0 : sum;
    for (size_t k = i; k < end; k++) {
        double s = it->scaled ? it->a->scale[k] : 1, r = it->scaled ? it->b->scale[k] : 1;
        double product = it->a->element[k] * s * (it->b->element[k] * r);
        special += isfinite(product) ? 0 : product;
    }
    return special;
}

/* A group and the sum so far. */
static double group_sum(const model *it, double sum, size_t i, size_t end)
{
    size_t step = it->how->joined > 1 ? it->how->joined : 1;
    long largest = LONG_MIN, place;
    double special = specials(it, sum, i, end);
    if (special != 0)
        return special;
    if (sum != 0)
        largest = place_of(it->to, sum);
    for (size_t k = i; k < end; k += step)
        if (take_term(it, k, end - k < step ? end : k + step, &place) && place > largest)
            largest = place;
    if (largest == LONG_MIN)
        return 0;
    mpq_set_d(total, sum);
    to_units(total, largest - it->how->fraction_bits, false);
    for (size_t k = i; k < end; k += step) {
        take_term(it, k, end - k < step ? end : k + step, &place);
        to_units(part, largest - it->how->fraction_bits, false);
        mpq_add(total, total, part);
    }
    int kept = it->how->kept_bits, bits = it->to->fraction_bits;
    return rounded(total, it->to, kept != 0 && kept < bits ? kept : bits, it->how->nearest);
}

static double groups(const model *it, double sum, size_t i, size_t end)
{
    for (; i < end; i += it->how->group)
        sum = group_sum(it, sum, i, end - i < it->how->group ? end : i + it->how->group);
    return sum;
}

/* by x part + sum, rounded once to nearest even. */
static double fused(const fpfmt_format *to, double by, double x, double sum)
{
    double simple = by * x + sum;
    if (!isfinite(by) || !isfinite(x) || !isfinite(sum))
        return simple;
    mpq_set_d(total, by);
    mpq_set_d(part, x);
    mpq_mul(total, total, part);
    mpq_set_d(part, sum);
    mpq_add(total, total, part);
    return mpq_sgn(total) == 0 ? simple : rounded(total, to, to->fraction_bits, true);
}

double oracle_scaled(const fpfmt_accumulator *how, const fpfmt_format *to, double start,
                     const operand *a, const operand *b, size_t n)
{
    const model it = { .how = how, .to = to, .a = a, .b = b, .scaled = !how->scales_late };
    size_t most = how->promote;
    double sum = start;
    start_model();
    if (most == 0)
        return groups(&it, sum, 0, n);
    for (size_t i = 0; i < n; i += most) {
        double x = groups(&it, 0, i, n - i < most ? n : i + most), by = 1;
        if (how->scales_late)
            by = fused(to, a->scale[i], b->scale[i], -0.0);
        sum = fused(to, by, x, sum);
    }
    return sum;
}
