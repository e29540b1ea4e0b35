/* test_decimal.c - numbers of any length and size, against GMP's rationals
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
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
        check_read(text, ratio, negative && mpq_sgn(ratio) == 0);
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
        check_read(text, ratio, false);
    }
}

/* The text in every mode is what the oracle makes of the rational. */
static void check_rounds(const fpfmt_format *format, const oracle_format *reference,
                         const mpq_t exact)
{
    fpfmt_policy policy = { 0 };
    fpfmt_value value;
    size_t read = fpfmt_parse(&value, text, strlen(text), NULL);
    CHECK(read == strlen(text), "%.60s...: %zu characters read", text, read);
    oracle_set_ratio(&operand, exact);
    if (operand.kind == FPFMT_KIND_NORMAL)
        oracle_find(reference, &operand, &place);
    for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT;
         policy.rounding++) {
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
            uint64_t code = n < 3   ? n
                            : n < 6 ? reference->max + 4 - n
                                    : random_word() % reference->max;
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
            long exponent = form % 2 == 0 ? -counts[c]
                            : form == 1   ? 30 - counts[c]
                                          : -counts[c] - 30;
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
        "1e99999999999",
        "-1e99999999999",
        "1e4701",
        "9.99e4800",
        "1e-99999999999",
        "-1e-99999999999",
        "1e-4701",
        "0x1p99999999999",
        "-0x1p-99999999999",
        "0x1p20000",
        "0x1p-20000",
        "1e9223372036854775807",
        "1e-9223372036854775808",
        "1e99999999999999999999999999",
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

int main(void)
{
    static const struct test tests[] = {
        { "decimals of any length are read exactly", decimals },
        { "hexadecimal numbers are read exactly", hexadecimals },
        { "values and midpoints and 1100 digits beside them round right in every mode", midpoints },
        { "thousands of digits round right in every mode", very_long },
        { "exponents far beyond every format come out right", far_exponents },
    };
    mpq_inits(ratio, other, NULL);
    oracle_start(&operand);
    return run_tests("decimal", tests, sizeof tests / sizeof tests[0]);
}
