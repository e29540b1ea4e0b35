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
    int room = out_width() - LABEL_WIDTH - 2, most = room < PLOT_COLUMNS ? room : PLOT_COLUMNS;
    drawing->rows = rows < PLOT_ROWS ? rows : PLOT_ROWS;
    drawing->columns = columns < most ? columns : most;
    drawing->wanted = columns;
    memset(drawing->cell, 0, sizeof drawing->cell);
}

void plot_point(plot *drawing, int which, int column, int row)
{
    if (drawing->columns < drawing->wanted)
        column = column * drawing->columns / drawing->wanted;
    if (column >= 0 && column < drawing->columns && row >= 0 && row < drawing->rows)
        drawing->cell[row][column] |= (unsigned char)(1u << which % PLOT_SERIES);
}

static int series_in(unsigned cell)
{
    int count = 0;
    for (; cell != 0; cell &= cell - 1)
        count++;
    return count;
}

/* The series that is number index of those in a cell. */
static int series_at(unsigned cell, int index)
{
    int which = 0;
    for (; index > 0; index--)
        cell &= cell - 1;
    while ((cell >> which & 1) == 0)
        which++;
    return which;
}

/* A run of cells of the same series: their marks in turn, or how many they are. */
static void draw_run(unsigned cell, int length)
{
    int count = series_in(cell);
    for (int i = 0; i < length; i++) {
        int which = count > 0 ? series_at(cell, i % count) : 0;
        if (count == 0)
            out_blanks(1);
        else if (count > length)
            outf(STYLE_PLAIN, "%d", count);
        else
            out(series[which].how, series[which].mark);
    }
}

void plot_rows(const plot *drawing, const char *const labels[PLOT_ROWS])
{
    for (int row = drawing->rows - 1; row >= 0; row--) {
        const char *label = labels[row] == NULL ? "" : labels[row];
        const unsigned char *cells = drawing->cell[row];
        out_blanks(LABEL_WIDTH - width_of(label));
        out(STYLE_DIM, label);
        out(STYLE_DIM, labels[row] == NULL ? " │" : " ┤");
        for (int column = 0, length; column < drawing->columns; column += length) {
            for (length = 1;
                 column + length < drawing->columns && cells[column + length] == cells[column];)
                length++;
            draw_run(cells[column], length);
        }
        out_line();
    }
}

static bool overlaps(const plot *drawing)
{
    for (int row = 0; row < drawing->rows; row++)
        for (int column = 0; column < drawing->columns; column++)
            if (series_in(drawing->cell[row][column]) > 1)
                return true;
    return false;
}

/* An item behind a gap of three blanks, or on a line of its own if there is no room. */
static void legend_item(const char *mark, style how, const char *name, bool first)
{
    enum { GAP = 3 };
    int gap = first ? 0 : GAP, between = *mark != '\0';
    if (gap + width_of(mark) + between + width_of(name) > out_left()) {
        out_line();
        gap = LABEL_WIDTH + 2;
    }
    out_blanks(gap);
    out(how, mark);
    out_blanks(between);
    out(*mark != '\0' ? STYLE_NAME : STYLE_DIM, name);
}

void plot_legend(const plot *drawing, const char *const names[], int count)
{
    out_blanks(LABEL_WIDTH + 2);
    for (int i = 0; i < count; i++)
        legend_item(series[i % PLOT_SERIES].mark, series[i % PLOT_SERIES].how, names[i], i == 0);
    if (overlaps(drawing))
        legend_item("", STYLE_PLAIN, "in turn, or a number: together", false);
    out_line();
}
