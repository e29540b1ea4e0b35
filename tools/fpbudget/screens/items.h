/* items.h - names with a text beside each, which explanations and assumptions are lists of
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_ITEMS_H
#define FPBUDGET_ITEMS_H

#include <stddef.h>

#include "kit/out.h"

/* A name, and beside it a text that keeps to a column of its own. */
void draw_item(const char *name, style how, const char *text);

/* A name of an explanation, with its text. */
void tell(const char *name, const char *text);

/* A name with two texts, one below the other: what is meant, and how much that is. */
void tell_twice(const char *name, const char *why, const char *text);

/* What was taken for granted, an item for each sentence. */
void draw_assumptions(const char *const sentences[], size_t count);

#endif
