/* store.h - --weights and --store: how each part is kept where not as the recipe says
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_STORE_H
#define FPBUDGET_STORE_H

#include "facts/question.h"

/* Take the argument of an option into the items of a question. False after a complaint. */
bool read_weights(question *asked, const char *text);
bool read_store(question *asked, const char *text);

/* How a part is kept: as the last item says that has one of its names (NULL for none), else in the
 * format of the recipe (NULL for none). False, and a width of 0, if the part is not kept at all. */
enum { PART_NAMES = 3 };
bool storage_of(storage *kept, const question *asked, const char *const names[PART_NAMES],
                const char *format);

/* Calls take for every name that --store takes: parts, groups of parts, parts of optimizers, terms
 * of the activations. */
void for_each_stored(void (*take)(void *context, row_head named), void *context);

#endif
