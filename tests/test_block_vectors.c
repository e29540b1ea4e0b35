/* test_block_vectors.c - computed blocks: MX under every option, NVFP4, and what codes stand for
 * SPDX-License-Identifier: MIT
 *
 * The rows are those of mx/ in tests/data/vectors/. A scale marked ? is that of a block of zeros,
 * or one of EVEN whose amax rounds past the largest binary32; the library's own choice is the value
 * that the row gives for these too. */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "cells.h"
#include "runner.h"

enum { LONGEST = 32 };

/* The options of MX rows, and the recipe and rounding that each of them is. */
static const struct {
    const char *option, *recipe;
    uint8_t rounding;
} options[] = {
    { "FLOOR/RNE", "ocp-floor", FPFMT_ROUND_NEAREST_EVEN },
    { "CEIL/RNE", "ceil", FPFMT_ROUND_NEAREST_EVEN },
    { "RCEIL/RNE", "rceil:inf=nan", FPFMT_ROUND_NEAREST_EVEN },
    { "EVEN/RNE", "even", FPFMT_ROUND_NEAREST_EVEN },
    { "FLOOR/RNA", "ocp-floor", FPFMT_ROUND_NEAREST_AWAY },
    { "FLOOR/RTZ", "ocp-floor", FPFMT_ROUND_TOWARD_ZERO },
    { "exact", "amax", FPFMT_ROUND_NEAREST_EVEN },
    { "torchao", "torchao-nvfp4", FPFMT_ROUND_NEAREST_EVEN },
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/* The row in hand. */
static struct {
    const char *file, *id;
    fpfmt_block block;
    float values[LONGEST];
    size_t count;
    fpfmt_tensor_scale tensor;
} the;

static uint64_t tried[OPTIONS];

static float float_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static uint64_t code_of_float(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof x);
    return word;
}

static uint64_t code_of_double(double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof x);
    return word;
}

/* The block format that a file is of: its name up to the first dot. */
static bool find_format(const char *file)
{
    char name[FPFMT_BLOCK_NAME_SIZE];
    const char *slash = strchr(file, '/') + 1;
    size_t length = strcspn(slash, ".");
    memcpy(name, slash, length);
    name[length] = '\0';
    the.file = file;
    return CHECK(fpfmt_find_block(&the.block, name) == FPFMT_FOUND, "there is no %s", name);
}

static uint64_t hex_at(const char *text, size_t digits)
{
    char part[3] = { 0 };
    memcpy(part, text, digits);
    return strtoull(part, NULL, 16);
}

/* A cell: option=scale:elements, of elements so many digits each or - for a NaN block. */
static void check_cell(char *option)
{
    char *scale = strchr(option, '='), *elements = strchr(option, ':');
    unsigned char codes[LONGEST] = { 0 }, got_scale = 0;
    fpfmt_recipe recipe;
    fpfmt_block_plan plan;
    size_t i = 0;
    if (!CHECK(scale != NULL && elements != NULL, "%s %s: %s is no cell", the.file, the.id, option))
        return;
    *scale++ = *elements++ = '\0';
    while (i < OPTIONS && strcmp(options[i].option, option) != 0)
        i++;
    if (!CHECK(i < OPTIONS && fpfmt_find_recipe(&recipe, options[i].recipe) == FPFMT_FOUND,
               "%s: there is no option %s", the.file, option))
        return;
    const fpfmt_policy policy = { .rounding = options[i].rounding };
    const fpfmt_tensor_scale *tensor = the.block.levels == 2 ? &the.tensor : NULL;
    tried[i]++;
    CHECK(fpfmt_prepare_blocks(&plan, &the.block, &recipe, &policy, NULL) &&
              fpfmt_quantize_f32(&plan, codes, &got_scale, the.values, the.count, tensor, 0, NULL),
          "%s %s is refused", the.file, option);
    CHECK(got_scale == hex_at(scale, 2), "%s %s, %s: scale %02x, not %.3s", the.file, the.id,
          option, got_scale, scale);
    size_t digits = elements[0] == '-' ? 0 : strlen(elements) / the.count;
    for (size_t k = 0; k < the.count; k++)
        CHECK(codes[k] == (digits == 0 ? 0 : hex_at(elements + k * digits, digits)),
              "%s %s, %s: element %zu is %02x, not that of %s", the.file, the.id, option, k,
              codes[k], elements);
}

/* The numbers up to the next bar, each a binary32; where they end. */
static char *read_values(char *text)
{
    for (the.count = 0;; text += strcspn(text, " ")) {
        text += strspn(text, " ");
        if (*text == '|' || *text == '\0' || the.count == LONGEST)
            return text;
        the.values[the.count++] = float_of(strtoull(text, NULL, 16));
    }
}

/* id tag | [scale of the tensor, mode |] values | cells */
static void check_row(char *row)
{
    char *at = strchr(row, '|');
    if (!CHECK(at != NULL, "%s: %s is no row", the.file, row))
        return;
    row[strcspn(row, " ")] = '\0';
    the.id = row;
    if (the.block.levels == 2) {
        at += 1 + strspn(at + 1, " ");
        the.tensor = (fpfmt_tensor_scale){ .decode = float_of(strtoull(at, NULL, 16)) };
        at = strchr(at, '|');
    }
    at = read_values(at + 1);
    if (!CHECK(*at == '|' && the.count == the.block.size, "%s %s has %zu values", the.file, the.id,
               the.count))
        return;
    for (char *word = strtok(at + 1, " "); word != NULL; word = strtok(NULL, " "))
        check_cell(word);
}

/* scale element class binary64 binary32:flags */
static void check_dequantisation(char *row)
{
    char *words[5] = { NULL };
    double of_64;
    float of_32;
    fpfmt_block_plan plan;
    unsigned flags = 0, none = 0;
    size_t count = 0;
    for (char *word = strtok(row, " "); word != NULL && count < 5; word = strtok(NULL, " "))
        words[count++] = word;
    if (!CHECK(count == 5, "%s: a row has %zu words", the.file, count))
        return;
    const unsigned char scale = (unsigned char)strtoul(words[0], NULL, 16);
    const unsigned char code = (unsigned char)strtoul(words[1], NULL, 16);
    CHECK(fpfmt_prepare_blocks(&plan, &the.block, NULL, NULL, NULL) &&
              fpfmt_dequantize_f64(&plan, &of_64, &code, &scale, 1, NULL, &none) &&
              fpfmt_dequantize_f32(&plan, &of_32, &code, &scale, 1, NULL, &flags),
          "%s is refused", the.file);
    if (strcmp(words[2], "nan") == 0) {
        /* IEEE 754-2019 6.2: a signaling NaN, which E5M2 has, raises invalid on its way. */
        unsigned signals = fpfmt_is_signaling(&the.block.element, code) ? FPFMT_FLAG_INVALID : 0;
        CHECK(of_64 != of_64 && of_32 != of_32 && none == signals && flags == signals,
              "%s %s %s is no NaN, or raises %x", the.file, words[0], words[1], flags);
        return;
    }
    if (strstr(words[2], "inf") != NULL) {
        double infinite = words[2][0] == '-' ? -HUGE_VAL : HUGE_VAL;
        CHECK(of_64 == infinite && (double)of_32 == infinite && none == 0 && flags == 0,
              "%s %s %s is not %s, or raises %x", the.file, words[0], words[1], words[2], flags);
        return;
    }
    CHECK(code_of_double(of_64) == strtoull(words[3], NULL, 16) && none == 0,
          "%s %s %s: %016" PRIx64 ", not %s", the.file, words[0], words[1], code_of_double(of_64),
          words[3]);
    CHECK(code_of_float(of_32) == strtoull(words[4], NULL, 16) &&
              flags == strtoul(strchr(words[4], ':') + 1, NULL, 16),
          "%s %s %s: %08" PRIx64 ":%02x, not %s", the.file, words[0], words[1],
          code_of_float(of_32), flags, words[4]);
}

static void read_file(const char *name, bool dequantisation)
{
    static cell_file file;
    char *row;
    if (!find_format(name) || !open_cells(&file, name))
        return;
    while ((row = next_row(&file)) != NULL)
        if (dequantisation)
            check_dequantisation(row);
        else
            check_row(row);
}

static void read_blocks(const char *name)
{
    if (strstr(name, ".dequant.") == NULL)
        read_file(name, false);
}

static void read_dequantisation(const char *name)
{
    if (strstr(name, ".dequant.") != NULL)
        read_file(name, true);
}

static void blocks(void)
{
    size_t files = each_file("mx", read_blocks);
    CHECK(files >= 13, "there are %zu files", files);
    for (size_t i = 0; i < OPTIONS; i++)
        CHECK(tried[i] >= 40 / SAMPLE, "%s stands in %" PRIu64 " rows", options[i].option,
              tried[i]);
}

static void dequantisation(void)
{
    each_file("mx", read_dequantisation);
}

int main(void)
{
    static const struct test tests[] = {
        { "scales and elements of blocks agree, under every option", blocks },
        { "what codes stand for agrees, as binary64 and rounded to binary32 with its flags",
          dequantisation },
    };
    return run_tests("block_vectors", tests, sizeof tests / sizeof tests[0]);
}
