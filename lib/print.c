/* print.c - values, codes and ratios as text
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include <string.h>

#include "bits.h"
#include "natural.h"
#include "ratio.h"

/* DECIMAL_DIGITS: a natural of 512 limbs has up to 4933 digits. ROUND_TRIP: with 17 digits every
 * binary64, and so every value of a format, reads back: 1 + ceil(53 log10 2), IEEE 754-2019 5.12.2.
 */
enum { DECIMAL_DIGITS = 4960, ROUND_TRIP = 17 };

/* Text that is counted whole and written as far as it fits, as snprintf does: length is what it
 * would take without the NUL. */
typedef struct {
    char *text;
    size_t size, length;
} writer;

static void put(writer *out, char c)
{
    if (out->length + 1 < out->size)
        out->text[out->length] = c;
    out->length++;
}

static void put_text(writer *out, const char *text)
{
    for (; *text != '\0'; text++)
        put(out, *text);
}

static void put_integer(writer *out, int n)
{
    char digits[12];
    int count = 0;
    unsigned rest = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    do
        digits[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (n < 0)
        put(out, '-');
    while (count > 0)
        put(out, digits[--count]);
}

/* Ends the text, if there is any room, and returns its length. */
static size_t finish(writer *out)
{
    if (out->size > 0)
        out->text[out->length < out->size ? out->length : out->size - 1] = '\0';
    return out->length;
}

/* A decimal 0.d1d2d3... * 10^point without trailing zeros; no digits for zero. */
typedef struct {
    int count, point;
    char digit[DECIMAL_DIGITS];
} decimal;

/* 0.digits * 10^point, plain from 1e-4 to below 1e16, else with an exponent; no digits are 0. */
static void put_decimal(writer *out, bool negative, const char *digit, int count, int point)
{
    bool plain = point >= -3 && point <= 16;
    if (negative)
        put(out, '-');
    if (count == 0) {
        put(out, '0');
        return;
    }
    if (plain && point <= 0)
        put_text(out, "0.");
    for (int i = point; plain && i < 0; i++)
        put(out, '0');
    for (int i = 0; i < count; i++) {
        if (i > 0 && i == (plain ? point : 1))
            put(out, '.');
        put(out, digit[i]);
    }
    for (int i = count; plain && i < point; i++)
        put(out, '0');
    if (!plain) {
        put(out, 'e');
        put_integer(out, point - 1);
    }
}

/* The digits of n, which becomes 0: point counts them, and trailing zeros are dropped. They come
 * out last to first, nine at a time, and are moved to the front. */
static void digits_of(decimal *result, fpfmt_natural *n)
{
    enum { CHUNK = 1000000000 };
    int at = DECIMAL_DIGITS;
    while (n->length > 0) {
        uint32_t chunk = fpfmt_natural_divide_small(n, CHUNK);
        for (int i = 0; i < 9 && (chunk != 0 || n->length > 0); i++, chunk /= 10)
            result->digit[--at] = (char)('0' + chunk % 10);
    }
    result->count = result->point = DECIMAL_DIGITS - at;
    memmove(result->digit, result->digit + at, (size_t)result->count);
    while (result->count > 0 && result->digit[result->count - 1] == '0')
        result->count--;
}

/* Divides n by factor as often as it goes, and returns how often that was. */
static int remove_factor(fpfmt_natural *n, uint32_t factor)
{
    int times = 0;
    fpfmt_natural quotient;
    for (;; times++) {
        fpfmt_natural_copy(&quotient, n);
        if (fpfmt_natural_divide_small(&quotient, factor) != 0)
            return times;
        fpfmt_natural_copy(n, &quotient);
    }
}

/* The finite decimal of a ratio; false if there is none, or none that fits. The ratio is used up.
 * There is one if the denominator in lowest terms has no factors but 2 and 5: both sides are then
 * multiplied by the one that it has fewer of until it is a power of ten, whose exponent is the
 * places behind the point. Reducing is slow, and left out where the denominator is a power of two,
 * as for every value. */
static bool decimal_of(decimal *result, fpfmt_ratio *ratio)
{
    if (ratio->numerator.length == 0) {
        result->count = result->point = 0;
        return true;
    }
    fpfmt_natural *numerator = &ratio->numerator, rest;
    fpfmt_natural_copy(&rest, &ratio->denominator);
    int twos = fpfmt_natural_trailing_zeros(&rest);
    fpfmt_natural_shift_right(&rest, twos);
    if (fpfmt_natural_bits(&rest) > 1) {
        fpfmt_ratio_reduce(ratio);
        fpfmt_natural_copy(&rest, &ratio->denominator);
        twos = fpfmt_natural_trailing_zeros(&rest);
        fpfmt_natural_shift_right(&rest, twos);
    }
    int fives = remove_factor(&rest, 5), places = twos > fives ? twos : fives;
    if (fpfmt_natural_bits(&rest) > 1 ||
        !fpfmt_natural_multiply_power(numerator, 5, places - fives) ||
        !fpfmt_natural_shift_left(numerator, places - twos))
        return false;
    digits_of(result, numerator);
    result->point -= places;
    return true;
}

static size_t print_special(char *text, size_t size, fpfmt_value value)
{
    writer out = { text, size, 0 };
    if (fpfmt_value_is_infinite(value))
        put_text(&out, value.negative ? "-inf" : "inf");
    else
        put_text(&out, "nan");
    return finish(&out);
}

size_t fpfmt_print_exact(char *text, size_t size, fpfmt_value value)
{
    fpfmt_ratio ratio;
    decimal exact;
    writer out = { text, size, 0 };
    if (!fpfmt_value_is_finite(value))
        return print_special(text, size, value);
    if (!fpfmt_ratio_from(&ratio, value) || !decimal_of(&exact, &ratio))
        return finish(&out); /* nothing, as there is no exact decimal to print */
    put_decimal(&out, value.negative, exact.digit, exact.count, exact.point);
    return finish(&out);
}

size_t fpfmt_print_hex(char *text, size_t size, fpfmt_value value)
{
    writer out = { text, size, 0 };
    if (!fpfmt_value_is_finite(value))
        return print_special(text, size, value);
    if (value.negative)
        put(&out, '-');
    if (fpfmt_value_is_zero(value)) {
        put_text(&out, "0x0p+0");
        return finish(&out);
    }
    put_text(&out, "0x1");
    uint64_t fraction = value.significand << 1;
    if (fraction != 0)
        put(&out, '.');
    for (; fraction != 0; fraction <<= 4)
        put(&out, "0123456789abcdef"[fraction >> 60]);
    put_text(&out, value.exponent < 0 ? "p" : "p+");
    put_integer(&out, value.exponent);
    return finish(&out);
}

/* 0.digits * 10^point, of n digits, plus one in its last place. Nines at the end become zeros and
 * are dropped; if all are nines, the result is 1, one place further up. */
static void increment(char *digits, int *n, int *point)
{
    int i = *n;
    while (i > 0 && digits[i - 1] == '9')
        i--;
    if (i == 0) {
        digits[0] = '1';
        i = 1;
        ++*point;
    } else {
        digits[i - 1]++;
    }
    *n = i;
}

/* A decimal of at most 17 digits next to a code's value. */
typedef struct {
    char digit[ROUND_TRIP];
    int count, point;
} candidate;

/* The decimal of count digits at or below exact, or with up the one above; trailing zeros dropped.
 */
static candidate cut_to(const decimal *exact, int count, bool up)
{
    candidate cut = { .count = count, .point = exact->point };
    memcpy(cut.digit, exact->digit, (size_t)count);
    if (up)
        increment(cut.digit, &cut.count, &cut.point);
    while (cut.count > 1 && cut.digit[cut.count - 1] == '0')
        cut.count--;
    return cut;
}

/* Whether the decimal, read and rounded as anyone would under the default policy, gives the code.
 */
static bool reads_back(const candidate *cut, bool negative, const fpfmt_format *format,
                       uint64_t code)
{
    char text[ROUND_TRIP + 16];
    writer out = { text, sizeof text, 0 };
    fpfmt_value value;
    put_text(&out, negative ? "-0." : "0.");
    for (int i = 0; i < cut->count; i++)
        put(&out, cut->digit[i]);
    put(&out, 'e');
    put_integer(&out, cut->point);
    fpfmt_parse(&value, text, finish(&out), NULL);
    return fpfmt_encode(format, value, NULL, NULL) == code;
}

/* Of the decimals with count digits just below and just above the exact one, the one to print: that
 * which reads back, of two the closer, of two as close the even one; false if neither reads back.
 * No other can: all that rounds to a code lies without gaps around its value, and what lies beyond
 * one of the two is further from it. exact->digit[count] and what follows are how far below lies.
 */
static bool choose(candidate *best, const decimal *exact, int count, bool negative,
                   const fpfmt_format *format, uint64_t code)
{
    candidate below = cut_to(exact, count, false), above = below;
    bool good_above = false, good_below = reads_back(&below, negative, format, code);
    if (count < exact->count) {
        above = cut_to(exact, count, true);
        good_above = reads_back(&above, negative, format, code);
    }
    *best = good_below ? below : above;
    if (good_below && good_above) {
        bool tie = exact->digit[count] == '5' && exact->count == count + 1;
        bool odd = (exact->digit[count - 1] - '0') & 1;
        if (tie ? odd : exact->digit[count] >= '5')
            *best = above;
    }
    return good_below || good_above;
}

size_t fpfmt_print_shortest(char *text, size_t size, const fpfmt_format *format, uint64_t code)
{
    fpfmt_value value = fpfmt_decode(format, code);
    fpfmt_ratio ratio;
    decimal exact;
    candidate best = { .count = 0 }, tried;
    writer out = { text, size, 0 };
    if (!fpfmt_value_is_finite(value))
        return print_special(text, size, value);
    code = fpfmt_encode(format, value, NULL, NULL);
    fpfmt_ratio_from(&ratio, value);
    decimal_of(&exact, &ratio);
    /* What reads back with n digits does so with more, as with more digits both candidates lie no
     * further away: so halving finds the least n. */
    int least = 1, most = exact.count < ROUND_TRIP ? exact.count : ROUND_TRIP;
    while (least <= most) {
        int middle = (least + most) / 2;
        if (choose(&tried, &exact, middle, value.negative, format, code)) {
            best = tried;
            most = middle - 1;
        } else {
            least = middle + 1;
        }
    }
    put_decimal(&out, value.negative, best.digit, best.count, best.point);
    return finish(&out);
}

size_t fpfmt_print_ratio(char *text, size_t size, const fpfmt_ratio *ratio)
{
    fpfmt_ratio reduced = *ratio;
    decimal exact;
    writer out = { text, size, 0 };
    if (!decimal_of(&exact, &reduced))
        return fpfmt_print_fraction(text, size, ratio);
    put_decimal(&out, ratio->negative, exact.digit, exact.count, exact.point);
    return finish(&out);
}

static void put_natural(writer *out, fpfmt_natural *n)
{
    decimal all;
    digits_of(&all, n);
    for (int i = 0; i < all.point; i++)
        put(out, i < all.count ? all.digit[i] : '0');
    if (all.point == 0)
        put(out, '0');
}

size_t fpfmt_print_fraction(char *text, size_t size, const fpfmt_ratio *ratio)
{
    fpfmt_ratio reduced = *ratio;
    writer out = { text, size, 0 };
    fpfmt_ratio_reduce(&reduced);
    if (ratio->negative)
        put(&out, '-');
    put_natural(&out, &reduced.numerator);
    if (fpfmt_natural_bits(&reduced.denominator) > 1) {
        put(&out, '/');
        put_natural(&out, &reduced.denominator);
    }
    return finish(&out);
}

/* numerator / denominator * 10^shift rounded down into *whole, for a shift of either sign; true if
 * something is left, which is *remainder / *divisor. */
static bool scaled_quotient(fpfmt_natural *whole, fpfmt_natural *remainder, fpfmt_natural *divisor,
                            const fpfmt_ratio *ratio, int shift)
{
    fpfmt_natural_copy(remainder, &ratio->numerator);
    fpfmt_natural_copy(divisor, &ratio->denominator);
    fpfmt_natural_multiply_power(shift > 0 ? remainder : divisor, 10, shift > 0 ? shift : -shift);
    fpfmt_natural_divide(whole, remainder, divisor);
    return remainder->length > 0;
}

size_t fpfmt_print_rounded(char *text, size_t size, const fpfmt_ratio *ratio, int digits,
                           bool *exact)
{
    fpfmt_natural whole, remainder, divisor;
    decimal shown;
    writer out = { text, size, 0 };
    if (digits < 1 || digits > ROUND_TRIP)
        return finish(&out);
    if (exact != NULL)
        *exact = true;
    if (ratio->numerator.length == 0) {
        put_decimal(&out, ratio->negative, "", 0, 0);
        return finish(&out);
    }
    int bits = fpfmt_natural_bits(&ratio->numerator) - fpfmt_natural_bits(&ratio->denominator);
    /* The ratio lies between 2^(bits - 1) and 2^(bits + 1), and 1233 / 4096 is log10(2) less 5e-6.
     * For all bits that naturals allow, from -16256 to 16256, the number of digits before the point
     * that this makes of 2^(bits - 1) is that of the ratio or one off, either way (tried for each).
     * The digits that come out then tell which, and are made again if need be. */
    int point = (bits - 1) * 1233 / 4096 - (bits < 1) + 1;
    bool left = scaled_quotient(&whole, &remainder, &divisor, ratio, digits - point);
    fpfmt_natural copy;
    fpfmt_natural_copy(&copy, &whole);
    digits_of(&shown, &copy);
    if (shown.point != digits) {
        point += shown.point - digits;
        left = scaled_quotient(&whole, &remainder, &divisor, ratio, digits - point);
    }
    if (left && exact != NULL)
        *exact = false;
    /* Twice what is left against the divisor: above half, or on it and odd, the digits go up by
     * one. */
    fpfmt_natural_shift_left(&remainder, 1);
    int order = fpfmt_natural_compare(&remainder, &divisor);
    bool odd = whole.length > 0 && (whole.limb[0] & 1);
    fpfmt_natural_multiply_small(&whole, 1, order > 0 || (order == 0 && odd));
    digits_of(&shown, &whole);
    point += shown.point - digits;
    /* Of a rounded number zeros at the end are digits too. */
    for (; left && shown.count < digits; shown.count++)
        shown.digit[shown.count] = '0';
    put_decimal(&out, ratio->negative, shown.digit, shown.count, point);
    return finish(&out);
}
