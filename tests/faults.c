/* faults.c - reading data/faults.tsv
 * SPDX-License-Identifier: MIT */

#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { FIELDS = 7 };

bool row_holds(const struct row *row, bool condition, const char *got)
{
    return CHECK(condition, "faults.tsv:%u (%s): %s %s %s %s gives %s, not %s %s", row->line,
                 row->source, row->kind, row->input, row->format, row->policy, got, row->expected,
                 row->flags);
}

bool find_format(const struct row *row, fpfmt_format *format, const char *name)
{
    return row_holds(row, fpfmt_find(format, name) == FPFMT_FOUND, "an unknown format");
}

bool read_code(const struct row *row, const char *text, fpfmt_format *format, uint64_t *code)
{
    char name[FPFMT_NAME_SIZE] = "", *end;
    const char *colon = strchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof name)
        return false;
    memcpy(name, text, (size_t)(colon - text));
    *code = strtoull(colon + 1, &end, 16);
    return find_format(row, format, name) &&
           row_holds(row, *end == '\0', "bits that cannot be read");
}

bool read_value(const struct row *row, const char *text, fpfmt_value *value)
{
    fpfmt_format format;
    uint64_t code;
    if (strncmp(text, "int:", 4) == 0) {
        *value = fpfmt_from_i64(strtoll(text + 4, NULL, 10));
        return true;
    }
    if (strchr(text, ':') != NULL) {
        if (!read_code(row, text, &format, &code))
            return false;
        *value = fpfmt_decode(&format, code);
        return true;
    }
    size_t length = strlen(text);
    return row_holds(row, fpfmt_parse(value, text, length, NULL) == length, "a parse error");
}

static const struct {
    const char *word;
    fpfmt_policy policy;
} words[] = {
    { "-", { .rounding = FPFMT_ROUND_NEAREST_EVEN } },
    { "rna", { .rounding = FPFMT_ROUND_NEAREST_AWAY } },
    { "rnz", { .rounding = FPFMT_ROUND_NEAREST_ZERO } },
    { "rtz", { .rounding = FPFMT_ROUND_TOWARD_ZERO } },
    { "raz", { .rounding = FPFMT_ROUND_AWAY_FROM_ZERO } },
    { "rup", { .rounding = FPFMT_ROUND_UPWARD } },
    { "rdn", { .rounding = FPFMT_ROUND_DOWNWARD } },
    { "rto", { .rounding = FPFMT_ROUND_TO_ODD } },
    { "max", { .overflow = FPFMT_OVERFLOW_MAX } },
    { "max-finite", { .overflow = FPFMT_OVERFLOW_MAX_FINITE } },
    { "ftz", { .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS } },
    { "daz", { .subnormal = FPFMT_SUBNORMAL_FLUSH_INPUTS } },
    { "preserve", { .nan = FPFMT_NAN_PRESERVE } },
    { "tiny-before", { .tininess = FPFMT_TININESS_BEFORE_ROUNDING } },
};

bool find_policy(const struct row *row, fpfmt_policy *policy, const fpfmt_format *format)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, row->policy) == 0) {
            *policy = words[i].policy;
            return true;
        }
    return row_holds(row, fpfmt_find_policy(format, policy, row->policy), "an unknown policy");
}

void name_flags(char text[64], unsigned flags)
{
    static const char *const names[] = { "inexact", "underflow", "overflow", "divide-by-zero",
                                         "invalid" };
    text[0] = '\0';
    for (int bit = 4; bit >= 0; bit--)
        if (flags & 1U << bit) {
            strcat(text, text[0] == '\0' ? "" : ",");
            strcat(text, names[bit]);
        }
    if (text[0] == '\0')
        strcpy(text, "-");
}

/* Splits a line at its tabs in place; false if it has not the fields of a row. */
static bool split(struct row *row, char *line, unsigned number)
{
    char *field[FIELDS], *tab;
    int n = 0;
    for (tab = line; tab != NULL && n < FIELDS; n++) {
        field[n] = tab;
        tab = strchr(tab, '\t');
        if (tab != NULL)
            *tab++ = '\0';
    }
    if (n != FIELDS || tab != NULL)
        return false;
    size_t length = strlen(field[1]);
    if (length > 1 && field[1][0] == '"' && field[1][length - 1] == '"') {
        field[1][length - 1] = '\0';
        field[1]++;
    }
    *row = (struct row){ number,   field[0], field[1], field[2],
                         field[3], field[4], field[5], field[6] };
    return true;
}

size_t read_rows(struct row rows[], size_t most)
{
    static char text[1 << 18];
    const char *path = source_path("tests/data/faults.tsv");
    FILE *file = fopen(path, "r");
    unsigned number = 0;
    size_t count = 0;
    if (!CHECK(file != NULL, "%s cannot be read", path))
        return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    CHECK(length < sizeof text - 1, "%s is too long for this test", path);
    fclose(file);
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        number++;
        if (*line == '#' || *line == '\0' || count == most)
            continue;
        count += CHECK(split(&rows[count], line, number), "%s:%u has not %d fields", path, number,
                       FIELDS);
    }
    return count;
}
