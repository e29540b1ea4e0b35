/* lines.h - values as text: one a line, of a file or of standard input
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_LINES_H
#define FPFMT_KIT_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* Text without its outer blanks, inner tabs as blanks, since else they would split a field of
 * --tsv, and U+2212 as the minus of ASCII. Changes text and *length, and ends it with a NUL. */
char *stripped(char *text, size_t *length);

/* Takes one line; where says which it is, as "line 3: ". False to stop. */
typedef bool (*take_line)(void *context, char *text, size_t length, const char *where);

/* Every line of a file, or of standard input where path is "-", stripped, but for empty ones. A
 * byte-order mark before the first is skipped.
 * False if take stopped, or after a complaint. */
bool for_each_line(const char *path, take_line take, void *context);

#endif
