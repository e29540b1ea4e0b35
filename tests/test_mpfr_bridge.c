/* test_mpfr_bridge.c - fpfmt_mpfr.h against MPFR's own rounding and the oracle
 * SPDX-License-Identifier: MIT */

#include <fpfmt_mpfr.h>

#include <inttypes.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

enum { EXACT_BITS = 360 };

static const mpfr_rnd_t modes[] = { MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD, MPFR_RNDA };
enum { MODES = sizeof modes / sizeof modes[0] };

static oracle_number number;
static mpfr_t exact;

static bool is_finite(fpfmt_value value)
{
    return value.kind == FPFMT_KIND_SUBNORMAL || value.kind == FPFMT_KIND_NORMAL;
}

static int sign_of(int x)
{
    return (x > 0) - (x < 0);
}

#define VALUE "%s%016" PRIx64 "%s * 2^(%d-63)"
#define VALUE_OF(v)                                                                                \
    (v).negative ? "-" : "", (v).significand, (v).inexact ? "+" : "", (int)(v).exponent

/* exact = value; of a cut tail, a part of the unit. */
static void set_exact(fpfmt_value value)
{
    oracle_set_value(&number, value);
    mpfr_setsign(exact, number.magnitude, value.negative, MPFR_RNDN);
}

/* A value as it may come, or one whose rounding carries, or a power of two. */
static fpfmt_value sample(unsigned n)
{
    fpfmt_value value = sample_value(n);
    if (is_finite(value) && n % 5 == 0)
        value.significand = n % 2 ? UINT64_MAX << n % 64 | UINT64_C(1) << 63 : UINT64_C(1) << 63;
    return value;
}

static void check_rounded(fpfmt_value value, mpfr_prec_t bits, mpfr_rnd_t mode)
{
    mpfr_t x, expected;
    mpfr_inits2(bits, x, expected, (mpfr_ptr)NULL);
    int ternary = fpfmt_to_mpfr(x, value, mode);
    int expected_ternary = mpfr_set(expected, exact, mode);
    if (value.inexact && bits >= 64) {
        mpfr_set(expected, exact, MPFR_RNDZ);
        if (bits > 64) /* the part of a unit that stands for the tail */
            mpfr_prec_round(expected, 64, MPFR_RNDZ);
        expected_ternary = value.negative ? 1 : -1;
    }
    CHECK(mpfr_equal_p(x, expected) && sign_of(ternary) == sign_of(expected_ternary),
          VALUE " in %d bits, rounding %d: ternary %d, not %d", VALUE_OF(value), (int)bits, mode,
          ternary, expected_ternary);
    mpfr_clears(x, expected, (mpfr_ptr)NULL);
}

static void rounded_out(void)
{
    print_seed();
    for (unsigned n = 0; n < 20000; n += SAMPLE) {
        fpfmt_value value = sample(n);
        if (!is_finite(value))
            continue;
        set_exact(value);
        for (mpfr_prec_t bits = 2 + n % 7; bits < 140; bits += 1 + n % 13)
            check_rounded(value, bits, modes[n / 13 % MODES]);
        for (mpfr_prec_t bits = 62; bits < 67; bits++)
            for (size_t i = 0; i < MODES; i++)
                check_rounded(value, bits, modes[i]);
    }
}

static void out_and_back(void)
{
    mpfr_t x;
    for (unsigned n = 0; n < 40000; n += SAMPLE) {
        fpfmt_value value = sample(n), back;
        mpfr_init2(x, (mpfr_prec_t)(64 + n % 100));
        int ternary = fpfmt_to_mpfr(x, value, modes[n % MODES]);
        back = fpfmt_from_mpfr(x, ternary);
        if (value.kind >= FPFMT_KIND_QUIET_NAN)
            value.kind = FPFMT_KIND_QUIET_NAN;
        /* All that the ternary tells of a tail is that there is one. */
        value.inexact = value.inexact != 0;
        CHECK(back.kind == value.kind && back.negative == value.negative &&
                  back.inexact == value.inexact && back.exponent == value.exponent &&
                  back.significand == value.significand && back.payload_bits == 0,
              "kind %d " VALUE " comes back as kind %d " VALUE, value.kind, VALUE_OF(value),
              back.kind, VALUE_OF(back));
        CHECK(mpfr_nan_p(x) || (mpfr_signbit(x) != 0) == value.negative, "the sign of kind %d",
              value.kind);
        mpfr_clear(x);
    }
}

/* In a range as narrow as fp16's, x is what rounding without a range and mpfr_check_range give. */
static void narrow_range(void)
{
    const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_t x, expected;
    mpfr_inits2(11, x, expected, (mpfr_ptr)NULL);
    for (unsigned n = 0; n < 20000; n += SAMPLE) {
        fpfmt_value value = sample(n);
        mpfr_rnd_t mode = modes[n % MODES];
        if (!is_finite(value))
            continue;
        set_exact(value);
        int expected_ternary = mpfr_set(expected, exact, mode);
        mpfr_set_emin(-23);
        mpfr_set_emax(16);
        expected_ternary = mpfr_check_range(expected, expected_ternary, mode);
        int ternary = fpfmt_to_mpfr(x, value, mode);
        mpfr_set_emin(emin);
        mpfr_set_emax(emax);
        CHECK(mpfr_equal_p(x, expected) && sign_of(ternary) == sign_of(expected_ternary),
              VALUE ", rounding %d: ternary %d, not %d", VALUE_OF(value), mode, ternary,
              expected_ternary);
    }
    mpfr_clears(x, expected, (mpfr_ptr)NULL);
}

/* exact = a number that is far, near or very near to one of few bits, above or below it. Without
 * the farthest, it fits in the 192 bits of the oracle's numbers. */
static void set_near(unsigned n, bool farthest)
{
    static const long distances[] = { 3, 20, 53, 62, 63, 64, 65, 66, 100, 130, 230 };
    size_t count = sizeof distances / sizeof distances[0] - (farthest ? 0 : 2);
    long distance = distances[random_word() % count];
    fpfmt_value value = sample(n);
    value.inexact = false;
    value.kind = FPFMT_KIND_NORMAL;
    value.significand |= UINT64_C(1) << 63;
    value.significand &= UINT64_MAX << random_word() % 64;
    set_exact(value);
    if (n % 8 == 0)
        return;
    mpfr_t step;
    mpfr_init2(step, 64);
    mpfr_set_uj_2exp(step, random_word() | 1, (intmax_t)value.exponent - 63 - distance, MPFR_RNDN);
    (n % 2 ? mpfr_add : mpfr_sub)(exact, exact, step, MPFR_RNDN);
    mpfr_clear(step);
}

/* x is exact rounded to the bits; what comes from it must be exact, cut. */
static void cut_exactly(void)
{
    mpfr_t x, magnitude;
    mpfr_init2(magnitude, EXACT_BITS);
    for (unsigned n = 0; n < 100000; n += SAMPLE) {
        set_near(n, true);
        mpfr_abs(magnitude, exact, MPFR_RNDN);
        fpfmt_value expected = oracle_value(magnitude);
        expected.negative = mpfr_signbit(exact) != 0;
        uint8_t rest = oracle_remainder(magnitude);
        for (mpfr_prec_t bits = 64; bits < 400; bits += 1 + bits / 8) {
            mpfr_init2(x, bits);
            int ternary = mpfr_set(x, exact, modes[n / 2 % MODES]);
            fpfmt_value value = fpfmt_from_mpfr(x, ternary);
            /* From 66 bits on the ternary cannot hide on which side of the half the number is. */
            bool hidden = bits < 66 && ternary != 0 && value.inexact != 0 && rest != 0;
            expected.inexact = hidden ? value.inexact : rest;
            CHECK(value.kind == FPFMT_KIND_NORMAL && value.negative == expected.negative &&
                      value.inexact == expected.inexact && value.exponent == expected.exponent &&
                      value.significand == expected.significand,
                  VALUE " from %d bits, rounding %d, ternary %d: " VALUE, VALUE_OF(expected),
                  (int)bits, modes[n / 2 % MODES], ternary, VALUE_OF(value));
            mpfr_clear(x);
        }
    }
    mpfr_clear(magnitude);
}

/* From fewer bits than 64, but one more than the format has, codes and flags are right. The lowest
 * value of two's complement has a bit more than its others. */
static void few_bits(void)
{
    mpfr_t x;
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        fpfmt_format format = found(reference);
        mpfr_init2(x, reference->precision + (reference->kind == ORACLE_INTEGER ? 2 : 1));
        for (unsigned n = 0; n < 4000; n += SAMPLE) {
            fpfmt_policy policy = { .rounding = (uint8_t)(n % FPFMT_ROUND_DETERMINISTIC_COUNT) };
            unsigned flags = 0, expected_flags = 0;
            set_near((unsigned)random_word() & 0xFFFF, false);
            if (reference->bits < 32)
                mpfr_set_exp(exact, reference->emin - 4 + (mpfr_exp_t)(n % 40));
            number.kind = FPFMT_KIND_NORMAL;
            number.negative = mpfr_signbit(exact) != 0;
            mpfr_abs(number.magnitude, exact, MPFR_RNDN);
            int ternary = mpfr_set(x, exact, modes[n / 8 % MODES]);
            uint64_t code = fpfmt_encode(&format, fpfmt_from_mpfr(x, ternary), &policy, &flags);
            uint64_t expected = oracle_encode(reference, &number, &policy, &expected_flags);
            CHECK(code == expected && flags == expected_flags,
                  "%s: %Lg, rounding %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
                  reference->name, mpfr_get_ld(exact, MPFR_RNDN), policy.rounding, code, flags,
                  expected, expected_flags);
        }
        mpfr_clear(x);
    }
}

/* The use that the header shows, against the function in 192 bits. */
static void exponentials(void)
{
    const oracle_format *reference = oracle_named("bf16");
    fpfmt_format format = found(reference);
    mpfr_t x, y;
    mpfr_inits2(64, x, y, (mpfr_ptr)NULL);
    for (unsigned code = 0x3000; code < 0x4300; code += SAMPLE)
        for (unsigned round = 0; round < 2 * FPFMT_ROUND_DETERMINISTIC_COUNT; round++) {
            fpfmt_policy policy = { .rounding = (uint8_t)(round / 2) };
            unsigned flags = 0, expected_flags = 0;
            fpfmt_to_mpfr(x, fpfmt_decode(&format, code | round << 15), MPFR_RNDN);
            int ternary = mpfr_exp(y, x, modes[code % MODES]);
            uint64_t result = fpfmt_encode(&format, fpfmt_from_mpfr(y, ternary), &policy, &flags);
            number.kind = FPFMT_KIND_NORMAL;
            number.negative = false;
            mpfr_exp(number.magnitude, x, MPFR_RNDN);
            uint64_t expected = oracle_encode(reference, &number, &policy, &expected_flags);
            CHECK(result == expected && flags == expected_flags,
                  "exp of 0x%04x, rounding %u: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
                  code | (round & 1) << 15, round / 2, result, flags, expected, expected_flags);
        }
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* What MPFR could not hold, and exponents that fpfmt_value cannot. */
static void past_the_range(void)
{
    const fpfmt_format *half = fpfmt_named("fp16");
    const unsigned over = FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INEXACT;
    const unsigned under = FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT;
    mpfr_t x;
    mpfr_init2(x, 64);
    for (int form = 0; form < 6; form++) {
        bool large = form % 2, negative = form == 2 || form == 3;
        int ternary = 0;
        if (form < 4) {
            mpfr_set_si(x, large ? 1 : -1, MPFR_RNDN);
            mpfr_mul_2ui(x, x, 100, MPFR_RNDN);
            ternary = mpfr_exp(x, x, MPFR_RNDN);
            CHECK(ternary != 0 && !mpfr_regular_p(x), "MPFR holds exp(+-2^100)");
        } else {
            mpfr_set_ui_2exp(x, 1, large ? mpfr_get_emax() / 2 : mpfr_get_emin() / 2, MPFR_RNDN);
        }
        int32_t exponent = fpfmt_from_mpfr(x, ternary).exponent;
        CHECK(exponent == (large ? 1 << 24 : -(1 << 24)), "form %d: exponent %d", form,
              (int)exponent);
        if (negative) {
            mpfr_neg(x, x, MPFR_RNDN);
            ternary = -ternary;
        }
        for (uint8_t rounding = 0; rounding < FPFMT_ROUND_DETERMINISTIC_COUNT; rounding++) {
            const fpfmt_policy policy = { .rounding = rounding };
            fpfmt_value far = { .kind = FPFMT_KIND_NORMAL,
                                .negative = negative,
                                .exponent = large ? 1000 : -1000,
                                .significand = UINT64_C(1) << 63 };
            unsigned flags = 0;
            uint64_t code = fpfmt_encode(half, fpfmt_from_mpfr(x, ternary), &policy, &flags);
            CHECK(code == fpfmt_encode(half, far, &policy, NULL) && flags == (large ? over : under),
                  "form %d, rounding %d: 0x%" PRIx64 ", flags %x", form, rounding, code, flags);
        }
    }
    mpfr_clear(x);
}

static void specials(void)
{
    mpfr_t x;
    mpfr_init2(x, 10);
    for (int negative = 0; negative < 2; negative++)
        for (uint8_t kind = 0; kind <= FPFMT_KIND_SIGNALING_NAN; kind++) {
            fpfmt_value value = { .kind = kind, .negative = negative };
            if (is_finite(value))
                continue;
            mpfr_set_ui(x, 1, MPFR_RNDN);
            CHECK(fpfmt_to_mpfr(x, value, MPFR_RNDN) == 0, "the ternary of kind %d", kind);
            CHECK((kind == FPFMT_KIND_ZERO       ? mpfr_zero_p(x)
                   : kind == FPFMT_KIND_INFINITE ? mpfr_inf_p(x)
                                                 : mpfr_nan_p(x)) &&
                      (mpfr_signbit(x) != 0) == negative,
                  "kind %d, negative %d", kind, negative);
            fpfmt_value back = fpfmt_from_mpfr(x, 0);
            CHECK(back.kind == (kind > FPFMT_KIND_QUIET_NAN ? FPFMT_KIND_QUIET_NAN : kind) &&
                      back.negative == negative && !back.inexact && back.significand == 0,
                  "kind %d comes back as kind %d", kind, back.kind);
        }
    mpfr_clear(x);
}

static void flags_stay(void)
{
    mpfr_t x;
    mpfr_init2(x, 200);
    int ternary = mpfr_const_pi(x, MPFR_RNDN);
    mpfr_clear_flags();
    CHECK(fpfmt_from_mpfr(x, ternary).inexact && mpfr_flags_save() == 0, "flags were raised");
    mpfr_flags_set(MPFR_FLAGS_DIVBY0);
    CHECK(fpfmt_from_mpfr(x, ternary).inexact && mpfr_flags_save() == MPFR_FLAGS_DIVBY0,
          "flags were lost");
    mpfr_clear_flags();
    mpfr_clear(x);
}

int main(void)
{
    static const struct test tests[] = {
        { "values become numbers of any precision as MPFR rounds", rounded_out },
        { "from 64 bits on values survive a round trip, cut tails too", out_and_back },
        { "values become numbers within a narrow range of exponents", narrow_range },
        { "a number of 64 bits and its ternary give the exact value, cut", cut_exactly },
        { "one bit more than the format has is enough to round right", few_bits },
        { "the exponential function is rounded right in every mode", exponentials },
        { "what MPFR cannot hold is past the range of every format", past_the_range },
        { "zero, infinity and NaN keep their signs", specials },
        { "reading a number leaves MPFR's flags alone", flags_stay },
    };
    oracle_start(&number);
    mpfr_init2(exact, EXACT_BITS);
    return run_tests("mpfr_bridge", tests, sizeof tests / sizeof tests[0]);
}
