/* table.h - aligned tables for people
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_TABLE_H
#define FPFMT_KIT_TABLE_H

#include "kit/out.h"

/* A table of rows of cells. A cell may hold several styled pieces. Rows are kept until
 * table_flush, which aligns what there is and keeps the widths for what follows.
 *
 * Where the rows are wider than the screen, columns that may be dropped go, and then cells are
 * broken, between words if they can, and go on below their first character: those that cost the
 * fewest lines. */
typedef enum { ALIGN_LEFT, ALIGN_RIGHT } align;

void table_begin(int indent);
void table_align(int column, align how);
void table_gutter(int blanks);                 /* between columns; 2 unless said otherwise */
void table_drop(int column, int rank);         /* it may go: those of rank 1 first, then of 2 */
void table_cell(style how, const char *text);  /* the next cell of the row */
void table_label(style how, const char *text); /* a cell that may reach over the next ones */
void table_piece(style how, const char *text); /* more in the same cell */
void table_row(void);
void table_flush(void);
bool table_shows(int column); /* after a flush: has it stayed? */

#endif
