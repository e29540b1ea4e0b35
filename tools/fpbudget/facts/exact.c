/* exact.c - numbers of a budget: exact rationals, and their text
 * SPDX-License-Identifier: MIT */

#include "facts/exact.h"

#include <string.h>

#include "kit/run.h"
#include "kit/say.h"
#include "kit/text.h"

/* The result of an operation of the library, which says whether the result fits in its ratio. */
static exact made(bool fits, exact result)
{
    if (!fits) {
        complain("a result would take more than 16256 bits");
        stop_run();
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

/* ---- text ---- */

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
    append_text(text, NUMBER_SIZE, "%s", plain);
}

void append_short(number text, exact a, unsigned power, int digits)
{
    number plain;
    print_short(plain, a, power, digits);
    append_text(text, NUMBER_SIZE, "%s", plain);
}

void append_result(number text, exact a, int digits)
{
    number plain;
    print_short(plain, a, 0, digits);
    bool all = strncmp(plain, "≈", strlen("≈")) != 0;
    append_text(text, NUMBER_SIZE, "%s%s", all ? " = " : " ", plain);
}
