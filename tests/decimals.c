/* decimals.c - exact decimals and rationals of the tests, by GMP
 * SPDX-License-Identifier: MIT */

#include "decimals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

void decimal_to_ratio(mpq_t ratio, const char *digits, long exponent)
{
    const char *point = strchr(digits, '.');
    size_t length = strlen(digits),
           places = point == NULL ? 0 : length - (size_t)(point - digits) - 1;
    char *whole = malloc(length + 1);
    mpz_t power;
    snprintf(whole, length + 1, "%.*s%s", (int)(length - places - (point != NULL)), digits,
             point == NULL ? "" : point + 1);
    mpz_init(power);
    mpq_set_str(ratio, whole, 10);
    exponent -= (long)places;
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    if (exponent >= 0)
        mpz_mul(mpq_numref(ratio), mpq_numref(ratio), power);
    else
        mpz_set(mpq_denref(ratio), power);
    mpq_canonicalize(ratio);
    mpz_clear(power);
    free(whole);
}

bool ratio_to_decimal(char *digits, size_t size, long *point, const mpq_t ratio)
{
    mpz_t rest, five, whole;
    unsigned long twos, fives, places;
    bool ends;
    *point = 0;
    digits[0] = '\0';
    if (mpq_sgn(ratio) == 0)
        return true;
    mpz_init_set(rest, mpq_denref(ratio));
    mpz_init_set_ui(five, 5);
    mpz_init(whole);
    twos = mpz_scan1(rest, 0);
    mpz_tdiv_q_2exp(rest, rest, twos);
    fives = mpz_remove(rest, rest, five);
    places = twos > fives ? twos : fives;
    ends = mpz_cmp_ui(rest, 1) == 0;
    mpz_ui_pow_ui(whole, 10, places);
    mpz_mul(whole, whole, mpq_numref(ratio));
    mpz_abs(whole, whole);
    mpz_tdiv_q(whole, whole, mpq_denref(ratio));
    ends = ends && mpz_sizeinbase(whole, 10) + 2 < size;
    if (ends) {
        size_t length;
        mpz_get_str(digits, 10, whole);
        length = strlen(digits);
        *point = (long)length - (long)places;
        while (length > 0 && digits[length - 1] == '0')
            digits[--length] = '\0';
    }
    mpz_clears(rest, five, whole, NULL);
    return ends;
}

void lay_out(char *text, size_t size, bool negative, const char *digits, long point)
{
    const char *sign = negative ? "-" : "";
    int count = (int)strlen(digits);
    if (count == 0)
        snprintf(text, size, "%s0", sign);
    else if (point < -3 || point > 16)
        snprintf(text, size, "%s%c%s%se%ld", sign, digits[0], count > 1 ? "." : "", digits + 1,
                 point - 1);
    else if (point <= 0)
        snprintf(text, size, "%s0.%.*s%s", sign, (int)-point, "000", digits);
    else if (count <= point)
        snprintf(text, size, "%s%s%.*s", sign, digits, (int)(point - count), "0000000000000000");
    else
        snprintf(text, size, "%s%.*s.%s", sign, (int)point, digits, digits + point);
}

void value_to_ratio(mpq_t ratio, fpfmt_value value)
{
    mpfr_t magnitude;
    mpfr_init2(magnitude, 64);
    mpfr_set_uj_2exp(magnitude, value.kind == FPFMT_KIND_ZERO ? 0 : value.significand,
                     (intmax_t)value.exponent - 63, MPFR_RNDN);
    magnitude_to_ratio(ratio, magnitude);
    if (value.negative)
        mpq_neg(ratio, ratio);
    mpfr_clear(magnitude);
}

void magnitude_to_ratio(mpq_t ratio, const mpfr_t magnitude)
{
    mpq_set_ui(ratio, 0, 1);
    if (!mpfr_zero_p(magnitude))
        mpfr_get_q(ratio, magnitude);
}

fpfmt_value ratio_to_value(const mpq_t ratio)
{
    fpfmt_value value = { .kind = FPFMT_KIND_ZERO };
    mpz_t quotient, divisor, rest;
    long shift;
    if (mpq_sgn(ratio) == 0)
        return value;
    mpz_inits(quotient, divisor, rest, NULL);
    value.kind = FPFMT_KIND_NORMAL;
    value.negative = mpq_sgn(ratio) < 0;
    shift = (long)mpz_sizeinbase(mpq_numref(ratio), 2) -
            (long)mpz_sizeinbase(mpq_denref(ratio), 2) - 64;
    /* The quotient has 64 or 65 bits; with 65, one bit is cut as well. */
    for (;; shift++) {
        mpz_abs(quotient, mpq_numref(ratio));
        mpz_set(divisor, mpq_denref(ratio));
        if (shift < 0)
            mpz_mul_2exp(quotient, quotient, (mp_bitcnt_t)-shift);
        else
            mpz_mul_2exp(divisor, divisor, (mp_bitcnt_t)shift);
        mpz_tdiv_qr(quotient, rest, quotient, divisor);
        if (mpz_sizeinbase(quotient, 2) <= 64)
            break;
    }
    value.exponent = (int32_t)(shift + 63);
    value.significand = mpz_get_ui(quotient);
    if (mpz_sgn(rest) != 0) {
        mpz_mul_2exp(rest, rest, 1);
        int half = mpz_cmp(rest, divisor);
        value.inexact = half < 0    ? FPFMT_REMAINDER_BELOW_HALF
                        : half == 0 ? FPFMT_REMAINDER_HALF
                                    : FPFMT_REMAINDER_ABOVE_HALF;
    }
    mpz_clears(quotient, divisor, rest, NULL);
    return value;
}

bool same_value(fpfmt_value a, fpfmt_value b)
{
    bool finite = a.kind == FPFMT_KIND_SUBNORMAL || a.kind == FPFMT_KIND_NORMAL;
    bool nan = a.kind == FPFMT_KIND_QUIET_NAN || a.kind == FPFMT_KIND_SIGNALING_NAN;
    return a.kind == b.kind && a.negative == b.negative &&
           (!finite || (a.exponent == b.exponent && a.inexact == b.inexact)) &&
           (!(finite || nan) || a.significand == b.significand) &&
           (!nan || a.payload_bits == b.payload_bits);
}

void check_read(const char *text, const mpq_t expected, bool negative_zero)
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
}
