/* view_plot.c - pictures: density of values, relative error, the staircase of a rounding
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "plot.h"
#include "say.h"
#include "screen.h"
#include "view.h"

enum { STAIRS = 4, STEPS_PER_STAIR = 16 };

/* log2 of the step between values of the binade at 2^exponent. */
static int step_at(const fpfmt_format *format, int exponent)
{
    fpfmt_value value = fpfmt_from_i64(1);
    value.exponent = exponent;
    return fpfmt_ulp(format, value).exponent;
}

/* The code of the least value at 2^exponent or above. */
static uint64_t code_from(const fpfmt_format *format, int exponent)
{
    fpfmt_policy away = { .rounding = FPFMT_ROUND_AWAY_FROM_ZERO };
    fpfmt_value value = fpfmt_from_i64(1);
    value.exponent = exponent;
    return fpfmt_encode(format, value, &away, NULL);
}

/* How many values lie from 2^exponent to below the next power of two. */
static uint64_t values_in(const fpfmt_format *format, int exponent)
{
    fpfmt_limits limits = fpfmt_measure(format);
    uint64_t end = exponent == limits.emax ? limits.max + 1 : code_from(format, exponent + 1);
    return end - code_from(format, exponent);
}

/* What a plot over magnitude shows of a binade: log2 of the count, or of the largest error. */
typedef int (*measure)(const fpfmt_format *format, int exponent);

static int density(const fpfmt_format *format, int exponent)
{
    return exponent - step_at(format, exponent);
}

/* Under nearest, half a step over the smallest value of the binade. */
static int worst_error(const fpfmt_format *format, int exponent)
{
    return step_at(format, exponent) - 1 - exponent;
}

static void axis_line(const axis *scale)
{
    int at = 0;
    out_repeat(STYLE_PLAIN, " ", 11);
    out(STYLE_DIM, "└");
    out_repeat(STYLE_DIM, "─", scale->columns);
    out_line();
    out_repeat(STYLE_PLAIN, " ", 12);
    for (int column = 0; column < scale->columns; column++) {
        int exponent = scale->low + column * scale->per_column;
        char label[24];
        if (!labels_here(scale, column) || column < at)
            continue;
        show_power(label, exponent);
        out_repeat(STYLE_PLAIN, " ", column - at);
        out(STYLE_DIM, label);
        at = column + width_of(label);
    }
    out_line();
}

static void plot_measure(const options *chosen, measure measured, const char *title)
{
    static plot drawing;
    const char *names[PLOT_SERIES], *labels[PLOT_ROWS] = { NULL };
    static char texts[PLOT_ROWS][24];
    axis scale =
        choose_axis(chosen, out_width() - 14 < PLOT_COLUMNS ? out_width() - 14 : PLOT_COLUMNS);
    int count = (int)(chosen->format_count < PLOT_SERIES ? chosen->format_count : PLOT_SERIES);
    int low = 1 << 20, high = -(1 << 20);
    for (int i = 0; i < count; i++) {
        const fpfmt_format *format = &chosen->formats[i];
        names[i] = format->name;
        for (int e = bottom_of(format); e <= fpfmt_measure(format).emax; e++) {
            int y = measured(format, e);
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
    }
    /* Whole rows for whole powers, as far as there is room. */
    int span = high - low > 0 ? high - low : 1, most = PLOT_ROWS - 1;
    int rows = span <= most ? span * (most / span) : most;
    plot_begin(&drawing, scale.columns, rows + 1);
    for (int i = 0; i < count; i++) {
        const fpfmt_format *format = &chosen->formats[i];
        for (int e = bottom_of(format); e <= fpfmt_measure(format).emax; e++)
            plot_point(&drawing, i, (e - scale.low) / scale.per_column,
                       ((measured(format, e) - low) * rows + span / 2) / span);
    }
    for (int row = 0; row <= rows; row++) {
        bool whole = row * span % rows == 0;
        int y = low + row * span / rows;
        if (whole && (span <= 5 || y % 5 == 0 || row == rows))
            labels[row] = show_power(texts[row], y);
    }
    out(STYLE_NAME, title);
    out_line();
    plot_legend(names, count);
    plot_rows(&drawing, labels);
    axis_line(&scale);
}

static void measure_numbers(const options *chosen, bool is_density)
{
    static number exact;
    printf("format\texponent\t%s\n", is_density ? "values" : "worst_relative");
    for (size_t i = 0; i < chosen->format_count; i++) {
        const fpfmt_format *format = &chosen->formats[i];
        for (int e = bottom_of(format); e <= fpfmt_measure(format).emax; e++) {
            fpfmt_value power = fpfmt_from_i64(1);
            power.exponent = worst_error(format, e);
            fpfmt_print_exact(exact, sizeof exact, power);
            if (is_density)
                printf("%s\t%d\t%" PRIu64 "\n", format->name, e, values_in(format, e));
            else
                printf("%s\t%d\t%s\n", format->name, e, exact);
        }
    }
}

/* x for the staircase: index from -STAIRS * STEPS_PER_STAIR up, in units of 2^-4 steps. */
static fpfmt_value stair_input(const fpfmt_format *format, int index)
{
    fpfmt_value value = fpfmt_from_i64(index);
    if (value.kind != FPFMT_KIND_ZERO)
        value.exponent += bottom_of(format) - 4;
    return value;
}

static fpfmt_value stair(const options *chosen, size_t column, const fpfmt_format *format,
                         int index)
{
    fpfmt_policy policy = column_policy(chosen, &chosen->columns[column], format);
    policy.first = (uint64_t)(index + STAIRS * STEPS_PER_STAIR);
    return fpfmt_decode(format, fpfmt_encode(format, stair_input(format, index), &policy, NULL));
}

static void staircase_numbers(const options *chosen, const fpfmt_format *format)
{
    static number text;
    printf("x");
    for (size_t c = 0; c < chosen->column_count; c++) {
        fpfmt_policy policy = column_policy(chosen, &chosen->columns[c], format);
        printf("\t%s", rounding_name(&policy));
    }
    putchar('\n');
    for (int i = -STAIRS * STEPS_PER_STAIR; i <= STAIRS * STEPS_PER_STAIR; i++) {
        fpfmt_print_exact(text, sizeof text, stair_input(format, i));
        fputs(text, stdout);
        for (size_t c = 0; c < chosen->column_count; c++) {
            fpfmt_print_exact(text, sizeof text, stair(chosen, c, format, i));
            printf("\t%s", text);
        }
        putchar('\n');
    }
}

/* Near 0 the steps of a format are even: x in steps across, the result in steps up. */
static void staircase(const options *chosen, const fpfmt_format *format)
{
    static plot drawing;
    static char names_text[PLOT_SERIES][32], labels_text[PLOT_ROWS][24];
    const char *names[PLOT_SERIES], *labels[PLOT_ROWS] = { NULL };
    int count = (int)(chosen->column_count < PLOT_SERIES ? chosen->column_count : PLOT_SERIES);
    int unit = bottom_of(format), columns = 2 * STAIRS * STEPS_PER_STAIR / 2 + 1;
    plot_begin(&drawing, columns, PLOT_ROWS);
    for (int c = 0; c < count; c++) {
        fpfmt_policy policy = column_policy(chosen, &chosen->columns[c], format);
        snprintf(names_text[c], sizeof names_text[c], "%s", rounding_name(&policy));
        names[c] = names_text[c];
        for (int i = -STAIRS * STEPS_PER_STAIR; i <= STAIRS * STEPS_PER_STAIR; i += 2) {
            fpfmt_value result = stair(chosen, (size_t)c, format, i);
            if (result.kind >= FPFMT_KIND_INFINITE)
                continue;
            if (result.kind != FPFMT_KIND_ZERO)
                result.exponent -= unit;
            int64_t steps = fpfmt_to_i64(result, NULL, NULL);
            plot_point(&drawing, c, i / 2 + columns / 2, (int)steps * 2 + PLOT_ROWS / 2);
        }
    }
    for (int step = -STAIRS; step <= STAIRS; step++) {
        snprintf(labels_text[step + STAIRS], sizeof labels_text[0], "%d", step);
        labels[step * 2 + PLOT_ROWS / 2] = labels_text[step + STAIRS];
    }
    outf(STYLE_NAME, "%s near 0, in units of 2^%d: x across from %d to %d, rounded up the side",
         format->name, unit, -STAIRS, STAIRS);
    out_line();
    plot_legend(names, count);
    plot_rows(&drawing, labels);
    out_repeat(STYLE_PLAIN, " ", 11);
    out(STYLE_DIM, "└");
    out_repeat(STYLE_DIM, "─", columns);
    out_line();
    int half = columns / 2;
    outf(STYLE_DIM, "%12s%-*d%-*d%d", "", half, -STAIRS, half, 0, STAIRS);
    out_line();
}

/* Leaves the formats of --as that have binades; fixed point has none. */
static void keep_floating(options *chosen)
{
    size_t kept = 0;
    for (size_t i = 0; i < chosen->format_count; i++)
        if (chosen->formats[i].exponent_bits == 0)
            note("%s is fixed point and has no binades to plot", chosen->formats[i].name);
        else
            chosen->formats[kept++] = chosen->formats[i];
    chosen->format_count = kept;
}

void view_plot(const options *all)
{
    options chosen = *all;
    keep_floating(&chosen);
    bool numbers = chosen.output == OUTPUT_TSV;
    if (chosen.format_count == 0) {
        complain("--plot needs a floating-point format in --as");
        return;
    }
    if (chosen.format_count > PLOT_SERIES && !numbers && chosen.plot != PLOT_STAIRCASE) {
        note("the first %d formats are drawn; --tsv has the numbers of all", PLOT_SERIES);
        chosen.format_count = PLOT_SERIES;
    }
    switch (chosen.plot) {
    case PLOT_DENSITY:
        if (numbers)
            measure_numbers(&chosen, true);
        else
            plot_measure(&chosen, density, "values in each binade, over log2|x|");
        break;
    case PLOT_ERROR:
        if (numbers)
            measure_numbers(&chosen, false);
        else
            plot_measure(&chosen, worst_error,
                         "largest relative error of nearest in each binade, over log2|x|");
        break;
    default:
        for (size_t i = 0; i < chosen.format_count; i++) {
            if (numbers)
                staircase_numbers(&chosen, &chosen.formats[i]);
            else
                staircase(&chosen, &chosen.formats[i]);
        }
        break;
    }
}
