/* test_value.c - host numbers, conversions, signs, neighbours
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

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
        CHECK(oracle_agrees(&operand, fpfmt_from_f64(double_of(code))), "double 0x%016" PRIx64, code);
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
          "%016" PRIx64 " * 2^(%d-63) to double: %016" PRIx64 " flags %x, not %016" PRIx64 " flags %x",
          value.significand, (int)value.exponent, y, flags[1], binary64, expected_flags[1]);
}

static void to_host_floats(void)
{
    for (unsigned n = 0; n < 60000; n += SAMPLE) {
        fpfmt_value value = sample_value(n);
        fpfmt_policy policy = { 0 };
        oracle_set_value(&operand, value);
        for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_COUNT; policy.rounding++)
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
                               &(fpfmt_policy){ .rounding = FPFMT_ROUND_TOWARD_ZERO }, NULL) ==
                      (int64_t)x,
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
    uint64_t limit = is_signed ? (uint64_t)INT64_MAX + value.negative : value.negative ? 0 : UINT64_MAX;
    unsigned flags = 0, expected_flags = 0;
    uint64_t magnitude = 0, expected, result;
    mpz_t integer;
    /* A tail that was cut below the units is above or below one half, nobody knows. */
    if (value.inexact && value.exponent >= 63 && mode <= FPFMT_ROUND_NEAREST_ZERO)
        return;
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
        { .kind = FPFMT_KIND_NORMAL, .exponent = 63, .significand = UINT64_C(1) << 63,
          .inexact = true },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 63, .significand = (UINT64_C(1) << 63) + 1 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 64, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = -1, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = -1, .significand = UINT64_C(1) << 63,
          .inexact = true },
        { .kind = FPFMT_KIND_NORMAL, .exponent = -16777216, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_NORMAL, .exponent = 16777216, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_SUBNORMAL, .exponent = -1074, .significand = UINT64_C(1) << 63 },
        { .kind = FPFMT_KIND_INFINITE },
        { .kind = FPFMT_KIND_QUIET_NAN },
        { .kind = FPFMT_KIND_SIGNALING_NAN, .significand = 5 },
        { .kind = FPFMT_KIND_ZERO },
    };
    for (unsigned mode = 0; mode < FPFMT_ROUND_COUNT; mode++) {
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

/* The formats of up to 16 bits and some of P3109. */
static oracle_format small[64];
static size_t small_count;

static void gather(void)
{
    static const int p3109[][4] = { { 8, 4, 1, 1 }, { 8, 3, 1, 0 }, { 8, 1, 1, 1 }, { 8, 1, 0, 0 },
                                    { 8, 4, 0, 1 }, { 4, 2, 1, 0 }, { 8, 8, 0, 0 }, { 3, 1, 0, 1 } };
    for (size_t i = 0; i < oracle_format_count; i++)
        if (oracle_formats[i].bits <= 16)
            small[small_count++] = oracle_formats[i];
    for (size_t i = 0; i < sizeof p3109 / sizeof p3109[0]; i++)
        small[small_count++] = oracle_p3109(p3109[i][0], p3109[i][1], p3109[i][2], p3109[i][3]);
}

static void check_conversions(const oracle_format *to, const oracle_format *from)
{
    fpfmt_format target = found(to), source = found(from);
    for (uint64_t code = 0; code >> from->bits == 0; code++) {
        fpfmt_policy policy = { .subnormal = code % 4 == 3 ? FPFMT_SUBNORMAL_FLUSH_INPUTS : 0 };
        oracle_decode(from, code, &operand);
        if (operand.kind == FPFMT_KIND_SUBNORMAL || operand.kind == FPFMT_KIND_NORMAL)
            oracle_find(to, &operand, &place);
        for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_COUNT; policy.rounding++) {
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
    for (size_t i = 0; i < small_count; i++)
        for (size_t j = 0; j < small_count; j++)
            if (small[i].bits <= 8 && small[j].bits <= 8 && (i + j) % SAMPLE == 0)
                check_conversions(&small[i], &small[j]);
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

static uint64_t magnitude_of(const oracle_format *reference, uint64_t code, bool *negative)
{
    uint64_t sign = oracle_sign(reference), low = code & ~sign;
    *negative = low != code;
    if (reference->kind == ORACLE_INTEGER && code > reference->max) {
        *negative = true;
        return ((uint64_t)1 << reference->bits) - code;
    }
    return low;
}

/* The code with this sign, as IEEE 754-2019 5.5.1 and the header's rules for what does not exist. */
static uint64_t signed_code(const oracle_format *reference, uint64_t code, bool negative)
{
    bool was, one_nan = reference->kind == ORACLE_FNUZ || reference->kind == ORACLE_P3109;
    uint64_t magnitude = magnitude_of(reference, code, &was);
    if (one_nan && oracle_is_nan(reference, code))
        return code;
    if (reference->kind == ORACLE_INTEGER && !negative && magnitude > reference->max)
        return reference->max;
    if (!reference->is_signed && negative && !oracle_is_nan(reference, code))
        return magnitude == 0 && oracle_has_zero(reference) ? 0 : reference->nan;
    return reference->is_signed ? oracle_code(reference, negative, magnitude) : code;
}

static void signs(void)
{
    for (size_t i = 0; i < small_count; i++) {
        const oracle_format *reference = &small[i];
        fpfmt_format format = found(reference);
        uint64_t other[] = { 0, reference->max, 1, 0 };
        if (reference->is_signed) {
            other[2] = oracle_code(reference, true, 1);
            other[3] = oracle_code(reference, true, reference->max);
        }
        for (uint64_t code = 0; code >> reference->bits == 0; code += SAMPLE) {
            bool negative;
            magnitude_of(reference, code, &negative);
            if (oracle_is_nan(reference, code) && oracle_sign(reference) != 0 &&
                !oracle_has_negative_zero(reference))
                negative = false;
            CHECK(fpfmt_negate(&format, code) == signed_code(reference, code, !negative),
                  "-%s 0x%" PRIx64 " is 0x%" PRIx64, format.name, code, fpfmt_negate(&format, code));
            CHECK(fpfmt_abs(&format, code) == signed_code(reference, code, false),
                  "|%s 0x%" PRIx64 "| is 0x%" PRIx64, format.name, code, fpfmt_abs(&format, code));
            for (size_t s = 0; s < 4; s++)
                CHECK(fpfmt_copy_sign(&format, code, other[s]) ==
                          signed_code(reference, code, s >= 2 && reference->is_signed),
                      "%s 0x%" PRIx64 " with the sign of 0x%" PRIx64 " is 0x%" PRIx64, format.name,
                      code, other[s], fpfmt_copy_sign(&format, code, other[s]));
        }
    }
}

/* The codes in the order of their values, one of each pair of zeros: -0 if negative_zero. */
static size_t in_order(const oracle_format *reference, uint64_t *codes, bool negative_zero)
{
    size_t count = 0;
    uint64_t top = reference->infinity != 0 ? reference->infinity : reference->max;
    if (reference->is_signed)
        for (uint64_t m = top + (oracle_limit(reference, true) - reference->max); m > 0; m--)
            codes[count++] = oracle_code(reference, true, m);
    for (uint64_t m = 0; m <= top; m++)
        codes[count++] = m == 0 && negative_zero ? oracle_code(reference, true, 0) : m;
    return count;
}

static void check_walk(const oracle_format *reference, bool up)
{
    static const fpfmt_policy p3109 = { .specials = FPFMT_SPECIALS_P3109 };
    static uint64_t codes[1 << 16];
    uint64_t (*next)(const fpfmt_format *, uint64_t, const fpfmt_policy *, unsigned *) =
        up ? fpfmt_next_up : fpfmt_next_down;
    fpfmt_format format = found(reference);
    bool negative_zero = up && oracle_has_negative_zero(reference);
    size_t count = in_order(reference, codes, negative_zero);
    unsigned flags = 0;
    uint64_t past;
    for (size_t i = 0; i + 1 < count; i += SAMPLE) {
        uint64_t from = up ? codes[i] : codes[count - 1 - i];
        uint64_t to = up ? codes[i + 1] : codes[count - 2 - i];
        uint64_t result = next(&format, from, NULL, &flags);
        CHECK(result == to && next(&format, from, &p3109, NULL) == to,
              "%s 0x%" PRIx64 " next %s is 0x%" PRIx64 ", not 0x%" PRIx64, format.name, from,
              up ? "up" : "down", result, to);
    }
    past = up ? codes[count - 1] : codes[0];
    CHECK(next(&format, past, NULL, &flags) == past, "%s goes past 0x%" PRIx64, format.name, past);
    if (reference->nan != 0)
        CHECK(next(&format, past, &p3109, &flags) == reference->nan, "%s: P3109 past 0x%" PRIx64
              " is 0x%" PRIx64, format.name, past, next(&format, past, &p3109, &flags));
    if (oracle_has_negative_zero(reference)) {
        uint64_t zero = up ? 0 : oracle_code(reference, true, 0);
        CHECK(next(&format, zero, NULL, &flags) == oracle_code(reference, !up, 1),
              "%s: the other zero", format.name);
    }
    CHECK(flags == 0, "%s: walking raises %x", format.name, flags);
}

static void neighbors(void)
{
    for (size_t i = 0; i < small_count; i++) {
        const oracle_format *reference = &small[i];
        fpfmt_format format = found(reference);
        check_walk(reference, true);
        check_walk(reference, false);
        for (uint64_t code = 0; code >> reference->bits == 0; code += SAMPLE) {
            unsigned flags[2] = { 0, 0 };
            uint64_t quieted;
            if (!oracle_is_nan(reference, code))
                continue;
            oracle_decode(reference, code, &operand);
            quieted = operand.kind == FPFMT_KIND_SIGNALING_NAN
                          ? code + (reference->nan - reference->infinity)
                          : code;
            CHECK(fpfmt_next_up(&format, code, NULL, &flags[0]) == quieted &&
                      fpfmt_next_down(&format, code, NULL, &flags[1]) == quieted,
                  "%s: next to NaN 0x%" PRIx64, format.name, code);
            CHECK(flags[0] == (operand.kind == FPFMT_KIND_SIGNALING_NAN ? FPFMT_FLAG_INVALID : 0u) &&
                      flags[0] == flags[1],
                  "%s: next to NaN 0x%" PRIx64 " raises %x", format.name, code, flags[0]);
        }
    }
}

/* The step above a magnitude code; above DLFloat16's zero it is not the distance. */
static void step_at(mpfr_t step, const oracle_format *reference, uint64_t code)
{
    mpfr_t next;
    mpfr_init2(next, 64);
    code += code == 0 && reference->kind == ORACLE_DLFLOAT;
    oracle_magnitude(step, reference, code);
    oracle_magnitude(next, reference, code + 1);
    mpfr_sub(step, next, step, MPFR_RNDN);
    mpfr_clear(next);
}

static void check_ulp(const fpfmt_format *format, const oracle_format *reference, fpfmt_value value,
                      uint64_t place_code)
{
    mpfr_t step;
    fpfmt_value ulp = fpfmt_ulp(format, value), expected;
    mpfr_init2(step, 64);
    step_at(step, reference, place_code);
    expected = oracle_value(step);
    CHECK(ulp.kind == FPFMT_KIND_NORMAL && !ulp.negative && !ulp.inexact &&
              ulp.exponent == expected.exponent && ulp.significand == expected.significand,
          "%s: ulp at %016" PRIx64 " * 2^(%d-63) is 2^%d, not 2^%d", format->name, value.significand,
          (int)value.exponent, (int)ulp.exponent, (int)expected.exponent);
    mpfr_clear(step);
}

static void ulps(void)
{
    for (size_t i = 0; i < small_count; i++) {
        const oracle_format *reference = &small[i];
        fpfmt_format format = found(reference);
        for (uint64_t code = 0; code <= reference->max; code += SAMPLE) {
            fpfmt_value value;
            oracle_magnitude(operand.magnitude, reference, code);
            value = (fpfmt_value){ .kind = FPFMT_KIND_ZERO };
            if (!mpfr_zero_p(operand.magnitude))
                value = oracle_value(operand.magnitude);
            check_ulp(&format, reference, value, code);
            value.negative = true;
            check_ulp(&format, reference, value, code);
        }
        for (int32_t exponent = 200; exponent < 1 << 24; exponent *= 3)
            check_ulp(&format, reference,
                      (fpfmt_value){ .kind = FPFMT_KIND_NORMAL, .exponent = exponent,
                                     .significand = UINT64_MAX },
                      reference->max);
        for (int32_t exponent = -200; exponent > -(1 << 24); exponent *= 3)
            check_ulp(&format, reference,
                      (fpfmt_value){ .kind = FPFMT_KIND_NORMAL, .exponent = exponent,
                                     .significand = UINT64_MAX },
                      0);
        for (uint8_t kind = FPFMT_KIND_INFINITE; kind <= FPFMT_KIND_SIGNALING_NAN; kind++)
            CHECK(fpfmt_ulp(&format, (fpfmt_value){ .kind = kind }).kind == FPFMT_KIND_QUIET_NAN,
                  "%s: ulp of kind %d", format.name, kind);
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
        { "every code of every format of up to 8 bits converts to every other", conversions },
        { "fpfmt_round gives the value of the code", rounding_doubles },
        { "sign operations keep everything but the sign", signs },
        { "walking up and down visits every value once, in order", neighbors },
        { "the ulp is the step at a value", ulps },
    };
    oracle_start(&operand);
    gather();
    return run_tests("value", tests, sizeof tests / sizeof tests[0]);
}
