/* info.c - the limits of one format, each with its code and what it means
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "facts/format.h"
#include "kit/number.h"
#include "screens/screen.h"
#include "screens/view.h"

static void row(const char *name, const char *value, const char *code, const char *meaning)
{
    table_cell(STYLE_NAME, name);
    table_cell(STYLE_PLAIN, value);
    table_cell(STYLE_DIM, code);
    table_cell(STYLE_DIM, meaning);
    table_row();
}

static void blank_row(void)
{
    table_cell(STYLE_PLAIN, "");
    table_row();
}

static void code_row(const fpfmt_format *format, const char *name, uint64_t code,
                     const char *meaning)
{
    number text;
    char shown[24];
    show_value(text, format, fpfmt_decode(format, code), false, LEAD_NONE);
    row(name, text, show_code(shown, format, code), meaning);
}

/* A value that need not be one of the format; its code where it is. */
static void value_row(const fpfmt_format *format, const char *name, fpfmt_value value,
                      const char *meaning)
{
    number text;
    char shown[24] = "";
    unsigned flags = 0;
    uint64_t code = fpfmt_encode(format, value, NULL, &flags);
    if (flags == 0)
        show_code(shown, format, code);
    show_value(text, format, value, false, LEAD_NONE);
    row(name, text, shown, meaning);
}

static void shape_rows(const fpfmt_format *format, const fpfmt_limits *limits)
{
    char value[24], meaning[120];
    int highest = (int)(limits->max >> format->fraction_bits), lowest = limits->has_subnormals;
    snprintf(value, sizeof value, "%d", limits->width);
    snprintf(meaning, sizeof meaning, "sign %d, exponent %d, fraction (mantissa) %d",
             format->sign_bits, format->exponent_bits, format->fraction_bits);
    row("bits", value, "", meaning);
    snprintf(value, sizeof value, "%d", limits->precision);
    row("precision", value, "",
        format->exponent_bits == 0 ? "significant bits"
                                   : "significant bits, the hidden one included");
    snprintf(value, sizeof value, "%d", (int)format->bias);
    if (format->exponent_bits == 0)
        snprintf(meaning, sizeof meaning, "fraction bits of %s",
                 format->sign_bits > 0 ? "a two's complement integer" : "an integer without sign");
    else
        snprintf(meaning, sizeof meaning, "exponents %d to %d, stored as %d to %d", limits->emin,
                 limits->emax,
                 limits->has_subnormals || format->exponent_zero == FPFMT_EXPONENT_ZERO_SUBNORMALS
                     ? 1
                     : lowest,
                 highest);
    row("bias", value, "", meaning);
    blank_row();
}

/* The largest value as people write it: (2 − 2^-10) × 2^15, or 1.75 × 2^8. */
static void describe_max(char text[120], const fpfmt_format *format, fpfmt_value max)
{
    number factor;
    int ones = 0;
    fpfmt_ratio ratio;
    for (uint64_t rest = max.significand << 1; rest >> 63 != 0; rest <<= 1)
        ones++;
    fpfmt_value scaled = max;
    scaled.exponent = 0;
    if (ones == format->fraction_bits && ones > 0) {
        snprintf(text, 120, "(2 − 2^-%d) × 2^%d", ones, (int)max.exponent);
        return;
    }
    fpfmt_ratio_from(&ratio, scaled);
    show_ratio(factor, &ratio, max_digits10(format), LEAD_NONE);
    snprintf(text, 120, "%.40s × 2^%d", factor, (int)max.exponent);
}

static void range_rows(const format_facts *facts)
{
    number threshold, became;
    char meaning[200];
    const fpfmt_format *format = facts->format;
    const fpfmt_limits *limits = &facts->limits;
    if (facts->overflow_threshold.exists) {
        show_value(became, format, fpfmt_decode(format, facts->beyond.code), false, LEAD_NONE);
        show_ratio(threshold, &facts->overflow_threshold.ratio, max_digits10(format), LEAD_NONE);
        snprintf(meaning, sizeof meaning, "max + half a step; nearest-even gives %.40s %s it%s",
                 became, facts->overflows_from ? "from" : "above",
                 facts->overflows_from ? " on" : "");
        row("overflow threshold", threshold, "", meaning);
    }
    describe_max(meaning, format, fpfmt_decode(format, limits->max));
    code_row(format, "max", limits->max, meaning);
    if (format->sign_bits == 0 || format->exponent_bits == 0)
        code_row(format, "lowest", limits->lowest,
                 format->sign_bits == 0 ? "there is no sign" : "one more than max");
    snprintf(meaning, sizeof meaning, "2^%d%s", limits->emin,
             format->exponent_bits == 0 ? ", the step" : "; numpy and torch also call it tiny");
    fpfmt_value least = fpfmt_decode(format, limits->min_positive);
    if (format->exponent_zero == FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS)
        snprintf(meaning, sizeof meaning, "the value after 2^%d, whose code is 0", limits->emin);
    code_row(format, "min normal", limits->min_normal, meaning);
    snprintf(meaning, sizeof meaning, "2^%d, the smallest value above 0", (int)least.exponent);
    if (limits->has_subnormals)
        code_row(format, "min subnormal", limits->min_positive, meaning);
    if (facts->flush_threshold.exists) {
        fpfmt_ratio ratio;
        bool exact;
        fpfmt_ratio_from(&ratio, facts->flush_threshold.value);
        fpfmt_print_rounded(became, sizeof became, &ratio, 3, &exact);
        snprintf(threshold, sizeof threshold, "%s%.40s", exact ? "" : "≈", became);
        snprintf(meaning, sizeof meaning, "2^%d, half of that; nearest-even gives 0 up to it",
                 (int)facts->flush_threshold.value.exponent);
        row("flush threshold", threshold, "", meaning);
    }
    blank_row();
}

static void precision_rows(const format_facts *facts)
{
    char meaning[120], value[24];
    const fpfmt_format *format = facts->format;
    if (facts->epsilon.exists) {
        snprintf(meaning, sizeof meaning, "2^%d, the step from 1 to the next value",
                 (int)facts->epsilon.value.exponent);
        value_row(format, "eps", facts->epsilon.value, meaning);
    }
    if (facts->unit_roundoff.exists) {
        snprintf(meaning, sizeof meaning, "2^%d, bounds the relative error of normals",
                 (int)facts->unit_roundoff.value.exponent);
        value_row(format, "unit roundoff", facts->unit_roundoff.value, meaning);
    }
    value_row(format, "integers to", facts->integers_to, "the largest consecutive integer");
    if (format->exponent_bits == 0)
        return;
    snprintf(value, sizeof value, "%d guaranteed", facts->digits10);
    row("decimal digits", value, "", "digits10: decimal → format → decimal");
    snprintf(value, sizeof value, "%d needed", facts->max_digits10);
    row("", value, "", "max_digits10: tell any two values apart");
}

static void hanging(const char *name, const char *text)
{
    outf(STYLE_NAME, "  %-20s", name);
    out_wrapped_from(22, 22, text);
}

static void count_row(const format_facts *facts)
{
    char text[200];
    snprintf(text, sizeof text,
             "zero %" PRIu64 ", subnormal %" PRIu64 ", normal %" PRIu64 ", Inf %" PRIu64
             ", NaN %" PRIu64 "; 2^%d in all",
             facts->zero_codes, facts->subnormal_codes, facts->normal_codes, facts->infinite_codes,
             facts->nan_codes, facts->width);
    hanging("codes", text);
}

static void special_rows(const fpfmt_format *format, const fpfmt_limits *limits)
{
    char text[300] = "", a[24], b[24], c[24], d[24];
    uint64_t sign =
        format->sign_bits > 0 && format->exponent_bits > 0 ? UINT64_C(1) << (limits->width - 1) : 0;
    if (limits->has_zero)
        sprintf(text, "+0 %s, ", show_code(a, format, 0));
    if (limits->has_negative_zero)
        sprintf(text + strlen(text), "-0 %s, ", show_code(a, format, sign));
    if (limits->has_infinity)
        sprintf(text + strlen(text), "+Inf %s, ", show_code(a, format, limits->infinity));
    if (limits->has_infinity && sign != 0)
        sprintf(text + strlen(text), "-Inf %s, ", show_code(a, format, limits->infinity | sign));
    if (limits->has_nan)
        sprintf(text + strlen(text), "NaN %s%s%s", show_code(a, format, limits->nan),
                format->nans == FPFMT_NANS_ALL_ONES && sign != 0 ? " " : "",
                format->nans == FPFMT_NANS_ALL_ONES && sign != 0
                    ? show_code(b, format, limits->nan | sign)
                    : "");
    if (!limits->has_nan && *text != '\0')
        text[strlen(text) - 2] = '\0';
    hanging("special codes", text);
    if (format->nans != FPFMT_NANS_IEEE)
        return;
    uint64_t last = limits->infinity | ((UINT64_C(1) << format->fraction_bits) - 1);
    if (format->fraction_bits > 1)
        snprintf(text, sizeof text, "quiet NaN %s to %s, signaling %s to %s%s",
                 show_code(a, format, limits->nan), show_code(b, format, last),
                 show_code(c, format, limits->infinity + 1), show_code(d, format, limits->nan - 1),
                 sign != 0 ? ", or with the sign bit" : "");
    else
        snprintf(text, sizeof text, "no signaling NaN: there is one fraction bit");
    hanging("", text);
}

static void relative_rows(const format_facts *facts)
{
    char text[1600];
    const char *in = facts->exact_in, *out_of = facts->not_in, *holds = facts->holds;
    snprintf(text, sizeof text, "%s%s%s%s%s%s",
             in != NULL ? "exact in " : "exact in no other format", in != NULL ? in : "",
             out_of != NULL ? "; not in " : "", out_of != NULL ? out_of : "",
             holds != NULL ? "; holds " : "", holds != NULL ? holds : "");
    hanging("relatives", text);
    if (facts->aliases != NULL)
        hanging("aliases", facts->aliases);
}

void draw_info(const request *chosen, const fact_list *list)
{
    const format_facts *facts = list->rows;
    const fpfmt_format *format = facts->format;
    const fpfmt_limits limits = facts->limits;
    (void)chosen;
    out(STYLE_NAME, format->name);
    outf(STYLE_PLAIN, "   %s%s%s, %s%s%s", format->title != NULL ? format->title : "",
         format->title != NULL ? ": " : "", limits.has_infinity ? "infinities" : "no infinities",
         format->nans == FPFMT_NANS_IEEE ? "NaNs with payload"
         : limits.has_nan                ? "NaN"
                                         : "no NaN",
         limits.has_negative_zero ? ", signed zeros"
         : limits.has_zero        ? ", one zero"
                                  : ", no zero",
         limits.has_subnormals ? ", subnormals" : ", no subnormals");
    out_line();
    out_line();
    enum { CODE = 2, LONG_CODE = 32 };
    table_begin(2);
    if (limits.width > LONG_CODE)
        table_drop(CODE, 1);
    shape_rows(format, &limits);
    range_rows(facts);
    precision_rows(facts);
    table_flush();
    out_line();
    count_row(facts);
    special_rows(format, &limits);
    relative_rows(facts);
}
