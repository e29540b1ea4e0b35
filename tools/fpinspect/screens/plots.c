/* plots.c - pictures: density of values, relative error, the staircase of a rounding
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "facts/binades.h"
#include "facts/stairs.h"
#include "kit/number.h"
#include "kit/plot.h"
#include "kit/say.h"
#include "screens/screen.h"
#include "screens/view.h"
#include "values/limits.h"

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

static void plot_measure(const request *chosen, binade_measure measured, const char *title)
{
    plot drawing;
    const char *names[PLOT_SERIES], *labels[PLOT_ROWS] = { NULL };
    char texts[PLOT_ROWS][24];
    axis scale =
        choose_axis(chosen, out_width() - 14 < PLOT_COLUMNS ? out_width() - 14 : PLOT_COLUMNS);
    int count = (int)(chosen->formats.count < PLOT_SERIES ? chosen->formats.count : PLOT_SERIES);
    int low = 1 << 20, high = -(1 << 20);
    for (int i = 0; i < count; i++) {
        const fpfmt_format *format = &chosen->formats.rows[i];
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
        const fpfmt_format *format = &chosen->formats.rows[i];
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
    plot_legend(&drawing, names, count);
    plot_rows(&drawing, labels);
    axis_line(&scale);
}

/* Near 0 the steps of a format are even: x in steps across, the result in steps up. */
static void staircase(const request *chosen, const fpfmt_format *format)
{
    plot drawing;
    char names_text[PLOT_SERIES][48], labels_text[PLOT_ROWS][24];
    const char *names[PLOT_SERIES], *labels[PLOT_ROWS] = { NULL };
    int count = (int)(chosen->column_count < PLOT_SERIES ? chosen->column_count : PLOT_SERIES);
    int unit = bottom_of(format), columns = 2 * STAIRS * STEPS_PER_STAIR / 2 + 1;
    plot_begin(&drawing, columns, PLOT_ROWS);
    for (int c = 0; c < count; c++) {
        fpfmt_policy policy = column_policy(chosen, &chosen->columns[c], format);
        snprintf(names_text[c], sizeof names_text[c], "%s, %s",
                 rounding_name((char[ROUNDING_SIZE]){ 0 }, &policy),
                 mode_in_words(policy.rounding));
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
    plot_legend(&drawing, names, count);
    plot_rows(&drawing, labels);
    out_blanks(11);
    out(STYLE_DIM, "└");
    out_repeat(STYLE_DIM, "─", drawing.columns);
    out_line();
    int half = drawing.columns / 2;
    outf(STYLE_DIM, "%12s%-*d%-*d%d", "", half, -STAIRS, drawing.columns - 1 - half, 0, STAIRS);
    out_line();
}

void draw_plot(const request *chosen)
{
    if (chosen->formats.count > PLOT_SERIES && chosen->plot != PLOT_STAIRCASE)
        note("the first %d formats are drawn; --tsv has the numbers of all", PLOT_SERIES);
    if (chosen->plot == PLOT_DENSITY)
        plot_measure(chosen, density, "values in each binade, over log2|x|");
    else if (chosen->plot == PLOT_ERROR)
        plot_measure(chosen, worst_error,
                     "largest relative error of nearest in each binade, over log2|x|");
    for (size_t i = 0; i < chosen->formats.count && chosen->plot == PLOT_STAIRCASE; i++)
        staircase(chosen, &chosen->formats.rows[i]);
}
