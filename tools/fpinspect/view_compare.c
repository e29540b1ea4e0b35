/* view_compare.c - range and precision of several formats side by side
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "number.h"
#include "screen.h"
#include "view.h"

int bottom_of(const fpfmt_format *format)
{
    return fpfmt_decode(format, fpfmt_measure(format).min_positive).exponent;
}

static int floor_to(int n, int unit)
{
    return n >= 0 ? n / unit * unit : -((-n + unit - 1) / unit) * unit;
}

axis choose_axis(const options *chosen, int room)
{
    static const int steps[] = { 1, 2, 5, 10, 20, 50, 100 };
    int low = 1 << 20, high = -(1 << 20);
    for (size_t i = 0; i < chosen->format_count; i++) {
        const fpfmt_format *format = &chosen->formats[i];
        int top = fpfmt_measure(format).emax + 1;
        low = bottom_of(format) < low ? bottom_of(format) : low;
        high = top > high ? top : high;
    }
    axis made = { 0, 0, 0 };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        made.per_column = steps[i];
        made.low = floor_to(low, 5 * steps[i]);
        made.columns = (high - made.low + steps[i] - 1) / steps[i];
        if (made.columns <= room)
            break;
    }
    return made;
}

bool labels_here(const axis *scale, int column)
{
    int exponent = scale->low + column * scale->per_column;
    return floor_to(exponent, 10 * scale->per_column) == exponent;
}

/* The labels of the axis; returns the blanks left to its end. */
static int scale_line(const axis *scale)
{
    int at = 0;
    out_repeat(STYLE_PLAIN, " ", 10);
    for (int column = 0; column < scale->columns; column++) {
        int exponent = scale->low + column * scale->per_column;
        if (!labels_here(scale, column) || column < at)
            continue;
        char label[24];
        if (exponent == 0)
            strcpy(label, "1");
        else
            show_power(label, exponent);
        out_repeat(STYLE_PLAIN, " ", column - at);
        out(STYLE_DIM, label);
        at = column + width_of(label);
    }
    return scale->columns - at > 0 ? scale->columns - at : 0;
}

/* What a column shows: nothing, subnormals, or normals where these are at least half. */
static const char *cell(const fpfmt_format *format, const axis *scale, int column)
{
    fpfmt_limits limits = fpfmt_measure(format);
    int from = scale->low + column * scale->per_column, subnormal = 0, normal = 0;
    for (int e = from; e < from + scale->per_column; e++) {
        normal += e >= limits.emin && e <= limits.emax;
        subnormal += e >= bottom_of(format) && e < limits.emin;
    }
    if (normal + subnormal == 0)
        return " ";
    return normal >= subnormal ? "█" : "░";
}

static void precision_bar(int precision, int room)
{
    bool cut = precision > room - 4;
    out(STYLE_PLAIN, "  ");
    out_repeat(STYLE_FRACTION, "▪", cut ? room - 5 : precision);
    outf(STYLE_PLAIN, "%s %d", cut ? "…" : "", precision);
}

static void chart(const options *chosen, const input *in, const axis *scale)
{
    int marker = -1, room = out_width() - 12 - scale->columns;
    bool marked = in != NULL &&
                  (in->value.kind == FPFMT_KIND_NORMAL || in->value.kind == FPFMT_KIND_SUBNORMAL);
    if (marked) {
        marker = (in->value.exponent - scale->low) / scale->per_column;
        marker = in->value.exponent < scale->low ? 0
                 : marker >= scale->columns      ? scale->columns - 1
                                                 : marker;
    }
    for (size_t i = 0; i < chosen->format_count; i++) {
        const fpfmt_format *format = &chosen->formats[i];
        outf(STYLE_NAME, "  %-7.16s ", format->name);
        for (int column = 0; column < scale->columns; column++) {
            const char *drawn = cell(format, scale, column);
            if (column == marker)
                out(STYLE_INPUT, "┃");
            else
                out(strcmp(drawn, "░") == 0 ? STYLE_WARN : STYLE_EXPONENT, drawn);
        }
        precision_bar(fpfmt_measure(format).precision, room);
        out_line();
    }
    if (marked) {
        out_repeat(STYLE_PLAIN, " ", 10 + marker);
        outf(STYLE_INPUT, "┗ %s", input_name(in));
        out_line();
    }
}

fpfmt_value largest_consecutive_integer(const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    fpfmt_value max = fpfmt_decode(format, limits.max), one = fpfmt_from_i64(1);
    fpfmt_value candidate = fpfmt_from_u64(UINT64_C(1) << limits.precision);
    unsigned flags = 0;
    fpfmt_encode(format, one, NULL, &flags);
    if (flags != 0)
        return fpfmt_from_i64(0);
    fpfmt_encode(format, candidate, &(fpfmt_policy){ .overflow = FPFMT_OVERFLOW_MAX }, &flags);
    if (flags == 0)
        return candidate;
    return fpfmt_from_u64(
        fpfmt_to_u64(max, &(fpfmt_policy){ .rounding = FPFMT_ROUND_TOWARD_ZERO }, NULL));
}

bool epsilon_of(const fpfmt_format *format, fpfmt_value *epsilon)
{
    fpfmt_value one = fpfmt_from_i64(1);
    unsigned flags = 0;
    fpfmt_encode(format, one, NULL, &flags);
    *epsilon = fpfmt_ulp(format, one);
    return flags == 0;
}

bool flush_threshold(const fpfmt_format *format, int *exponent)
{
    fpfmt_limits limits = fpfmt_measure(format);
    fpfmt_value least = fpfmt_decode(format, limits.min_positive);
    *exponent = least.exponent - 1;
    return limits.has_zero && is_power_of_two(least);
}

static void limits_table(const options *chosen)
{
    static number text;
    const char *const names[] = { "format",          " max", " min normal", " min subnormal",
                                  "→ 0 at or below", "eps",  "ints to" };
    bool whole = out_width() >= 99; /* else without the smallest normals, which the chart shows */
    table_begin(2);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (whole || i != 2)
            table_cell(STYLE_DIM, names[i]);
    table_row();
    for (size_t i = 0; i < chosen->format_count; i++) {
        const fpfmt_format *format = &chosen->formats[i];
        fpfmt_limits limits = fpfmt_measure(format);
        char power[24] = "-";
        fpfmt_value epsilon;
        int exponent;
        table_cell(STYLE_NAME, format->name);
        show_value(text, format, fpfmt_decode(format, limits.max), false, LEAD_HANG);
        table_cell(STYLE_PLAIN, text);
        show_value(text, format, fpfmt_decode(format, limits.min_normal), false, LEAD_HANG);
        if (whole)
            table_cell(STYLE_PLAIN, text);
        show_value(text, format, fpfmt_decode(format, limits.min_positive), false, LEAD_HANG);
        table_cell(STYLE_PLAIN, limits.has_subnormals ? text : " -");
        if (flush_threshold(format, &exponent))
            show_power(power, exponent);
        table_cell(STYLE_PLAIN, power);
        bool has_one = epsilon_of(format, &epsilon);
        table_cell(STYLE_PLAIN, has_one ? show_power(power, epsilon.exponent) : "-");
        show_value(text, format, largest_consecutive_integer(format), true, LEAD_NONE);
        table_cell(STYLE_PLAIN, text);
        table_row();
    }
    table_flush();
}

void view_compare(const options *chosen, const input *in)
{
    int widest = 0;
    for (size_t i = 0; i < chosen->format_count; i++) {
        int bits = fpfmt_measure(&chosen->formats[i]).precision;
        widest = bits > widest ? bits : widest;
    }
    int bars = widest > 24 ? 24 : widest < 18 ? 18 : widest;
    axis scale = choose_axis(chosen, out_width() - 16 - bars);
    char heading[80];
    snprintf(heading, sizeof heading, "RANGE log2|x|, %d binade%s a column, ░ subnormal █ normal",
             scale.per_column, scale.per_column == 1 ? "" : "s");
    if (width_of(heading) > scale.columns)
        strcpy(heading, "RANGE log2|x|, ░ subnormal █ normal");
    int gap = scale.columns - width_of(heading);
    outf(STYLE_DIM, "          %s", heading);
    out_repeat(STYLE_PLAIN, " ", gap > 0 ? gap : 0);
    out(STYLE_DIM, "  PRECISION bits");
    out_line();
    int rest = scale_line(&scale);
    if (gap >= 0) {
        out_repeat(STYLE_PLAIN, " ", rest + 2);
        out(STYLE_DIM, "fraction (mantissa) + 1");
    }
    out_line();
    chart(chosen, in, &scale);
    out_line();
    limits_table(chosen);
}
