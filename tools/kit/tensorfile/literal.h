/* literal.h - the text of Python's literals, as headers of .npy files are written
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_LITERAL_H
#define FPFMT_KIT_LITERAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of a text, and whether it may be one of Python 2, whose long numbers end in L. */
typedef struct {
    const char *at, *end;
    bool has_long_numbers;
} literal;

/* Each of these takes what is next, and blanks, line ends and comments before it; false: it is
 * something else, and nothing is taken. */
bool take_mark(literal *rest, char mark);           /* one of "{}()[],:" */
bool take_word(literal *rest, const char *word);    /* True, False, None */
bool take_integer(literal *rest, uint64_t *number); /* 12, 1_000, 0x10; not negative */

/* Strings that stand beside each other are one. What does not fit, or is no ASCII, counts as no
 * string. */
bool take_string(literal *rest, char *text, size_t room);

/* Is nothing but blanks left? */
bool is_at_end(literal *rest);

#endif
