/* number.c - numbers as people read them: exact, or marked ≈
 * SPDX-License-Identifier: MIT */

#include "kit/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int max_digits10(const fpfmt_format *format)
{
    /* 1 + ceil(p log10 2); p log10 2 is no integer, and 1233 / 4096 is log10 2 to 5 digits. */
    return 2 + fpfmt_measure(format).precision * 1233 / 4096;
}

/* digits of text behind its mark and sign, as how asks. */
static void compose(number text, const char *digits, bool exact, lead how)
{
    bool negative = digits[0] == '-', signs = how == LEAD_SIGN || how == LEAD_HANG_SIGN;
    bool hang = how == LEAD_HANG || how == LEAD_HANG_SIGN;
    bool zero = strcmp(digits + negative, "0") == 0;
    const char *mark = !exact ? "≈" : hang ? " " : "", *sign = negative ? "-" : "";
    if (signs)
        sign = zero ? "" : negative ? "−" : "+";
    snprintf(text, NUMBER_SIZE, "%s%s%.*s", mark, sign, NUMBER_SIZE - 8, digits + negative);
}

void show_ratio(number text, const fpfmt_ratio *ratio, int digits, lead how)
{
    number plain;
    bool exact;
    fpfmt_print_rounded(plain, sizeof plain, ratio, SHOWN_DIGITS, &exact);
    if (!exact)
        fpfmt_print_rounded(plain, sizeof plain, ratio, digits, NULL);
    compose(text, plain, exact, how);
}

/* A finite value that no ratio is made of: it was cut to 64 bits, or no format comes near to it. A
 * decimal that fpfmt_parse calls far lies past 2^15579, and the scales of blocks, which it may have
 * been divided by, have at most 1074 binades. */
static void show_cut(number text, fpfmt_value value, int digits, lead how)
{
    fpfmt_ratio ratio;
    number plain;
    value.inexact = FPFMT_REMAINDER_NONE;
    if (fpfmt_ratio_from(&ratio, value)) {
        fpfmt_print_rounded(plain, sizeof plain, &ratio, digits, NULL);
        compose(text, plain, false, how);
    } else {
        snprintf(text, NUMBER_SIZE, "%s %s2^%s14000", value.exponent > 0 ? "beyond" : "within",
                 value.negative ? "-" : "", value.exponent > 0 ? "" : "-");
    }
}

void show_value(number text, const fpfmt_format *format, fpfmt_value value, bool full, lead how)
{
    fpfmt_ratio ratio;
    number plain;
    const char *hang = how == LEAD_HANG ? " " : "", *minus = value.negative ? "-" : "";
    if (value.kind == FPFMT_KIND_INFINITE) {
        snprintf(text, NUMBER_SIZE, "%s%sInf", hang, minus);
    } else if (value.kind > FPFMT_KIND_INFINITE) {
        snprintf(text, NUMBER_SIZE, "%s%sNaN", hang, minus);
    } else if (full) {
        fpfmt_print_exact(plain, sizeof plain, value);
        compose(text, plain, true, how);
    } else if (fpfmt_ratio_from(&ratio, value)) {
        show_ratio(text, &ratio, max_digits10(format), how);
    } else {
        show_cut(text, value, max_digits10(format), how);
    }
}

void tell_value(char text[40], fpfmt_value value)
{
    enum { SHORT = 24, DIGITS = 9 };
    number exact;
    fpfmt_ratio ratio;
    fpfmt_print_exact(exact, sizeof exact, value);
    if (strlen(exact) > SHORT && fpfmt_ratio_from(&ratio, value)) {
        strcpy(exact, "about ");
        fpfmt_print_rounded(exact + strlen(exact), SHORT, &ratio, DIGITS, NULL);
    }
    snprintf(text, 40, "%.39s", exact);
}

/* To 3 digits, ≈ unless they are exact. */
static void show_short(number text, const fpfmt_ratio *ratio, lead how)
{
    number plain;
    bool exact;
    fpfmt_print_rounded(plain, sizeof plain, ratio, 3, &exact);
    compose(text, plain, exact, how);
}

void show_percent(number text, const fpfmt_ratio *ratio, lead how)
{
    fpfmt_ratio hundred, percent;
    fpfmt_ratio_from(&hundred, fpfmt_from_i64(100));
    if (!fpfmt_ratio_multiply(&percent, ratio, &hundred)) {
        strcpy(text, "");
        return;
    }
    show_short(text, &percent, how);
    strcat(text, " %");
}

void show_ulps(number text, const fpfmt_ratio *ratio, lead how)
{
    show_short(text, ratio, how);
    strcat(text, " ulp");
}

char *show_code(char text[24], const fpfmt_format *format, uint64_t code)
{
    snprintf(text, 24, "0x%0*" PRIx64, (fpfmt_measure(format).width + 3) / 4, code);
    return text;
}

char *show_bits(char text[72], uint64_t code, int position, int count)
{
    for (int i = 0; i < count; i++)
        text[i] = (char)('0' + (code >> (position + count - 1 - i) & 1));
    text[count] = '\0';
    return text;
}

bool is_power_of_two(fpfmt_value value)
{
    return value.significand == UINT64_C(1) << 63 && !value.inexact;
}

bool is_clamped(fpfmt_value value)
{
    return value.kind == FPFMT_KIND_NORMAL && (value.exponent > 20000 || value.exponent < -20000);
}

char *show_power(char text[24], int exponent)
{
    snprintf(text, 24, "2^%d", exponent);
    return text;
}
