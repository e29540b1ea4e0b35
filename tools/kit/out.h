/* out.h - text for people: colour, ASCII instead of drawing characters, paragraphs
 * SPDX-License-Identifier: MIT
 *
 * Text is UTF-8 in the source. Everything people see goes through here, so that --ascii and
 * --color need no second thought elsewhere. */

#ifndef FPFMT_KIT_OUT_H
#define FPFMT_KIT_OUT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    STYLE_PLAIN,
    STYLE_SIGN,
    STYLE_EXPONENT,
    STYLE_FRACTION,
    STYLE_GOOD,
    STYLE_WARN,
    STYLE_LOST,
    STYLE_INPUT,
    STYLE_NAME,
    STYLE_DIM
} style;

/* The columns of the screen, and those that are left of this line. */
int out_width(void);
int out_left(void);

/* No line becomes wider than the screen: what does not fit goes on below, between words if it can,
 * from the column of out_hang on. Blanks at the end of a line are left out. */
void out(style how, const char *text);
void outf(style how, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_repeat(style how, const char *text, int times);
void out_line(void);

/* An empty line before what comes next, and none if nothing does. */
void out_gap(void);

/* So many blanks before what comes next. */
void out_blanks(int count);

/* What of this line does not fit goes on below from this column on; 4 unless said otherwise. */
void out_hang(int column);

/* The columns a text takes. */
int width_of(const char *text);

/* The bytes of the character at the text, and the columns it takes. */
size_t character_at(const char *text, int *columns);

/* A paragraph, indented, broken between words at the width. */
void out_wrapped(int indent, const char *text);

/* A paragraph of whose first line so many columns are already written. */
void out_wrapped_from(int at, int indent, const char *text);

#endif
