/* table.c - aligned tables for people
 * SPDX-License-Identifier: MIT */

#include "kit/table.h"

#include <stdio.h>
#include <string.h>

#include "kit/cells.h"
#include "kit/fit.h"
#include "kit/memory.h"
#include "kit/run.h"

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
    memset(table->rank, 0, sizeof table->rank);
    memset(table->dropped, 0, sizeof table->dropped);
    table->fitted = false;
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

void table_drop(int column, int rank)
{
    the_table()->rank[column] = (unsigned char)rank;
}

void table_piece(style how, const char *text)
{
    char lead = (char)(how + CELL_STYLES);
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
    table_cell((style)(how | CELL_LABEL), text);
}

void table_row(void)
{
    kit_table *table = the_table();
    keep("\2", 1);
    table->column = 0;
    if (++table->rows == TABLE_ROWS)
        table_flush();
}

/* The room of a cell that begins here: its column, and what follows as far as that is empty. */
static int room_of(const cells *row, int index, int start, int here)
{
    const kit_table *table = the_table();
    const char *end;
    int own = table->widths[row->column[index]], next = start + own;
    for (int i = index + 1; i < row->count; i++) {
        if (cell_width(row->cell[i], &end) > 0)
            return next - here > own ? next - here : own;
        next += table->gutter + table->widths[row->column[i]];
    }
    return this_run()->width - here > own ? this_run()->width - here : own;
}

/* One line of a row; true if more of it is left. Blanks are owed until something follows. What is
 * wider than its column takes from the next ones, down to the gutter. */
static bool print_line(cells *row, bool first)
{
    kit_table *table = the_table();
    const char *end = NULL;
    bool more_lines = false;
    int start = table->indent, at = 0;
    for (int i = 0; i < row->count; i++) {
        int column = row->column[i], width = table->widths[column];
        int lead = first ? 0 : lead_of(row->cell[i]);
        int columns = first ? cell_width(row->cell[i], &end) : 0;
        int owed = start + lead - at;
        if (!at_character(&row->here[i])) {
            start += width + table->gutter;
            continue;
        }
        bool whole = first && !table->fitted;
        if (table->right[column] && columns <= width && first)
            owed += width - columns;
        if (i > 0 && at > 0 && owed < table->gutter)
            owed = table->gutter;
        place from = row->here[i], until = { end, end };
        int room = room_of(row, i, start, at + owed);
        if (whole)
            row->here[i] = until;
        else
            until = line_end(from, room, room - lead_of(row->cell[i]), &row->here[i]);
        out_blanks(owed);
        out_hang(at + owed);
        put_until(from, until);
        at += owed + columns_between(from, until);
        more_lines |= at_character(&row->here[i]);
        start += width + table->gutter;
    }
    out_line();
    return more_lines;
}

void table_flush(void)
{
    kit_table *table = the_table();
    const char *limit = table->text + table->length;
    fit_table(table);
    for (const char *at = table->text; at < limit;) {
        cells row;
        at = read_row(table, at, &row);
        for (bool first = true; print_line(&row, first); first = false)
            continue;
    }
    table->rows = 0;
    table->length = 0;
}

bool table_shows(int column)
{
    return !the_table()->dropped[column];
}
