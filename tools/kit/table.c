/* table.c - aligned tables for people
 * SPDX-License-Identifier: MIT */

#include "kit/table.h"

#include <stdio.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/run.h"

/* Cells are pieces in one growing buffer: a style byte, the text, a NUL; a cell ends with '\1',
 * a row with '\2'. The style byte of a label has a bit more. */
enum { LABEL = 0x40 };

static kit_table *the_table(void)
{
    return &this_run()->table;
}

static void keep(const char *bytes, size_t n)
{
    kit_table *table = the_table();
    for (size_t i = 0; i < n; i++) {
        table->text = more(table->text, table->length, 1);
        table->text[table->length++] = bytes[i];
    }
}

void table_begin(int indent)
{
    kit_table *table = the_table();
    memset(table->widths, 0, sizeof table->widths);
    memset(table->right, 0, sizeof table->right);
    table->indent = indent;
    table->gutter = 2;
    table->rows = table->column = 0;
    table->length = 0;
}

void table_gutter(int blanks)
{
    kit_table *table = the_table();
    table->gutter = blanks;
}

void table_align(int column, align how)
{
    kit_table *table = the_table();
    table->right[column] = how == ALIGN_RIGHT;
}

void table_piece(style how, const char *text)
{
    char lead = (char)(how + 3); /* beyond the marks */
    keep(&lead, 1);
    keep(text, strlen(text) + 1);
}

void table_cell(style how, const char *text)
{
    kit_table *table = the_table();
    if (table->column++ > 0)
        keep("\1", 1);
    table_piece(how, text);
}

void table_label(style how, const char *text)
{
    table_cell((style)(how | LABEL), text);
}

void table_row(void)
{
    kit_table *table = the_table();
    keep("\2", 1);
    table->column = 0;
    if (++table->rows == TABLE_ROWS)
        table_flush();
}

/* The columns of the pieces of a cell; *end is the mark after them. */
static int cell_width(const char *cell, const char **end)
{
    int columns = 0;
    while (*cell != '\1' && *cell != '\2') {
        columns += width_of(cell + 1);
        cell += strlen(cell) + 1;
    }
    *end = cell;
    return columns;
}

static bool is_label(const char *cell)
{
    return ((*cell - 3) & LABEL) != 0;
}

/* Blanks are owed until something follows, so that no line ends in them. What is wider than its
 * column takes from the next ones, down to the gutter. */
static void print_row(const char **at)
{
    kit_table *table = the_table();
    const char *end;
    int owed = table->indent;
    for (int column = 0;; column++) {
        int columns = cell_width(*at, &end), pad = table->widths[column] - columns;
        if (table->right[column])
            owed += pad;
        if (column > 0 && owed < table->gutter && columns > 0)
            owed = table->gutter;
        for (const char *piece = *at; piece < end; piece += strlen(piece) + 1) {
            if (piece[1] == '\0')
                continue;
            fprintf(this_run()->out, "%*s", owed, "");
            owed = 0;
            out((style)((*piece - 3) & ~LABEL), piece + 1);
        }
        if (!table->right[column])
            owed += pad;
        owed += table->gutter;
        *at = end + 1;
        if (*end == '\2')
            break;
    }
    out_line();
}

void table_flush(void)
{
    kit_table *table = the_table();
    enum { WIDEST = 72 };
    const char *limit = table->text + table->length, *end;
    int column = 0;
    for (const char *cell = table->text; cell < limit; cell = end + 1) {
        int columns = cell_width(cell, &end);
        if (columns > table->widths[column] && columns <= WIDEST && !is_label(cell))
            table->widths[column] = columns;
        column = *end == '\2' || column == TABLE_COLUMNS - 1 ? 0 : column + 1;
    }
    for (const char *at = table->text; at < limit;)
        print_row(&at);
    table->rows = 0;
    table->length = 0;
}
