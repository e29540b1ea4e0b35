/* test_parse.c - what is read as a number, how far, and what is not
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comma.h"
#include "decimals.h"
#include "runner.h"

enum { TEXT = 256 };

static char text[TEXT];
static mpq_t ratio;

/* Texts and the same in a form that GMP reads. */
static void forms(void)
{
    static const char *const forms[][2] = {
        { "0", "0" },
        { "+0", "0" },
        { "00.00", "0" },
        { ".5", "1/2" },
        { "5.", "5" },
        { "-.5e1", "-5" },
        { "1_000", "1000" },
        { "1_0.0_1", "1001/100" },
        { "0x1_0", "16" },
        { "1e1_0", "10000000000" },
        { "0x.8", "1/2" },
        { "0b101", "5" },
        { "-0B1_1", "-3" },
        { "0b1.01", "5/4" },
        { "0b.1", "1/2" },
        { "0b101p-1", "5/2" },
        { "0b1/0b11", "1/3" },
        { "\xe2\x88\x92"
          "1.5",
          "-3/2" },
        { "1e\xe2\x88\x92"
          "1",
          "1/10" },
        { "1/\xe2\x88\x92"
          "3",
          "-1/3" },
        { "2^\xe2\x88\x92"
          "1",
          "1/2" },
        { "1.0f", "1" },
        { "1.f", "1" },
        { ".5F", "1/2" },
        { "1e1f", "10" },
        { "0x1p-3f", "1/8" },
        { "0x.8p0F", "1/2" },
        { "1.5F16", "3/2" },
        { "1.5f32", "3/2" },
        { "1.5f64", "3/2" },
        { "1.5bf16", "3/2" },
        { "1.5BF16", "3/2" },
        { "0.1f", "1/10" },
        { "0.5f/1.5f", "1/3" },
        { "0.5f^2", "1/4" },
        { "0x1.8f", "399/256" },
        { "0x1.8", "3/2" },
        { "0x8.p-3", "1" },
        { "1/3", "1/3" },
        { "-1/3", "-1/3" },
        { "1/-3", "-1/3" },
        { "-1/-3", "1/3" },
        { "2/6", "1/3" },
        { "1.5/0.25", "6" },
        { "1 / 3", "1/3" },
        { "0/5", "0" },
        { "0x10/0x3", "16/3" },
        { "1e2/3", "100/3" },
        { "2^10", "1024" },
        { "2^-10", "1/1024" },
        { "10^3", "1000" },
        { "0.5^2", "1/4" },
        { "-2^2", "-4" },
        { "2^0", "1" },
        { "0^0", "1" },
        { "0^5", "0" },
        { "1^-20000", "1" },
        { "0x10^2", "256" },
        { "3^2/2^3", "9/8" },
        { "1/2^3", "1/8" },
        { "10^+2", "100" },
        { "2 ^ 3", "8" },
        { "1e0", "1" },
        { "1e-0", "1" },
        { "1e+000000000000001", "10" },
        { "0e99999999999", "0" },
        { "0x0p99999999999", "0" },
        { "0.000e-99999999999", "0" },
        { "18446744073709551615", "18446744073709551615" },
        { "18446744073709551616", "18446744073709551616" },
        { "36893488147419103233", "36893488147419103233" },
        { "0x8000000000000000p0", "9223372036854775808" },
        { "0xffffffffffffffffp0", "18446744073709551615" },
        { "0x1ffffffffffffffffp0", "36893488147419103231" },
        { "1.00000000000000000000000000000001",
          "100000000000000000000000000000001/100000000000000000000000000000000" },
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        fpfmt_ratio read;
        const char *why = "untouched";
        snprintf(text, sizeof text, "%s", forms[i][0]);
        mpq_set_str(ratio, forms[i][1], 10);
        mpq_canonicalize(ratio);
        check_read(text, ratio, false);
        CHECK(fpfmt_parse_ratio(&read, text, strlen(text), &why) == strlen(text) && why == NULL &&
                  same_value(fpfmt_ratio_value(&read), ratio_to_value(ratio)),
              "%s is not read as a ratio: %s", text, why == NULL ? "-" : why);
    }
    strcpy(text, "-0");
    mpq_set_ui(ratio, 0, 1);
    check_read(text, ratio, true);
    strcpy(text, "-0x0p0");
    check_read(text, ratio, true);
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
        { "\xe2\x88\x92inf", FPFMT_KIND_INFINITE, true, 0 },
        { "qnan", FPFMT_KIND_QUIET_NAN, false, 0 },
        { "-qNaN(1)", FPFMT_KIND_QUIET_NAN, true, 1 },
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
                  same_value(value, (fpfmt_value){ .kind = rows[i].kind,
                                                   .negative = rows[i].negative,
                                                   .significand = rows[i].payload }),
              "%s: kind %d payload 0x%" PRIx64, rows[i].text, value.kind, value.significand);
        CHECK(fpfmt_parse_ratio(&unread, rows[i].text, length, &why) == 0 && why != NULL,
              "%s is a ratio", rows[i].text);
    }
    fpfmt_parse(&value, "-nan(0x123)", 11, NULL);
    CHECK(fpfmt_encode(fpfmt_named("fp32"), value, NULL, NULL) == 0xFFC00123,
          "-nan(0x123) in fp32");
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
    static const struct {
        const char *text;
        int read;
    } rows[] = {
        { "", 0 },
        { " ", 0 },
        { "  ", 0 },
        { ".", 0 },
        { "+", 0 },
        { "-", 0 },
        { "--1", 0 },
        { "+-1", 0 },
        { "e5", 0 },
        { "_1", 0 },
        { "x", 0 },
        { " 1", 0 },
        { ".e1", 0 },
        { "0x.p1", 0 },
        { "(1)", 0 },
        { "\xD9\xA1", 0 },
        { "1e", 1 },
        { "1.0e+", 3 },
        { "1e+-5", 1 },
        { "1e5x", 3 },
        { "1e5.0", 3 },
        { "1.5.2", 3 },
        { "1,5", 1 },
        { "1 2", 1 },
        { "1_", 1 },
        { "1__0", 1 },
        { "1_.5", 1 },
        { "1._5", 2 },
        { "1e_5", 1 },
        { "1e5_", 3 },
        { "0x1p", 3 },
        { "0x1p+", 3 },
        { "0x1p1g", 5 },
        { "1.0L", 3 },
        { "1e5l", 3 },
        { "0x1p3L", 5 },
        { "1.0F128", 3 },
        { "1.0q", 3 },
        { "1.0f64x", 3 },
        { "1.0dd", 3 },
        { "1.0fx", 3 },
        { "1.0f_", 3 },
        { "1.0f1", 3 },
        { "1.0ff", 3 },
        { "0b", 1 },
        { "0b2", 1 },
        { "0b.", 1 },
        { "0b12", 3 },
        { "0b1.0f", 5 },
        { "\xe2\x88", 0 },
        { "\xe2\x88\x92", 0 },
        { "-\xe2\x88\x92"
          "1",
          0 },
        { "1\xe2\x88\x92"
          "2",
          1 },
        { "0x1g", 3 },
        { "1f", 1 },
        { "12abc", 2 },
        { "inf1", 3 },
        { "infi", 3 },
        { "nanx", 3 },
        { "nan(abcdefg", 3 },
        { "nan(1a)", 3 },
        { "nan(0x7) ", 8 },
        { "nan(0x)", 3 },
        { "nan(-1)", 3 },
        { "nan(1", 3 },
        { "nan(18446744073709551616)", 3 },
        { "nan(0x10000000000000000)", 3 },
        { "nan (1)", 3 },
        { "sna", 0 },
        { "na", 0 },
        { "in", 0 },
        { "1\n", 1 },
        { "1/3/5", 3 },
        { "2^3^2", 3 },
        { "2^0.5", 3 },
        { "0x", REFUSED },
        { "1/", REFUSED },
        { "1/x", REFUSED },
        { "2^", REFUSED },
        { "2^x", REFUSED },
        { "1/0", REFUSED },
        { "1/0.0", REFUSED },
        { "0^-1", REFUSED },
        { "1/1e", REFUSED },
        { "inf/2", 3 },
        { "2/inf", REFUSED },
        { "2^99999999999", REFUSED },
        { "1e4699/1e-4699", REFUSED },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_value value;
        fpfmt_ratio unused;
        const char *why = NULL;
        size_t length = strlen(rows[i].text),
               read = fpfmt_parse(&value, rows[i].text, length, &why);
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

/* A divisor with more digits than a ratio has room for would count as exact without its tail. */
static void long_divisors(void)
{
    enum { DIGITS = 4990 };
    static char quotient[DIGITS + 8];
    fpfmt_value value;
    fpfmt_ratio exact;
    for (int above = 0; above < 2; above++) {
        const char *why = NULL;
        size_t n = 0;
        if (above == 0)
            quotient[n++] = '1', quotient[n++] = '/';
        quotient[n++] = '1';
        quotient[n++] = '.';
        while (n < DIGITS)
            quotient[n++] = '0';
        quotient[n++] = '1';
        if (above == 1)
            quotient[n++] = '/', quotient[n++] = '3';
        CHECK(fpfmt_parse(&value, quotient, n, &why) < n && why != NULL,
              "a quotient whose %s is cut is read", above ? "dividend" : "divisor");
        CHECK(fpfmt_parse_ratio(&exact, quotient, n, NULL) == 0, "and as a ratio");
    }
}

/* The last digit of 1.000...01 is cut, but not forgotten. */
static void long_tail(void)
{
    enum { DIGITS = 4990 };
    static char number[DIGITS + 1];
    fpfmt_value value;
    memset(number, '0', sizeof number);
    number[0] = number[DIGITS] = '1';
    number[1] = '.';
    CHECK(fpfmt_parse(&value, number, sizeof number, NULL) == sizeof number && value.inexact &&
              value.exponent == 0 && value.significand == UINT64_C(1) << 63,
          "1 and 10^-4988 is exactly 1");
}

/* Powers of ten up to 4690 are told apart: log2(10) is 3.32192809. */
static void magnitudes(void)
{
    static const struct {
        const char *text;
        int exponent;
    } rows[] = {
        { "1e309", 1026 },        { "1e340", 1129 },
        { "1e400", 1328 },        { "1e4689", 15576 },
        { "1e-340", -1130 },      { "1e-400", -1329 },
        { "1e-4689", -15577 },    { "1e4700", 1 << 24 },
        { "-1e4700", 1 << 24 },   { "1e-4700", -(1 << 24) },
        { "0x1p15000", 15000 },   { "0x1p-15000", -15000 },
        { "0x1p15600", 1 << 24 }, { "0x1p-15600", -(1 << 24) },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_value value;
        size_t length = strlen(rows[i].text);
        CHECK(fpfmt_parse(&value, rows[i].text, length, NULL) == length &&
                  value.exponent == rows[i].exponent,
              "%s has exponent %d, not %d", rows[i].text, (int)value.exponent, rows[i].exponent);
    }
    fpfmt_value value;
    const char *quotient = "1e4000/1e3990";
    CHECK(fpfmt_parse(&value, quotient, strlen(quotient), NULL) == strlen(quotient) &&
              fpfmt_to_u64(value, NULL, NULL) == 10000000000 && !value.inexact,
          "1e4000/1e3990 is not 1e10");
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
            CHECK(fpfmt_parse(&value, copy, n, NULL) <= n, "more than %zu of %s are read", n,
                  whole);
            free(copy);
        }
}

static void locale(void)
{
    fpfmt_value value;
    if (!enter_comma_locale())
        return;
    CHECK(fpfmt_parse(&value, "1.5", 3, NULL) == 3 && value.significand == UINT64_C(3) << 62,
          "1.5");
    CHECK(fpfmt_parse(&value, "1,5", 3, NULL) == 1, "1,5");
    CHECK(fpfmt_print_exact(text, sizeof text, fpfmt_from_f64(1.5)) == 3 &&
              strcmp(text, "1.5") == 0,
          "1.5 is printed as %s", text);
    leave_comma_locale();
}

int main(void)
{
    static const struct test tests[] = {
        { "a quotient of too many digits is refused", long_divisors },
        { "a tail that is cut makes a number inexact", long_tail },
        { "exponents up to 4690 are told apart", magnitudes },
        { "separators, fractions, powers and limits are read exactly", forms },
        { "infinities, NaN and payloads are read", specials },
        { "malformed text is read as far as it goes, with the reason", malformed },
        { "only the given length is looked at", length_counts },
        { "the locale does not matter", locale },
    };
    mpq_init(ratio);
    return run_tests("parse", tests, sizeof tests / sizeof tests[0]);
}
