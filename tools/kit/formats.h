/* formats.h - formats by name, lists of them, and what to say of names that are none
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_FORMATS_H
#define FPFMT_KIT_FORMATS_H

#include <fpfmt.h>

typedef struct {
    fpfmt_format *rows;
    size_t count;
} format_list;

/* Adds the formats of a set, as ieee, mx or all; false if there is no set of that name. */
bool add_set(format_list *list, const char *name);

/* A format by name; false after a complaint. A note says so where an alias may mislead. */
bool find_format(fpfmt_format *format, const char *name);

/* Adds the formats and sets of a text, which commas separate; false after a complaint. */
bool read_formats(format_list *list, const char *text);

/* Says of the name of a format with more than 53 bits of precision, as fp128 or x87, why it is none
 * of ours; false, and nothing said, of any other name. */
bool explain_missing_format(const char *where, const char *name);

/* Says that a format's name is not one, with what it may have meant. where stands before the
 * sentence, as "line 3: "; status and format are what fpfmt_find gave. */
void complain_about_format(const char *where, const char *name, fpfmt_status status,
                           const fpfmt_format *format);

#endif
