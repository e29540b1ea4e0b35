/* plot.c - a small drawing of points on a grid of characters
 * SPDX-License-Identifier: MIT */

#include "kit/plot.h"

#include <string.h>

#include "kit/out.h"

enum { LABEL_WIDTH = 10 };

static const struct {
    const char *mark;
    style how;
} series[PLOT_SERIES] = {
    { "●", STYLE_EXPONENT }, { "○", STYLE_SIGN }, { "▲", STYLE_FRACTION }, { "■", STYLE_WARN },
    { "◆", STYLE_INPUT },    { "△", STYLE_LOST }, { "□", STYLE_NAME },     { "◇", STYLE_PLAIN },
};

void plot_begin(plot *drawing, int columns, int rows)
{
    drawing->rows = rows < PLOT_ROWS ? rows : PLOT_ROWS;
    drawing->columns = columns < PLOT_COLUMNS ? columns : PLOT_COLUMNS;
    memset(drawing->cell, -1, sizeof drawing->cell);
}

void plot_point(plot *drawing, int which, int column, int row)
{
    if (column >= 0 && column < drawing->columns && row >= 0 && row < drawing->rows)
        drawing->cell[row][column] = (signed char)(which % PLOT_SERIES);
}

void plot_rows(const plot *drawing, const char *const labels[PLOT_ROWS])
{
    for (int row = drawing->rows - 1; row >= 0; row--) {
        const char *label = labels[row] == NULL ? "" : labels[row];
        out_repeat(STYLE_PLAIN, " ", LABEL_WIDTH - width_of(label));
        out(STYLE_DIM, label);
        out(STYLE_DIM, labels[row] == NULL ? " │" : " ┤");
        int last = drawing->columns;
        while (last > 0 && drawing->cell[row][last - 1] < 0)
            last--;
        for (int column = 0; column < last; column++) {
            int which = drawing->cell[row][column];
            out(which < 0 ? STYLE_PLAIN : series[which].how, which < 0 ? " " : series[which].mark);
        }
        out_line();
    }
}

void plot_legend(const char *const names[], int count)
{
    out_repeat(STYLE_PLAIN, " ", LABEL_WIDTH + 2);
    for (int i = 0; i < count; i++) {
        out(STYLE_PLAIN, i > 0 ? "   " : "");
        out(series[i % PLOT_SERIES].how, series[i % PLOT_SERIES].mark);
        outf(STYLE_NAME, " %s", names[i]);
    }
    out_line();
}
