/* test_print.c - values and codes to text: exact, shortest, hexadecimal
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimals.h"
#include "oracle.h"
#include "runner.h"
#include "samples.h"

enum { LONGEST = 775, TEXT = LONGEST + 32 };

static char text[TEXT], expected[TEXT], digits[TEXT];
static oracle_number operand;
static mpq_t ratio, other;

static size_t longest;

/* The exact decimal of a code, by GMP; reads back as the same value. */
static void check_exact(const fpfmt_format *format, const oracle_format *reference, uint64_t code)
{
    fpfmt_value value = fpfmt_decode(format, code), back;
    size_t length = fpfmt_print_exact(text, sizeof text, value);
    long point;
    oracle_decode(reference, code, &operand);
    if (operand.kind >= FPFMT_KIND_QUIET_NAN) {
        strcpy(expected, "nan");
    } else if (operand.kind == FPFMT_KIND_INFINITE) {
        strcpy(expected, operand.negative ? "-inf" : "inf");
    } else {
        magnitude_to_ratio(ratio, operand.magnitude);
        ratio_to_decimal(digits, sizeof digits, &point, ratio);
        lay_out(expected, sizeof expected, operand.negative, digits, point);
    }
    CHECK(strcmp(text, expected) == 0 && length == strlen(expected),
          "%s 0x%" PRIx64 ": %.60s (%zu), not %.60s", format->name, code, text, length, expected);
    longest = length > longest ? length : longest;
    if (operand.kind < FPFMT_KIND_QUIET_NAN)
        CHECK(fpfmt_parse(&back, text, length, NULL) == length &&
                  fpfmt_encode(format, back, NULL, NULL) == code,
              "%s 0x%" PRIx64 ": %.60s does not read back", format->name, code, text);
}

static void exact(void)
{
    longest = 0;
    print_seed();
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        fpfmt_format format = found(reference);
        unsigned samples = reference->bits == 64 ? 2000 : 4000;
        if (reference->bits <= 16)
            for (uint64_t code = 0; code >> reference->bits == 0; code += SAMPLE)
                check_exact(&format, reference, code);
        else
            for (unsigned n = 0; n < samples; n += SAMPLE)
                check_exact(&format, reference, sample_code(reference, n));
    }
    /* The longest of all: the largest subnormal, and all ones in the smallest normal binade. */
    check_exact(fpfmt_named("fp64"), oracle_named("fp64"), UINT64_C(0x800FFFFFFFFFFFFF));
    check_exact(fpfmt_named("fp64"), oracle_named("fp64"), UINT64_C(0x801FFFFFFFFFFFFF));
    CHECK(longest <= LONGEST, "a decimal takes %zu characters", longest);
}

static void exact_p3109_format(const oracle_format *reference)
{
    fpfmt_format format = found(reference);
    for (uint64_t code = 0; code >> reference->bits == 0; code += SAMPLE)
        check_exact(&format, reference, code);
}

static void exact_p3109(void)
{
    oracle_each_p3109(3, 8, exact_p3109_format);
}

/* The code that mantissa * 10^exponent reads as, under nearest-even and the row's overflow. */
static uint64_t read_as(const oracle_format *reference, bool negative, const mpz_t mantissa,
                        long exponent)
{
    static const fpfmt_policy nearest;
    unsigned flags = 0;
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    mpz_set(mpq_numref(other), mantissa);
    mpz_set_ui(mpq_denref(other), 1);
    if (exponent >= 0)
        mpz_mul(mpq_numref(other), mpq_numref(other), power);
    else
        mpz_set(mpq_denref(other), power);
    mpq_canonicalize(other);
    mpz_clear(power);
    oracle_set_ratio(&operand, other);
    operand.negative = negative;
    return oracle_encode(reference, &operand, &nearest, &flags);
}

/* floor(ratio / 10^exponent) */
static void floor_at(mpz_t whole, long exponent)
{
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    mpz_abs(whole, mpq_numref(ratio));
    if (exponent < 0)
        mpz_mul(whole, whole, power);
    else
        mpz_mul(power, power, mpq_denref(ratio));
    mpz_tdiv_q(whole, whole, exponent < 0 ? mpq_denref(ratio) : power);
    mpz_clear(power);
}

/* The decimal that is to be printed among those of count digits around ratio: of those that read as
 * code the closest, of two as close the even one. window: how many are tried to either side. */
static bool search_decimal(mpz_t best, long *best_exponent, const oracle_format *reference,
                           bool negative, uint64_t code, long point, int count, int window)
{
    long exponent = point - count;
    bool any = false;
    mpz_t candidate;
    mpq_t distance, least;
    mpz_init(candidate);
    mpq_inits(distance, least, NULL);
    floor_at(candidate, exponent);
    mpz_sub_ui(candidate, candidate, (unsigned long)window);
    for (int i = 0; i <= 2 * window + 1; i++, mpz_add_ui(candidate, candidate, 1)) {
        int order;
        if (mpz_sgn(candidate) <= 0 || read_as(reference, negative, candidate, exponent) != code)
            continue;
        mpq_abs(distance, ratio);
        mpq_sub(distance, distance, other);
        mpq_abs(distance, distance);
        order = any ? mpq_cmp(distance, least) : -1;
        if (order < 0 || (order == 0 && mpz_even_p(candidate))) {
            mpq_set(least, distance);
            mpz_set(best, candidate);
            *best_exponent = exponent;
        }
        any = true;
    }
    mpz_clear(candidate);
    mpq_clears(distance, least, NULL);
    return any;
}

/* Fewer digits do not read back, and of those with as many the printed ones are the best. */
static void check_shortest(const fpfmt_format *format, const oracle_format *reference,
                           uint64_t code, int window)
{
    size_t length = fpfmt_print_shortest(text, sizeof text, format, code);
    char mantissa[64];
    bool negative, found_one = false;
    long point, exponent = 0;
    fpfmt_value back;
    mpz_t best;
    oracle_decode(reference, code, &operand);
    if (operand.kind == FPFMT_KIND_ZERO || operand.kind >= FPFMT_KIND_INFINITE) {
        strcpy(expected, operand.kind == FPFMT_KIND_ZERO       ? operand.negative ? "-0" : "0"
                         : operand.kind != FPFMT_KIND_INFINITE ? "nan"
                         : operand.negative                    ? "-inf"
                                                               : "inf");
        CHECK(strcmp(text, expected) == 0, "%s 0x%" PRIx64 ": %s", format->name, code, text);
        return;
    }
    CHECK(fpfmt_parse(&back, text, length, NULL) == length && strlen(text) == length &&
              fpfmt_encode(format, back, NULL, NULL) == code,
          "%s 0x%" PRIx64 ": %s does not read back", format->name, code, text);
    negative = operand.negative;
    magnitude_to_ratio(ratio, operand.magnitude);
    ratio_to_decimal(digits, sizeof digits, &point, ratio);
    mpz_init(best);
    for (int count = 1; count <= 17 && !found_one; count++)
        found_one =
            search_decimal(best, &exponent, reference, negative, code, point, count, window);
    mpz_get_str(mantissa, 10, best);
    point = exponent + (long)strlen(mantissa);
    for (size_t n = strlen(mantissa); n > 0 && mantissa[n - 1] == '0'; n--)
        mantissa[n - 1] = '\0';
    lay_out(expected, sizeof expected, negative, mantissa, point);
    CHECK(found_one && strcmp(text, expected) == 0, "%s 0x%" PRIx64 ": %s, not %s", format->name,
          code, text, expected);
    mpz_clear(best);
}

static void shortest_small(void)
{
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        fpfmt_format format = found(reference);
        if (reference->bits <= 8)
            for (uint64_t code = 0; code >> reference->bits == 0; code += SAMPLE)
                check_shortest(&format, reference, code, 12);
    }
}

static void shortest_p3109_format(const oracle_format *reference)
{
    fpfmt_format format = found(reference);
    for (uint64_t code = 0; code >> reference->bits == 0; code += 3 * SAMPLE)
        check_shortest(&format, reference, code, 2);
}

static void shortest_p3109(void)
{
    oracle_each_p3109(3, 8, shortest_p3109_format);
}

/* Negative codes differ by their sign alone. */
static void shortest_medium(void)
{
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        fpfmt_format format = found(reference);
        if (reference->bits <= 8 || reference->bits > 16)
            continue;
        for (uint64_t code = 0; code <= reference->max; code += SAMPLE)
            check_shortest(&format, reference, code, 1);
        check_shortest(&format, reference, reference->max, 1);
        if (reference->is_signed)
            check_shortest(&format, reference, oracle_code(reference, true, reference->max), 1);
    }
}

static void shortest_large(void)
{
    print_seed();
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        fpfmt_format format = found(reference);
        if (reference->bits > 16)
            for (unsigned n = 0; n < 600; n += SAMPLE)
                check_shortest(&format, reference, sample_code(reference, n), 1);
    }
}

/* Against the host's printf, whose doubles are normal where those of small formats are not. */
static void hexadecimal(void)
{
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        fpfmt_format format = found(reference);
        for (unsigned n = 0; n < 3000; n += SAMPLE) {
            uint64_t code = reference->bits <= 16 ? n : sample_code(reference, n);
            fpfmt_value value = fpfmt_decode(&format, code), back;
            size_t length = fpfmt_print_hex(text, sizeof text, value);
            double x = fpfmt_to_f64(value, NULL, NULL);
            CHECK(length == strlen(text), "%s: the length is %zu", text, length);
            snprintf(expected, sizeof expected, "%a", x);
            if (value.kind >= FPFMT_KIND_QUIET_NAN)
                strcpy(expected, "nan");
            if (value.kind < FPFMT_KIND_QUIET_NAN)
                CHECK(fpfmt_parse(&back, text, length, NULL) == length &&
                          fpfmt_encode(&format, back, NULL, NULL) ==
                              fpfmt_encode(&format, value, NULL, NULL),
                      "%s %s does not read back", format.name, text);
            if (value.kind > FPFMT_KIND_NORMAL || value.kind == FPFMT_KIND_ZERO ||
                value.exponent > -1023)
                CHECK(strcmp(text, expected) == 0, "%s 0x%" PRIx64 ": %s, not %s", format.name,
                      code, text, expected);
            else
                CHECK(strncmp(text + value.negative, "0x1", 3) == 0, "%s is not normalised", text);
        }
    }
    fpfmt_print_hex(text, sizeof text, fpfmt_decode(fpfmt_named("fp64"), 3));
    CHECK(strcmp(text, "0x1.8p-1073") == 0, "3 * 2^-1074: %s", text);
    fpfmt_print_hex(text, sizeof text, fpfmt_from_u64(UINT64_MAX));
    CHECK(strcmp(text, "0x1.fffffffffffffffep+63") == 0, "2^64 - 1: %s", text);
}

/* As snprintf: any size, the whole length, always a NUL. */
static void sizes(void)
{
    static const double values[] = { 0, -1.5, 1e-8, 12345.678, 1e300, 0.1 };
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        for (int printer = 0; printer < 3; printer++)
            for (size_t size = 0; size < 64; size++) {
                fpfmt_value value = fpfmt_from_f64(values[i]);
                uint64_t code = code_of_double(values[i]);
                char *part = malloc(size + 1);
                size_t whole, length;
                memset(part, '#', size + 1);
                if (printer == 0) {
                    whole = fpfmt_print_exact(text, sizeof text, value);
                    length = fpfmt_print_exact(size == 0 ? NULL : part, size, value);
                } else if (printer == 1) {
                    whole = fpfmt_print_hex(text, sizeof text, value);
                    length = fpfmt_print_hex(size == 0 ? NULL : part, size, value);
                } else {
                    whole = fpfmt_print_shortest(text, sizeof text, binary64, code);
                    length = fpfmt_print_shortest(size == 0 ? NULL : part, size, binary64, code);
                }
                CHECK(length == whole && part[size] == '#' &&
                          (size == 0 || (strncmp(part, text, size - 1) == 0 &&
                                         strlen(part) == (whole < size ? whole : size - 1))),
                      "%.40s in %zu bytes", text, size);
                free(part);
            }
    CHECK(fpfmt_print_exact(text, sizeof text,
                            (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                           .inexact = true,
                                           .significand = UINT64_C(1) << 63 }) == 0,
          "a cut value has an exact decimal");
}

/* Known answers, so that the oracle's own layout is held as well. */
static void known(void)
{
    static const struct {
        const char *format;
        uint64_t code;
        const char *exact, *shortest;
    } rows[] = {
        { "fp16", 0x0001, "5.9604644775390625e-8", "6e-8" },
        { "fp16", 0x7000, "8192", "8190" },
        { "fp16", 0x7BFF, "65504", "65500" },
        { "fp16", 0x3555, "0.333251953125", "0.3333" },
        { "fp16", 0x068E, "0.00010001659393310546875", "0.0001" },
        { "fp16", 0x068D, "9.9956989288330078125e-5", "9.996e-5" },
        { "bf16", 0x3F81, "1.0078125", "1.01" },
        { "e4m3", 0x7E, "448", "450" },
        { "e4m3", 0x01, "0.001953125", "0.002" },
        { "e2m1", 0x7, "6", "6" },
        { "fp32", 0x447FFFFF, "1023.99993896484375", "1023.99994" },
        { "fp64", 0x40BA28222FF74041, NULL, "6696.1335444003935" },
        { "fp64", 0x3FDDE90734409F06, NULL, "0.4673479090001681" },
        { "fp64", 0x4340000000000000, "9007199254740992", "9007199254740992" },
        { "fp64", 0x4341C37937E08000, "1e16", "1e16" },
        { "fp64", 0x0000000000000001, NULL, "5e-324" },
        { "fp64", 0x7FEFFFFFFFFFFFFF, NULL, "1.7976931348623157e308" },
        { "fp64", 0x44B52D02C7E14AF6, NULL, "1e23" },
        { "fp64", 0x3FB999999999999A, "0.1000000000000000055511151231257827021181583404541015625",
          "0.1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fpfmt_format *format = fpfmt_named(rows[i].format);
        fpfmt_print_shortest(text, sizeof text, format, rows[i].code);
        CHECK(strcmp(text, rows[i].shortest) == 0, "%s 0x%" PRIx64 ": %s, not %s", format->name,
              rows[i].code, text, rows[i].shortest);
        fpfmt_print_exact(text, sizeof text, fpfmt_decode(format, rows[i].code));
        CHECK(rows[i].exact == NULL || strcmp(text, rows[i].exact) == 0,
              "%s 0x%" PRIx64 ": %s, not %s", format->name, rows[i].code, text, rows[i].exact);
    }
}

/* 1 to 17 digits are promised; others give no text and touch nothing. */
static void refused_digits(void)
{
    static const int counts[] = { INT_MIN, -1, 0, 18, 4960, 4961, 20000, INT_MAX };
    fpfmt_ratio third;
    bool exact = true;
    fpfmt_parse_ratio(&third, "1/3", 3, NULL);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char shown[32] = "untouched";
        size_t length = fpfmt_print_rounded(shown, sizeof shown, &third, counts[i], &exact);
        CHECK(length == 0 && shown[0] == '\0' && exact && strcmp(shown + 1, "ntouched") == 0,
              "%d digits: %zu characters", counts[i], length);
        CHECK(fpfmt_print_rounded(NULL, 0, &third, counts[i], NULL) == 0, "%d digits", counts[i]);
    }
    char shown[32];
    CHECK(fpfmt_print_rounded(shown, sizeof shown, &third, 17, &exact) == 19 && !exact &&
              strcmp(shown, "0.33333333333333333") == 0,
          "17 digits: %s", shown);
}

int main(void)
{
    static const struct test tests[] = {
        { "the exact decimal of every code of up to 16 bits is GMP's", exact },
        { "the exact decimal of every P3109 code of 3 to 8 bits is GMP's", exact_p3109 },
        { "no shorter decimal reads back as a code of up to 8 bits", shortest_small },
        { "no shorter decimal reads back as a P3109 code", shortest_p3109 },
        { "no shorter decimal reads back as a code of 9 to 16 bits", shortest_medium },
        { "no shorter decimal reads back as a sampled code of a larger format", shortest_large },
        { "hexadecimal is printf's", hexadecimal },
        { "printers take any size", sizes },
        { "known answers", known },
        { "more digits than are promised give no text", refused_digits },
    };
    mpq_inits(ratio, other, NULL);
    oracle_start(&operand);
    return run_tests("print", tests, sizeof tests / sizeof tests[0]);
}
