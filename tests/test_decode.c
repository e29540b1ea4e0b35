/* test_decode.c - every code against the oracle, and limits against the standards
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

static const fpfmt_class class_of[][2] = {
    [FPFMT_KIND_ZERO] = { FPFMT_CLASS_POSITIVE_ZERO, FPFMT_CLASS_NEGATIVE_ZERO },
    [FPFMT_KIND_SUBNORMAL] = { FPFMT_CLASS_POSITIVE_SUBNORMAL, FPFMT_CLASS_NEGATIVE_SUBNORMAL },
    [FPFMT_KIND_NORMAL] = { FPFMT_CLASS_POSITIVE_NORMAL, FPFMT_CLASS_NEGATIVE_NORMAL },
    [FPFMT_KIND_INFINITE] = { FPFMT_CLASS_POSITIVE_INFINITY, FPFMT_CLASS_NEGATIVE_INFINITY },
    [FPFMT_KIND_QUIET_NAN] = { FPFMT_CLASS_QUIET_NAN, FPFMT_CLASS_QUIET_NAN },
    [FPFMT_KIND_SIGNALING_NAN] = { FPFMT_CLASS_SIGNALING_NAN, FPFMT_CLASS_SIGNALING_NAN },
};

static oracle_number expected;

static void check_predicates(const fpfmt_format *format, uint64_t code)
{
    uint8_t kind = expected.kind;
    CHECK(fpfmt_classify(format, code) == class_of[kind][expected.negative],
          "%s 0x%" PRIx64 ": class %d", format->name, code, fpfmt_classify(format, code));
    CHECK(fpfmt_is_nan(format, code) == (kind >= FPFMT_KIND_QUIET_NAN) &&
              fpfmt_is_signaling(format, code) == (kind == FPFMT_KIND_SIGNALING_NAN) &&
              fpfmt_is_infinite(format, code) == (kind == FPFMT_KIND_INFINITE) &&
              fpfmt_is_finite(format, code) == (kind < FPFMT_KIND_INFINITE) &&
              fpfmt_is_zero(format, code) == (kind == FPFMT_KIND_ZERO) &&
              fpfmt_is_subnormal(format, code) == (kind == FPFMT_KIND_SUBNORMAL) &&
              fpfmt_is_normal(format, code) == (kind == FPFMT_KIND_NORMAL) &&
              fpfmt_is_negative(format, code) == expected.negative,
          "%s 0x%" PRIx64 ": a predicate differs", format->name, code);
}

static void check_code(const fpfmt_format *format, const oracle_format *reference, uint64_t code)
{
    uint64_t above = reference->bits == 64 ? 0 : UINT64_MAX << reference->bits;
    fpfmt_value value = fpfmt_decode(format, code), with_more = fpfmt_decode(format, code | above);
    unsigned flags = 0;
    oracle_decode(reference, code, &expected);
    CHECK(oracle_agrees(&expected, value),
          "%s 0x%" PRIx64 ": kind %d negative %d exponent %d significand %016" PRIx64, format->name,
          code, value.kind, value.negative, (int)value.exponent, value.significand);
    CHECK(oracle_agrees(&expected, with_more), "%s 0x%" PRIx64 ": bits above the width count",
          format->name, code);
    check_predicates(format, code);
    if (value.kind != FPFMT_KIND_SIGNALING_NAN)
        CHECK(fpfmt_encode(format, value, NULL, &flags) == code && flags == 0,
              "%s 0x%" PRIx64 " comes back as 0x%" PRIx64 " flags %x", format->name, code,
              fpfmt_encode(format, value, NULL, NULL), flags);
}

static void check_all_codes(const oracle_format *reference)
{
    fpfmt_format format;
    if (!CHECK(fpfmt_find(&format, reference->name) == FPFMT_FOUND, "%s is not found",
               reference->name))
        return;
    for (uint64_t code = 0; code >> reference->bits == 0; code += SAMPLE)
        check_code(&format, reference, code);
}

static void small_formats(void)
{
    for (size_t i = 0; i < oracle_format_count; i++)
        if (oracle_formats[i].bits <= 16)
            check_all_codes(&oracle_formats[i]);
}

static void p3109_formats(void)
{
    oracle_each_p3109(3, 8, check_all_codes);
}

/* Codes around every boundary between fields and of every single bit, and random ones. */
static void large_formats(void)
{
    static const char *const names[] = { "tf32", "pxr24", "fp32", "fp64" };
    print_seed();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const oracle_format *reference = oracle_named(names[i]);
        const fpfmt_format *format = fpfmt_named(names[i]);
        uint64_t mask = UINT64_MAX >> (64 - reference->bits);
        uint64_t marks[] = { 0, oracle_min_normal(reference), reference->max, reference->infinity,
                             reference->nan };
        if (!CHECK(format != NULL, "%s is not found", names[i]))
            return;
        for (size_t m = 0; m < sizeof marks / sizeof marks[0]; m++)
            for (int bit = -1; bit < reference->bits; bit++)
                for (uint64_t step = 0; step < 5; step++)
                    check_code(format, reference,
                               ((marks[m] ^ (bit < 0 ? 0 : (uint64_t)1 << bit)) + step - 2) & mask);
        for (int n = 0; n < 100000; n += SAMPLE)
            check_code(format, reference, random_word() & mask);
    }
}

/* A decimal, 2^n, or either before *2^n; (2-2^n) counts as a decimal. */
static void read_number(mpq_t number, const char *text)
{
    const char *scale = strstr(text, "*2^"), *point = strchr(text, '.');
    char digits[64];
    long shift = scale != NULL ? strtol(scale + 3, NULL, 10) : 0;
    int length = (int)(scale != NULL ? (size_t)(scale - text) : strlen(text));
    if (strncmp(text, "(2-2^", 5) == 0) {
        long low = strtol(text + 5, NULL, 10);
        mpq_set_ui(number, 2, 1);
        mpz_mul_2exp(mpq_numref(number), mpq_numref(number), (mp_bitcnt_t)-low);
        mpz_sub_ui(mpq_numref(number), mpq_numref(number), 1);
        shift += low;
    } else if (strncmp(text, "2^", 2) == 0) {
        mpq_set_ui(number, 1, 1);
        shift = strtol(text + 2, NULL, 10);
    } else {
        int places = point != NULL && point < text + length ? (int)(text + length - point) - 1 : 0;
        snprintf(digits, sizeof digits, "%.*s%.*s", places > 0 ? (int)(point - text) : length, text,
                 places, places > 0 ? point + 1 : "");
        mpq_set_str(number, digits, 10);
        mpz_ui_pow_ui(mpq_denref(number), 10, (unsigned long)places);
        mpq_canonicalize(number);
    }
    if (shift >= 0)
        mpq_mul_2exp(number, number, (mp_bitcnt_t)shift);
    else
        mpq_div_2exp(number, number, (mp_bitcnt_t)-shift);
}

static bool is_value(const fpfmt_format *format, uint64_t code, const char *text)
{
    oracle_number number;
    mpq_t ratio;
    bool equal;
    mpq_init(ratio);
    oracle_start(&number);
    read_number(ratio, text);
    oracle_set_ratio(&number, ratio);
    number.kind = fpfmt_decode(format, code).kind;
    equal = oracle_agrees(&number, fpfmt_decode(format, code));
    oracle_stop(&number);
    mpq_clear(ratio);
    return equal;
}

enum {
    NAME,
    BITS,
    PRECISION,
    EMIN,
    EMAX,
    MAX_CODE,
    MAX,
    MIN_NORMAL,
    MIN_SUBNORMAL,
    INFINITY_CODE,
    NAN_CODE,
    SOURCE,
    COLUMNS
};

static uint64_t hexadecimal(const char *text)
{
    return strcmp(text, "-") == 0 ? 0 : strtoull(text, NULL, 16);
}

static void check_limits(char *const column[COLUMNS])
{
    fpfmt_format format;
    fpfmt_limits limits;
    const char *name = column[NAME];
    bool subnormals = strcmp(column[MIN_SUBNORMAL], "-") != 0;
    if (!CHECK(fpfmt_find(&format, name) == FPFMT_FOUND, "%s is not found", name))
        return;
    limits = fpfmt_measure(&format);
    CHECK(limits.width == atoi(column[BITS]), "%s: width %d", name, limits.width);
    CHECK(limits.precision == atoi(column[PRECISION]), "%s: precision %d", name, limits.precision);
    CHECK(limits.emin == atoi(column[EMIN]), "%s: emin %d", name, limits.emin);
    CHECK(limits.emax == atoi(column[EMAX]), "%s: emax %d", name, limits.emax);
    CHECK(limits.max == hexadecimal(column[MAX_CODE]), "%s: max 0x%" PRIx64, name, limits.max);
    CHECK(is_value(&format, limits.max, column[MAX]), "%s: max is not %s", name, column[MAX]);
    CHECK(is_value(&format, limits.min_normal, column[MIN_NORMAL]),
          "%s: min normal 0x%" PRIx64 " is not %s", name, limits.min_normal, column[MIN_NORMAL]);
    CHECK(is_value(&format, limits.min_positive, column[subnormals ? MIN_SUBNORMAL : MIN_NORMAL]),
          "%s: min positive 0x%" PRIx64, name, limits.min_positive);
    CHECK(limits.has_subnormals == subnormals, "%s: subnormals %d", name, limits.has_subnormals);
    CHECK(limits.infinity == hexadecimal(column[INFINITY_CODE]) &&
              limits.has_infinity == (limits.infinity != 0),
          "%s: infinity 0x%" PRIx64, name, limits.infinity);
    CHECK(limits.nan == hexadecimal(column[NAN_CODE]) && limits.has_nan == (limits.nan != 0),
          "%s: nan 0x%" PRIx64, name, limits.nan);
    CHECK(strlen(column[SOURCE]) > 3, "%s has no source", name);
}

static void limits_of_standards(void)
{
    FILE *file = fopen(source_path("tests/data/formats.tsv"), "r");
    char line[512], *column[COLUMNS];
    size_t rows = 0;
    if (!CHECK(file != NULL, "tests/data/formats.tsv cannot be read"))
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        size_t columns = 0;
        if (line[0] == '#')
            continue;
        for (char *at = strtok(line, "\t\n"); at != NULL && columns < COLUMNS;
             at = strtok(NULL, "\t\n"))
            column[columns++] = at;
        if (CHECK(columns == COLUMNS, "row %zu has %zu columns", rows, columns))
            check_limits(column);
        rows++;
    }
    fclose(file);
    for (size_t i = 0; fpfmt_at(i) != NULL; i++)
        CHECK(oracle_named(fpfmt_at(i)->name) != NULL ||
                  strncmp(fpfmt_at(i)->name, "binary", 6) == 0,
              "%s is not in the oracle's table", fpfmt_at(i)->name);
    CHECK(rows > oracle_format_count, "only %zu rows were read", rows);
}

/* What follows from the rows that the standards do not print. */
static void check_other_limits(const oracle_format *reference)
{
    fpfmt_format format;
    fpfmt_limits limits;
    uint64_t lowest =
        reference->is_signed ? oracle_code(reference, true, oracle_limit(reference, true)) : 0;
    if (!CHECK(fpfmt_find(&format, reference->name) == FPFMT_FOUND, "%s", reference->name))
        return;
    limits = fpfmt_measure(&format);
    CHECK(limits.lowest == lowest, "%s: lowest 0x%" PRIx64, format.name, limits.lowest);
    CHECK(limits.max == reference->max, "%s: max 0x%" PRIx64, format.name, limits.max);
    CHECK(limits.has_zero == oracle_has_zero(reference), "%s: zero", format.name);
    CHECK(limits.has_negative_zero == oracle_has_negative_zero(reference), "%s: -0", format.name);
    CHECK(fpfmt_defect(&format) == NULL, "%s: %s", format.name, fpfmt_defect(&format));
}

static void other_limits(void)
{
    for (size_t i = 0; i < oracle_format_count; i++)
        check_other_limits(&oracle_formats[i]);
    oracle_each_p3109(3, 8, check_other_limits);
}

static bool same_codes(const oracle_format *a, const oracle_format *b)
{
    bool same = a->bits == b->bits;
    oracle_number number;
    oracle_start(&number);
    for (uint64_t code = 0; same && code >> a->bits == 0; code++) {
        oracle_decode(a, code, &expected);
        oracle_decode(b, code, &number);
        same = expected.kind == number.kind && expected.negative == number.negative &&
               mpfr_equal_p(expected.magnitude, number.magnitude);
    }
    oracle_stop(&number);
    return same;
}

/* Is each number of inner, told apart by kind and sign, among outer's? */
static bool values_within(const oracle_format *outer, const oracle_format *inner)
{
    static const fpfmt_policy nearest;
    bool within = true;
    oracle_number back;
    oracle_start(&back);
    for (uint64_t code = 0; within && code >> inner->bits == 0; code++) {
        unsigned flags = 0;
        oracle_decode(inner, code, &expected);
        if (expected.kind == FPFMT_KIND_SIGNALING_NAN)
            continue;
        oracle_decode(outer, oracle_encode(outer, &expected, &nearest, &flags), &back);
        if (expected.kind >= FPFMT_KIND_QUIET_NAN)
            within = outer->nan != 0;
        else
            within = flags == 0 && back.negative == expected.negative &&
                     (back.kind == FPFMT_KIND_ZERO) == (expected.kind == FPFMT_KIND_ZERO);
    }
    oracle_stop(&back);
    return within;
}

static oracle_format contenders[80];
static size_t contender_count;

static void add_contender(const oracle_format *format)
{
    if (format->bits <= 8 && contender_count < sizeof contenders / sizeof contenders[0])
        contenders[contender_count++] = *format;
}

static void containment(void)
{
    static const struct {
        const char *outer, *inner;
        bool contained;
    } large[] = {
        { "fp64", "fp32", true },  { "fp32", "fp64", false },    { "fp32", "bf16", true },
        { "fp32", "fp16", true },  { "bf16", "fp16", false },    { "fp16", "bf16", false },
        { "tf32", "bf16", true },  { "tf32", "fp16", true },     { "fp32", "dlfloat16", true },
        { "fp32", "pxr24", true }, { "fp16alt", "fp16", false }, { "fp32", "e8m0", true },
        { "fp16", "e8m0", false }, { "fp16", "e5m2", true },     { "dlfloat16", "int4", true },
    };
    contender_count = 0;
    for (size_t i = 0; i < oracle_format_count; i++)
        add_contender(&oracle_formats[i]);
    oracle_each_p3109(3, 5, add_contender);
    for (size_t i = 0; i < contender_count; i += SAMPLE)
        for (size_t j = 0; j < contender_count; j++) {
            fpfmt_format outer, inner;
            bool within = same_codes(&contenders[i], &contenders[j]) ||
                          values_within(&contenders[i], &contenders[j]);
            fpfmt_find(&outer, contenders[i].name);
            fpfmt_find(&inner, contenders[j].name);
            CHECK(fpfmt_contains(&outer, &inner) == within, "%s in %s: not %d", inner.name,
                  outer.name, within);
        }
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        CHECK(fpfmt_contains(fpfmt_named(large[i].outer), fpfmt_named(large[i].inner)) ==
                  large[i].contained,
              "%s in %s: not %d", large[i].inner, large[i].outer, large[i].contained);
}

int main(void)
{
    static const struct test tests[] = {
        { "every code of the formats of up to 16 bits decodes exactly", small_formats },
        { "every code of the P3109 formats of 3 to 8 bits decodes exactly", p3109_formats },
        { "codes at the edges of the larger formats decode exactly", large_formats },
        { "limits are those that the standards print", limits_of_standards },
        { "limits that follow from the rows are right", other_limits },
        { "a format contains another exactly if it has all its values", containment },
    };
    oracle_start(&expected);
    return run_tests("decode", tests, sizeof tests / sizeof tests[0]);
}
