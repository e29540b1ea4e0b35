/* test_vectors.c - recorded and computed results: decode, encode, decimal, hardware, SoftFloat
 * SPDX-License-Identifier: MIT
 *
 * Cells that a convention decides are held against the policy or row that follows it. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "cells.h"
#include "runner.h"

enum { COLUMNS = 2 };

static struct {
    uint64_t cells, marked;
    uint64_t zeros, negatives;
} tally;

/* The project's decision where a convention knows another one: what the cell would say. Returns
 * false if no policy follows the convention. */
static bool decide(cell *expected, const fpfmt_format *format, const fpfmt_value *value,
                   bool saturating)
{
    bool scale = format->exponent_zero == FPFMT_EXPONENT_ZERO_NORMALS;
    bool no_infinity = format->infinity == FPFMT_INFINITY_NONE;
    if (expected->none) { /* NaN where there is none: the largest value */
        expected->code = fpfmt_measure(format).max;
    } else if (value->kind == FPFMT_KIND_INFINITE && no_infinity && expected->flags_marked &&
               !(value->negative && format->sign_bits == 0)) {
        expected->flags[0] = expected->flags[1] = FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INEXACT;
    } else if (scale && value->kind == FPFMT_KIND_ZERO && !saturating) {
        tally.zeros++;
        return false;
    } else if (format->sign_bits == 0 && value->negative && saturating &&
               (value->kind == FPFMT_KIND_INFINITE || (scale && value->kind == FPFMT_KIND_NORMAL) ||
                (scale && value->kind == FPFMT_KIND_SUBNORMAL))) {
        tally.negatives++;
        expected->flags[0] = expected->flags[1] = FPFMT_FLAG_INEXACT;
    }
    return true;
}

static void judge_cell(const fpfmt_format *format, const char *input, fpfmt_value value,
                       cell expected, fpfmt_policy policy, bool saturating)
{
    fpfmt_format row = *format;
    if (format->exponent_bits == 0)
        policy.overflow = FPFMT_OVERFLOW_SYMMETRIC; /* both columns leave -128 unused */
    else if (saturating)
        policy.overflow = FPFMT_OVERFLOW_MAX;
    if (expected.code_marked && format->tie == FPFMT_TIE_LARGER)
        row.tie = FPFMT_TIE_EVEN_CODE;
    tally.marked += expected.code_marked || expected.flags_marked;
    if ((expected.code_marked || expected.flags_marked) &&
        !decide(&expected, format, &value, saturating))
        return;
    tally.cells++;
    for (policy.tininess = 0; policy.tininess < 2; policy.tininess++) {
        unsigned flags = 0;
        uint64_t code = fpfmt_encode(&row, value, &policy, &flags);
        CHECK(is_cell(&expected, format, code, flags, policy.tininess),
              "%s of %.60s, rounding %d%s: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
              format->name, input, policy.rounding, saturating ? " saturating" : "", code, flags,
              expected.code, expected.flags[policy.tininess]);
    }
}

static void judge_row(const fpfmt_format *format, const char *input, fpfmt_value value, char *text,
                      size_t columns)
{
    cell cells[MODES * COLUMNS];
    if (!CHECK(parse_cells(cells, MODES * columns, text),
               "%s of %.60s: the cells are not understood", format->name, input))
        return;
    for (size_t i = 0; i < MODES * columns; i++)
        judge_cell(format, input, value, cells[i],
                   (fpfmt_policy){ .rounding = cell_modes[i / columns] },
                   columns == 2 && i % 2 != 0);
}

static void encode_row(const fpfmt_format *format, char *line)
{
    char *tag = strchr(line, ' '), *cells = tag == NULL ? NULL : strchr(tag + 1, ' ');
    if (!CHECK(cells != NULL, "a row of %s is not understood", format->name))
        return;
    *tag = '\0';
    judge_row(format, line, fpfmt_decode(fpfmt_named("fp64"), strtoull(line, NULL, 16)), cells, 2);
}

static void decimal_row(const fpfmt_format *format, char *line)
{
    fpfmt_value value;
    const char *why = NULL;
    char *cells = strrchr(line, '\t'), *tag = strchr(line, '\t');
    size_t length;
    if (!CHECK(cells != NULL, "a row of %s is not understood", format->name))
        return;
    *tag = '\0';
    length = fpfmt_parse(&value, line, strlen(line), &why);
    if (CHECK(length == strlen(line) && why == NULL, "%.60s is read up to %zu: %s", line, length,
              why == NULL ? "-" : why))
        judge_row(format, line, value, cells + 1, 2);
}

/* Is the kind the one of the vectors' words? They have one for each sign of infinity. */
static bool is_kind(fpfmt_value value, const char *word)
{
    static const char *const kinds[] = { "zero", "subnormal", "normal", "inf", "nan", "snan" };
    const char *infinite = value.negative ? "-inf" : "+inf";
    return strcmp(word, value.kind == FPFMT_KIND_INFINITE ? infinite : kinds[value.kind]) == 0;
}

/* Does the text read as exactly this value? */
static bool reads_as(const char *text, fpfmt_value value)
{
    fpfmt_value read;
    return fpfmt_parse(&read, text, strlen(text), NULL) == strlen(text) && !read.inexact &&
           read.significand == value.significand && read.exponent == value.exponent &&
           read.negative == value.negative;
}

static void decode_row(const fpfmt_format *format, char *line)
{
    char *code = strtok(line, " "), *kind = strtok(NULL, " "), *hexadecimal = strtok(NULL, " ");
    char *binary64 = strtok(NULL, " "), *decimal = strtok(NULL, " \n");
    fpfmt_value value;
    if (!CHECK(decimal != NULL, "a row of %s is not understood", format->name))
        return;
    value = fpfmt_decode(format, strtoull(code, NULL, 16));
    tally.cells++;
    CHECK(is_kind(value, kind), "%s %s is not %s", format->name, code, kind);
    if (strcmp(binary64, "-") != 0)
        CHECK(fpfmt_encode(fpfmt_named("fp64"), value, NULL, NULL) == strtoull(binary64, NULL, 16),
              "%s %s is not %s", format->name, code, binary64);
    if (strcmp(decimal, "-") != 0)
        CHECK(reads_as(hexadecimal, value) && reads_as(decimal, value), "%s %s is not %s",
              format->name, code, hexadecimal);
}

static void (*take_row)(const fpfmt_format *format, char *line);

static void read_file(const char *name)
{
    static cell_file file;
    if (!open_cells(&file, name))
        return;
    for (char *line; (line = next_row(&file)) != NULL;)
        if (CHECK(file.format.name[0] != '\0', "%s does not name its format", name))
            take_row(&file.format, line);
}

/* Every file of a folder. */
static void read_folder(const char *folder, void (*row)(const fpfmt_format *, char *))
{
    memset(&tally, 0, sizeof tally);
    take_row = row;
    size_t files = each_file(folder, read_file);
    if (files == 0)
        return;
    CHECK(tally.cells > 0, "%s: nothing was compared", folder);
    printf("# %zu files, %" PRIu64 " cells compared, %" PRIu64 " of them marked ?\n", files,
           tally.cells, tally.marked - tally.zeros);
    if (tally.zeros + tally.negatives > 0)
        printf(
            "# not judged: %" PRIu64 " zeros into E8M0 (NaN there, 2^-127 here), %" PRIu64
            " flags of negatives into saturating unsigned formats (invalid there, inexact here)\n",
            tally.zeros, tally.negatives);
}

static void decode_vectors(void)
{
    read_folder("decode", decode_row);
}

static void encode_vectors(void)
{
    read_folder("encode", encode_row);
}

static void decimal_vectors(void)
{
    read_folder("decimal", decimal_row);
}

/* Rows of a conversion, operand | results. */
typedef struct {
    const char *file, *from, *to;
    const fpfmt_policy *policy; /* one exact result, NaN too; NULL for cells in six modes */
} conversion;

static void read_conversion(const conversion *what)
{
    static cell_file file;
    const fpfmt_format *from = fpfmt_named(what->from), *to = fpfmt_named(what->to);
    if (!open_cells(&file, what->file))
        return;
    for (char *line; (line = next_row(&file)) != NULL;) {
        char *bar = strchr(line, '|');
        uint64_t code = strtoull(line, NULL, 16), result;
        if (!CHECK(bar != NULL && from != NULL && to != NULL, "%s is not understood", what->file))
            continue;
        bar[-1] = '\0';
        if (what->policy == NULL) {
            judge_row(to, line, fpfmt_decode(from, code), bar + 1, 1);
            continue;
        }
        result = fpfmt_convert(to, from, code, what->policy, NULL);
        CHECK(result == strtoull(bar + 1, NULL, 16), "%s: %s gives 0x%" PRIx64 ", not %s",
              what->file, line, result, bar + 1);
    }
}

static void x86_conversions(void)
{
    static const fpfmt_policy up = { .rounding = FPFMT_ROUND_UPWARD };
    static const fpfmt_policy down = { .rounding = FPFMT_ROUND_DOWNWARD };
    static const fpfmt_policy zero = { .rounding = FPFMT_ROUND_TOWARD_ZERO };
    static const fpfmt_policy even = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    fpfmt_policy bf16;
    if (!CHECK(fpfmt_find_policy(fpfmt_named("bf16"), &bf16, "x86-vcvtneps2bf16"),
               "there is no policy x86-vcvtneps2bf16"))
        return;
    const conversion all[] = {
        { "accumulators/x86.vcvtneps2bf16.txt", "fp32", "bf16", &bf16 },
        { "accumulators/x86.vcvtps2ph.rne.txt", "fp32", "fp16", &even },
        { "accumulators/x86.vcvtps2ph.rdn.txt", "fp32", "fp16", &down },
        { "accumulators/x86.vcvtps2ph.rup.txt", "fp32", "fp16", &up },
        { "accumulators/x86.vcvtps2ph.rtz.txt", "fp32", "fp16", &zero },
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        read_conversion(&all[i]);
}

static void softfloat_conversions(void)
{
    static const conversion all[] = {
        { "testfloat/bf16_to_f32.txt", "bf16", "fp32", NULL },
        { "testfloat/f16_to_f32.txt", "fp16", "fp32", NULL },
        { "testfloat/f16_to_f64.txt", "fp16", "fp64", NULL },
        { "testfloat/f32_to_bf16.txt", "fp32", "bf16", NULL },
        { "testfloat/f32_to_f16.txt", "fp32", "fp16", NULL },
        { "testfloat/f32_to_f64.txt", "fp32", "fp64", NULL },
        { "testfloat/f64_to_f16.txt", "fp64", "fp16", NULL },
        { "testfloat/f64_to_f32.txt", "fp64", "fp32", NULL },
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        read_conversion(&all[i]);
}

int main(void)
{
    static const struct test tests[] = {
        { "decode vectors agree", decode_vectors },
        { "encode vectors agree, flags and both kinds of tininess too", encode_vectors },
        { "decimal vectors agree", decimal_vectors },
        { "what x86 instructions gave agrees, NaN payloads too", x86_conversions },
        { "conversions of SoftFloat agree, flags too", softfloat_conversions },
    };
    return run_tests("vectors", tests, sizeof tests / sizeof tests[0]);
}
