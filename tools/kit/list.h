/* list.h - lists of words separated by commas, as options take them
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_LIST_H
#define FPFMT_KIT_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A copy of item number index, from 0; NULL past the last. */
char *list_item(const char *list, size_t index);

/* How many items there are: one more than commas. */
size_t list_length(const char *list);

/* False after a complaint if an item is empty, as that after the comma of "bf16,". */
bool has_all_items(const char *list);

/* Is the text one of the words of a list that blanks separate, whatever its case? list NULL has
 * none. */
bool is_word_of(const char *list, const char *text);

#endif
