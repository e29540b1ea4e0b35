/* test_scale.c - values times powers of two, and exponents, against the host and the oracle
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

static oracle_number number;

/* Powers of two never round in double here, and the host rounds to float once. */
static void scaled_halves(void)
{
    const fpfmt_format *half = fpfmt_named("fp16"), *single = fpfmt_named("fp32");
    for (unsigned code = 0; code < 65536; code += SAMPLE) {
        fpfmt_value value = fpfmt_decode(half, code);
        double x = fpfmt_to_f64(value, NULL, NULL);
        for (int n = -170; n <= 150 && !isnan(x); n++) {
            uint64_t result = fpfmt_scalb(single, value, n, NULL, NULL);
            uint64_t expected = code_of_float((float)ldexp(x, n));
            CHECK(result == expected, "0x%04x * 2^%d: %08" PRIx64 ", not %08" PRIx64, code, n,
                  result, expected);
        }
    }
}

static void check_scaled(const oracle_format *reference, const fpfmt_format *format, unsigned code,
                         int n, unsigned rounding)
{
    unsigned flags = 0, expected_flags = 0;
    fpfmt_policy policy = { .rounding = (uint8_t)rounding };
    oracle_decode(reference, code, &number);
    if (number.kind == FPFMT_KIND_SUBNORMAL || number.kind == FPFMT_KIND_NORMAL)
        mpfr_mul_2si(number.magnitude, number.magnitude, n, MPFR_RNDN);
    uint64_t expected = oracle_encode(reference, &number, &policy, &expected_flags);
    uint64_t result = fpfmt_scalb(format, fpfmt_decode(format, code), n, &policy, &flags);
    CHECK(result == expected && flags == expected_flags,
          "%s 0x%04x * 2^%d, rounding %u: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
          reference->name, code, n, rounding, result, flags, expected, expected_flags);
}

/* Small formats in every mode; of the larger ones, each code with some scales and modes. */
static void scaled_within(void)
{
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++) {
        fpfmt_format format = found(reference);
        unsigned codes = 1u << reference->bits, modes = FPFMT_ROUND_DETERMINISTIC_COUNT;
        int step = reference->bits <= 8 ? 1 : 61;
        for (unsigned code = 0; code < codes; code += SAMPLE)
            for (int n = -45 + (int)code % step; n <= 45; n += step)
                for (unsigned mode = 0; mode < modes; mode += (unsigned)step)
                    check_scaled(reference, &format, code, n, (mode + code) % modes);
    }
}

static void far_scales(void)
{
    static const int64_t far[] = {
        1 << 21, INT64_C(1) << 31, INT64_C(1) << 32, INT64_C(1) << 40, INT64_MAX - 1, INT64_MAX,
    };
    const fpfmt_format *half = fpfmt_named("fp16");
    const fpfmt_policy up = { .rounding = FPFMT_ROUND_UPWARD };
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++)
        for (int32_t exponent = -1000000; exponent <= 1000000; exponent += 500000) {
            fpfmt_value value = { .kind = FPFMT_KIND_NORMAL,
                                  .exponent = exponent,
                                  .significand = UINT64_MAX };
            unsigned over = 0, under = 0;
            CHECK(fpfmt_scalb(half, value, far[i], &up, &over) == 0x7C00 &&
                      over == (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INEXACT),
                  "2^%d * 2^%" PRId64 ", flags %x", (int)exponent, far[i], over);
            CHECK(fpfmt_scalb(half, value, -1 - far[i], &up, &under) == 1 &&
                      under == (FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INEXACT),
                  "2^%d * 2^%" PRId64 ", flags %x", (int)exponent, -1 - far[i], under);
        }
    fpfmt_value value = { .kind = FPFMT_KIND_NORMAL, .significand = UINT64_C(1) << 63 };
    value.exponent = INT32_MIN;
    CHECK(fpfmt_scalb(half, value, -(int64_t)INT32_MIN, NULL, NULL) == 0x3C00, "2^INT32_MIN");
    value.exponent = INT32_MAX;
    CHECK(fpfmt_scalb(half, value, -INT32_MAX, NULL, NULL) == 0x3C00, "2^INT32_MAX");
}

/* What is not finite and nonzero has no exponent to change; a subnormal operand may be flushed. */
static void scaled_specials(void)
{
    const fpfmt_format *half = fpfmt_named("fp16");
    const fpfmt_policy flush = { .subnormal = FPFMT_SUBNORMAL_FLUSH_INPUTS };
    static const unsigned codes[] = { 0x0000, 0x8000, 0x7C00, 0xFC00, 0x7E01, 0xFE80 };
    unsigned flags = 0;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (int n = -100; n <= 100; n += 25)
            CHECK(fpfmt_scalb(half, fpfmt_decode(half, codes[i]), n, NULL, &flags) == codes[i] &&
                      flags == 0,
                  "0x%04x * 2^%d, flags %x", codes[i], n, flags);
    CHECK(fpfmt_scalb(half, fpfmt_decode(half, 0xFC01), 3, NULL, &flags) == 0xFE01 &&
              flags == FPFMT_FLAG_INVALID,
          "signaling NaN, flags %x", flags);
    CHECK(fpfmt_scalb(half, fpfmt_decode(half, 0x83FF), 9, &flush, NULL) == 0x8000,
          "a subnormal that is flushed");
}

/* Of any value: the oracle's number to double is exact, and logb of the host too. */
static void check_exponent(const oracle_format *reference, uint64_t code, fpfmt_value value)
{
    unsigned flags = 0, expected_flags = 0;
    fpfmt_value result = fpfmt_logb(value, &flags);
    double x = fpfmt_to_f64(result, NULL, NULL), expected = HUGE_VAL;
    oracle_decode(reference, code, &number);
    if (number.kind >= FPFMT_KIND_QUIET_NAN) {
        bool signaling = number.kind == FPFMT_KIND_SIGNALING_NAN;
        CHECK(result.kind == FPFMT_KIND_QUIET_NAN && result.negative == number.negative &&
                  result.significand == number.payload &&
                  flags == (signaling ? FPFMT_FLAG_INVALID : 0),
              "%s 0x%" PRIx64 ": kind %d, flags %x", reference->name, code, result.kind, flags);
        return;
    }
    if (number.kind == FPFMT_KIND_ZERO) {
        expected = -HUGE_VAL;
        expected_flags = FPFMT_FLAG_DIVIDE_BY_ZERO;
    } else if (number.kind != FPFMT_KIND_INFINITE) {
        expected = logb(mpfr_get_d(number.magnitude, MPFR_RNDN));
    }
    CHECK(x == expected && flags == expected_flags, "%s 0x%" PRIx64 ": %g, not %g, flags %x",
          reference->name, code, x, expected, flags);
}

static void exponents(void)
{
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++) {
        fpfmt_format format = found(reference);
        for (unsigned code = 0; code < 1u << reference->bits; code += SAMPLE)
            check_exponent(reference, code, fpfmt_decode(&format, code));
    }
    reference = oracle_named("fp64");
    fpfmt_format format = found(reference);
    print_seed();
    for (unsigned n = 0; n < 100000; n += SAMPLE) {
        uint64_t code = sample_code(reference, n);
        check_exponent(reference, code, fpfmt_decode(&format, code));
    }
    CHECK(fpfmt_logb(fpfmt_from_i64(0), NULL).kind == FPFMT_KIND_INFINITE, "flags of NULL");
}

int main(void)
{
    static const struct test tests[] = {
        { "fp16 times 2^n rounds into fp32 as the host does", scaled_halves },
        { "codes times 2^n round right in every mode, flags too", scaled_within },
        { "no scale is too large", far_scales },
        { "zero, infinity, NaN and flushed subnormals are scaled", scaled_specials },
        { "exponents are those of the host's logb", exponents },
    };
    oracle_start(&number);
    return run_tests("scale", tests, sizeof tests / sizeof tests[0]);
}
