/* records.h - rows of named fields for programs: TSV, CSV, blanks between, JSON
 * SPDX-License-Identifier: MIT */

#ifndef RECORDS_H
#define RECORDS_H

#include <fpfmt.h>

#include "number.h"
#include "options.h"

/* A field of a line, the index-th of it, and what separates it from the one before. */
void put_field(output_kind output, const char *text, size_t index);

/* A text as JSON; null for "-", which stands for what does not exist. */
void json_string(const char *text);
void json_text_or_null(const char *text);

/* The start and the end of the object that holds a list of this name. */
void json_begin(const char *list);
void json_end(void);

/* A ratio as p/q or as an exact decimal; "-" if it does not exist. */
void optional_ratio(number text, const fpfmt_ratio *ratio, bool exists, bool fraction);

/* Rows whose fields are all text, count of them; in JSON they are in a list of this name. The form
 * is none of a screen's. */
typedef struct {
    output_kind output;
    const char *list, *const *names;
    size_t count, rows;
} records;
void records_begin(const records *made);
void records_row(records *made, const char *const *texts);
void records_end(const records *made);

#endif
