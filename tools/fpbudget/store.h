/* store.h - --weights and --store: how each part is kept, where not as the recipe says
 * SPDX-License-Identifier: MIT */

#ifndef STORE_H
#define STORE_H

#include "options.h"

/* Read the argument of an option. False after a complaint. */
bool read_weights(options *chosen, const char *text);
bool read_store(options *chosen, const char *text);

/* How a part is kept: as the last item says that has one of its names (NULL for none), else in the
 * format of the recipe (NULL for none). False, and a width of 0, if it is not kept at all. */
enum { PART_NAMES = 3 };
bool storage_of(storage *kept, const options *chosen, const char *const names[PART_NAMES],
                const char *format);

#endif
