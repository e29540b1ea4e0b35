/* faults.h - the rows of data/faults.tsv, and what stands in their fields
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_FAULTS_H
#define FPFMT_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>

#include <fpfmt.h>

struct row {
    unsigned line;
    const char *kind, *input, *format, *policy, *expected, *flags, *source;
};

/* Every row of the file, at most this many; returns how many. */
size_t read_rows(struct row rows[], size_t most);

/* CHECK for a row: names its line, its input and its source. */
bool row_holds(const struct row *row, bool condition, const char *got);

bool find_format(const struct row *row, fpfmt_format *format, const char *name);

/* A typed code, as fp16:0x7c00; false if the text is something else. */
bool read_code(const struct row *row, const char *text, fpfmt_format *format, uint64_t *code);

/* A typed code, int: and an integer, or a number. */
bool read_value(const struct row *row, const char *text, fpfmt_value *value);

/* The policy that the row names, for a target. */
bool find_policy(const struct row *row, fpfmt_policy *policy, const fpfmt_format *format);

/* The words of flags as the file has them, the gravest first. */
void name_flags(char text[64], unsigned flags);

#endif
