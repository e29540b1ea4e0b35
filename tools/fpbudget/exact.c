/* exact.c - numbers of a budget: exact rationals from the command line to the printed digit
 * SPDX-License-Identifier: MIT */

#include "exact.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../fpinspect/say.h"

/* Ratios hold 16256 bits. What is read takes at most 8 limbs of 32, so that no result comes near.
 */
enum { MOST_LIMBS = 8 };

static exact made(bool good, exact result)
{
    if (!good) {
        complain("a result would take more than 16256 bits");
        exit(exit_status());
    }
    return result;
}

exact exact_whole(uint64_t n)
{
    exact result = { .negative = false };
    bool good = fpfmt_ratio_from(&result, fpfmt_from_u64(n));
    return made(good, result);
}

exact exact_decimal(const char *text)
{
    exact result = { .negative = false };
    bool good = fpfmt_parse_ratio(&result, text, strlen(text), NULL) == strlen(text);
    return made(good, result);
}

exact plus(exact a, exact b)
{
    bool good = fpfmt_ratio_add(&a, &a, &b);
    return made(good, a);
}

exact minus(exact a, exact b)
{
    bool good = fpfmt_ratio_subtract(&a, &a, &b);
    return made(good, a);
}

exact times(exact a, exact b)
{
    bool good = fpfmt_ratio_multiply(&a, &a, &b);
    return made(good, a);
}

exact over(exact a, exact b)
{
    bool good = fpfmt_ratio_divide(&a, &a, &b);
    return made(good, a);
}

int compare(exact a, exact b)
{
    exact difference = minus(a, b);
    return fpfmt_ratio_is_zero(&difference) ? 0 : difference.negative ? -1 : 1;
}

/* The whole part of a number from 0 on, 64 bits of it at a time from the top. */
static exact whole_part(exact a)
{
    exact whole = exact_whole(0), taken;
    for (;;) {
        fpfmt_value top = fpfmt_ratio_value(&a);
        if (fpfmt_ratio_is_zero(&a) || top.exponent < 0)
            return whole;
        if (top.exponent <= 63)
            return plus(whole, exact_whole(top.significand >> (63 - top.exponent)));
        top.inexact = false;
        bool good = fpfmt_ratio_from(&taken, top);
        taken = made(good, taken);
        whole = plus(whole, taken);
        a = minus(a, taken);
    }
}

bool is_whole(exact a)
{
    return compare(a, whole_part(a)) == 0;
}

exact round_up(exact a)
{
    exact whole = whole_part(a);
    return compare(a, whole) == 0 ? whole : plus(whole, exact_whole(1));
}

exact power_of_ten(unsigned n)
{
    exact ten = exact_whole(10), result = { .negative = false };
    bool good = fpfmt_ratio_power(&result, &ten, n);
    return made(good, result);
}

static const struct {
    amount_kind kind;
    const char *takes; /* what the option takes, in a sentence */
    const char *most;
} kinds[] = {
    [AMOUNT_COUNT] = { AMOUNT_COUNT, "a whole number from 1, as 4096, 7e9 or 7B", "1e18" },
    [AMOUNT_RATE] = { AMOUNT_RATE, "a number above 0, as 380.5 or 312e12", "1e18" },
    [AMOUNT_SHARE] = { AMOUNT_SHARE, "a number above 0 and up to 1, as 0.5", "1" },
    [AMOUNT_BYTES] = { AMOUNT_BYTES, "bytes, as 80e9, 80GB or 80GiB", "1e18" },
};

static const struct {
    const char *suffix;
    bool of_bytes;
    const char *factor;
} suffixes[] = {
    { "GiB", true, "2^30" }, { "TiB", true, "2^40" }, { "MiB", true, "2^20" },
    { "KiB", true, "2^10" }, { "GB", true, "1e9" },   { "TB", true, "1e12" },
    { "MB", true, "1e6" },   { "KB", true, "1e3" },   { "K", false, "1e3" },
    { "M", false, "1e6" },   { "B", false, "1e9" },   { "T", false, "1e12" },
};

/* The length of a number without its suffix, and the factor that this is; 1 where there is none.
 * The digits of 0x7B are no suffix. */
static size_t without_suffix(const char *text, bool of_bytes, const char **factor)
{
    size_t length = strlen(text);
    *factor = "1";
    if (strncasecmp(text, "0x", 2) == 0)
        return length;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t n = strlen(suffixes[i].suffix);
        if (suffixes[i].of_bytes == of_bytes && n < length &&
            strcasecmp(text + length - n, suffixes[i].suffix) == 0) {
            *factor = suffixes[i].factor;
            return length - n;
        }
    }
    return length;
}

/* A number whose exact digits are too many to be kept is too large, too small or too finely
 * divided to count anything. */
static bool is_huge(const char *text, size_t length)
{
    fpfmt_value value;
    return fpfmt_parse(&value, text, length, NULL) == length && !value.negative &&
           value.kind == FPFMT_KIND_NORMAL && value.exponent > 64;
}

bool read_amount(amount *read, const char *option, const char *text, amount_kind kind)
{
    const char *factor, *shown = quoted(text, strlen(text));
    size_t length = without_suffix(text, kind == AMOUNT_BYTES, &factor);
    exact value = { .negative = false }, zero = exact_whole(0);
    bool good = length > 0 && fpfmt_parse_ratio(&value, text, length, NULL) == length;
    if (good)
        value = times(value, exact_decimal(factor));
    bool large = good ? compare(value, exact_decimal(kinds[kind].most)) > 0
                      : length > 0 && is_huge(text, length);
    bool whole = kind == AMOUNT_COUNT || kind == AMOUNT_BYTES;
    bool fine = value.numerator.length > MOST_LIMBS || value.denominator.length > MOST_LIMBS;
    if (large && kind != AMOUNT_SHARE) {
        complain("--%s takes at most %s, and %s is more", option, kinds[kind].most, shown);
        return false;
    }
    if (!good || large || fine || compare(value, zero) <= 0 || (whole && !is_whole(value))) {
        complain("--%s takes %s, not '%s'", option, kinds[kind].takes, shown);
        return false;
    }
    read->text = text;
    read->value = value;
    return true;
}

void append(number text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, NUMBER_SIZE - length, format, arguments);
    va_end(arguments);
}

void print_exact(number text, exact a)
{
    fpfmt_print_ratio(text, NUMBER_SIZE, &a);
}

void print_short(number text, exact a, unsigned power, int digits)
{
    number plain;
    bool all;
    a = over(a, power_of_ten(power));
    fpfmt_print_rounded(plain, sizeof plain, &a, digits, &all);
    strcpy(text, all ? "" : "≈");
    strcat(text, plain);
}

void print_gibi(number text, exact a, int digits)
{
    print_short(text, over(a, exact_whole(UINT64_C(1) << 30)), 0, digits);
}

void append_exact(number text, exact a)
{
    number plain;
    print_exact(plain, a);
    append(text, "%s", plain);
}

void append_short(number text, exact a, unsigned power, int digits)
{
    number plain;
    print_short(plain, a, power, digits);
    append(text, "%s", plain);
}

void append_result(number text, exact a, int digits)
{
    number plain;
    print_short(plain, a, 0, digits);
    append(text, strncmp(plain, "≈", strlen("≈")) == 0 ? " " : " = ");
    append(text, "%s", plain);
}
