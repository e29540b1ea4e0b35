/* text.h - text put together in memory, by the formats of printf
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_TEXT_H
#define FPFMT_KIT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Writes what fits in size bytes, a NUL included. */
void print_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes behind the text that is there already; size is that of the whole. */
void append_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A name from a file as a screen may show it, in memory of the run: a question mark for each
 * character that moves the cursor or does other things, and for each byte that is no UTF-8. */
char *as_line(const char *name);

#endif
