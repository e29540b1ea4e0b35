/* rows.h - tables of named rows: recipes, devices, parts
 * SPDX-License-Identifier: MIT
 *
 * Rows of several types begin alike, with a name and a summary, so that one function finds a row of
 * any table by its name, and one offers the names of any table to a shell's completion. */

#ifndef FPBUDGET_ROWS_H
#define FPBUDGET_ROWS_H

#include <stddef.h>

#include "kit/distance.h"

/* How every row begins. */
typedef struct {
    const char *name;
    const char *summary; /* what the row is, in a few words; NULL where its name says that */
} row_head;

/* Another name of a row. */
typedef struct {
    const char *alias, *name;
} row_alias;

typedef struct {
    const char *what; /* what a row is, as in "unknown recipe 'x'" */
    const void *rows;
    size_t count, size; /* of rows; bytes of a row */
    const char *advice; /* behind the names in a complaint, for names that are none; or "" */
    const row_alias *aliases; /* up to one without a name; NULL for none */
} row_table;

#define ROW_TABLE(what, rows, advice)                                                              \
    {                                                                                              \
        what, rows, sizeof rows / sizeof rows[0], sizeof rows[0], advice, NULL                     \
    }

/* Row index of a table, from 0 to count - 1, and how it begins. */
const void *row_at(const row_table *table, size_t index);
row_head head_at(const row_table *table, size_t index);

/* The row of this name or alias, whatever its case; NULL if there is none. */
const void *find_row(const row_table *table, const char *name);

/* Considers the name of every row. */
void consider_rows(name_search *search, const row_table *table);

/* As find_row; where there is none, NULL after a complaint that tells the nearest name or all. */
const void *require_row(const row_table *table, const char *name);

#endif
