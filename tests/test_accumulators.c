/* test_accumulators.c - what hardware returned and is said to return, and accumulators by name
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "cells.h"
#include "runner.h"

enum { LONGEST = 64, LINE = 4096 };

/* A row of a file: a | b | c | d, codes in hexadecimal. Returns how many elements, 0 if it is not
 * understood. */
static size_t read_row(char *line, uint64_t a[LONGEST], uint64_t b[LONGEST], uint64_t *c,
                       uint64_t *d)
{
    size_t n[4] = { 0 };
    int part = 0;
    for (char *word = strtok(line, " \n"); word != NULL; word = strtok(NULL, " \n")) {
        uint64_t code = strtoull(word, NULL, 16);
        uint64_t *to = part == 0 ? a + n[0] : part == 1 ? b + n[1] : part == 2 ? c : d;
        if (strcmp(word, "|") == 0) {
            part++;
            continue;
        }
        if (part > 3 || n[part] >= LONGEST)
            return 0;
        *to = code;
        n[part]++;
    }
    return n[0] == n[1] && n[2] == 1 && n[3] == 1 ? n[0] : 0;
}

static fpfmt_series series_of(const fpfmt_format *format, unsigned char *room,
                              const uint64_t codes[], size_t n)
{
    size_t bytes = code_bytes(format);
    for (size_t i = 0; i < n; i++)
        store_word(room + i * bytes, codes[i], bytes);
    return (fpfmt_series){ .format = format, .codes = room, .stride = 1 };
}

/* The result for codes of a format. */
static uint64_t dot(const char *name, const fpfmt_format *from, const fpfmt_format *to,
                    const uint64_t a[], const uint64_t b[], size_t n, uint64_t c)
{
    unsigned char left[8 * LONGEST], right[8 * LONGEST];
    fpfmt_accumulator how;
    if (!CHECK(fpfmt_find_accumulator(&how, name, to, from, from) == FPFMT_FOUND,
               "%s does not take %s to %s", name, from->name, to->name))
        return 0;
    return fpfmt_dot(to, &how, c, series_of(from, left, a, n), series_of(from, right, b, n), n,
                     NULL, NULL);
}

/* A recorded file, and the accumulator that gives it. */
static size_t replay(const char *file, const char *name, const char *from, const char *to)
{
    static cell_file rows;
    char path[64];
    snprintf(path, sizeof path, "accumulators/%s.%s.%s.txt", file, from, to);
    if (strcmp(file, "x86.vdpbf16ps") == 0)
        snprintf(path, sizeof path, "accumulators/%s.txt", file);
    if (!open_cells(&rows, path))
        return 0;
    for (char *line; (line = next_row(&rows)) != NULL;) {
        uint64_t a[LONGEST], b[LONGEST], c = 0, d = 0;
        size_t n = read_row(line, a, b, &c, &d);
        if (!CHECK(n > 0, "a row of %s is not understood", path))
            continue;
        uint64_t got = dot(name, fpfmt_named(from), fpfmt_named(to), a, b, n, c);
        CHECK(got == d, "%s row %" PRIu64 ": %s gives %" PRIx64 ", not %" PRIx64, path, rows.rows,
              name, got, d);
    }
    return (size_t)rows.rows;
}

static void recorded(void)
{
    static const struct {
        const char *file, *name, *pairs;
    } sets[] = {
        { "v100", "nv-v100", "fp16.fp32 fp16.fp16" },
        { "a100", "nv-a100", "fp16.fp32 fp16.fp16 bf16.fp32 tf32.fp32" },
        { "a2", "nv-a100", "fp16.fp32 fp16.fp16 bf16.fp32 tf32.fp32" },
        { "ada", "nv-ada",
          "fp16.fp32 fp16.fp16 bf16.fp32 tf32.fp32 e4m3.fp32 e5m2.fp32 e4m3.fp16 e5m2.fp16" },
        { "l40s", "nv-ada", "fp16.fp32 fp16.fp16 bf16.fp32 tf32.fp32 e4m3.fp32 e5m2.fp32" },
        { "h100", "nv-hopper", "fp16.fp32 fp16.fp16 bf16.fp32 tf32.fp32 e4m3.fp32 e5m2.fp32" },
        { "h200", "nv-hopper", "fp16.fp32 fp16.fp16 bf16.fp32 tf32.fp32 e4m3.fp32 e5m2.fp32" },
        { "h100", "nv-hopper-mma-fp8", "e4m3.fp16 e5m2.fp16" },
        { "h200", "nv-hopper-mma-fp8", "e4m3.fp16 e5m2.fp16" },
        { "h100-mma", "nv-hopper-mma-fp8", "e4m3.fp32 e5m2.fp32" },
        { "h200-mma", "nv-hopper-mma-fp8", "e4m3.fp32 e5m2.fp32" },
        { "b200", "nv-blackwell",
          "fp16.fp32 fp16.fp16 bf16.fp32 tf32.fp32 e4m3.fp32 e5m2.fp32 e4m3.fp16 e5m2.fp16" },
        { "x86.vdpbf16ps", "x86-vdpbf16ps", "bf16.fp32" },
    };
    size_t rows = 0, files = 0;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char pairs[128];
        snprintf(pairs, sizeof pairs, "%s", sets[i].pairs);
        for (char *at = pairs; *at != '\0'; files++) {
            char from[8], to[8];
            int length = 0;
            if (!CHECK(sscanf(at, "%7[^.].%7[^ ]%n", from, to, &length) == 2, "%s", at))
                return;
            rows += replay(sets[i].file, sets[i].name, from, to);
            at += length + (at[length] == ' ');
        }
    }
    printf("# %zu files, %zu rows\n", files, rows);
}

/* A typed code, or a number that the format holds, as a code of the format. */
static bool read_code(uint64_t *code, const fpfmt_format *format, const char *text, size_t length)
{
    char name[FPFMT_NAME_SIZE];
    const char *colon = memchr(text, ':', length);
    fpfmt_value value;
    unsigned flags = 0;
    if (colon == NULL) {
        if (fpfmt_parse(&value, text, length, NULL) != length)
            return false;
    } else {
        snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
        const fpfmt_format *typed = fpfmt_named(name);
        uint64_t bits = strtoull(colon + 1, NULL, 16);
        if (typed == NULL)
            return false;
        if (strcmp(name, format->name) == 0) {
            *code = bits;
            return true;
        }
        value = fpfmt_decode(typed, bits);
    }
    *code = fpfmt_encode(format, value, NULL, &flags);
    return flags == 0;
}

/* Products a*b or a*b*n, with blanks between them. Returns how many, 0 if they are not understood.
 */
static size_t read_products(const fpfmt_format *from, const char *text, uint64_t a[LONGEST],
                            uint64_t b[LONGEST])
{
    size_t n = 0;
    for (; *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, "*"), next = strcspn(text, " "), times = 1;
        const char *other = text + length + 1;
        if (length >= next || n == LONGEST || !read_code(&a[n], from, text, length))
            return 0;
        length = strcspn(other, "* ");
        if (!read_code(&b[n], from, other, length))
            return 0;
        if (other[length] == '*')
            times = strtoul(other + length + 1, NULL, 10);
        if (times < 1 || times > LONGEST - n)
            return 0;
        for (size_t first = n++; n < first + times; n++) {
            a[n] = a[first];
            b[n] = b[first];
        }
        text += next;
    }
    return n;
}

/* A row of the data file; returns how many accumulators it names. */
static size_t check_known(char *line, unsigned number)
{
    enum { NAMES, INPUTS, OUTPUT, START, PRODUCTS, RESULT, CELLS };
    char *text[CELLS] = { NULL };
    uint64_t a[LONGEST], b[LONGEST], start;
    size_t cells = 0, names = 0;
    for (char *word = strtok(line, "\t\n"); word != NULL && cells < CELLS; cells++) {
        text[cells] = word;
        word = strtok(NULL, "\t\n");
    }
    if (!CHECK(cells == CELLS, "line %u has %zu cells", number, cells))
        return 0;
    const fpfmt_format *from = fpfmt_named(text[INPUTS]), *to = fpfmt_named(text[OUTPUT]);
    size_t n = from == NULL ? 0 : read_products(from, text[PRODUCTS], a, b);
    if (!CHECK(n > 0 && to != NULL && read_code(&start, to, text[START], strlen(text[START])),
               "line %u is not understood", number))
        return 0;
    uint64_t expected = strtoull(text[RESULT], NULL, 16);
    for (char *name = strtok(text[NAMES], ","); name != NULL; name = strtok(NULL, ",")) {
        uint64_t got = dot(name, from, to, a, b, n, start);
        CHECK(got == expected, "line %u: %s gives %" PRIx64 ", not %" PRIx64, number, name, got,
              expected);
        names++;
    }
    return names;
}

static void known(void)
{
    FILE *file = fopen(source_path("tests/data/accumulators.tsv"), "r");
    char line[LINE];
    size_t count = 0;
    if (!CHECK(file != NULL, "tests/data/accumulators.tsv cannot be read"))
        return;
    for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; number++)
        if (line[0] != '#' && line[0] != '\n')
            count += check_known(line, number);
    fclose(file);
    CHECK(count > 100, "the file has only %zu results", count);
    printf("# %zu results\n", count);
}

/* Is word number index of a list there? NULL stands for fp16 alone. */
static const fpfmt_format *listed(const char *list, size_t index)
{
    char name[FPFMT_NAME_SIZE];
    for (list = list == NULL ? "fp16" : list; *list != '\0'; list += strspn(list, " ")) {
        size_t length = strcspn(list, " ");
        if (index-- == 0) {
            snprintf(name, sizeof name, "%.*s", (int)length, list);
            return fpfmt_named(name);
        }
        list += length;
    }
    return NULL;
}

static void check_formats_of(const fpfmt_accumulator *row)
{
    const fpfmt_format *a, *b, *to;
    size_t found = 0;
    for (size_t i = 0; (a = listed(row->inputs, i)) != NULL; i++)
        for (size_t j = 0; (b = listed(row->inputs, j)) != NULL; j++)
            for (size_t k = 0; (to = listed(row->outputs, k)) != NULL; k++) {
                fpfmt_accumulator got;
                memset(&got, 0, sizeof got);
                fpfmt_status status = fpfmt_find_accumulator(&got, row->name, to, a, b);
                CHECK(status == FPFMT_FOUND && got.summary == row->summary &&
                          got.method == row->method && got.inputs == row->inputs &&
                          got.outputs == row->outputs && got.group == row->group &&
                          got.fraction_bits == row->fraction_bits && got.promote == row->promote,
                      "%s of %s and %s to %s is another row", row->name, a->name, b->name,
                      to->name);
                found++;
            }
    CHECK(found > 0, "%s names formats that are none", row->name);
}

/* Each row is found by its formats, and says what it rests on. */
static void rows(void)
{
    const fpfmt_accumulator *row;
    size_t n = 0;
    for (; (row = fpfmt_accumulator_at(n)) != NULL; n++) {
        check_formats_of(row);
        CHECK(fpfmt_accumulator_defect(row) == NULL, "%s: %s", row->name,
              fpfmt_accumulator_defect(row));
        CHECK(row->summary != NULL && row->checked != NULL, "%s rests on nothing", row->name);
        bool engine = row->method >= FPFMT_ACCUMULATE_ALIGNED;
        CHECK(fpfmt_accumulator_is_engine(row) == engine, "%s is an engine or not", row->name);
        CHECK((row->inputs != NULL) == engine && (row->outputs != NULL) == engine,
              "%s takes all formats or no others", row->name);
    }
    CHECK(n > 0 && fpfmt_accumulator_at(SIZE_MAX) == NULL, "there are %zu rows", n);
}

static void names(void)
{
    static const struct {
        const char *name, *from, *to;
        int status;
        uint32_t promote;
        const char *inner;
    } cases[] = {
        { "fma", "e4m3", "fp64", FPFMT_FOUND, 0, NULL },
        { "NV_Hopper", "fp16", "fp32", FPFMT_FOUND, 0, NULL },
        { "fma:bf16", "fp16", "fp32", FPFMT_FOUND, 0, "bf16" },
        { "kahan:bfloat16", "fp16", "fp32", FPFMT_FOUND, 0, "bf16" },
        { "Multiply_Add:fp16/64", "fp16", "fp32", FPFMT_FOUND, 64, "fp16" },
        { "exact/1", "fp16", "fp32", FPFMT_FOUND, 1, NULL },
        { "nv-ada/128", "e5m2", "fp32", FPFMT_FOUND, 128, NULL },
        { "x86-amx-bf16/32", "bf16", "fp32", FPFMT_FOUND, 32, NULL },
        { "promote:128", "e4m3", "fp32", FPFMT_FOUND, 128, NULL },
        { "PROMOTE:4294967295", "fp16", "fp32", FPFMT_FOUND, UINT32_MAX, NULL },
        { "", "fp16", "fp32", FPFMT_UNKNOWN, 0, NULL },
        { "fm", "fp16", "fp32", FPFMT_UNKNOWN, 0, NULL },
        { ":fp16", "fp16", "fp32", FPFMT_UNKNOWN, 0, NULL },
        { "promote", "e4m3", "fp32", FPFMT_UNKNOWN, 0, NULL },
        { "promote/128", "e4m3", "fp32", FPFMT_UNKNOWN, 0, NULL },
        { "nv-hopper ", "fp16", "fp32", FPFMT_UNKNOWN, 0, NULL },
        { "nv-v100", "bf16", "fp32", FPFMT_AMBIGUOUS, 0, NULL },
        { "nv-a100", "bf16", "fp16", FPFMT_AMBIGUOUS, 0, NULL },
        { "nv-hopper", "fp32", "fp32", FPFMT_AMBIGUOUS, 0, NULL },
        { "nv-hopper", "fp16", "fp64", FPFMT_AMBIGUOUS, 0, NULL },
        { "nv-hopper", "e4m3", "fp16", FPFMT_AMBIGUOUS, 0, NULL },
        { "nv-hopper", "e4m3fnuz", "fp32", FPFMT_AMBIGUOUS, 0, NULL },
        { "amd-cdna3/64", "e5m2fnuz", "fp32", FPFMT_FOUND, 64, NULL },
        { "amd-cdna3", "e4m3", "fp32", FPFMT_AMBIGUOUS, 0, NULL },
        { "amd-cdna3", "fp16", "fp16", FPFMT_AMBIGUOUS, 0, NULL },
        { "x86-vdpbf16ps", "fp16", "fp32", FPFMT_AMBIGUOUS, 0, NULL },
        { "x86-amx-fp16", "bf16", "fp32", FPFMT_AMBIGUOUS, 0, NULL },
        { "arm-bfdot", "bf16", "bf16", FPFMT_AMBIGUOUS, 0, NULL },
        { "promote:128", "fp64", "fp32", FPFMT_AMBIGUOUS, 0, NULL },
        { "fma:", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma/", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma/0", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma/0x10", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma/12 ", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma/4294967296", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma/99999999999999999999999", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma/128:bf16", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma:fp17", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma:fp16:bf16", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "fma:aformatwhosenameistoolongforany", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "exact:fp16", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "nv-hopper:fp16", "fp16", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "promote:", "e4m3", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "promote:0", "e4m3", "fp32", FPFMT_UNSOUND, 0, NULL },
        { "promote:fp16", "e4m3", "fp32", FPFMT_UNSOUND, 0, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fpfmt_format *from = fpfmt_named(cases[i].from), *to = fpfmt_named(cases[i].to);
        fpfmt_accumulator got;
        memset(&got, 0, sizeof got);
        int status = (int)fpfmt_find_accumulator(&got, cases[i].name, to, from, from);
        CHECK(status == cases[i].status, "%s of %s to %s: status %d, not %d", cases[i].name,
              cases[i].from, cases[i].to, status, cases[i].status);
        if (status == FPFMT_FOUND)
            CHECK(got.promote == cases[i].promote &&
                      got.inner == (cases[i].inner ? fpfmt_named(cases[i].inner) : NULL),
                  "%s: promote %" PRIu32, cases[i].name, got.promote);
    }
}

static void defects(void)
{
    static const struct {
        fpfmt_accumulator how;
        const char *part; /* of the sentence; NULL if there is none */
    } cases[] = {
        { { .method = FPFMT_ACCUMULATE_FMA }, NULL },
        { { .method = FPFMT_ACCUMULATE_COUNT }, "no such accumulator" },
        { { .method = UINT8_MAX }, "no such accumulator" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 1, .fraction_bits = 1 }, NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 32, .fraction_bits = 40 }, NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 0, .fraction_bits = 24 }, "1 to 32" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 33, .fraction_bits = 24 }, "1 to 32" },
        { { .method = FPFMT_ACCUMULATE_TWO_CHAINS }, "1 to 32" },
        { { .method = FPFMT_ACCUMULATE_TWO_CHAINS, .group = 33 }, "1 to 32" },
        { { .method = FPFMT_ACCUMULATE_TWO_CHAINS, .group = 32 }, NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4 }, "1 to 40" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4, .fraction_bits = 41 }, "1 to 40" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4, .fraction_bits = 9, .kept_bits = 52 },
          NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 4, .fraction_bits = 9, .kept_bits = 53 },
          "52 fraction bits" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 9, .apart = true },
          NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 12, .fraction_bits = 9, .apart = true },
          "divide 32" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED,
            .group = 16,
            .fraction_bits = 9,
            .interleaved = true },
          NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED,
            .group = 8,
            .fraction_bits = 9,
            .interleaved = true },
          "16 elements" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 9, .late_bits = 40 },
          NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 9, .late_bits = 41 },
          "more than 40" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED,
            .group = 8,
            .fraction_bits = 9,
            .late_bits = 9,
            .total_bits = 255,
            .start_reach = 255,
            .parities = true },
          NULL },
        { { .method = FPFMT_ACCUMULATE_ALIGNED,
            .group = 8,
            .fraction_bits = 9,
            .late_bits = 9,
            .apart = true },
          "more than one group" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED,
            .group = 16,
            .fraction_bits = 9,
            .late_bits = 9,
            .interleaved = true },
          "more than one group" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 9, .total_bits = 1 },
          "added late" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 9, .start_reach = 1 },
          "added late" },
        { { .method = FPFMT_ACCUMULATE_ALIGNED, .group = 8, .fraction_bits = 9, .parities = true },
          "added late" },
        { { .method = FPFMT_ACCUMULATE_FMA, .apart = true, .interleaved = true }, NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *got = fpfmt_accumulator_defect(&cases[i].how);
        CHECK((got == NULL) == (cases[i].part == NULL) &&
                  (got == NULL || strstr(got, cases[i].part) != NULL),
              "case %zu: %s", i, got == NULL ? "no defect" : got);
    }
    for (uint8_t how = 0; how < FPFMT_ACCUMULATE_COUNT; how++) {
        fpfmt_accumulator it = { .method = how, .group = 2, .fraction_bits = 9 };
        it.inner = fpfmt_named("fp16");
        bool steps = how > FPFMT_ACCUMULATE_EXACT && how < FPFMT_ACCUMULATE_ALIGNED;
        CHECK((fpfmt_accumulator_defect(&it) == NULL) == steps, "how %d with a format of its sum",
              how);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "every recorded dot product comes out bit for bit", recorded },
        { "what tells engines apart, and what their makers write, comes out bit for bit", known },
        { "each row of the table is found by its name and formats", rows },
        { "names have a grammar, and engines their formats", names },
        { "each field out of range is a defect", defects },
    };
    return run_tests("accumulators", tests, sizeof tests / sizeof tests[0]);
}
