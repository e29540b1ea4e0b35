/* test_neighbor.c - signs, the next value up and down, and the step between values
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

static oracle_number operand;

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

/* The code with this sign, as IEEE 754-2019 5.5.1 and the header's rules for what does not exist.
 */
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
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++) {
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
                  "-%s 0x%" PRIx64 " is 0x%" PRIx64, format.name, code,
                  fpfmt_negate(&format, code));
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
        CHECK(next(&format, past, &p3109, &flags) == reference->nan,
              "%s: P3109 past 0x%" PRIx64 " is 0x%" PRIx64, format.name, past,
              next(&format, past, &p3109, &flags));
    if (oracle_has_negative_zero(reference)) {
        uint64_t zero = up ? 0 : oracle_code(reference, true, 0);
        CHECK(next(&format, zero, NULL, &flags) == oracle_code(reference, !up, 1),
              "%s: the other zero", format.name);
    }
    CHECK(flags == 0, "%s: walking raises %x", format.name, flags);
}

static void neighbors(void)
{
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++) {
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
            CHECK(flags[0] ==
                          (operand.kind == FPFMT_KIND_SIGNALING_NAN ? FPFMT_FLAG_INVALID : 0u) &&
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
          "%s: ulp at %016" PRIx64 " * 2^(%d-63) is 2^%d, not 2^%d", format->name,
          value.significand, (int)value.exponent, (int)ulp.exponent, (int)expected.exponent);
    mpfr_clear(step);
}

static void ulps(void)
{
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++) {
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
                      (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                     .exponent = exponent,
                                     .significand = UINT64_MAX },
                      reference->max);
        for (int32_t exponent = -200; exponent > -(1 << 24); exponent *= 3)
            check_ulp(&format, reference,
                      (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                     .exponent = exponent,
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
        { "sign operations keep everything but the sign", signs },
        { "walking up and down visits every value once, in order", neighbors },
        { "the ulp is the step at a value", ulps },
    };
    oracle_start(&operand);
    return run_tests("neighbor", tests, sizeof tests / sizeof tests[0]);
}
