/* plot.h - a small drawing of points on a grid of characters
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_PLOT_H
#define FPFMT_KIT_PLOT_H

#include <stdbool.h>

enum { PLOT_ROWS = 17, PLOT_COLUMNS = 80, PLOT_SERIES = 8 };

typedef struct {
    int columns, rows;
    signed char cell[PLOT_ROWS][PLOT_COLUMNS]; /* the series drawn there, -1 for none */
} plot;

void plot_begin(plot *drawing, int columns, int rows);

/* A point in column and row; row 0 is at the bottom. Outside is left out. */
void plot_point(plot *drawing, int series, int column, int row);

/* The rows from the top, each behind its label (NULL for none). */
void plot_rows(const plot *drawing, const char *const labels[PLOT_ROWS]);

/* "● fp16   ○ bf16": which mark is whose. */
void plot_legend(const char *const names[], int count);

#endif
