/* compare.c - range and precision of several formats side by side
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "facts/format.h"
#include "kit/lines.h"
#include "kit/number.h"
#include "screens/screen.h"
#include "screens/view.h"
#include "values/limits.h"

static int floor_to(int n, int unit)
{
    return n >= 0 ? n / unit * unit : -((-n + unit - 1) / unit) * unit;
}

axis choose_axis(const request *chosen, int room)
{
    static const int steps[] = { 1, 2, 5, 10, 20, 50, 100 };
    int low = 1 << 20, high = -(1 << 20);
    for (size_t i = 0; i < chosen->formats.count; i++) {
        const fpfmt_format *format = &chosen->formats.rows[i];
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

/* Where the axis begins: behind the names, with two blanks before them and one behind. */
static int chart_start(const request *chosen)
{
    enum { LEAST = 7, MOST = 16, BLANKS = 3 };
    int longest = LEAST;
    for (size_t i = 0; i < chosen->formats.count; i++)
        if (width_of(chosen->formats.rows[i].name) > longest)
            longest = width_of(chosen->formats.rows[i].name);
    return (longest < MOST ? longest : MOST) + BLANKS;
}

/* The labels of the axis; returns the blanks left to its end. */
static int scale_line(const axis *scale, int start)
{
    int at = 0;
    out_repeat(STYLE_PLAIN, " ", start);
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

static void chart(const request *chosen, const input *in, const axis *scale, int start)
{
    int marker = -1, room = out_width() - 2 - start - scale->columns;
    bool marked = in != NULL &&
                  (in->value.kind == FPFMT_KIND_NORMAL || in->value.kind == FPFMT_KIND_SUBNORMAL);
    if (marked) {
        marker = (in->value.exponent - scale->low) / scale->per_column;
        marker = in->value.exponent < scale->low ? 0
                 : marker >= scale->columns      ? scale->columns - 1
                                                 : marker;
    }
    for (size_t i = 0; i < chosen->formats.count; i++) {
        const fpfmt_format *format = &chosen->formats.rows[i];
        outf(STYLE_NAME, "  %-*.16s ", start - 3, format->name);
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
        out_repeat(STYLE_PLAIN, " ", start + marker);
        outf(STYLE_INPUT, "┗ %s", input_name(in));
        out_line();
    }
}

/* A value of the format's own, or nothing where there is none. */
static void limit_cell(const coded *limit)
{
    number text;
    strcpy(text, " -");
    if (limit->format != NULL)
        show_value(text, limit->format, fpfmt_decode(limit->format, limit->code), false, LEAD_HANG);
    table_cell(STYLE_PLAIN, text);
}

static void power_cell(const maybe_value *value)
{
    char power[24] = "-";
    if (value->exists)
        show_power(power, value->value.exponent);
    table_cell(STYLE_PLAIN, power);
}

static void limits_table(const fact_list *list)
{
    number text;
    const char *const names[] = { "format",          " max", " min normal", " min subnormal",
                                  "→ 0 at or below", "eps",  "ints to" };
    enum { MIN_NORMAL = 2, TO_ZERO = 4, INTEGERS = 6 };
    table_begin(2);
    table_drop(MIN_NORMAL, 1); /* the chart shows these */
    table_drop(TO_ZERO, 2);    /* half of the smallest subnormal */
    table_drop(INTEGERS, 3);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_cell(STYLE_DIM, names[i]);
    table_row();
    for (size_t i = 0; i < list->count; i++) {
        const format_facts *facts = (const format_facts *)list->rows + i;
        table_cell(STYLE_NAME, facts->name);
        limit_cell(&facts->max);
        limit_cell(&facts->min_normal);
        limit_cell(&facts->min_subnormal);
        power_cell(&facts->flush_threshold);
        power_cell(&facts->epsilon);
        show_value(text, facts->format, facts->integers_to, true, LEAD_NONE);
        table_cell(STYLE_PLAIN, text);
        table_row();
    }
    table_flush();
}

void draw_compare(const request *chosen, const fact_list *facts)
{
    input marked = { .text = NULL };
    const input *in = NULL;
    if (chosen->operand_count > 0) {
        size_t length = strlen(chosen->operands[0]);
        const char *text = stripped(chosen->operands[0], &length);
        if (!read_input(&marked, chosen->has_from ? &chosen->from : NULL, false, text, length, ""))
            return;
        in = &marked;
    }
    int widest = 0;
    for (size_t i = 0; i < chosen->formats.count; i++) {
        int bits = fpfmt_measure(&chosen->formats.rows[i]).precision;
        widest = bits > widest ? bits : widest;
    }
    int bars = widest > 24 ? 24 : widest < 18 ? 18 : widest;
    int start = chart_start(chosen);
    axis scale = choose_axis(chosen, out_width() - start - 6 - bars);
    char heading[80];
    snprintf(heading, sizeof heading, "RANGE log2|x|, %d binade%s a column, ░ subnormal █ normal",
             scale.per_column, scale.per_column == 1 ? "" : "s");
    if (width_of(heading) > scale.columns)
        strcpy(heading, "RANGE log2|x|, ░ subnormal █ normal");
    if (width_of(heading) > scale.columns && out_width() < 80)
        strcpy(heading, "RANGE log2|x|");
    int gap = scale.columns - width_of(heading);
    out_blanks(start);
    out(STYLE_DIM, heading);
    out_repeat(STYLE_PLAIN, " ", gap > 0 ? gap : 0);
    out(STYLE_DIM, "  PRECISION bits");
    out_line();
    int rest = scale_line(&scale, start);
    if (gap >= 0 && rest + 2 + width_of("fraction (mantissa) + 1") <= out_left()) {
        out_blanks(rest + 2);
        out(STYLE_DIM, "fraction (mantissa) + 1");
    }
    out_line();
    chart(chosen, in, &scale, start);
    out_line();
    limits_table(facts);
    release_input(&marked);
}
