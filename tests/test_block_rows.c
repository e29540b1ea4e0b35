/* test_block_rows.c - known blocks, as rows of data/blocks.tsv, and facts about scales
 * SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "tsv.h"

enum { MOST = 160 };

/* The cells of a row, after what kind it is. */
enum { KIND, SOURCE, BLOCK, RECIPE, TENSOR, INPUT, FIRST_RESULT, SECOND_RESULT, VALUES, CELLS };

/* The row in hand. */
static struct {
    char **cell;
    unsigned line;
    fpfmt_block block;
    fpfmt_recipe recipe;
    fpfmt_block_plan plan;
    fpfmt_tensor_scale tensor;
    const fpfmt_tensor_scale *given;
} the;

static float number(const char *text)
{
    uint32_t bits;
    float x;
    if (strncmp(text, "bits:", 5) != 0)
        return strtof(text, NULL);
    bits = (uint32_t)strtoul(text + 5, NULL, 16);
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The next word of a list, X or X*N, and how often it stands there; NULL past the last. */
static char *next_word(char **list, size_t *times)
{
    char *word = strtok_r(*list, " ", list), *star = word == NULL ? NULL : strchr(word, '*');
    *times = 1;
    if (star != NULL && star != word) {
        *star = '\0';
        *times = strtoul(star + 1, NULL, 10);
    }
    return word;
}

static size_t read_numbers(float *numbers, char *list)
{
    size_t n = 0, times;
    for (char *word; (word = next_word(&list, &times)) != NULL;)
        while (times-- > 0 && n < MOST)
            numbers[n++] = number(word);
    return n;
}

/* A code, in hexadecimal or as the bits of a binary32. */
static uint64_t code_of(const char *word)
{
    return strtoull(strncmp(word, "bits:", 5) == 0 ? word + 5 : word, NULL, 16);
}

static void check_codes(const fpfmt_format *format, const void *codes, size_t n, char *list,
                        const char *what)
{
    size_t i = 0, times;
    if (strcmp(list, "*") == 0)
        return;
    for (char *word; (word = next_word(&list, &times)) != NULL;)
        for (; times > 0; times--, i++)
            CHECK(i < n && fpfmt_load_code(format, codes, i) == code_of(word),
                  "line %u, %s: %s %zu is %llx, not %s", the.line, the.cell[SOURCE], what, i,
                  (unsigned long long)(i < n ? fpfmt_load_code(format, codes, i) : 0), word);
    CHECK(i == n, "line %u: %zu %ss, not %zu", the.line, n, what, i);
}

/* With the sign of zeros. */
static bool same_value(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static void check_values(const void *codes, const void *scales, size_t n)
{
    double values[MOST];
    char *list = the.cell[VALUES];
    size_t i = 0, times;
    if (strcmp(list, "*") == 0)
        return;
    CHECK(fpfmt_dequantize_f64(&the.plan, values, codes, scales, n, the.given, NULL),
          "line %u is refused", the.line);
    for (char *word; (word = next_word(&list, &times)) != NULL;)
        for (; times > 0; times--, i++)
            CHECK(i < n && same_value(values[i], strtod(word, NULL)),
                  "line %u, %s: value %zu is %.17g, not %s", the.line, the.cell[SOURCE], i,
                  i < n ? values[i] : 0, word);
    CHECK(i == n, "line %u: %zu values, not %zu", the.line, n, i);
}

static bool set_tensor(const char *text)
{
    const char *colon = strchr(text, ':');
    the.given = strcmp(text, "-") == 0 ? NULL : &the.tensor;
    if (the.given == NULL)
        return true;
    if (strncmp(text, "amax:", 5) == 0)
        return fpfmt_scale_tensor(&the.tensor, &the.block, &the.recipe, number(text + 5));
    bool both = colon != NULL && strncmp(text, "bits:", 5) != 0;
    the.tensor = (fpfmt_tensor_scale){ number(text), both ? number(colon + 1) : 0 };
    return true;
}

/* The recipe, with a rounding behind it or not. */
static bool prepare(void)
{
    char *rounding = strchr(the.cell[RECIPE], ' ');
    fpfmt_policy policy = { .rounding = 0 };
    if (rounding != NULL)
        *rounding++ = '\0';
    const char *name = strcmp(the.cell[RECIPE], "-") == 0 ? the.block.recipe : the.cell[RECIPE];
    if (fpfmt_find_recipe(&the.recipe, name) != FPFMT_FOUND)
        return false;
    policy.rounding = the.recipe.rounding;
    if (rounding != NULL)
        policy.rounding = (uint8_t)fpfmt_word_named(FPFMT_WORDS_ROUNDING, rounding)->meaning;
    return fpfmt_prepare_blocks(&the.plan, &the.block, &the.recipe, &policy, NULL) &&
           set_tensor(the.cell[TENSOR]);
}

/* ---- kinds ---- */

static void check_quantize(void)
{
    float values[MOST];
    unsigned char codes[8 * MOST], scales[8 * MOST];
    size_t n = read_numbers(values, the.cell[INPUT]);
    CHECK(fpfmt_quantize_f32(&the.plan, codes, scales, values, n, the.given, 0, NULL),
          "line %u is refused", the.line);
    check_codes(&the.block.scale, scales, fpfmt_block_count(&the.block, n), the.cell[FIRST_RESULT],
                "scale");
    check_codes(&the.block.element, codes, n, the.cell[SECOND_RESULT], "element");
    check_values(codes, scales, n);
}

static void check_bytes(void)
{
    float values[MOST];
    unsigned char codes[8 * MOST], scales[8 * MOST], bytes[8 * MOST];
    size_t n = read_numbers(values, the.cell[INPUT]), size = fpfmt_block_bytes(&the.block, n);
    const char *at = the.cell[FIRST_RESULT];
    CHECK(fpfmt_quantize_f32(&the.plan, codes, scales, values, n, the.given, 0, NULL) &&
              fpfmt_join_blocks(&the.block, bytes, codes, scales, n),
          "line %u is refused", the.line);
    for (size_t i = 0; i < size; i++) {
        unsigned byte = 0x100;
        at += strspn(at, " ");
        sscanf(at, "%2x", &byte);
        at += strlen(at) < 2 ? strlen(at) : 2;
        CHECK(bytes[i] == byte, "line %u, %s: byte %zu is %02x, not %02x", the.line,
              the.cell[SOURCE], i, bytes[i], byte);
    }
    CHECK(*at == '\0', "line %u: %zu bytes are too few", the.line, size);
}

static void check_dequantize(void)
{
    unsigned char codes[MOST], scales[MOST];
    char *list = the.cell[INPUT];
    size_t n = 0, times;
    for (char *word; (word = next_word(&list, &times)) != NULL;)
        codes[n++] = (unsigned char)code_of(word);
    scales[0] = (unsigned char)code_of(the.cell[FIRST_RESULT]);
    check_values(codes, scales, n);
}

static void check_tensor(void)
{
    fpfmt_tensor_scale scale = { 0, 0 };
    CHECK(fpfmt_scale_tensor(&scale, &the.block, &the.recipe, number(the.cell[INPUT])),
          "line %u is refused", the.line);
    CHECK(scale.decode == number(the.cell[FIRST_RESULT]) &&
              scale.encode == number(the.cell[SECOND_RESULT]),
          "line %u, %s: %a and %a, not %s and %s", the.line, the.cell[SOURCE], (double)scale.decode,
          (double)scale.encode, the.cell[FIRST_RESULT], the.cell[SECOND_RESULT]);
}

static void check_count(void)
{
    size_t n = strtoul(the.cell[INPUT], NULL, 10);
    CHECK(fpfmt_block_count(&the.block, n) == strtoul(the.cell[FIRST_RESULT], NULL, 10) &&
              fpfmt_block_bytes(&the.block, n) == strtoul(the.cell[SECOND_RESULT], NULL, 10),
          "line %u, %s: %zu blocks, %zu bytes", the.line, the.cell[SOURCE],
          fpfmt_block_count(&the.block, n), fpfmt_block_bytes(&the.block, n));
}

static void take_row(char *cell[], unsigned line)
{
    static const struct {
        const char *name;
        void (*check)(void);
    } kinds[] = {
        { "quantize", check_quantize },     { "bytes", check_bytes },
        { "dequantize", check_dequantize }, { "tensor", check_tensor },
        { "count", check_count },
    };
    the.cell = cell;
    the.line = line;
    if (!CHECK(fpfmt_find_block(&the.block, cell[BLOCK]) == FPFMT_FOUND && prepare(),
               "line %u: %s with %s is not found", line, cell[BLOCK], cell[RECIPE]))
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, cell[KIND]) == 0) {
            kinds[i].check();
            return;
        }
    CHECK(false, "line %u: there is no kind %s", line, cell[KIND]);
}

static void rows(void)
{
    size_t count = each_tsv_row("tests/data/blocks.tsv", CELLS, take_row);
    printf("# %zu rows\n", count);
    CHECK(count >= 100, "%zu rows", count);
}

/* ---- facts ---- */

static int exponent_by(const fpfmt_block *block, const char *name, float amax)
{
    fpfmt_recipe recipe;
    fpfmt_block_scale scale;
    fpfmt_value value = fpfmt_from_f32(amax);
    CHECK(fpfmt_find_recipe(&recipe, name) == FPFMT_FOUND &&
              fpfmt_scale_block(block, &recipe, &scale, &value, 1, NULL),
          "%s is refused", name);
    return scale.stored.exponent;
}

/* How many of 1024 evenly spread significands have an amax above M x scale, or a scale one above
 * that of rceil: the shares are those of the whole binade. */
static void shares(void)
{
    static const struct {
        const char *block;
        int floor, even, wasted;
    } table[] = {
        { "mxfp8-e4m3", 256, 192, 768 }, { "mxfp8-e5m2", 256, 128, 768 },
        { "mxfp6-e3m2", 256, 128, 768 }, { "mxfp6-e2m3", 128, 64, 896 },
        { "mxfp4", 512, 256, 512 },
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        fpfmt_block block;
        int floor = 0, even = 0, wasted = 0, clipped = 0;
        CHECK(fpfmt_find_block(&block, table[i].block) == FPFMT_FOUND, "%s is not found",
              table[i].block);
        double largest = fpfmt_to_f64(fpfmt_block_largest(&block), NULL, NULL);
        for (int k = 0; k < 1024; k++) {
            float amax = (float)(1 + (k + 0.5) / 1024);
            int rceil = exponent_by(&block, "rceil", amax),
                ceil = exponent_by(&block, "ceil", amax);
            floor += (double)amax > ldexp(largest, exponent_by(&block, "ocp-floor", amax));
            even += (double)amax > ldexp(largest, exponent_by(&block, "even", amax));
            clipped += (double)amax > ldexp(largest, rceil < ceil ? rceil : ceil);
            wasted += ceil == rceil + 1;
        }
        CHECK(floor == table[i].floor && even == table[i].even && wasted == table[i].wasted &&
                  clipped == 0,
              "%s: floor clips %d, even %d, ceil wastes %d, rceil or ceil clips %d", table[i].block,
              floor, even, wasted, clipped);
    }
}

/* 6 x 2^k and the next binary32, for every k that E8M0 has. */
static void ends_of_binades(void)
{
    fpfmt_block block;
    CHECK(fpfmt_find_block(&block, "mxfp4") == FPFMT_FOUND, "mxfp4 is not found");
    for (int k = -127; k <= 125; k++) {
        float amax = ldexpf(6, k), beside = nextafterf(amax, INFINITY);
        CHECK(exponent_by(&block, "rceil", amax) == k &&
                  exponent_by(&block, "rceil", beside) == k + 1,
              "6 x 2^%d: 2^%d and 2^%d", k, exponent_by(&block, "rceil", amax),
              exponent_by(&block, "rceil", beside));
    }
    for (int k = -125; k <= 127; k++) {
        float power = ldexpf(1, k), below = nextafterf(power, 0);
        CHECK(exponent_by(&block, "ocp-floor", power) == k - 2 &&
                  exponent_by(&block, "ocp-floor", below) == (k - 3 > -127 ? k - 3 : -127),
              "2^%d and below: 2^%d and 2^%d", k, exponent_by(&block, "ocp-floor", power),
              exponent_by(&block, "ocp-floor", below));
    }
}

/* Under a scale of 1, 5 loses 1 and 4 nothing; under 3/2 each loses 1/4: so one 5 and three 4 lose
 * the same. 4.25 does too, and 2^-50 more of it a little less under 3/2: the sums differ in bit 66.
 */
static void close_errors(void)
{
    enum { FIVES = 1 << 15, COUNT = 4 * FIVES + 2 };
    static double values[COUNT];
    static unsigned char codes[COUNT];
    static const double beside[] = { 0x1p-50, -0x1p-50, 0 };
    static const unsigned char expected[] = { 0x3C, 0x38, 0x38 };
    const fpfmt_recipe *recipe = NULL;
    fpfmt_block block;
    fpfmt_block_plan plan;
    for (size_t i = 0; fpfmt_recipe_at(i) != NULL; i++)
        if (fpfmt_recipe_at(i)->rule == FPFMT_SCALE_BEST_OF_TWO)
            recipe = fpfmt_recipe_at(i);
    CHECK(fpfmt_find_block(&block, "e2m1@e4m3/channel") == FPFMT_FOUND &&
              fpfmt_prepare_blocks(&plan, &block, recipe, NULL, NULL),
          "there is no plan");
    for (size_t i = 0; i < COUNT; i++)
        values[i] = i % 4 == 0 ? 5 : 4;
    values[COUNT - 2] = 6;
    for (size_t i = 0; i < 3; i++) {
        unsigned char scale = 0;
        values[COUNT - 1] = 4.25 + beside[i];
        CHECK(fpfmt_quantize_f64(&plan, codes, &scale, values, COUNT, NULL, 0, NULL) &&
                  scale == expected[i],
              "4.25 + %g: scale %02x, not %02x", beside[i], scale, expected[i]);
    }
}

/* TransformerEngine's delayed scaling: the largest of the history or the latest; what is 0,
 * infinite or NaN keeps the scale. */
static void delayed(void)
{
    static const struct {
        float amax, largest, latest; /* and the factor that follows for the next step */
    } steps[] = {
        { 0, 1, 1 },
        { 448, 1, 1 },
        { 1, 1, 448 },
        { 2, 1, 224 },
        { 4, 112, 112 },
        { INFINITY, 112, 112 },
        { 7, 112, 64 },
        { 0, 112, 64 },
        { 0, 64, 64 },
        { 1e-45F, FLT_MAX, FLT_MAX },
        { NAN, FLT_MAX, FLT_MAX },
        { 7, FLT_MAX, 64 },
    };
    const fpfmt_format *e4m3 = fpfmt_named("e4m3");
    float histories[2][3] = { { 0 } };
    fpfmt_amax_history largest = { .history = histories[0], .length = 3 };
    fpfmt_amax_history latest = { .history = histories[1], .length = 3, .latest = true };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        CHECK(fpfmt_delay_scale(&largest, e4m3, steps[i].amax) &&
                  fpfmt_delay_scale(&latest, e4m3, steps[i].amax),
              "step %zu is refused", i);
        CHECK(largest.scale.encode == steps[i].largest && latest.scale.encode == steps[i].latest,
              "step %zu: %a and %a, not %a and %a", i, (double)largest.scale.encode,
              (double)latest.scale.encode, (double)steps[i].largest, (double)steps[i].latest);
        CHECK(same_value((double)histories[0][0], (double)steps[i].amax) &&
                  (i == 0 || same_value((double)histories[0][1], (double)steps[i - 1].amax)),
              "step %zu: the history does not move", i);
    }
    latest.margin = 3;
    CHECK(fpfmt_delay_scale(&latest, e4m3, 7) && latest.scale.encode == 8 &&
              latest.scale.decode == 0.125F,
          "a margin of 3 gives %a", (double)latest.scale.encode);
    latest.margin = 128;
    CHECK(!fpfmt_delay_scale(&latest, e4m3, 7), "a margin of 128 is taken");
}

int main(void)
{
    static const struct test tests[] = {
        { "every row of blocks.tsv comes out as it says", rows },
        { "floor, even and ceil clip or waste the shares of a binade that are known", shares },
        { "scales change exactly at powers of two, and at 6 times one", ends_of_binades },
        { "of two scales the better one is taken, however close", close_errors },
        { "delayed scaling follows the history", delayed },
    };
    return run_tests("block_rows", tests, sizeof tests / sizeof tests[0]);
}
