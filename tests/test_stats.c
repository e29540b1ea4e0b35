/* test_stats.c - statistics of roundings, against the integers of GMP
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { COUNT = 600, FIRST = 7, UNIT = 1074 };

/* One combination, and its inputs and results. */
static struct {
    fpfmt_format format;
    fpfmt_policy policy;
    size_t bytes; /* of the carrier */
    unsigned char in[8 * COUNT];
} the;

static mpz_t x, y, error, quotient, signal_sum, noise_sum, relative_sum;

static void init_numbers(void)
{
    mpz_inits(x, y, error, quotient, signal_sum, noise_sum, relative_sum, NULL);
}

static void clear_numbers(void)
{
    mpz_clears(x, y, error, quotient, signal_sum, noise_sum, relative_sum, NULL);
}

static double number_of(uint64_t bits, size_t bytes)
{
    uint32_t narrow = (uint32_t)bits;
    float single;
    double twice;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&twice, &bits, sizeof twice);
    return bytes == 4 ? (double)single : twice;
}

/* In units of 2^-1074. */
static void set_exactly(mpz_t n, double number)
{
    int exponent;
    mpz_set_d(n, ldexp(frexp(number, &exponent), 53));
    exponent += UNIT - 53;
    if (exponent >= 0)
        mpz_mul_2exp(n, n, (mp_bitcnt_t)exponent);
    else
        mpz_tdiv_q_2exp(n, n, (mp_bitcnt_t)-exponent);
}

/* n * 2^-unit in 64 bits, cut. */
static fpfmt_value cut(const mpz_t n, int unit)
{
    size_t bits = mpz_sizeinbase(n, 2);
    mpz_t top;
    if (mpz_sgn(n) == 0)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO };
    fpfmt_value value = { .kind = FPFMT_KIND_NORMAL, .exponent = (int)bits - 1 - unit };
    mpz_init(top);
    if (bits > 64) {
        mpz_tdiv_q_2exp(top, n, bits - 64);
        /* The next bit, and whether any is set after it: FPFMT_REMAINDER_... */
        value.inexact = (uint8_t)(mpz_tstbit(n, bits - 65) << 1 | (mpz_scan1(n, 0) < bits - 65));
    } else {
        mpz_mul_2exp(top, n, 64 - bits);
    }
    mpz_export(&value.significand, NULL, -1, sizeof value.significand, 0, 0, top);
    mpz_clear(top);
    return value;
}

static bool same_value(fpfmt_value a, fpfmt_value b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void print_value(char text[80], fpfmt_value value)
{
    snprintf(text, 80, "%d: %016" PRIx64 " * 2^%d%s", value.kind, value.significand,
             value.exponent - 63, value.inexact ? ", cut" : "");
}

/* By the status words of fpinspect(1). */
static void count_status(fpfmt_stats *stats, double before, double after, unsigned flags)
{
    bool clipped = signbit(before) && the.format.sign_bits == 0 && !(flags & FPFMT_FLAG_UNDERFLOW);
    uint64_t *status;
    if (the.format.exponent_bits == 0)
        clipped &= before <= -ldexp(1, -the.format.bias);
    if (flags & FPFMT_FLAG_INVALID)
        status = &stats->invalid;
    else if (flags & FPFMT_FLAG_OVERFLOW)
        status = isfinite(after) ? &stats->saturated : &stats->overflow;
    else if (!(flags & FPFMT_FLAG_INEXACT))
        status = &stats->exact;
    else if (after == 0)
        status = clipped ? &stats->saturated : &stats->underflow;
    else
        status = flags & FPFMT_FLAG_UNDERFLOW ? &stats->subnormal : &stats->inexact;
    ++*status;
    stats->count++;
    stats->nan += isnan(before) != 0;
    stats->infinite += isinf(before) != 0;
    stats->finite += isfinite(before) && isfinite(after);
}

static bool is_larger(fpfmt_value a, fpfmt_value b)
{
    if (b.kind == FPFMT_KIND_ZERO || a.kind == FPFMT_KIND_ZERO)
        return a.kind != FPFMT_KIND_ZERO && b.kind == FPFMT_KIND_ZERO;
    return a.exponent > b.exponent || (a.exponent == b.exponent && a.significand > b.significand);
}

/* |error| as it is told, over |x|: both in units of 2^-1074, the quotient in units of 2^-2200. */
static fpfmt_value relative_error(fpfmt_value told, const mpz_t whole)
{
    mpz_import(quotient, 1, -1, sizeof told.significand, 0, 0, &told.significand);
    int up = told.exponent - 63 + UNIT + 2200;
    mpz_mul_2exp(quotient, quotient, (mp_bitcnt_t)up);
    bool exact = mpz_divisible_p(quotient, whole);
    mpz_tdiv_q(quotient, quotient, whole);
    mpz_abs(quotient, quotient);
    fpfmt_value value = cut(quotient, 2200);
    value.inexact |= !exact || told.inexact;
    return value;
}

/* The square of |whole_error / whole|, not zero, as it is summed up: its first 24 bits to nearest
 * even, in units of 2^-80, and no more than 2^48. */
static void add_relative(const mpz_t whole_error, const mpz_t whole)
{
    enum { BITS = 24, RELATIVE_UNIT = 80, MOST = 48 };
    mpz_t n, d, rest;
    mpz_inits(n, d, rest, NULL);
    mpz_abs(n, whole_error);
    mpz_abs(d, whole);
    /* The last place is 2^last where quotients of BITS bits are from 2^(BITS - 1) up. */
    int last = (int)mpz_sizeinbase(n, 2) - (int)mpz_sizeinbase(d, 2) - BITS;
    mpz_mul_2exp(n, n, last < 0 ? (mp_bitcnt_t)-last : 0);
    mpz_mul_2exp(d, d, last > 0 ? (mp_bitcnt_t)last : 0);
    mpz_fdiv_q(rest, n, d);
    if (mpz_sizeinbase(rest, 2) > BITS) {
        mpz_mul_2exp(d, d, 1);
        last++;
    }
    mpz_fdiv_qr(quotient, rest, n, d);
    mpz_mul_2exp(rest, rest, 1);
    int half = mpz_cmp(rest, d);
    if (half > 0 || (half == 0 && mpz_odd_p(quotient)))
        mpz_add_ui(quotient, quotient, 1);
    mpz_mul_2exp(quotient, quotient, (mp_bitcnt_t)(last + RELATIVE_UNIT));
    mpz_set_ui(rest, 0);
    mpz_setbit(rest, RELATIVE_UNIT + MOST);
    if (mpz_cmp(quotient, rest) > 0)
        mpz_set(quotient, rest);
    mpz_addmul(relative_sum, quotient, quotient);
    mpz_clears(n, d, rest, NULL);
}

static void add_expected(fpfmt_stats *stats, uint64_t bits, uint64_t index)
{
    unsigned flags = 0;
    uint64_t code = expected_code(&the.format, &the.policy, bits, the.bytes, index, &flags);
    uint64_t value = expected_value(&the.format, &the.policy, code, the.bytes);
    double before = number_of(bits, the.bytes), after = number_of(value, the.bytes);
    count_status(stats, before, after, flags);
    if (!isfinite(before) || !isfinite(after))
        return;
    set_exactly(x, before);
    set_exactly(y, after);
    mpz_addmul(signal_sum, x, x);
    mpz_sub(error, x, y);
    mpz_addmul(noise_sum, error, error);
    mpz_abs(error, error);
    fpfmt_value told = cut(error, UNIT);
    if (is_larger(told, stats->absolute)) {
        stats->absolute = told;
        stats->absolute_index = index;
    }
    stats->nonzero += mpz_sgn(x) != 0;
    if (mpz_sgn(x) == 0 || mpz_sgn(error) == 0)
        return;
    add_relative(error, x);
    told = relative_error(told, x);
    if (is_larger(told, stats->relative)) {
        stats->relative = told;
        stats->relative_index = index;
    }
}

static void expect(fpfmt_stats *stats, size_t n)
{
    memset(stats, 0, sizeof *stats);
    mpz_set_ui(signal_sum, 0);
    mpz_set_ui(noise_sum, 0);
    mpz_set_ui(relative_sum, 0);
    for (size_t i = 0; i < n; i++)
        add_expected(stats, load_word(the.in + i * the.bytes, the.bytes), FIRST + i);
    mpz_export(stats->signal, NULL, -1, sizeof stats->signal[0], 0, 0, signal_sum);
    mpz_export(stats->noise, NULL, -1, sizeof stats->noise[0], 0, 0, noise_sum);
    mpz_export(stats->relative_squares, NULL, -1, sizeof(uint64_t), 0, 0, relative_sum);
}

static void compare(const char *what, const fpfmt_stats *got, const fpfmt_stats *expected)
{
    char a[80], b[80];
    if (CHECK(memcmp(got, expected, sizeof *got) == 0, "%s %zu %s mode %d overflow %d sub %d", what,
              the.bytes, the.format.name, the.policy.rounding, the.policy.overflow,
              the.policy.subnormal))
        return;
    const uint64_t *is = &got->count, *should = &expected->count;
    for (size_t i = 0; i < offsetof(fpfmt_stats, absolute) / sizeof *is; i++)
        CHECK(is[i] == should[i], "count %zu is %" PRIu64 ", not %" PRIu64, i, is[i], should[i]);
    print_value(a, got->absolute);
    print_value(b, expected->absolute);
    CHECK(same_value(got->absolute, expected->absolute), "absolute is %s, not %s", a, b);
    print_value(a, got->relative);
    print_value(b, expected->relative);
    CHECK(same_value(got->relative, expected->relative), "relative is %s, not %s", a, b);
    CHECK(got->absolute_index == expected->absolute_index,
          "absolute index is %" PRIu64 ", not %" PRIu64, got->absolute_index,
          expected->absolute_index);
    CHECK(got->relative_index == expected->relative_index,
          "relative index is %" PRIu64 ", not %" PRIu64, got->relative_index,
          expected->relative_index);
    for (size_t i = 0; i < FPFMT_SUM_LIMBS; i++)
        CHECK(got->signal[i] == expected->signal[i] && got->noise[i] == expected->noise[i],
              "limb %zu: %" PRIx64 " %" PRIx64 ", not %" PRIx64 " %" PRIx64, i, got->signal[i],
              got->noise[i], expected->signal[i], expected->noise[i]);
    for (size_t i = 0; i < 5; i++)
        CHECK(got->relative_squares[i] == expected->relative_squares[i],
              "limb %zu of relative squares: %" PRIx64 ", not %" PRIx64, i,
              got->relative_squares[i], expected->relative_squares[i]);
}

static bool take(const fpfmt_plan *plan, fpfmt_stats *stats, size_t from, size_t n)
{
    const void *values = the.in + from * the.bytes;
    return the.bytes == 4 ? fpfmt_plan_stats_f32(plan, stats, values, n, FIRST + from)
                          : fpfmt_plan_stats_f64(plan, stats, values, n, FIRST + from);
}

/* Pieces of random lengths, each by itself or into the same statistics, the last one first. */
static void take_pieces(const fpfmt_plan *plan, fpfmt_stats *added, fpfmt_stats *continued,
                        size_t n)
{
    memset(added, 0, sizeof *added);
    memset(continued, 0, sizeof *continued);
    while (n > 0) {
        size_t length = 1 + random_bits_64() % n;
        fpfmt_stats piece = { .count = 0 };
        take(plan, &piece, n - length, length);
        take(plan, continued, n - length, length);
        fpfmt_stats_add(added, &piece);
        n -= length;
    }
}

static void compare_readers(const fpfmt_stats *stats)
{
    char a[80], b[80];
    fpfmt_value signal = cut(signal_sum, 2 * UNIT), noise = cut(noise_sum, 2 * UNIT);
    fpfmt_value relative = cut(relative_sum, 160);
    print_value(a, fpfmt_stats_signal(stats));
    print_value(b, signal);
    CHECK(same_value(fpfmt_stats_signal(stats), signal), "signal reads %s, not %s", a, b);
    print_value(a, fpfmt_stats_noise(stats));
    print_value(b, noise);
    CHECK(same_value(fpfmt_stats_noise(stats), noise), "noise reads %s, not %s", a, b);
    print_value(a, fpfmt_stats_relative(stats));
    print_value(b, relative);
    CHECK(same_value(fpfmt_stats_relative(stats), relative), "relative squares read %s, not %s", a,
          b);
}

static void try_sets(size_t n)
{
    static fpfmt_stats expected, whole, added, continued;
    fpfmt_plan plan;
    expect(&expected, n);
    for (size_t s = 0; fpfmt_kernels_at(s) != NULL; s++) {
        if (!fpfmt_kernels_run_here(fpfmt_kernels_at(s)))
            continue;
        CHECK(fpfmt_prepare(&plan, &the.format, &the.policy, fpfmt_kernels_at(s)), "not prepared");
        memset(&whole, 0, sizeof whole);
        CHECK(take(&plan, &whole, 0, n), "refused");
        compare("whole", &whole, &expected);
        compare_readers(&whole);
        take_pieces(&plan, &added, &continued, n);
        compare("added", &added, &expected);
        compare("continued", &continued, &expected);
    }
}

static void all_combinations(void)
{
    size_t combinations = 0;
    init_numbers();
    for (the.bytes = 4; the.bytes <= 8; the.bytes += 4)
        for (size_t f = 0; array_format(&the.format, f); f++) {
            if (!holds(the.bytes, &the.format))
                continue;
            for (size_t p = 0; array_policy(&the.policy, p); p++)
                for (size_t m = 0; array_mode(&the.policy, m); m++) {
                    if ((combinations++ + p) % SAMPLE != 0)
                        continue;
                    size_t n = random_bits_64() % 40 + 1;
                    fill_carriers(the.in, the.bytes, n, &the.format);
                    try_sets(n);
                }
        }
    printf("# %zu combinations\n", combinations);
    clear_numbers();
}

/* More than one tile, and the finite extremes of the carrier among them. */
static void long_arrays(void)
{
    static const char *const names[] = { "e4m3", "e2m1", "bf16", "fp16", "fp32", "int8", "e8m0" };
    init_numbers();
    for (size_t f = 0; f < sizeof names / sizeof names[0]; f++)
        for (size_t p = 0; array_policy(&the.policy, p); p++) {
            the.format = *fpfmt_named(names[f]);
            array_mode(&the.policy, p);
            the.bytes = 8;
            fill_carriers(the.in, the.bytes, COUNT, &the.format);
            for (size_t i = 0; i < COUNT; i += 5)
                store_word(the.in + 8 * i, i % 2 ? 1 : UINT64_C(0x7FEFFFFFFFFFFFFF) | i % 4 << 62,
                           8);
            try_sets(COUNT);
        }
    clear_numbers();
}

/* Relative errors that lie so near the middle of two numbers of 24 bits that 64 bits of the error
 * do not tell on which side: a large x becomes the largest value M of 50 bits, and M / x is as near
 * to an odd multiple of 2^-25 as doubles come. */
static void near_ties(void)
{
    init_numbers();
    CHECK(fpfmt_find(&the.format, "e8m49") == FPFMT_FOUND, "e8m49 is not found");
    the.policy = (fpfmt_policy){ .overflow = FPFMT_OVERFLOW_MAX };
    the.bytes = 8;
    double largest =
        fpfmt_to_f64(fpfmt_decode(&the.format, fpfmt_measure(&the.format).max), NULL, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        double number = ldexp(largest, 25) / (double)(2 * i + 1);
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        store_word(the.in + 8 * i, bits, 8);
    }
    try_sets(COUNT);
    clear_numbers();
}

/* A carry through every limb, and its reading. */
static void carries_run(void)
{
    fpfmt_stats total = { .count = 1 }, piece = { .count = 2 };
    memset(total.signal, 0xFF, sizeof total.signal - sizeof total.signal[0]);
    fpfmt_value signal = fpfmt_stats_signal(&total);
    CHECK(signal.significand == UINT64_MAX && signal.inexact &&
              signal.exponent == 64 * (FPFMT_SUM_LIMBS - 1) - 2149,
          "all ones read otherwise");
    piece.signal[0] = piece.noise[1] = 1;
    fpfmt_stats_add(&total, &piece);
    signal = fpfmt_stats_signal(&total);
    CHECK(total.count == 3 && total.noise[1] == 1 && total.signal[FPFMT_SUM_LIMBS - 1] == 1,
          "the carry is lost");
    CHECK(signal.significand == UINT64_C(1) << 63 && !signal.inexact &&
              signal.exponent == 64 * (FPFMT_SUM_LIMBS - 1) - 2148,
          "a power of two reads otherwise");
    memset(total.relative_squares, 0xFF, sizeof total.relative_squares - sizeof(uint64_t));
    piece.relative_squares[0] = 1;
    fpfmt_stats_add(&total, &piece);
    fpfmt_value relative = fpfmt_stats_relative(&total);
    CHECK(relative.significand == UINT64_C(1) << 63 && !relative.inexact &&
              relative.exponent == 4 * 64 - 160,
          "the carry of relative squares is lost");
}

/* By hand: e2m1 has 0, 0.5, 1, 1.5, 2, 3, 4 and 6. */
static void known_answers(void)
{
    static const float values[] = { 1, 2.5f, -0.3f, 0.2f, 7, INFINITY, NAN, -0.0f };
    fpfmt_stats stats = { .count = 0 };
    fpfmt_plan plan;
    fpfmt_prepare(&plan, fpfmt_named("e2m1"), NULL, NULL);
    CHECK(fpfmt_plan_stats_f32(&plan, &stats, values, 8, 100), "refused");
    CHECK(stats.count == 8 && stats.exact == 2 && stats.inexact == 1 && stats.subnormal == 1 &&
              stats.underflow == 1 && stats.saturated == 2 && stats.invalid == 1 &&
              stats.overflow == 0,
          "the counts are others");
    CHECK(stats.nan == 1 && stats.infinite == 1 && stats.finite == 6, "the inputs are others");
    CHECK(fpfmt_to_f64(stats.absolute, NULL, NULL) == 1 && stats.absolute_index == 104,
          "the largest error is another");
    CHECK(fpfmt_to_f64(stats.relative, NULL, NULL) == 1 && stats.relative_index == 103,
          "the largest relative error is another");
    CHECK(fabs(fpfmt_to_f64(fpfmt_stats_signal(&stats), NULL, NULL) - 56.38) < 1e-5,
          "the signal is another");
    CHECK(fabs(fpfmt_to_f64(fpfmt_stats_noise(&stats), NULL, NULL) - 1.33) < 1e-5,
          "the noise is another");
    /* 0.5 / 2.5, 0.2 / 0.3, 0.2 / 0.2 and 1 / 7, each in 24 bits: 0.04 + 0.4444 + 1 + 0.0204 */
    CHECK(stats.nonzero == 5, "the numbers that are not zero are others");
    CHECK(fabs(fpfmt_to_f64(fpfmt_stats_relative(&stats), NULL, NULL) - 1.5048526) < 1e-6,
          "the relative squares are others");
}

static void refusals(void)
{
#ifdef FPFMT_CHECKING
    skip_test("this build stops at a fault of the caller");
#else
    static fpfmt_plan empty;
    const fpfmt_stats none = { .count = 0 };
    fpfmt_stats stats = none;
    float single = 1;
    double twice = 1;
    fpfmt_plan plan;
    CHECK(!fpfmt_plan_stats_f32(&empty, &stats, &single, 1, 0), "an empty plan is taken");
    fpfmt_prepare(&plan, fpfmt_named("fp64"), NULL, NULL);
    CHECK(!fpfmt_plan_stats_f32(&plan, &stats, &single, 1, 0), "fp64 is carried in float");
    CHECK(!fpfmt_plan_stats_f64(&plan, &stats, NULL, 1, 0), "NULL is taken");
    CHECK(!fpfmt_plan_stats_f64(&plan, &stats, &twice, SIZE_MAX / 8, 0), "a long array is taken");
    CHECK(memcmp(&stats, &none, sizeof none) == 0, "what is refused counts");
    CHECK(fpfmt_plan_stats_f64(&plan, &stats, NULL, 0, 0), "no element is refused");
    CHECK(memcmp(&stats, &none, sizeof none) == 0, "no element counts");
#endif
}

int main(void)
{
    static const struct test tests[] = {
        { "statistics of every format, policy and mode are those of the integers",
          all_combinations },
        { "long arrays and the carrier's extremes too", long_arrays },
        { "relative errors near a tie of 24 bits too", near_ties },
        { "a sum carries through all its limbs", carries_run },
        { "eight numbers in E2M1 are counted as by hand", known_answers },
        { "faults of the caller are refused, and count nothing", refusals },
    };
    return run_tests("stats", tests, sizeof tests / sizeof tests[0]);
}
