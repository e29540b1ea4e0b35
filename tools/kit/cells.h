/* cells.h - the cells of a table: read from its text, measured, and broken into lines
 * SPDX-License-Identifier: MIT
 *
 * Cells are pieces in one growing buffer: a style byte, the text, a NUL; a cell ends with '\1', a
 * row with '\2'. The style byte of a label has a bit more. */

#ifndef FPFMT_KIT_CELLS_H
#define FPFMT_KIT_CELLS_H

#include <stdbool.h>

#include "kit/out.h"
#include "kit/run.h"

enum {
    CELL_LABEL = 0x40,
    CELL_STYLES = 3
}; /* a style byte is the style and this, past the marks */

/* The columns of the pieces of a cell; *end is the mark after them. */
int cell_width(const char *cell, const char **end);

bool is_label(const char *cell);

/* A place in a cell: a piece, and where in its text. */
typedef struct {
    const char *piece, *at;
} place;

place cell_start(const char *cell);

/* Steps over pieces that are read, to a character; false at the end of the cell. */
bool at_character(place *here);

/* The columns from one place of a cell to another. */
int columns_between(place from, place to);

/* The end of a line of a cell in so much room, and in *next where the following line begins. A word
 * that no line of the cell could hold, in so many columns at most, is broken where the room ends.
 */
place line_end(place here, int room, int most, place *next);

/* The column below which a broken cell goes on: that of its first digit, behind blanks or ≈. */
int lead_of(const char *cell);

/* How many lines a cell takes in a column so wide; adds to *broken for each word, or number, that
 * is broken. */
int lines_in(const char *cell, int width, int *broken);

/* Prints a cell from one place to another. */
void put_until(place from, place end);

/* The cells of a row that are shown, and how far each has been printed. A label of a column that is
 * dropped stands in the next one, if that has none. */
typedef struct {
    int count;
    int column[TABLE_COLUMNS];
    const char *cell[TABLE_COLUMNS];
    place here[TABLE_COLUMNS];
} cells;

/* Reads the row at this place of the table's text; returns where the next one begins. */
const char *read_row(const kit_table *table, const char *at, cells *row);

#endif
