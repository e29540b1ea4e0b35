/* out.h - standard output: colour, ASCII instead of drawing characters, aligned tables
 * SPDX-License-Identifier: MIT
 *
 * Text is UTF-8 in the source. Everything people see goes through here, so that --ascii and
 * --color need no second thought elsewhere. */

#ifndef OUT_H
#define OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    STYLE_PLAIN,
    STYLE_SIGN,
    STYLE_EXPONENT,
    STYLE_FRACTION,
    STYLE_GOOD,
    STYLE_WARN,
    STYLE_LOST,
    STYLE_INPUT,
    STYLE_NAME,
    STYLE_DIM
} style;

void out_setup(bool ascii, bool color, int width);
int out_width(void);

void out(style how, const char *text);
void outf(style how, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_repeat(style how, const char *text, int times);
void out_line(void);

/* The columns a text takes. */
int width_of(const char *text);

/* A paragraph, indented, broken between words at the width. */
void out_wrapped(int indent, const char *text);

/* The same, with so many columns of the first line already written. */
void out_wrapped_from(int at, int indent, const char *text);

/* A table of rows of cells. A cell may hold several styled pieces. Rows are kept until
 * table_flush, which aligns what there is and keeps the widths for what follows. */
typedef enum { ALIGN_LEFT, ALIGN_RIGHT } align;

enum { TABLE_COLUMNS = 64, TABLE_ROWS = 64 };

void table_begin(int indent);
void table_align(int column, align how);
void table_gutter(int blanks);                 /* between columns; 2 unless said otherwise */
void table_cell(style how, const char *text);  /* the next cell of the row */
void table_label(style how, const char *text); /* a cell that may reach over the next ones */
void table_piece(style how, const char *text); /* more in the same cell */
void table_row(void);
void table_flush(void);

#endif
