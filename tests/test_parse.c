/* test_parse.c - text to values, against GMP's rationals
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decimals.h"
#include "oracle.h"
#include "runner.h"
#include "samples.h"

enum { TEXT = 1 << 15 };

static char text[TEXT];
static oracle_number operand;
static oracle_place place;
static mpq_t ratio, other;

/* The text is read to its end as exactly this rational. Returns the value read. */
static fpfmt_value check_read(const mpq_t expected, bool negative_zero)
{
    fpfmt_value value = { .kind = 99 }, wanted = ratio_to_value(expected);
    const char *why = "untouched";
    size_t length = strlen(text), read = fpfmt_parse(&value, text, length, &why);
    wanted.negative |= negative_zero;
    if (CHECK(read == length && why == NULL, "%.80s: %zu of %zu characters, %s", text, read, length,
              why == NULL ? "-" : why))
        CHECK(same_value(value, wanted),
              "%.80s: %d %d %016" PRIx64 "%s * 2^(%d-63), not %016" PRIx64 "%s * 2^(%d-63)", text,
              value.kind, value.negative, value.significand, value.inexact ? "+" : "",
              (int)value.exponent, wanted.significand, wanted.inexact ? "+" : "",
              (int)wanted.exponent);
    return value;
}

/* A random decimal of count digits with a point among them or not. */
static void random_digits(char *digits, int count, int point)
{
    for (int i = 0; i < count; i++) {
        if (i == point)
            *digits++ = '.';
        *digits++ = (char)('0' + random_word() % 10);
    }
    *digits = '\0';
}

static void decimals(void)
{
    print_seed();
    for (unsigned n = 0; n < 6000; n += SAMPLE) {
        static char digits[1100];
        int count = n % 4 == 0 ? 1 + (int)(random_word() % 1000) : 1 + (int)(random_word() % 25);
        long exponent = n % 3 == 0 ? 0 : (long)(random_word() % (n % 3 == 1 ? 60 : 700)) - 330;
        bool negative = random_word() % 2;
        random_digits(digits, count, n % 5 == 0 ? -1 : (int)(random_word() % (unsigned)count));
        decimal_to_ratio(ratio, digits, exponent);
        if (negative)
            mpq_neg(ratio, ratio);
        if (exponent == 0)
            snprintf(text, sizeof text, "%s%s", negative ? "-" : "", digits);
        else
            snprintf(text, sizeof text, "%s%s%c%+ld", negative ? "-" : "+", digits, "eE"[n % 2],
                     exponent);
        check_read(ratio, negative && mpq_sgn(ratio) == 0);
    }
}

static void hexadecimals(void)
{
    for (unsigned n = 0; n < 6000; n += SAMPLE) {
        static char digits[700];
        int count = n % 8 == 0 ? 1 + (int)(random_word() % 600) : 1 + (int)(random_word() % 20);
        int point = n % 3 == 0 ? -1 : (int)(random_word() % (unsigned)(count + 1)), places = 0;
        long exponent = (long)(random_word() % 2400) - 1200;
        char *at = digits;
        mpz_set_ui(mpq_numref(ratio), 0);
        mpz_set_ui(mpq_denref(ratio), 1);
        for (int i = 0; i <= count; i++) {
            unsigned digit = n % 16 == 1 ? 0 : (unsigned)(random_word() % 16);
            if (i == point)
                *at++ = '.';
            if (i == count)
                break;
            places += point >= 0 && i >= point;
            *at++ = (n % 2 == 0 ? "0123456789abcdef" : "0123456789ABCDEF")[digit];
            mpz_mul_ui(mpq_numref(ratio), mpq_numref(ratio), 16);
            mpz_add_ui(mpq_numref(ratio), mpq_numref(ratio), digit);
        }
        *at = '\0';
        snprintf(text, sizeof text, "0x%sp%ld", digits, exponent);
        if (n % 5 == 0) {
            exponent = 0;
            snprintf(text, sizeof text, "0X%s", digits);
        }
        exponent -= 4 * places;
        if (exponent >= 0)
            mpq_mul_2exp(ratio, ratio, (mp_bitcnt_t)exponent);
        else
            mpq_div_2exp(ratio, ratio, (mp_bitcnt_t)-exponent);
        check_read(ratio, false);
    }
}

/* Texts and the same in a form that GMP reads. */
static void forms(void)
{
    static const char *const forms[][2] = {
        { "0", "0" },           { "+0", "0" },          { "00.00", "0" },       { ".5", "1/2" },
        { "5.", "5" },          { "-.5e1", "-5" },      { "1_000", "1000" },    { "1_0.0_1", "1001/100" },
        { "0x1_0", "16" },      { "1e1_0", "10000000000" }, { "0x.8", "1/2" },  { "0x1.8", "3/2" },
        { "0x8.p-3", "1" },     { "1/3", "1/3" },       { "-1/3", "-1/3" },     { "1/-3", "-1/3" },
        { "-1/-3", "1/3" },     { "2/6", "1/3" },       { "1.5/0.25", "6" },    { "1 / 3", "1/3" },
        { "0/5", "0" },         { "0x10/0x3", "16/3" }, { "1e2/3", "100/3" },   { "2^10", "1024" },
        { "2^-10", "1/1024" },  { "10^3", "1000" },     { "0.5^2", "1/4" },     { "-2^2", "-4" },
        { "2^0", "1" },         { "0^0", "1" },         { "0^5", "0" },         { "1^-20000", "1" },
        { "0x10^2", "256" },    { "3^2/2^3", "9/8" },   { "1/2^3", "1/8" },     { "10^+2", "100" },
        { "2 ^ 3", "8" },       { "1e0", "1" },         { "1e-0", "1" },        { "1e+000000000000001", "10" },
        { "0e99999999999", "0" }, { "0x0p99999999999", "0" }, { "0.000e-99999999999", "0" },
        { "18446744073709551615", "18446744073709551615" },
        { "18446744073709551616", "18446744073709551616" },
        { "36893488147419103233", "36893488147419103233" },
        { "0x8000000000000000p0", "9223372036854775808" },
        { "0xffffffffffffffffp0", "18446744073709551615" },
        { "0x1ffffffffffffffffp0", "36893488147419103231" },
        { "1.00000000000000000000000000000001", "100000000000000000000000000000001/100000000000000000000000000000000" },
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        fpfmt_ratio read;
        const char *why = "untouched";
        snprintf(text, sizeof text, "%s", forms[i][0]);
        mpq_set_str(ratio, forms[i][1], 10);
        mpq_canonicalize(ratio);
        check_read(ratio, false);
        CHECK(fpfmt_parse_ratio(&read, text, strlen(text), &why) == strlen(text) && why == NULL &&
                  same_value(fpfmt_ratio_value(&read), ratio_to_value(ratio)),
              "%s is not read as a ratio: %s", text, why == NULL ? "-" : why);
    }
    strcpy(text, "-0");
    mpq_set_ui(ratio, 0, 1);
    check_read(ratio, true);
    strcpy(text, "-0x0p0");
    check_read(ratio, true);
}

static void specials(void)
{
    static const struct {
        const char *text;
        uint8_t kind;
        bool negative;
        uint64_t payload;
    } rows[] = {
        { "inf", FPFMT_KIND_INFINITE, false, 0 },
        { "-inf", FPFMT_KIND_INFINITE, true, 0 },
        { "+Infinity", FPFMT_KIND_INFINITE, false, 0 },
        { "INF", FPFMT_KIND_INFINITE, false, 0 },
        { "nan", FPFMT_KIND_QUIET_NAN, false, 0 },
        { "-NaN", FPFMT_KIND_QUIET_NAN, true, 0 },
        { "nan()", FPFMT_KIND_QUIET_NAN, false, 0 },
        { "nan(0x20)", FPFMT_KIND_QUIET_NAN, false, 0x20 },
        { "nan(32)", FPFMT_KIND_QUIET_NAN, false, 32 },
        { "-nan(0x123)", FPFMT_KIND_QUIET_NAN, true, 0x123 },
        { "nan(0xFFFFFFFFFFFFFFFF)", FPFMT_KIND_QUIET_NAN, false, UINT64_MAX },
        { "nan(18446744073709551615)", FPFMT_KIND_QUIET_NAN, false, UINT64_MAX },
        { "snan", FPFMT_KIND_SIGNALING_NAN, false, 0 },
        { "-snan(0x1)", FPFMT_KIND_SIGNALING_NAN, true, 1 },
        { "SNAN(7)", FPFMT_KIND_SIGNALING_NAN, false, 7 },
    };
    fpfmt_value value;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_ratio unread;
        const char *why = "untouched";
        size_t length = strlen(rows[i].text);
        CHECK(fpfmt_parse(&value, rows[i].text, length, &why) == length && why == NULL &&
                  same_value(value, (fpfmt_value){ .kind = rows[i].kind, .negative = rows[i].negative,
                                                   .significand = rows[i].payload }),
              "%s: kind %d payload 0x%" PRIx64, rows[i].text, value.kind, value.significand);
        CHECK(fpfmt_parse_ratio(&unread, rows[i].text, length, &why) == 0 && why != NULL,
              "%s is a ratio", rows[i].text);
    }
    fpfmt_parse(&value, "-nan(0x123)", 11, NULL);
    CHECK(fpfmt_encode(fpfmt_named("fp32"), value, NULL, NULL) == 0xFFC00123, "-nan(0x123) in fp32");
    fpfmt_parse(&value, "-nan", 4, NULL);
    CHECK(fpfmt_encode(fpfmt_named("fp16"), value, NULL, NULL) == 0xFE00, "-nan in fp16");
    fpfmt_parse(&value, "snan(1)", 7, NULL);
    CHECK(fpfmt_encode(fpfmt_named("fp16"), value, &(fpfmt_policy){ .nan = FPFMT_NAN_PRESERVE },
                       NULL) == 0x7C01,
          "snan(1) in fp16");
}

/* What cannot be read, and how far it can; REFUSED: not to the end, and the reason is told. */
static void malformed(void)
{
    enum { REFUSED = -1 };
    static const struct { const char *text; int read; } rows[] = {
        { "", 0 },            { " ", 0 },        { "  ", 0 },        { ".", 0 },        { "+", 0 },
        { "-", 0 },           { "--1", 0 },      { "+-1", 0 },       { "e5", 0 },       { "_1", 0 },
        { "x", 0 },           { " 1", 0 },       { ".e1", 0 },       { "0x.p1", 0 },    { "(1)", 0 },
        { "\xD9\xA1", 0 },    { "1e", 1 },       { "1.0e+", 3 },     { "1e+-5", 1 },    { "1e5x", 3 },
        { "1e5.0", 3 },       { "1.5.2", 3 },    { "1,5", 1 },       { "1 2", 1 },      { "1_", 1 },
        { "1__0", 1 },        { "1_.5", 1 },     { "1._5", 2 },      { "1e_5", 1 },     { "1e5_", 3 },
        { "0x1p", 3 },        { "0x1p+", 3 },    { "0x1p1f", 5 },    { "0x1g", 3 },     { "1f", 1 },
        { "12abc", 2 },       { "inf1", 3 },     { "infi", 3 },      { "nanx", 3 },     { "nan(abcdefg", 3 },
        { "nan(1a)", 3 },     { "nan(0x7) ", 8 }, { "nan(0x)", 3 },  { "nan(-1)", 3 },  { "nan(1", 3 },
        { "nan(18446744073709551616)", 3 },      { "nan(0x10000000000000000)", 3 },     { "nan (1)", 3 },
        { "sna", 0 },         { "na", 0 },       { "in", 0 },        { "1\n", 1 },      { "1/3/5", 3 },
        { "2^3^2", 3 },       { "2^0.5", 3 },    { "0x", REFUSED },  { "1/", REFUSED }, { "1/x", REFUSED },
        { "2^", REFUSED },    { "2^x", REFUSED }, { "1/0", REFUSED }, { "1/0.0", REFUSED }, { "0^-1", REFUSED },
        { "1/1e", REFUSED },  { "inf/2", 3 },    { "2/inf", REFUSED }, { "2^99999999999", REFUSED },
        { "1e4699/1e-4699", REFUSED },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_value value;
        fpfmt_ratio unused;
        const char *why = NULL;
        size_t length = strlen(rows[i].text), read = fpfmt_parse(&value, rows[i].text, length, &why);
        bool as_told = rows[i].read == REFUSED ? read < length : read == (size_t)rows[i].read;
        CHECK(as_told && why != NULL && strlen(why) > 8, "\"%s\": %zu characters read, %s",
              rows[i].text, read, why == NULL ? "no reason" : why);
        CHECK(fpfmt_parse(&value, rows[i].text, length, NULL) == read, "\"%s\" without why",
              rows[i].text);
        why = NULL;
        CHECK(fpfmt_parse_ratio(&unused, rows[i].text, length, &why) < (length > 0 ? length : 1) &&
                  why != NULL,
              "\"%s\" is read as a ratio", rows[i].text);
    }
}

/* Only length counts, not a NUL. */
static void length_counts(void)
{
    static const char digits[6] = { '1', '2', '3', '4', '5', '6' };
    static const uint64_t prefixes[] = { 1, 12, 123, 1234, 12345, 123456 };
    for (size_t n = 1; n <= sizeof digits; n++) {
        fpfmt_value value;
        char *copy = malloc(n); /* of this size, so that a sanitizer sees what lies behind */
        memcpy(copy, digits, n);
        CHECK(fpfmt_parse(&value, copy, n, NULL) == n &&
                  fpfmt_to_u64(value, NULL, NULL) == prefixes[n - 1],
              "the first %zu digits", n);
        free(copy);
    }
    for (const char *whole = "-0x1.8p+12/snan(0x3)1e5_0^-7"; *whole != '\0'; whole++)
        for (size_t n = 0; n <= strlen(whole); n++) {
            fpfmt_value value;
            char *copy = malloc(n + (n == 0));
            memcpy(copy, whole, n);
            CHECK(fpfmt_parse(&value, copy, n, NULL) <= n, "more than %zu of %s are read", n, whole);
            free(copy);
        }
}

/* The text in every mode is what the oracle makes of the rational. */
static void check_rounds(const fpfmt_format *format, const oracle_format *reference, const mpq_t exact)
{
    fpfmt_policy policy = { 0 };
    fpfmt_value value;
    size_t read = fpfmt_parse(&value, text, strlen(text), NULL);
    CHECK(read == strlen(text), "%.60s...: %zu characters read", text, read);
    oracle_set_ratio(&operand, exact);
    if (operand.kind == FPFMT_KIND_NORMAL)
        oracle_find(reference, &operand, &place);
    for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_COUNT; policy.rounding++) {
        unsigned flags = 0, expected_flags = 0;
        uint64_t code = fpfmt_encode(format, value, &policy, &flags);
        uint64_t expected = oracle_choose(reference, &operand, &place, &policy, &expected_flags);
        CHECK(code == expected && flags == expected_flags,
              "%s of %.60s..., rounding %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
              format->name, text, policy.rounding, code, flags, expected, expected_flags);
    }
}

/* The decimal of ratio (positive), and just above and below it in its 1100th digit. */
static void check_beside(const fpfmt_format *format, const oracle_format *reference)
{
    static char digits[1200];
    enum { LAST = 1100 };
    long point;
    size_t count;
    if (mpq_sgn(ratio) == 0 || !CHECK(ratio_to_decimal(digits, sizeof digits, &point, ratio),
                                      "%s: a midpoint takes more digits", format->name))
        return;
    count = strlen(digits);
    memset(digits + count, '0', LAST - count);
    digits[LAST] = '\0';
    for (int beside = -1; beside <= 1; beside++) {
        if (beside > 0)
            digits[LAST - 1] = '1';
        if (beside < 0) { /* borrow from the last digit that is not 0 */
            digits[count - 1]--;
            memset(digits + count, '9', LAST - count);
        }
        snprintf(text, sizeof text, "0.%se%ld", digits, point);
        decimal_to_ratio(other, digits, point - LAST);
        check_rounds(format, reference, other);
        if (beside < 0) {
            digits[count - 1]++;
            memset(digits + count, '0', LAST - count);
        }
    }
}

static void midpoints(void)
{
    mpfr_t low, high;
    mpfr_inits2(64, low, high, (mpfr_ptr)NULL);
    for (size_t i = 0; i < oracle_format_count; i++) {
        const oracle_format *reference = &oracle_formats[i];
        fpfmt_format format = found(reference);
        for (unsigned n = 0; n < 24; n += SAMPLE) {
            uint64_t code = n < 3 ? n : n < 6 ? reference->max + 4 - n : random_word() % reference->max;
            oracle_magnitude(low, reference, code);
            oracle_magnitude(high, reference, code + 1);
            magnitude_to_ratio(ratio, low);
            check_beside(&format, reference);
            mpfr_add(low, low, high, MPFR_RNDN);
            mpfr_div_2ui(low, low, 1, MPFR_RNDN);
            magnitude_to_ratio(ratio, low);
            check_beside(&format, reference);
        }
    }
    mpfr_clears(low, high, (mpfr_ptr)NULL);
}

/* More digits than a ratio has room for, and exponents beyond every format. */
static void very_long(void)
{
    static char digits[12001];
    static const int counts[] = { 2000, 4800, 4900, 5000, 9000, 12000 };
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (int form = 0; form < 6; form++) {
            long exponent = form % 2 == 0 ? -counts[c] : form == 1 ? 30 - counts[c] : -counts[c] - 30;
            random_digits(digits, counts[c], -1);
            if (form >= 4) { /* a midpoint of fp16 and a tail far away */
                memset(digits, '0', (size_t)counts[c]);
                memcpy(digits, "100048828125", 12);
                digits[counts[c] - 1] = form == 4 ? '1' : '0';
                exponent = 1 - counts[c];
            }
            snprintf(text, sizeof text, "%se%ld", digits, exponent);
            decimal_to_ratio(ratio, digits, exponent);
            for (size_t i = 0; i < oracle_format_count; i += SAMPLE) {
                fpfmt_format format = found(&oracle_formats[i]);
                check_rounds(&format, &oracle_formats[i], ratio);
            }
        }
}

static void far_exponents(void)
{
    static const char *const texts[] = {
        "1e99999999999", "-1e99999999999", "1e4701", "9.99e4800", "1e-99999999999", "-1e-99999999999",
        "1e-4701", "0x1p99999999999", "-0x1p-99999999999", "0x1p20000", "0x1p-20000",
        "1e9223372036854775807", "1e-9223372036854775808", "1e99999999999999999999999999",
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        bool small = strstr(texts[t], "e-") != NULL || strstr(texts[t], "p-") != NULL;
        snprintf(text, sizeof text, "%s", texts[t]);
        mpq_set_si(ratio, texts[t][0] == '-' ? -1 : 1, 1);
        if (small)
            mpq_div_2exp(ratio, ratio, 5000);
        else
            mpq_mul_2exp(ratio, ratio, 5000);
        for (size_t i = 0; i < oracle_format_count; i++) {
            fpfmt_format format = found(&oracle_formats[i]);
            check_rounds(&format, &oracle_formats[i], ratio);
        }
    }
}

static void locale(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8" };
    const char *set = NULL;
    fpfmt_value value;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && set == NULL; i++)
        set = setlocale(LC_ALL, names[i]);
    if (set == NULL) {
        skip_test("no locale with a decimal comma is installed");
        return;
    }
    CHECK(fpfmt_parse(&value, "1.5", 3, NULL) == 3 && value.significand == UINT64_C(3) << 62,
          "1.5 under %s", set);
    CHECK(fpfmt_parse(&value, "1,5", 3, NULL) == 1, "1,5 under %s", set);
    CHECK(fpfmt_print_exact(text, sizeof text, fpfmt_from_f64(1.5)) == 3 && strcmp(text, "1.5") == 0,
          "1.5 is printed as %s under %s", text, set);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    static const struct test tests[] = {
        { "decimals of any length are read exactly", decimals },
        { "hexadecimal numbers are read exactly", hexadecimals },
        { "separators, fractions, powers and limits are read exactly", forms },
        { "infinities, NaN and payloads are read", specials },
        { "malformed text is read as far as it goes, with the reason", malformed },
        { "only the given length is looked at", length_counts },
        { "values and midpoints and 1100 digits beside them round right in every mode", midpoints },
        { "thousands of digits round right in every mode", very_long },
        { "exponents far beyond every format come out right", far_exponents },
        { "the locale does not matter", locale },
    };
    mpq_inits(ratio, other, NULL);
    oracle_start(&operand);
    return run_tests("parse", tests, sizeof tests / sizeof tests[0]);
}
