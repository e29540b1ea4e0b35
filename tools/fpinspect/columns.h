/* columns.h - ways of rounding: from --policy, --overflow, --round and --via
 * SPDX-License-Identifier: MIT */

#ifndef COLUMNS_H
#define COLUMNS_H

#include "options.h"

/* The argument of an option that takes a list, and the number of its items. */
typedef struct {
    const char *list;
    size_t count;
} listed;

typedef struct {
    listed policy, overflow, round;
} column_lists;

void use_list(listed *target, const char *list);

/* The columns that the lists make: one of them may have several items. */
bool read_columns(options *chosen, const column_lists *lists);

/* The steps of --via: FORMAT[:MODE],... */
bool read_via(options *chosen, const char *list);

bool read_seed(options *chosen, const char *text);

/* A word of a table, or a complaint and NULL. */
const word *read_word(const word_table *table, const char *text);

/* A whole number from least to most, or a complaint that names what takes it. */
bool read_count(int *count, const char *text, const char *what, int least, int most);

#endif
