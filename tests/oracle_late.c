/* oracle_late.c - groups of products whose sum the start joins late, in exact fractions
 * SPDX-License-Identifier: MIT
 *
 * AMD's CDNA3, from what is published of it: arXiv 2609.14845, Algorithms 1 and 2, and MMA-Sim,
 * arXiv 2511.10909. Every step is a fraction of GMP, and a cut is a division that rounds toward
 * zero or down. From fpfmt.h it takes the parameters of an accumulator, which are the question. */

#include "oracle_late.h"

enum { PARTS = 2 };

/* A nonzero product, exactly, and the exponents of its factors together. */
typedef struct {
    mpq_t value;
    long exponent;
} late_product;

static late_product product[FPFMT_GROUP_MAX];
static mpq_t part, sum, own, limit;
static mpz_t steps;
static oracle_number left, right;

static void start_late(void)
{
    if (left.magnitude->_mpfr_prec != 0)
        return;
    oracle_start(&left);
    oracle_start(&right);
    for (size_t i = 0; i < FPFMT_GROUP_MAX; i++)
        mpq_init(product[i].value);
    mpq_inits(part, sum, own, limit, NULL);
    mpz_init(steps);
}

static void scale(mpq_t x, long exponent)
{
    if (exponent >= 0)
        mpq_mul_2exp(x, x, (mp_bitcnt_t)exponent);
    else
        mpq_div_2exp(x, x, (mp_bitcnt_t)-exponent);
}

/* x in whole steps of 2^unit, rounded down, or else toward zero. */
static void cut(mpq_t x, long unit, bool down)
{
    scale(x, -unit);
    if (down)
        mpz_fdiv_q(steps, mpq_numref(x), mpq_denref(x));
    else
        mpz_tdiv_q(steps, mpq_numref(x), mpq_denref(x));
    mpq_set_z(x, steps);
    scale(x, unit);
}

static void fraction(mpq_t x, const oracle_number *number)
{
    long exponent = (long)mpfr_get_z_2exp(steps, number->magnitude);
    mpq_set_z(x, steps);
    scale(x, exponent);
    if (number->negative)
        mpq_neg(x, x);
}

/* The exponent of a number that is not 0, in its format, where subnormals have the smallest
 * normal's and integers one for all. */
static long exponent_in(const oracle_format *format, const oracle_number *number)
{
    long exponent = (long)mpfr_get_exp(number->magnitude) - 1;
    if (format->kind == ORACLE_INTEGER)
        return format->emin + format->precision;
    return exponent > format->emin ? exponent : format->emin;
}

/* The floor of the binary logarithm of a magnitude that is not 0. */
static long log_of(const mpq_t x)
{
    long guess = (long)mpz_sizeinbase(mpq_numref(x), 2) - (long)mpz_sizeinbase(mpq_denref(x), 2);
    mpq_set_ui(limit, 1, 1);
    scale(limit, guess);
    mpq_abs(own, x);
    return mpq_cmp(own, limit) < 0 ? guess - 1 : guess;
}

static bool is_zero(const oracle_number *number)
{
    return number->kind == FPFMT_KIND_ZERO;
}

static bool is_infinite(const oracle_number *number)
{
    return number->kind == FPFMT_KIND_INFINITE;
}

static bool is_nan(const oracle_number *number)
{
    return number->kind >= FPFMT_KIND_QUIET_NAN;
}

/* Is product number k past every number that is normal in the output format? */
static bool is_past(const oracle_format *to, size_t k)
{
    mpfr_t beyond;
    mpfr_init2(beyond, 64);
    oracle_magnitude(beyond, to, to->max + 1);
    mpq_abs(part, product[k].value);
    bool past = mpfr_cmp_q(beyond, part) <= 0;
    mpfr_clear(beyond);
    return past;
}

/* The products that are not 0 go to where they stand in the group, and there says which they are.
 * The infinities and NaN among them and the start decide alone if there are any. */
static late_outcome take_products(bool there[FPFMT_GROUP_MAX], bool *negative,
                                  const oracle_format *to, const oracle_number *start,
                                  oracle_series a, oracle_series b, size_t i, size_t n)
{
    bool nan = is_nan(start), infinite[2] = { false, false };
    infinite[start->negative] |= is_infinite(start);
    for (size_t k = 0; k < n; k++) {
        oracle_decode(a.format, a.codes[i + k], &left);
        oracle_decode(b.format, b.codes[i + k], &right);
        bool minus = left.negative != right.negative;
        bool endless = is_infinite(&left) || is_infinite(&right);
        bool nothing = is_zero(&left) || is_zero(&right);
        there[k] = !endless && !nothing && !is_nan(&left) && !is_nan(&right);
        nan |= is_nan(&left) || is_nan(&right) || (endless && nothing);
        if (there[k]) {
            fraction(product[k].value, &left);
            fraction(own, &right);
            mpq_mul(product[k].value, product[k].value, own);
            product[k].exponent = exponent_in(a.format, &left) + exponent_in(b.format, &right);
        }
        infinite[minus] |= endless || (there[k] && is_past(to, k));
    }
    *negative = infinite[1];
    return nan || (infinite[0] && infinite[1]) ? LATE_NAN
           : infinite[0] || infinite[1]        ? LATE_INFINITE
                                               : LATE_NUMBER;
}

/* The largest exponent of the products first, first + step, ...; false if all are 0. */
static bool largest_of(long *largest, const bool there[], size_t first, size_t step, size_t n)
{
    bool any = false;
    for (size_t k = first; k < n; k += step)
        if (there[k]) {
            *largest = any && *largest > product[k].exponent ? *largest : product[k].exponent;
            any = true;
        }
    return any;
}

/* The sum of the products: each part aligned to its own exponent, and all parts to the largest. */
static void sum_products(const fpfmt_accumulator *how, const bool there[], long largest, size_t n)
{
    size_t parts = how->parities ? PARTS : 1;
    mpq_set_ui(sum, 0, 1);
    for (size_t p = 0; p < parts; p++) {
        long own_largest = 0;
        mpq_set_ui(part, 0, 1);
        if (!largest_of(&own_largest, there, p, parts, n))
            continue;
        for (size_t k = p; k < n; k += parts)
            if (there[k]) {
                cut(product[k].value, own_largest - how->fraction_bits, false);
                mpq_add(part, part, product[k].value);
            }
        cut(part, largest - how->fraction_bits, true);
        mpq_add(sum, sum, part);
    }
}

/* The start joins the sum: what is smaller is cut down, the products' sum late_bits below a larger
 * start, the start fraction_bits below products, or dropped past its reach. */
static void join_start(const fpfmt_accumulator *how, const oracle_format *to,
                       const oracle_number *start, bool any, long largest)
{
    long e = is_zero(start) ? to->emin : exponent_in(to, start);
    bool start_leads = !any || e > largest;
    long unit = start_leads ? e - how->late_bits : largest - how->fraction_bits;
    if (start_leads)
        cut(sum, unit, true);
    if (is_zero(start) || (!start_leads && how->start_reach != 0 && largest - e > how->start_reach))
        return;
    fraction(own, start);
    cut(own, unit, true);
    mpq_add(sum, sum, own);
}

late_outcome oracle_late(oracle_number *total, const fpfmt_accumulator *how,
                         const oracle_format *to, const oracle_number *start, oracle_series a,
                         oracle_series b, size_t i, size_t end)
{
    bool there[FPFMT_GROUP_MAX];
    size_t n = end - i < how->group ? end - i : how->group;
    long largest = 0;
    start_late();
    late_outcome outcome = take_products(there, &total->negative, to, start, a, b, i, n);
    if (outcome != LATE_NUMBER)
        return outcome;
    bool any = largest_of(&largest, there, 0, 1, n);
    sum_products(how, there, largest, n);
    join_start(how, to, start, any, largest);
    if (how->total_bits != 0 && mpq_sgn(sum) != 0) {
        long e = log_of(sum);
        cut(sum, (e < to->emin ? to->emin : e) - how->total_bits, true);
    }
    total->negative = mpq_sgn(sum) < 0;
    total->kind = mpq_sgn(sum) == 0 ? FPFMT_KIND_ZERO : FPFMT_KIND_NORMAL;
    mpq_abs(sum, sum);
    mpfr_set_q(total->magnitude, sum, MPFR_RNDN);
    return LATE_NUMBER;
}
