/* plot.h - a small drawing of points on a grid of characters
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_PLOT_H
#define FPFMT_KIT_PLOT_H

#include <stdbool.h>

enum { PLOT_ROWS = 17, PLOT_COLUMNS = 80, PLOT_SERIES = 8 };

typedef struct {
    int columns, rows;
    int wanted;                                  /* columns before they were made to fit */
    unsigned char cell[PLOT_ROWS][PLOT_COLUMNS]; /* a bit for each series that has a point there */
} plot;

/* So many columns, or as many as fit the screen behind the labels: points are moved together then,
 * and drawing->columns says how many there are. */
void plot_begin(plot *drawing, int columns, int rows);

/* A point in column and row; row 0 is at the bottom. Outside is left out. */
void plot_point(plot *drawing, int series, int column, int row);

/* The rows from the top, each behind its label (NULL for none). Where series fall together their
 * marks take turns, or where these have no room, stands how many there are. */
void plot_rows(const plot *drawing, const char *const labels[PLOT_ROWS]);

/* "● fp16   ○ bf16": which mark is whose, and what it means that marks take turns, where they do.
 */
void plot_legend(const plot *drawing, const char *const names[], int count);

#endif
