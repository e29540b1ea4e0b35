/* json.h - JSON as it is written, member by member
 * SPDX-License-Identifier: MIT
 *
 * The writer knows where it is and puts commas, so that a member or an element is one call. Nothing
 * is kept: a list may be longer than memory. Numbers are written as text, since JSON's readers make
 * doubles of numbers, and these are exact. */

#ifndef FPFMT_KIT_JSON_H
#define FPFMT_KIT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16 };

typedef struct {
    FILE *to;
    int depth;            /* objects and lists that are open */
    bool any[JSON_DEPTH]; /* whether the one at each depth has something in it already */
    char close[JSON_DEPTH];
    bool named;      /* a name was written, and its value follows */
    const char *gap; /* stands before the next name or element in place of a blank, once */
    bool compact;    /* no blanks, as headers of tensor files have none */
} json_writer;

/* A writer to a stream. */
json_writer json_to(FILE *to);

/* What stands between this member or element and the one before it: a line break and an indent, in
 * place of the blank. Holds for the next one alone. */
void json_gap(json_writer *writer, const char *gap);

/* The name of a member; its value is the next thing written. */
void json_name(json_writer *writer, const char *name);

/* Values: members after their name, else elements. NULL is null. */
void json_text(json_writer *writer, const char *text);
void json_bool(json_writer *writer, bool value);
void json_count(json_writer *writer, uint64_t value); /* bare digits, for formats of files alone */
void json_raw(json_writer *writer, const char *json); /* what is JSON already */
void json_members(json_writer *writer);               /* an object is open until json_end */
void json_list(json_writer *writer);                  /* so is a list */

/* Closes what was opened last, behind this text, which is a line break or "". */
void json_end(json_writer *writer, const char *before);

/* What compose writes, in memory of the run that release() ends, and its length; NULL, and errno. It
 * may be called several times, with more room each time. */
char *json_in_memory(void (*compose)(json_writer *writer, void *context), void *context,
                     size_t *length);

/* A member whose value is a text; NULL is null. */
void json_member(json_writer *writer, const char *name, const char *text);

#endif
