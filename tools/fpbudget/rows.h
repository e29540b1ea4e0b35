/* rows.h - rows of a table, found by name
 * SPDX-License-Identifier: MIT */

#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>

/* A table whose rows begin with a const char *name. */
typedef struct {
    const char *what; /* as in "unknown recipe 'x'" */
    const void *rows;
    size_t count, size;
    const char *advice; /* what else there is, after the nearest name; "" for nothing */
} row_table;

#define ROW_TABLE(what, rows, advice)                                                              \
    {                                                                                              \
        what, rows, sizeof rows / sizeof rows[0], sizeof rows[0], advice                           \
    }

/* Row index of a table, from 0, and its name. */
const void *row_at(const row_table *table, size_t index);
const char *row_name(const row_table *table, size_t index);

/* The row of this name, whatever its case; NULL if there is none. */
const void *find_row(const row_table *table, const char *name);

/* The index of the row whose name is nearest, and how far off that is. */
size_t nearest_row(const row_table *table, const char *name, unsigned *distance);

/* As find_row, or a complaint with the nearest name, and NULL. */
const void *require_row(const row_table *table, const char *name);

#endif
