/* test_arith_vectors.c - arithmetic against computed results and against SoftFloat's
 * SPDX-License-Identifier: MIT
 *
 * Cells that a convention decides are held against the policy that follows it: saturating ones
 * against overflow to the largest value, those of P3109 formats against P3109's specials. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "cells.h"
#include "runner.h"

enum { ROUND_TO_INTEGRAL = FPFMT_OPERATION_COUNT, MOST_OPERANDS = 3 };

static const struct {
    const char *word;
    int operation;
} words[] = {
    { "add", FPFMT_OPERATION_ADD },      { "sub", FPFMT_OPERATION_SUBTRACT },
    { "mul", FPFMT_OPERATION_MULTIPLY }, { "div", FPFMT_OPERATION_DIVIDE },
    { "sqrt", FPFMT_OPERATION_SQRT },    { "fma", FPFMT_OPERATION_FMA },
    { "mulAdd", FPFMT_OPERATION_FMA },   { "rem", FPFMT_OPERATION_REMAINDER },
    { "roundToInt", ROUND_TO_INTEGRAL },
};

static struct {
    uint64_t cells, codes_marked, flags_marked, without_nan;
} tally;

/* The operation of a file's name: the word between this character and the next dot; -1, and a
 * mismatch, if there is none. */
static int operation_of(const char *name, char before)
{
    const char *at = strrchr(name, '/');
    at = at == NULL ? NULL : strchr(at, before);
    size_t length = at == NULL ? 0 : strcspn(at + 1, ".");
    for (size_t i = 0; length > 0 && i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == length && strncmp(words[i].word, at + 1, length) == 0)
            return words[i].operation;
    CHECK(false, "%s names no operation", name);
    return -1;
}

static unsigned operands_of(int operation)
{
    return operation == ROUND_TO_INTEGRAL ? 1 : fpfmt_operands(operation);
}

/* P3109 formats follow P3109; a NaN that the format does not have is the largest value. */
static void judge(const fpfmt_format *format, int operation, const uint64_t *operand, cell expected,
                  fpfmt_policy policy)
{
    fpfmt_value x[MOST_OPERANDS];
    if (strncmp(format->name, "binary", 6) == 0)
        policy.specials = FPFMT_SPECIALS_P3109;
    for (int i = 0; i < MOST_OPERANDS; i++)
        x[i] = fpfmt_decode(format, operand[i]);
    if (expected.none)
        expected.code = fpfmt_measure(format).max;
    tally.cells++;
    tally.codes_marked += expected.code_marked;
    tally.flags_marked += expected.flags_marked;
    tally.without_nan += expected.none;
    for (policy.tininess = 0; policy.tininess < 2; policy.tininess++) {
        unsigned flags = 0;
        uint64_t code = operation == ROUND_TO_INTEGRAL
                            ? fpfmt_round_to_integral(format, x[0], &policy, &flags)
                            : fpfmt_operate(format, operation, x[0], x[1], x[2], &policy, &flags);
        CHECK(is_cell(&expected, format, code, flags, policy.tininess),
              "%s operation %d of 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
              ", rounding %d overflow %d tininess %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64
              " flags %x",
              format->name, operation, operand[0], operand[1], operand[2], policy.rounding,
              policy.overflow, policy.tininess, code, flags, expected.code,
              expected.flags[policy.tininess]);
    }
}

/* Operands, a bar, and the cells of six modes in one column or, saturating too, in two. */
static void judge_row(const fpfmt_format *format, int operation, char *line, size_t columns)
{
    cell cells[MODES * 2];
    uint64_t operand[MOST_OPERANDS] = { 0 };
    char *at = line, *bar = strchr(line, '|');
    for (unsigned i = 0; i < operands_of(operation); i++)
        operand[i] = strtoull(at, &at, 16);
    if (!CHECK(bar == at + 1 && parse_cells(cells, MODES * columns, bar + 1),
               "a row of %s, operation %d, is not understood", format->name, operation))
        return;
    for (size_t i = 0; i < MODES * columns; i++)
        judge(format, operation, operand, cells[i],
              (fpfmt_policy){ .rounding = cell_modes[i / columns],
                              .overflow = columns == 2 && i % 2 != 0 ? FPFMT_OVERFLOW_MAX
                                                                     : FPFMT_OVERFLOW_SPEC });
}

/* One operand, and for each of the second a cell of two digits and two of flags, to nearest even;
 * tininess after rounding, so the other is not judged. */
static void judge_table_row(const fpfmt_format *format, int operation, char *line)
{
    char *at = line;
    uint64_t a = strtoull(line, &at, 16);
    CHECK(*at++ == ':', "a row of a table of %s is not understood", format->name);
    for (unsigned b = 0; b < 256; b++) {
        char *end;
        uint64_t word = strtoull(at + 1, &end, 16);
        if (!CHECK(end == at + 5, "cell %u of row %.2s of %s is not understood", b, line,
                   format->name))
            return;
        at = end;
        unsigned flags = 0;
        uint64_t code = fpfmt_operate(format, operation, fpfmt_decode(format, a),
                                      fpfmt_decode(format, b), fpfmt_from_i64(0), NULL, &flags);
        cell expected = { .code = word >> 8, .flags = { word & 0xFF } };
        tally.cells++;
        CHECK(is_cell(&expected, format, code, flags, 0),
              "%s operation %d of 0x%" PRIx64 " 0x%x: 0x%" PRIx64 " flags %x, not 0x%" PRIx64,
              format->name, operation, a, b, code, flags, word);
    }
}

static void read_computed(const char *name)
{
    static cell_file file;
    int operation = operation_of(name, '.');
    bool table = strstr(name, ".rne_table.") != NULL;
    if (operation < 0 || !open_cells(&file, name))
        return;
    for (char *line; (line = next_row(&file)) != NULL;) {
        if (!CHECK(file.format.name[0] != '\0', "%s does not name its format", name))
            continue;
        if (table)
            judge_table_row(&file.format, operation, line);
        else
            judge_row(&file.format, operation, line, 2);
    }
}

static void print_tally(size_t files)
{
    printf("# %zu files, %" PRIu64 " cells compared, %" PRIu64
           " of them with marked codes, %" PRIu64 " with marked flags, %" PRIu64
           " NaN where there is none; none was left out\n",
           files, tally.cells, tally.codes_marked, tally.flags_marked, tally.without_nan);
}

static void computed_results(void)
{
    memset(&tally, 0, sizeof tally);
    size_t files = each_file("arith", read_computed);
    if (files == 0)
        return;
    CHECK(tally.cells > 0 && tally.codes_marked > 0 && tally.flags_marked > 0,
          "too little was compared");
    print_tally(files);
}

/* SoftFloat's files name no format in their lines, but in their names. */
static void softfloat_results(void)
{
    static const struct {
        const char *prefix, *format;
    } formats[] = { { "f16", "fp16" }, { "f32", "fp32" }, { "f64", "fp64" } };
    static const char *const files[] = { "add",  "sub",    "mul", "div",
                                         "sqrt", "mulAdd", "rem", "roundToInt" };
    enum { EACH = sizeof files / sizeof files[0], ALL = EACH * 3 };
    static cell_file file;
    memset(&tally, 0, sizeof tally);
    for (size_t i = 0; i < ALL; i++) {
        char name[64];
        snprintf(name, sizeof name, "testfloat/%s_%s.txt", formats[i / EACH].prefix,
                 files[i % EACH]);
        if (!open_cells(&file, name))
            continue;
        for (char *line; (line = next_row(&file)) != NULL;)
            judge_row(fpfmt_named(formats[i / EACH].format), operation_of(name, '_'), line, 1);
    }
    print_tally(ALL);
}

int main(void)
{
    static const struct test tests[] = {
        { "computed results agree, flags and both kinds of tininess too", computed_results },
        { "SoftFloat's results agree, flags and both kinds of tininess too", softfloat_results },
    };
    return run_tests("arith_vectors", tests, sizeof tests / sizeof tests[0]);
}
