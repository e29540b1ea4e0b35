/* targets.h - lists of formats, and what to say of names that are none
 * SPDX-License-Identifier: MIT */

#ifndef TARGETS_H
#define TARGETS_H

#include "options.h"

/* memory with room for one item more than count of this size; ends the program without memory. */
void *more(void *memory, size_t count, size_t size);

/* A copy of item number index of a list separated by commas; NULL past the last. */
char *list_item(const char *list, size_t index);
size_t list_length(const char *list);

/* The rows of a set, as ieee, mx or all; false if there is none of that name. */
bool add_set(options *chosen, const char *name);

/* A format by name; complains, and gives a note where an alias may mislead. */
bool find_format(fpfmt_format *format, const char *name);

/* The targets of --as: formats and sets, separated by commas. */
bool read_formats(options *chosen, const char *list);

/* Says that a format's name is not one, with what it may have meant; where as in read_input. */
void complain_about_format(const char *where, const char *name, fpfmt_status status,
                           const fpfmt_format *format);

#endif
