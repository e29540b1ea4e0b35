/* test_ratio.c - exact rationals and their text, against GMP
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimals.h"
#include "runner.h"
#include "samples.h"

enum { TEXT = 1 << 14, BITS = 16384 };

static char text[TEXT], expected[TEXT];
static mpq_t a, b, c;

/* A natural of bits random bits in both forms. */
static void random_natural(fpfmt_natural *natural, mpz_t same, int bits)
{
    mpz_set_ui(same, 0);
    *natural = (fpfmt_natural){ .length = 0 };
    for (int at = 0; at < bits; at += 32) {
        uint32_t limb = (uint32_t)(random_word() >> 32);
        if (random_word() % 4 == 0)
            limb = random_word() % 2 ? UINT32_MAX : 0;
        if (bits - at < 32)
            limb &= UINT32_MAX >> (32 - (bits - at));
        natural->limb[at / 32] = limb;
        natural->length = limb != 0 ? (uint32_t)(at / 32 + 1) : natural->length;
    }
    mpz_import(same, natural->length, -1, sizeof natural->limb[0], 0, 0, natural->limb);
}

static void random_ratio(fpfmt_ratio *ratio, mpq_t same, int bits)
{
    ratio->negative = random_word() % 2;
    random_natural(&ratio->numerator, mpq_numref(same), (int)(random_word() % (unsigned)bits));
    do
        random_natural(&ratio->denominator, mpq_denref(same),
                       1 + (int)(random_word() % (unsigned)bits));
    while (mpz_sgn(mpq_denref(same)) == 0);
    if (ratio->negative)
        mpz_neg(mpq_numref(same), mpq_numref(same));
    mpq_canonicalize(same);
}

/* Is the ratio well formed and the same number? */
static bool equals(const fpfmt_ratio *ratio, const mpq_t same)
{
    const fpfmt_natural *numerator = &ratio->numerator, *denominator = &ratio->denominator;
    bool equal;
    mpq_t read;
    if (numerator->length > FPFMT_NATURAL_LIMBS || denominator->length > FPFMT_NATURAL_LIMBS ||
        denominator->length == 0 || denominator->limb[denominator->length - 1] == 0 ||
        (numerator->length > 0 && numerator->limb[numerator->length - 1] == 0))
        return false;
    mpq_init(read);
    mpz_import(mpq_numref(read), numerator->length, -1, sizeof numerator->limb[0], 0, 0,
               numerator->limb);
    mpz_import(mpq_denref(read), denominator->length, -1, sizeof denominator->limb[0], 0, 0,
               denominator->limb);
    if (ratio->negative)
        mpq_neg(read, read);
    mpq_canonicalize(read);
    equal = mpq_equal(read, same) != 0;
    mpq_clear(read);
    return equal;
}

static const struct {
    const char *name;
    bool (*run)(fpfmt_ratio *, const fpfmt_ratio *, const fpfmt_ratio *);
    void (*same)(mpq_t, const mpq_t, const mpq_t);
} operations[] = {
    { "+", fpfmt_ratio_add, mpq_add },
    { "-", fpfmt_ratio_subtract, mpq_sub },
    { "*", fpfmt_ratio_multiply, mpq_mul },
    { "/", fpfmt_ratio_divide, mpq_div },
};

/* What fits must be right, in every aliasing; sizes: whether it must fit. */
static void check_operation(size_t i, const fpfmt_ratio *x, const fpfmt_ratio *y, bool must_fit)
{
    static fpfmt_ratio z, alias;
    bool done = operations[i].run(&z, x, y);
    if (i == 3 && mpq_sgn(b) == 0) {
        CHECK(!done, "division by zero gives a ratio");
        return;
    }
    operations[i].same(c, a, b);
    CHECK(done || !must_fit, "%s does not fit", operations[i].name);
    if (!done)
        return;
    CHECK(equals(&z, c), "x %s y is wrong", operations[i].name);
    alias = *x;
    CHECK(operations[i].run(&alias, &alias, y) && equals(&alias, c), "x %s= y is wrong",
          operations[i].name);
    alias = *y;
    CHECK(operations[i].run(&alias, x, &alias) && equals(&alias, c), "y = x %s y is wrong",
          operations[i].name);
}

static void arithmetic(void)
{
    static fpfmt_ratio x, y;
    print_seed();
    for (unsigned n = 0; n < 3000; n += SAMPLE) {
        int bits = n % 10 == 0 ? 3500 : n % 3 == 0 ? 400 : 70;
        random_ratio(&x, a, bits);
        random_ratio(&y, b, bits);
        for (size_t i = 0; i < 4; i++)
            check_operation(i, &x, &y, true);
        CHECK(fpfmt_ratio_is_zero(&x) == (mpq_sgn(a) == 0), "x is zero or not");
        for (size_t i = 0; i < 4; i++) {
            static fpfmt_ratio twice;
            twice = x;
            mpq_set(b, a);
            if (i == 3 && mpq_sgn(a) == 0)
                continue;
            operations[i].same(c, a, b);
            CHECK(operations[i].run(&twice, &twice, &twice) && equals(&twice, c), "x %s x is wrong",
                  operations[i].name);
        }
    }
}

/* Zeros keep their sign as IEEE 754-2019 6.3 says for rounding to nearest. */
static void zeros(void)
{
    static const struct {
        const char *x, *y;
        bool sum, difference, product;
    } rows[] = {
        { "0", "0", false, false, false }, { "0", "-0", false, false, true },
        { "-0", "0", false, true, true },  { "-0", "-0", true, false, false },
        { "5", "-5", false, false, true }, { "-5", "5", false, true, true },
    };
    static fpfmt_ratio x, y, z;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_parse_ratio(&x, rows[i].x, strlen(rows[i].x), NULL);
        fpfmt_parse_ratio(&y, rows[i].y, strlen(rows[i].y), NULL);
        CHECK(fpfmt_ratio_add(&z, &x, &y) && fpfmt_ratio_is_zero(&z) && z.negative == rows[i].sum,
              "%s + %s has the sign %d", rows[i].x, rows[i].y, z.negative);
        CHECK(fpfmt_ratio_subtract(&z, &x, &y) && z.negative == rows[i].difference,
              "%s - %s has the sign %d", rows[i].x, rows[i].y, z.negative);
        CHECK(fpfmt_ratio_multiply(&z, &x, &y) && z.negative == rows[i].product,
              "%s * %s has the sign %d", rows[i].x, rows[i].y, z.negative);
    }
}

/* The root of a, which is x: GMP holds its square, and that of what is 2^-1000 above it, to a. */
static void check_root(const fpfmt_ratio *x)
{
    static fpfmt_ratio root, alias;
    static mpq_t read, above;
    bool square = mpz_perfect_square_p(mpq_numref(a)) && mpz_perfect_square_p(mpq_denref(a));
    bool exact = !square;
    CHECK(fpfmt_ratio_sqrt(&root, x, &exact) && exact == square, "no root, or exact %d", exact);
    alias = *x;
    fpfmt_ratio_sqrt(&alias, &alias, NULL);
    mpq_inits(read, above, NULL);
    mpz_import(mpq_numref(read), root.numerator.length, -1, 4, 0, 0, root.numerator.limb);
    mpz_import(mpq_denref(read), root.denominator.length, -1, 4, 0, 0, root.denominator.limb);
    mpq_canonicalize(read);
    CHECK(!root.negative && equals(&root, read) && equals(&alias, read),
          "the root is not well formed, or not the same in place");
    mpq_div_2exp(above, read, 1000);
    mpq_add(above, above, read);
    mpq_mul(read, read, read);
    mpq_mul(above, above, above);
    CHECK(square ? mpq_equal(read, a) : mpq_cmp(read, a) < 0 && mpq_cmp(above, a) > 0,
          "the root is wrong");
    mpq_clears(read, above, NULL);
}

static void roots(void)
{
    static fpfmt_ratio x, root;
    for (unsigned n = 0; n < 1500; n += SAMPLE) {
        int bits = n % 40 == 0 ? 7900 : n % 3 == 0 ? 1100 : 60;
        random_ratio(&x, a, bits);
        x.negative = false;
        mpq_abs(a, a);
        if (mpq_sgn(a) == 0)
            continue;
        check_root(&x);
        CHECK(fpfmt_ratio_multiply(&x, &x, &x), "a square of %d bits does not fit", 2 * bits);
        mpq_mul(a, a, a);
        check_root(&x);
        x.denominator = (fpfmt_natural){ 1, { 1 } }; /* all bits on one side */
        random_natural(&x.numerator, mpq_numref(a), n % 40 == 0 ? 16200 : bits);
        mpz_set_ui(mpq_denref(a), 1);
        if (mpq_sgn(a) == 0)
            continue;
        if (n % 2 == 0 && fpfmt_ratio_power(&x, &x, -1))
            mpq_inv(a, a);
        check_root(&x);
        x.negative = true;
        CHECK(!fpfmt_ratio_sqrt(&root, &x, NULL), "a negative ratio has a root");
    }
    x = (fpfmt_ratio){ .negative = true, .denominator = { 1, { 7 } } };
    CHECK(fpfmt_ratio_sqrt(&root, &x, NULL) && fpfmt_ratio_is_zero(&root) && root.negative &&
              root.denominator.length > 0,
          "the root of -0 is not -0");
}

/* Whatever exceeds 16384 bits is refused, and never cut. */
static void large(void)
{
    static fpfmt_ratio x, y;
    for (unsigned n = 0; n < 300; n += SAMPLE) {
        random_ratio(&x, a, 12000);
        random_ratio(&y, b, 12000);
        for (size_t i = 0; i < 4; i++)
            check_operation(i, &x, &y, false);
    }
    random_natural(&x.numerator, mpq_numref(a), BITS / 2 + 64);
    x.numerator.limb[x.numerator.length - 1] |= 1;
    x.denominator = (fpfmt_natural){ .length = 1, .limb = { 1 } };
    CHECK(!fpfmt_ratio_multiply(&y, &x, &x), "a square of more than 16384 bits fits");
}

static void from_values(void)
{
    static fpfmt_ratio ratio;
    for (unsigned n = 0; n < 20000; n += SAMPLE) {
        fpfmt_value value = sample_value(n);
        bool finite = value.kind < FPFMT_KIND_INFINITE && !value.inexact;
        bool done = fpfmt_ratio_from(&ratio, value);
        CHECK(done == finite, "kind %d%s: %d", value.kind, value.inexact ? ", cut" : "", done);
        if (!done || !finite)
            continue;
        value_to_ratio(a, value);
        CHECK(equals(&ratio, a), "%016" PRIx64 " * 2^(%d-63) as a ratio", value.significand,
              (int)value.exponent);
        CHECK(same_value(fpfmt_ratio_value(&ratio), value), "%016" PRIx64 " * 2^(%d-63) and back",
              value.significand, (int)value.exponent);
    }
    CHECK(!fpfmt_ratio_from(&ratio, (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                                   .exponent = 1 << 24,
                                                   .significand = UINT64_C(1) << 63 }),
          "2^16777216 is a ratio");
    CHECK(!fpfmt_ratio_from(&ratio, (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                                   .exponent = -(1 << 24),
                                                   .significand = UINT64_C(1) << 63 }),
          "2^-16777216 is a ratio");
}

static void to_values(void)
{
    static fpfmt_ratio ratio;
    for (unsigned n = 0; n < 20000; n += SAMPLE) {
        fpfmt_value value, wanted;
        random_ratio(&ratio, a, n % 50 == 0 ? BITS - 200 : n % 3 == 0 ? 400 : 90);
        value = fpfmt_ratio_value(&ratio);
        wanted = ratio_to_value(a);
        wanted.negative = ratio.negative;
        CHECK(same_value(value, wanted),
              "%016" PRIx64 "%s * 2^(%d-63), not %016" PRIx64 "%s * 2^(%d-63)", value.significand,
              value.inexact ? "+" : "", (int)value.exponent, wanted.significand,
              wanted.inexact ? "+" : "", (int)wanted.exponent);
    }
}

static void printed(void)
{
    static fpfmt_ratio ratio;
    static char digits[TEXT];
    for (unsigned n = 0; n < 4000; n += SAMPLE) {
        size_t length;
        long point;
        random_ratio(&ratio, a, n % 40 == 0 ? 5000 : n % 3 == 0 ? 300 : 30);
        if (n % 2 == 0) { /* a denominator of twos and fives alone */
            char whole[64];
            snprintf(whole, sizeof whole, "%" PRIu64 "/%" PRIu64, random_word(),
                     UINT64_C(1) << n % 40);
            if (n % 4 == 0)
                snprintf(whole, sizeof whole, "%" PRIu64 "e%d", random_word() >> n % 64,
                         (int)(random_word() % 60) - 50);
            fpfmt_parse_ratio(&ratio, whole, strlen(whole), NULL);
            mpz_import(mpq_numref(a), ratio.numerator.length, -1, 4, 0, 0, ratio.numerator.limb);
            mpz_import(mpq_denref(a), ratio.denominator.length, -1, 4, 0, 0,
                       ratio.denominator.limb);
            mpq_canonicalize(a);
        }
        mpq_abs(b, a);
        if (mpz_cmp_ui(mpq_denref(b), 1) == 0)
            gmp_snprintf(expected, sizeof expected, "%s%Zd", ratio.negative ? "-" : "",
                         mpq_numref(b));
        else
            gmp_snprintf(expected, sizeof expected, "%s%Qd", ratio.negative ? "-" : "", b);
        length = fpfmt_print_fraction(text, sizeof text, &ratio);
        CHECK(strcmp(text, expected) == 0 && length == strlen(text), "fraction %.60s, not %.60s",
              text, expected);
        if (ratio_to_decimal(digits, sizeof digits, &point, a) && strlen(digits) < 4000)
            lay_out(expected, sizeof expected, ratio.negative, digits, point);
        length = fpfmt_print_ratio(text, sizeof text, &ratio);
        CHECK(strcmp(text, expected) == 0 && length == strlen(text), "ratio %.60s, not %.60s", text,
              expected);
    }
}

/* ratio to a number of digits, nearest-even; true if that lost nothing, then without trailing
 * zeros. */
static bool round_decimal(char *digits, long *point, const mpq_t ratio, int count)
{
    mpz_t whole, rest, power, divisor;
    long shift = 0;
    int half;
    bool all;
    mpz_inits(whole, rest, power, divisor, NULL);
    *point =
        (long)mpz_sizeinbase(mpq_numref(ratio), 10) - (long)mpz_sizeinbase(mpq_denref(ratio), 10);
    for (*point -= 2;; ++*point) { /* the least point at which the whole part has count digits */
        shift = count - *point;
        mpz_ui_pow_ui(power, 10, (unsigned long)labs(shift));
        mpz_abs(whole, mpq_numref(ratio));
        mpz_set(divisor, mpq_denref(ratio));
        mpz_mul(shift > 0 ? whole : divisor, shift > 0 ? whole : divisor, power);
        mpz_tdiv_qr(whole, rest, whole, divisor);
        mpz_ui_pow_ui(power, 10, (unsigned long)count);
        if (mpz_cmp(whole, power) < 0)
            break;
    }
    all = mpz_sgn(rest) == 0;
    mpz_mul_2exp(rest, rest, 1);
    half = mpz_cmp(rest, divisor);
    if (half > 0 || (half == 0 && mpz_odd_p(whole)))
        mpz_add_ui(whole, whole, 1);
    if (mpz_cmp(whole, power) == 0)
        ++*point;
    mpz_get_str(digits, 10, whole);
    digits[count] = '\0';
    for (size_t n = strlen(digits); all && n > 0 && digits[n - 1] == '0'; n--)
        digits[n - 1] = '\0';
    mpz_clears(whole, rest, power, divisor, NULL);
    return all;
}

static void rounded(void)
{
    static fpfmt_ratio ratio;
    static const char *const known[][3] = {
        { "1/3", "3", "0.333" },
        { "2/3", "3", "0.667" },
        { "0.15", "1", "0.2" },
        { "0.25", "1", "0.2" },
        { "0.35", "1", "0.4" },
        { "9.996", "3", "10.0" },
        { "0", "5", "0" },
        { "1e-5", "17", "1e-5" },
        { "123456789", "2", "120000000" },
        { "99999", "1", "100000" },
        { "1.25", "2", "1.2" },
        { "1.2500001", "2", "1.3" },
        { "-1/7", "17", "-0.14285714285714286" },
        { "1/8", "17", "0.125" },
        { "0.2000001", "3", "0.200" },
        { "100.00", "3", "100" },
        { "0.99999", "2", "1.0" },
    };
    char digits[64];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        fpfmt_parse_ratio(&ratio, known[i][0], strlen(known[i][0]), NULL);
        fpfmt_print_rounded(text, sizeof text, &ratio, atoi(known[i][1]), NULL);
        CHECK(strcmp(text, known[i][2]) == 0, "%s at %s digits: %s, not %s", known[i][0],
              known[i][1], text, known[i][2]);
    }
    for (unsigned n = 0; n < 8000; n += SAMPLE) {
        int count = 1 + (int)(n % 17);
        bool exact = n % 2, all;
        long point;
        size_t length;
        random_ratio(&ratio, a, n % 100 == 0 ? 3000 : n % 3 == 0 ? 200 : 24);
        if (mpq_sgn(a) == 0)
            continue;
        all = round_decimal(digits, &point, a, count);
        lay_out(expected, sizeof expected, ratio.negative, digits, point);
        length = fpfmt_print_rounded(text, sizeof text, &ratio, count, &exact);
        CHECK(strcmp(text, expected) == 0 && length == strlen(text) && exact == all,
              "%d digits: %s exact %d, not %s exact %d", count, text, exact, expected, all);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "sums, differences, products and quotients are GMP's, aliased or not", arithmetic },
        { "zeros keep the right sign", zeros },
        { "roots are exact of squares, and else cut after a thousand bits", roots },
        { "what does not fit is refused, what fits is right", large },
        { "values become ratios and come back", from_values },
        { "ratios are cut to 64 bits and say so", to_values },
        { "ratios print as decimals or as fractions in lowest terms", printed },
        { "ratios print rounded to nearest-even", rounded },
    };
    mpq_inits(a, b, c, NULL);
    return run_tests("ratio", tests, sizeof tests / sizeof tests[0]);
}
