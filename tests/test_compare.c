/* test_compare.c - comparison, order and selection, against doubles and the clauses
 * SPDX-License-Identifier: MIT
 *
 * Every value of the small formats is exactly a double, as the oracle decodes it. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "oracle.h"
#include "runner.h"
#include "samples.h"

enum { FORMATS = 6, CODES = 256, ELEMENTS = FORMATS * CODES };

static oracle_format references[FORMATS];

/* A code of one of the formats: what the library decodes, and what the oracle does. */
typedef struct {
    const char *format;
    unsigned code;
    fpfmt_value value;
    bool nan, signaling, negative;
    uint64_t payload;
    double number; /* of NaN, 0 */
} element;

static element elements[ELEMENTS];

static double number_of(const oracle_number *number)
{
    double magnitude = 0;
    if (number->kind == FPFMT_KIND_INFINITE)
        magnitude = HUGE_VAL;
    else if (number->kind == FPFMT_KIND_SUBNORMAL || number->kind == FPFMT_KIND_NORMAL)
        magnitude = mpfr_get_d(number->magnitude, MPFR_RNDN);
    return number->negative ? -magnitude : magnitude;
}

static void start_elements(void)
{
    static const char *const names[] = { "e5m2", "e4m3", "e4m3fnuz", "e8m0", "int8f6" };
    oracle_number number;
    oracle_start(&number);
    for (unsigned i = 0; i < ELEMENTS; i++) {
        oracle_format *reference = &references[i / CODES];
        fpfmt_format format = *fpfmt_at(0);
        if (i % CODES == 0)
            *reference = i / CODES < FORMATS - 1 ? *oracle_named(names[i / CODES])
                                                 : oracle_p3109(8, 3, true, true);
        fpfmt_find(&format, reference->name);
        oracle_decode(reference, i % CODES, &number);
        elements[i] = (element){ .format = reference->name,
                                 .code = i % CODES,
                                 .value = fpfmt_decode(&format, i % CODES),
                                 .nan = number.kind >= FPFMT_KIND_QUIET_NAN,
                                 .signaling = number.kind == FPFMT_KIND_SIGNALING_NAN,
                                 .negative = number.negative,
                                 .payload = number.payload,
                                 .number = number_of(&number) };
    }
    oracle_stop(&number);
}

/* Every pair of codes, of one format and of two. */
static void each_pair(void (*check)(const element *, const element *))
{
    for (size_t i = 0; i < ELEMENTS; i++)
        for (size_t j = i % SAMPLE; j < ELEMENTS; j += SAMPLE)
            check(&elements[i], &elements[j]);
}

#define PAIR "%s 0x%02x and %s 0x%02x"
#define PAIR_OF(a, b) (a)->format, (a)->code, (b)->format, (b)->code

static fpfmt_relation expected_relation(double a, double b)
{
    return a < b ? FPFMT_LESS : a > b ? FPFMT_GREATER : FPFMT_EQUAL;
}

static void check_relation(const element *a, const element *b)
{
    unsigned quiet_flags = FPFMT_FLAG_INEXACT, signaling_flags = FPFMT_FLAG_INEXACT;
    fpfmt_relation quiet = fpfmt_compare_quiet(a->value, b->value, &quiet_flags);
    fpfmt_relation signaling = fpfmt_compare_signaling(a->value, b->value, &signaling_flags);
    bool nan = a->nan || b->nan, signals = a->signaling || b->signaling;
    fpfmt_relation expected = nan ? FPFMT_UNORDERED : expected_relation(a->number, b->number);
    CHECK(quiet == expected && signaling == expected, PAIR ": %d and %d, not %d", PAIR_OF(a, b),
          quiet, signaling, expected);
    CHECK((quiet_flags ^ FPFMT_FLAG_INEXACT) == (signals ? FPFMT_FLAG_INVALID : 0),
          PAIR ": quiet flags %x", PAIR_OF(a, b), quiet_flags);
    CHECK((signaling_flags ^ FPFMT_FLAG_INEXACT) == (nan ? FPFMT_FLAG_INVALID : 0),
          PAIR ": signaling flags %x", PAIR_OF(a, b), signaling_flags);
}

static void relations(void)
{
    each_pair(check_relation);
    CHECK(fpfmt_compare_quiet(elements[0].value, elements[1].value, NULL) == FPFMT_LESS,
          "flags of NULL");
    for (uint8_t kind = FPFMT_KIND_ZERO; kind <= FPFMT_KIND_INFINITE; kind += FPFMT_KIND_INFINITE) {
        fpfmt_value a = { .kind = kind }, b = { .kind = kind, .exponent = 7, .significand = 5 };
        CHECK(fpfmt_compare_quiet(a, b, NULL) == FPFMT_EQUAL && fpfmt_total_order(a, b) == 0,
              "fields that kind %d does not use", kind);
    }
}

static int sign(double x)
{
    return (x > 0) - (x < 0);
}

/* How far up NaN stands beyond its infinity: IEEE 754-2019 5.10 d 3. */
static double nan_height(const element *e)
{
    return 1 + (double)e->payload + (e->signaling ? 0 : 1e9);
}

/* IEEE 754-2019 5.10 by its letters. */
static int total_order(const element *a, const element *b)
{
    double x = a->nan ? copysign(nan_height(a), a->negative ? -1 : 1) : 0;
    double y = b->nan ? copysign(nan_height(b), b->negative ? -1 : 1) : 0;
    if (a->nan || b->nan)
        return sign(x - y); /* d */
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1; /* a, b */
    return b->negative - a->negative;          /* c 1 and 2: equal numbers of two signs are zeros */
}

static void check_order(const element *a, const element *b)
{
    element x = *a, y = *b;
    int order = fpfmt_total_order(a->value, b->value), expected = total_order(a, b);
    CHECK(order == expected, PAIR ": order %d, not %d", PAIR_OF(a, b), order, expected);
    x.number = fabs(x.number);
    y.number = fabs(y.number);
    x.negative = y.negative = false;
    order = fpfmt_total_order_magnitude(a->value, b->value);
    expected = total_order(&x, &y);
    CHECK(order == expected, PAIR ": order of magnitudes %d, not %d", PAIR_OF(a, b), order,
          expected);
    order = fpfmt_total_order_p3109(a->value, b->value);
    expected = a->nan || b->nan ? b->nan - a->nan : expected_relation(a->number, b->number);
    CHECK(order == expected, PAIR ": order of P3109 %d, not %d", PAIR_OF(a, b), order, expected);
}

static void orders(void)
{
    each_pair(check_order);
}

static int by_total_order(const void *a, const void *b)
{
    return fpfmt_total_order(((const element *)a)->value, ((const element *)b)->value);
}

/* If no element of a sorted row comes before one to its left, the order is transitive. */
static void order_is_total(void)
{
    static element sorted[ELEMENTS];
    memcpy(sorted, elements, sizeof sorted);
    qsort(sorted, ELEMENTS, sizeof sorted[0], by_total_order);
    for (size_t i = 0; i < ELEMENTS; i++)
        for (size_t j = i; j < ELEMENTS; j++) {
            int forth = by_total_order(&sorted[i], &sorted[j]);
            int back = by_total_order(&sorted[j], &sorted[i]);
            CHECK(forth <= 0 && back == -forth, PAIR ": %d and %d", PAIR_OF(&sorted[i], &sorted[j]),
                  forth, back);
        }
}

/* IEEE codes as integers of sign and magnitude, -0 below 0. */
static int64_t key(const oracle_format *reference, uint64_t code)
{
    uint64_t bit = (uint64_t)1 << (reference->bits - 1);
    return code & bit ? -1 - (int64_t)(code & ~bit) : (int64_t)code;
}

static void check_codes(const oracle_format *reference, const fpfmt_format *format, uint64_t a,
                        uint64_t b)
{
    int order = fpfmt_total_order(fpfmt_decode(format, a), fpfmt_decode(format, b));
    int64_t x = key(reference, a), y = key(reference, b);
    CHECK(order == (x > y) - (x < y), "%s 0x%" PRIx64 " and 0x%" PRIx64 ": order %d",
          reference->name, a, b, order);
}

static void order_of_codes(void)
{
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        if (reference->kind != ORACLE_IEEE || !reference->is_signed)
            continue;
        fpfmt_format format = found(reference);
        for (unsigned n = 0; n < 65536; n += SAMPLE) {
            uint64_t a = sample_code(reference, n), b = sample_code(reference, n * 31 % 2048);
            check_codes(reference, &format, a, b);
            check_codes(reference, &format, a, a ^ (uint64_t)1 << n % (unsigned)reference->bits);
            if (reference->bits == 8)
                check_codes(reference, &format, n >> 8, n & 255);
        }
    }
}

/* What IEEE 754-2019 9.6 and P3109 say of two numbers: is the first one to be taken? */
static bool first_is_taken(const element *a, const element *b, unsigned how)
{
    double x = a->number, y = b->number;
    bool maximum = how & FPFMT_SELECT_MAXIMUM;
    bool x_finite = isfinite(x), y_finite = isfinite(y);
    if (how & FPFMT_SELECT_FINITE && x_finite != y_finite)
        return x_finite;
    if (how & FPFMT_SELECT_MAGNITUDE && fabs(x) != fabs(y))
        return maximum ? fabs(x) > fabs(y) : fabs(x) < fabs(y);
    if (x != y)
        return maximum ? x > y : x < y;
    return maximum ? !a->negative : a->negative; /* -0 is less than 0 */
}

static const element *expected_selection(const element *a, const element *b, unsigned how)
{
    if (a->nan && b->nan)
        return a;
    if (a->nan || b->nan)
        return a->nan == ((how & FPFMT_SELECT_NUMBER) == 0) ? a : b;
    return first_is_taken(a, b, how) ? a : b;
}

static void check_selection(const element *a, const element *b)
{
    unsigned expected_flags = a->signaling || b->signaling ? FPFMT_FLAG_INVALID : 0;
    for (unsigned how = 0; how < 16; how++) {
        unsigned flags = 0;
        fpfmt_value value = fpfmt_select(how, a->value, b->value, &flags);
        const element *e = expected_selection(a, b, how);
        bool kept = value.kind == (e->signaling ? FPFMT_KIND_QUIET_NAN : e->value.kind);
        /* Of two that are alike but for their formats either will do. */
        kept |= !e->nan && a->number == b->number && value.kind < FPFMT_KIND_INFINITE;
        CHECK(kept && value.negative == e->value.negative &&
                  value.significand == e->value.significand &&
                  value.exponent == e->value.exponent && flags == expected_flags,
              PAIR ", how %u: kind %d %016" PRIx64 " * 2^(%d-63), flags %x", PAIR_OF(a, b), how,
              value.kind, value.significand, (int)value.exponent, flags);
    }
}

static void selections(void)
{
    each_pair(check_selection);
}

/* With two tails in one place nobody knows: they are taken for alike here. */
static void check_tails(fpfmt_value a, fpfmt_value b)
{
    if (a.inexact && b.inexact)
        b.inexact = a.inexact;
    oracle_number x, y;
    oracle_start(&x);
    oracle_start(&y);
    oracle_set_value(&x, a);
    oracle_set_value(&y, b);
    bool numbers = x.kind == FPFMT_KIND_NORMAL && y.kind == FPFMT_KIND_NORMAL;
    if (numbers) {
        int relation = fpfmt_compare_quiet(a, b, NULL), order = fpfmt_total_order(a, b);
        mpfr_setsign(x.magnitude, x.magnitude, a.negative, MPFR_RNDN);
        mpfr_setsign(y.magnitude, y.magnitude, b.negative, MPFR_RNDN);
        int expected = mpfr_cmp(x.magnitude, y.magnitude);
        expected = (expected > 0) - (expected < 0);
        CHECK(order == expected, "order %d, not %d", order, expected);
        if (expected == 0 && a.inexact)
            expected = FPFMT_UNORDERED;
        CHECK(relation == expected,
              "%d %016" PRIx64 "%s * 2^(%d-63), %d %016" PRIx64 "%s * 2^(%d-63): %d, not %d",
              a.negative, a.significand, a.inexact ? "+" : "", (int)a.exponent, b.negative,
              b.significand, b.inexact ? "+" : "", (int)b.exponent, relation, expected);
    }
    oracle_stop(&x);
    oracle_stop(&y);
}

static void tails(void)
{
    print_seed();
    for (unsigned n = 0; n < 20000; n += SAMPLE) {
        fpfmt_value a = sample_value(n);
        for (unsigned change = 0; change < 24; change++) {
            fpfmt_value b = a;
            b.inexact = change & 1;
            b.negative ^= (change & 2) != 0 && n % 4 == 0;
            b.exponent += (int32_t)(change >> 2 & 1) * (n % 2 ? 1 : -1);
            if (change >> 3 == 1)
                b.significand ^= UINT64_C(1) << n % 63;
            else if (change >> 3 == 2)
                b.significand = (b.significand + 1) | UINT64_C(1) << 63;
            check_tails(a, b);
            check_tails(b, a);
        }
        check_tails(a, sample_value(n));
    }
}

/* A column of a line of vectors, as "1:10": the result and the flags. */
static void check_column(const char *line, const char *column, bool holds, unsigned flags)
{
    unsigned expected = 2, expected_flags = 0;
    sscanf(column, "%u:%x", &expected, &expected_flags);
    CHECK(holds == expected && flags == expected_flags, "%s: %d:%02x, not %s", line, holds, flags,
          column);
}

static void check_line(const fpfmt_format *format, const char *line)
{
    uint64_t a, b;
    char column[6][8];
    unsigned quiet_flags = 0, signaling_flags = 0;
    if (!CHECK(sscanf(line, "%" SCNx64 " %" SCNx64 " | %7s %7s %7s %7s %7s %7s", &a, &b, column[0],
                      column[1], column[2], column[3], column[4], column[5]) == 8,
               "%s is no row", line))
        return;
    fpfmt_value x = fpfmt_decode(format, a), y = fpfmt_decode(format, b);
    fpfmt_relation quiet = fpfmt_compare_quiet(x, y, &quiet_flags);
    fpfmt_relation signaling = fpfmt_compare_signaling(x, y, &signaling_flags);
    check_column(line, column[0], quiet == FPFMT_EQUAL, quiet_flags);
    check_column(line, column[1], signaling <= FPFMT_EQUAL, signaling_flags);
    check_column(line, column[2], signaling == FPFMT_LESS, signaling_flags);
    check_column(line, column[3], signaling == FPFMT_EQUAL, signaling_flags);
    check_column(line, column[4], quiet <= FPFMT_EQUAL, quiet_flags);
    check_column(line, column[5], quiet == FPFMT_LESS, quiet_flags);
}

static void softfloat_comparisons(void)
{
    static const char *const files[][2] = { { "fp16", "testfloat/cmp16.txt" },
                                            { "fp32", "testfloat/cmp32.txt" },
                                            { "fp64", "testfloat/cmp64.txt" } };
    static cell_file file;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!open_cells(&file, files[i][1]))
            continue;
        for (char *line; (line = next_row(&file)) != NULL;)
            check_line(fpfmt_named(files[i][0]), line);
        CHECK(file.rows > 1000, "%s has %" PRIu64 " rows", files[i][1], file.rows);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "all pairs of codes compare as doubles, quiet and signaling", relations },
        { "all pairs of codes are ordered as IEEE 754 and P3109 say", orders },
        { "the total order is antisymmetric and transitive", order_is_total },
        { "the total order of IEEE codes is that of sign-magnitude integers", order_of_codes },
        { "all pairs of codes are selected from in all 16 ways", selections },
        { "values with a cut tail compare exactly", tails },
        { "comparisons of SoftFloat agree, flags too", softfloat_comparisons },
    };
    start_elements();
    return run_tests("compare", tests, sizeof tests / sizeof tests[0]);
}
