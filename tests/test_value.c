/* test_value.c - host numbers in and out, conversions between formats
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

static oracle_number operand;
static oracle_place place;

static void from_host_floats(void)
{
    const oracle_format *single = oracle_named("fp32"), *binary64 = oracle_named("fp64");
    print_seed();
    for (unsigned n = 0; n < 200000; n += SAMPLE) {
        uint64_t code = sample_code(single, n);
        oracle_decode(single, code, &operand);
        CHECK(oracle_agrees(&operand, fpfmt_from_f32(float_of(code))), "float 0x%08" PRIx64, code);
        code = sample_code(binary64, n);
        oracle_decode(binary64, code, &operand);
        CHECK(oracle_agrees(&operand, fpfmt_from_f64(double_of(code))), "double 0x%016" PRIx64,
              code);
    }
}

static void check_from_integer(uint64_t x)
{
    int64_t y = (int64_t)x;
    operand.kind = x == 0 ? FPFMT_KIND_ZERO : FPFMT_KIND_NORMAL;
    operand.negative = false;
    mpfr_set_uj(operand.magnitude, x, MPFR_RNDN);
    CHECK(oracle_agrees(&operand, fpfmt_from_u64(x)), "%" PRIu64, x);
    operand.negative = y < 0;
    mpfr_set_sj(operand.magnitude, y, MPFR_RNDN);
    mpfr_abs(operand.magnitude, operand.magnitude, MPFR_RNDN);
    CHECK(oracle_agrees(&operand, fpfmt_from_i64(y)), "%" PRId64, y);
}

static void from_integers(void)
{
    for (int bit = 0; bit < 64; bit++)
        for (uint64_t step = 0; step < 5; step++) {
            check_from_integer(((uint64_t)1 << bit) + step - 2);
            check_from_integer(0 - ((uint64_t)1 << bit) + step - 2);
        }
    for (unsigned n = 0; n < 100000; n += SAMPLE)
        check_from_integer(random_word() >> (n % 64));
}

static void check_to_float(fpfmt_value value, const fpfmt_policy *policy)
{
    unsigned flags[2] = { 0, 0 }, expected_flags[2] = { 0, 0 };
    uint64_t single = oracle_encode(oracle_named("fp32"), &operand, policy, &expected_flags[0]);
    uint64_t binary64 = oracle_encode(oracle_named("fp64"), &operand, policy, &expected_flags[1]);
    uint64_t x = code_of_float(fpfmt_to_f32(value, policy, &flags[0]));
    uint64_t y = code_of_double(fpfmt_to_f64(value, policy, &flags[1]));
    CHECK(x == single && flags[0] == expected_flags[0],
          "%016" PRIx64 " * 2^(%d-63) to float: %08" PRIx64 " flags %x, not %08" PRIx64 " flags %x",
          value.significand, (int)value.exponent, x, flags[0], single, expected_flags[0]);
    CHECK(y == binary64 && flags[1] == expected_flags[1],
          "%016" PRIx64 " * 2^(%d-63) to double: %016" PRIx64 " flags %x, not %016" PRIx64
          " flags %x",
          value.significand, (int)value.exponent, y, flags[1], binary64, expected_flags[1]);
}

static void to_host_floats(void)
{
    for (unsigned n = 0; n < 60000; n += SAMPLE) {
        fpfmt_value value = sample_value(n);
        fpfmt_policy policy = { 0 };
        oracle_set_value(&operand, value);
        for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT;
             policy.rounding++)
            check_to_float(value, &policy);
    }
}

/* The host's own casts round to nearest even. */
static void host_casts(void)
{
    const oracle_format *binary64 = oracle_named("fp64");
    for (unsigned n = 0; n < 200000; n += SAMPLE) {
        double x = double_of(sample_code(binary64, n));
        int64_t i = (int64_t)(random_word() >> (n % 64));
        if (n % 2 == 0)
            x = double_of((code_of_double(x) & UINT64_C(0x800FFFFFFFFFFFFF)) |
                          (uint64_t)(1023 + (int)(n % 300) - 150) << 52);
        if (x == x)
            CHECK(code_of_float(fpfmt_to_f32(fpfmt_from_f64(x), NULL, NULL)) ==
                      code_of_float((float)x),
                  "%a as float", x);
        CHECK(code_of_double(fpfmt_to_f64(fpfmt_from_i64(i), NULL, NULL)) ==
                  code_of_double((double)i),
              "%" PRId64 " as double", i);
        CHECK(code_of_float(fpfmt_to_f32(fpfmt_from_u64((uint64_t)i), NULL, NULL)) ==
                  code_of_float((float)(uint64_t)i),
              "%" PRId64 " as float", i);
        if (x > -0x1p63 && x < 0x1p63)
            CHECK(fpfmt_to_i64(fpfmt_from_f64(x),
                               &(fpfmt_policy){ .rounding = FPFMT_ROUND_TOWARD_ZERO },
                               NULL) == (int64_t)x,
                  "%a as int64_t", x);
    }
}

/* The exact integer of a magnitude in a rounding mode. */
static void round_to_integer(mpz_t integer, const oracle_number *number, unsigned mode)
{
    mpfr_t rest;
    int half;
    bool away;
    mpfr_init2(rest, 192);
    mpfr_get_z(integer, number->magnitude, MPFR_RNDZ);
    mpfr_frac(rest, number->magnitude, MPFR_RNDN);
    half = mpfr_cmp_d(rest, 0.5);
    switch (mode) {
    case FPFMT_ROUND_NEAREST_EVEN: away = half > 0 || (half == 0 && mpz_odd_p(integer)); break;
    case FPFMT_ROUND_NEAREST_AWAY: away = half >= 0; break;
    case FPFMT_ROUND_NEAREST_ZERO: away = half > 0; break;
    case FPFMT_ROUND_TOWARD_ZERO: away = false; break;
    case FPFMT_ROUND_AWAY_FROM_ZERO: away = true; break;
    case FPFMT_ROUND_UPWARD: away = !number->negative; break;
    case FPFMT_ROUND_DOWNWARD: away = number->negative; break;
    default: away = mpz_even_p(integer); break;
    }
    if (away && !mpfr_zero_p(rest))
        mpz_add_ui(integer, integer, 1);
    mpfr_clear(rest);
}

static void check_to_integer(fpfmt_value value, unsigned mode, bool is_signed)
{
    fpfmt_policy policy = { .rounding = (uint8_t)mode };
    uint64_t limit = is_signed        ? (uint64_t)INT64_MAX + value.negative
                     : value.negative ? 0
                                      : UINT64_MAX;
    unsigned flags = 0, expected_flags = 0;
    uint64_t magnitude = 0, expected, result;
    mpz_t integer;
    mpz_init(integer);
    oracle_set_value(&operand, value);
    if (value.kind == FPFMT_KIND_SUBNORMAL || value.kind == FPFMT_KIND_NORMAL) {
        round_to_integer(integer, &operand, mode);
        magnitude = mpz_cmp_ui(integer, limit) > 0 ? limit : mpz_get_ui(integer);
        if (mpz_cmp_ui(integer, limit) > 0)
            expected_flags = FPFMT_FLAG_INVALID;
        else if (mpfr_cmp_z(operand.magnitude, integer) != 0)
            expected_flags = FPFMT_FLAG_INEXACT;
    } else if (value.kind != FPFMT_KIND_ZERO) {
        magnitude = value.kind == FPFMT_KIND_INFINITE ? limit : 0;
        expected_flags = FPFMT_FLAG_INVALID;
    }
    expected = value.negative ? 0 - magnitude : magnitude;
    result = is_signed ? (uint64_t)fpfmt_to_i64(value, &policy, &flags)
                       : fpfmt_to_u64(value, &policy, &flags);
    CHECK(result == expected && flags == expected_flags,
          "kind %d %s%016" PRIx64 "%s * 2^(%d-63) to %s integer, rounding %u: %" PRIx64
          " flags %x, not %" PRIx64 " flags %x",
          value.kind, value.negative ? "-" : "", value.significand, value.inexact ? "+" : "",
          (int)value.exponent, is_signed ? "signed" : "unsigned", mode, result, flags, expected,
          expected_flags);
    mpz_clear(integer);
}

static void to_integers(void)
{
    static const fpfmt_value edges[] = {
        { .kind = FPFMT_KIND_NORMAL, .exponent = 63, .significand = UINT64_MAX },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 63, .significand = UINT64_MAX, .inexact = true },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 62, .significand = UINT64_MAX },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 62, .significand = UINT64_MAX - 1 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 63, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_NORMAL,
          .exponent = 63,
          .significand = UINT64_C(1) << 63,
          .inexact = true },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 63, .significand = (UINT64_C(1) << 63) + 1 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 64, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = -1, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_NORMAL,
          .exponent = -1,
          .significand = UINT64_C(1) << 63,
          .inexact = true },
        { .kind = FPFMT_KIND_NORMAL, .exponent = -16777216, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 16777216, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_SUBNORMAL, .exponent = -1074, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_INFINITE },
        { .kind = FPFMT_KIND_QUIET_NAN },
        { .kind = FPFMT_KIND_SIGNALING_NAN, .significand = 5 },
        { .kind = FPFMT_KIND_ZERO },
    };
    for (unsigned mode = 0; mode < FPFMT_ROUND_DETERMINISTIC_COUNT; mode++) {
        for (size_t i = 0; i < 2 * sizeof edges / sizeof edges[0]; i++) {
            fpfmt_value value = edges[i / 2];
            value.negative = i % 2;
            check_to_integer(value, mode, true);
            check_to_integer(value, mode, false);
        }
        for (unsigned n = 0; n < 20000; n += SAMPLE) {
            fpfmt_value value = sample_value(4 * n + n % 2);
            check_to_integer(value, mode, true);
            check_to_integer(value, mode, false);
        }
    }
}

/* A decimal near a limit of 64 bits, below 0 or above, with a fraction that is few digits or many,
 * often beside one half. */
static void near_limit(char *text, unsigned n)
{
    static const char *const fractions[] = { "",
                                             ".0",
                                             ".25",
                                             ".5",
                                             ".75",
                                             ".4999999999999999999999",
                                             ".50000000000000000000001",
                                             ".9",
                                             ".99999999999999999999999",
                                             ".00000000000000000000001" };
    enum { FRACTIONS = sizeof fractions / sizeof fractions[0] };
    static const uint64_t limits[] = { UINT64_MAX, (uint64_t)INT64_MAX, UINT64_C(1) << 62, 8 };
    uint64_t word = random_word(), near = limits[n % 4] - 3 + word % 8;
    mpz_t integer;
    mpz_init_set_ui(integer, near);
    if (near < limits[n % 4] - 3) /* past the last of 64 bits */
        mpz_setbit(integer, 64);
    gmp_sprintf(text, "%s%Zd%s", n & 8 ? "-" : "", integer, fractions[(word >> 8) % FRACTIONS]);
    mpz_clear(integer);
}

/* The text as a rational, and that rounded to an integer: by GMP alone. */
static void check_text(const char *text, unsigned mode, bool is_signed)
{
    fpfmt_policy policy = { .rounding = (uint8_t)mode };
    unsigned flags = 0, expected_flags = 0;
    bool negative = *text == '-';
    fpfmt_value value;
    mpz_t integer, limit;
    mpz_inits(integer, limit, NULL);
    oracle_number number;
    oracle_start(&number);
    number.negative = negative;
    mpfr_set_str(number.magnitude, text + negative, 10, MPFR_RNDZ); /* 192 bits: enough of these */
    round_to_integer(integer, &number, mode);
    mpz_set_ui(limit, is_signed ? (uint64_t)INT64_MAX + negative : negative ? 0 : UINT64_MAX);
    if (mpz_cmp(integer, limit) > 0) {
        mpz_set(integer, limit);
        expected_flags = FPFMT_FLAG_INVALID;
    } else if (mpfr_cmp_z(number.magnitude, integer) != 0) {
        expected_flags = FPFMT_FLAG_INEXACT;
    }
    uint64_t expected = negative ? 0 - (uint64_t)mpz_get_ui(integer) : mpz_get_ui(integer);
    CHECK(fpfmt_parse(&value, text, strlen(text), NULL) == strlen(text), "%s is not read", text);
    uint64_t result = is_signed ? (uint64_t)fpfmt_to_i64(value, &policy, &flags)
                                : fpfmt_to_u64(value, &policy, &flags);
    CHECK(result == expected && flags == expected_flags,
          "%s to %s integer, rounding %u: %" PRIx64 " flags %x, not %" PRIx64 " flags %x", text,
          is_signed ? "signed" : "unsigned", mode, result, flags, expected, expected_flags);
    oracle_stop(&number);
    mpz_clears(integer, limit, NULL);
}

static void texts_to_integers(void)
{
    char text[64];
    for (unsigned n = 0; n < 20000; n += SAMPLE)
        for (unsigned mode = 0; mode < FPFMT_ROUND_DETERMINISTIC_COUNT; mode++) {
            near_limit(text, n);
            check_text(text, mode, true);
            check_text(text, mode, false);
        }
}

static void check_conversions(const oracle_format *to, const oracle_format *from)
{
    fpfmt_format target = found(to), source = found(from);
    for (uint64_t code = 0; code >> from->bits == 0; code++) {
        fpfmt_policy policy = { .subnormal = code % 4 == 3 ? FPFMT_SUBNORMAL_FLUSH_INPUTS : 0 };
        oracle_decode(from, code, &operand);
        if (operand.kind == FPFMT_KIND_SUBNORMAL || operand.kind == FPFMT_KIND_NORMAL)
            oracle_find(to, &operand, &place);
        for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT;
             policy.rounding++) {
            unsigned flags = 0, expected_flags = 0;
            uint64_t result = fpfmt_convert(&target, &source, code, &policy, &flags);
            uint64_t expected = oracle_choose(to, &operand, &place, &policy, &expected_flags);
            CHECK(result == expected && flags == expected_flags,
                  "%s 0x%" PRIx64 " to %s, rounding %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64
                  " flags %x",
                  from->name, code, to->name, policy.rounding, result, flags, expected,
                  expected_flags);
        }
    }
}

static void conversions(void)
{
    const oracle_format *to, *from;
    for (size_t i = 0; (to = small_format(i)) != NULL; i++)
        for (size_t j = 0; (from = small_format(j)) != NULL; j++)
            if (to->bits <= 8 && from->bits <= 8 && (i + j) % SAMPLE == 0)
                check_conversions(to, from);
}

static void check_round(const oracle_format *reference, const fpfmt_format *format, double x)
{
    const oracle_format *binary64 = oracle_named("fp64");
    fpfmt_policy nearest = { 0 };
    unsigned flags = 0;
    uint64_t code;
    double y = fpfmt_round(format, x);
    oracle_decode(binary64, code_of_double(x), &operand);
    code = oracle_encode(reference, &operand, &nearest, &flags);
    oracle_decode(reference, code, &operand);
    code = oracle_encode(binary64, &operand, &nearest, &flags);
    CHECK(code_of_double(y) == code, "%a in %s is %a, not %a", x, format->name, y, double_of(code));
}

static void rounding_doubles(void)
{
    const oracle_format *binary64 = oracle_named("fp64");
    for (size_t i = 0; i < oracle_format_count; i++) {
        fpfmt_format format = found(&oracle_formats[i]);
        for (unsigned n = 0; n < 4000; n += SAMPLE) {
            uint64_t code = sample_code(binary64, n), word = random_word();
            check_round(&oracle_formats[i], &format, double_of(code));
            code = (code & UINT64_C(0x800FFFFFFFFFFFFF)) | (uint64_t)(1023 - 20 + word % 40) << 52;
            check_round(&oracle_formats[i], &format, double_of(code));
        }
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "floats and doubles come in exactly", from_host_floats },
        { "integers come in exactly", from_integers },
        { "values go out to float and double with one rounding in every mode", to_host_floats },
        { "rounding to nearest is the host's", host_casts },
        { "values go out to integers in every mode", to_integers },
        { "decimals near the limits become integers in every mode", texts_to_integers },
        { "every code of every format of up to 8 bits converts to every other", conversions },
        { "fpfmt_round gives the value of the code", rounding_doubles },
    };
    oracle_start(&operand);
    return run_tests("value", tests, sizeof tests / sizeof tests[0]);
}
