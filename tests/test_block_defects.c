/* test_block_defects.c - unsound block formats, books and recipes, and names that are not
 * understood SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"

static fpfmt_block block_of(const char *name)
{
    fpfmt_block block;
    memset(&block, 0, sizeof block);
    CHECK(fpfmt_find_block(&block, name) == FPFMT_FOUND, "%s is not found", name);
    return block;
}

static fpfmt_recipe recipe_of(const char *name)
{
    fpfmt_recipe recipe;
    memset(&recipe, 0, sizeof recipe);
    CHECK(fpfmt_find_recipe(&recipe, name) == FPFMT_FOUND, "%s is not found", name);
    return recipe;
}

/* The sentence has this word; no plan is made. */
static void has_defect(const fpfmt_block *block, const char *word)
{
    const fpfmt_recipe recipe = recipe_of("amax");
    const char *defect = fpfmt_block_defect(block);
    fpfmt_tensor_scale scale = { 3, 5 };
    fpfmt_block_plan plan;
    CHECK(defect != NULL && strstr(defect, word) != NULL, "\"%s\" does not say %s",
          defect != NULL ? defect : "no defect", word);
    CHECK(!fpfmt_prepare_blocks(&plan, block, &recipe, NULL, NULL) &&
              !fpfmt_scale_tensor(&scale, block, &recipe, 1) && scale.decode == 3 &&
              fpfmt_block_bytes(block, 32) == 0,
          "what has the defect \"%s\" is taken", defect);
}

static void block_fields(void)
{
    fpfmt_block block = block_of("nvfp4");
    CHECK(fpfmt_block_defect(&block) == NULL, "nvfp4 has a defect");
    block.levels = 0;
    has_defect(&block, "levels");
    block.levels = 3;
    has_defect(&block, "levels");
    block = block_of("nvfp4");
    block.element.sign_bits = 2;
    has_defect(&block, "elements");
    block = block_of("nvfp4");
    block.scale.exponent_bits = 60;
    has_defect(&block, "scales");
    block = block_of("nvfp4");
    block.tensor.overflow = 0;
    has_defect(&block, "tensor");
    block.levels = 1; /* then it is not read */
    CHECK(fpfmt_block_defect(&block) == NULL, "what is not read has a defect");
    block = block_of("nvfp4");
    block.size = 0;
    has_defect(&block, "size");
    block = block_of("nvfp4");
    block.rows = 0;
    has_defect(&block, "size");
    block = block_of("nvfp4");
    block.rows = FPFMT_BLOCK_ALL;
    has_defect(&block, "rows");
    block = block_of("nvfp4");
    block.order = 3;
    has_defect(&block, "order");
    block = block_of("nf4");
    block.element.fraction_bits = 5;
    has_defect(&block, "width");
    block = block_of("mxfp4");
    memset(&block.reserved, 1, 1);
    has_defect(&block, "reserved");
}

/* Names that are understood but unsound, and what their sentence names. */
static void unsound_names(void)
{
    static const struct {
        const char *name, *word;
    } rows[] = {
        { "e2m1@e8m0/0", "size" },          { "e2m1@e8m0/0x4", "size" },
        { "e8m0@e8m0/4", "zero" },          { "fp64@fp32/4", "binary64" },
        { "e5m2@e8m0@fp64/4", "binary64" }, { "e4m3@e8m0@e8m0@/4", NULL },
        { "e2m1@e3m2b20none/4", "reach" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_block block = block_of("mxint8");
        fpfmt_status status = fpfmt_find_block(&block, rows[i].name);
        if (rows[i].word == NULL) {
            CHECK(status == FPFMT_UNKNOWN && strcmp(block.name, "mxint8") == 0,
                  "%s is found, or changes the block", rows[i].name);
            continue;
        }
        CHECK(status == FPFMT_UNSOUND, "%s is not unsound but %d", rows[i].name, status);
        has_defect(&block, rows[i].word);
    }
}

static void unknown_names(void)
{
    static const char *const names[] = {
        "",
        "@",
        "/",
        "mxfp5",
        "e2m1",
        "e2m1@",
        "e2m1@e8m0",
        "e2m1@e8m0/",
        "@e8m0/32",
        "e2m1@/32",
        "e2m1@e8m0/x",
        "e2m1@e8m0/3x",
        "e2m1@e8m0/x3",
        "e2m1@e8m0/32x",
        "e2m1@e8m0/-1",
        "e2m1@e8m0/4294967295",
        "e2m1@e8m0/99999999999999999999999",
        "e2m1@e8m0/32 ",
        "e2m1@nf4/32",
        "nf9@fp32/32",
        "e2m1@e8m0@/32",
        "e2m1@e8m0@nf4/32",
        "e2m1@e8m0/2x2x2",
        "e2m1@e8m0/tensors",
        "e2m1@e8m0/00000000000000000000000000000000000000000000000000000000000032",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fpfmt_block block = block_of("mxint8");
        CHECK(fpfmt_find_block(&block, names[i]) == FPFMT_UNKNOWN &&
                  strcmp(block.name, "mxint8") == 0,
              "'%s' is found, or changes the block", names[i]);
    }
}

/* Spellings, and what they come to. */
static void known_names(void)
{
    static const struct {
        const char *name, *is, *recipe;
        uint32_t size, rows;
        uint8_t levels;
    } rows[] = {
        { "MXFP4", "mxfp4", "ocp-floor", 32, 1, 1 },
        { "mx_fp8", "mxfp8-e4m3", "ocp-floor", 32, 1, 1 },
        { "DeepSeek_128x128", "deepseek-128x128", "deepseek", 128, 128, 1 },
        { "Q8_0", "q8_0", "ggml", 32, 1, 1 },
        { "E2M1@E8M0/32", "e2m1@e8m0/32", "ocp-floor", 32, 1, 1 },
        { "e2m1@e4m3@fp32/16", "e2m1@e4m3@fp32/16", "amax", 16, 1, 2 },
        { "e4m3@fp32/2x3", "e4m3@fp32/2x3", "amax", 3, 2, 1 },
        { "e4m3@fp32/2X3", "e4m3@fp32/2x3", "amax", 3, 2, 1 },
        { "nf4@fp32/64", "nf4@fp32/64", "bitsandbytes", 64, 1, 1 },
        { "nf4@e8m0@fp32/64", "nf4@e8m0@fp32/64", "amax", 64, 1, 2 },
        { "offset4@fp16/8", "offset4@fp16/8", "ggml", 8, 1, 1 },
        { "e5m2@fp32/channel", "e5m2@fp32/channel", "amax", FPFMT_BLOCK_ALL, 1, 1 },
        { "e5m2@fp32/Tensor", "e5m2@fp32/tensor", "amax", FPFMT_BLOCK_ALL, FPFMT_BLOCK_ALL, 1 },
        { "e2m1@e8m0/4294967294", "e2m1@e8m0/4294967294", "ocp-floor", 4294967294, 1, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_block block = block_of(rows[i].name);
        CHECK(strcmp(block.name, rows[i].is) == 0 && strcmp(block.recipe, rows[i].recipe) == 0 &&
                  block.size == rows[i].size && block.rows == rows[i].rows &&
                  block.levels == rows[i].levels,
              "%s is %s with %s, %u by %u", rows[i].name, block.name, block.recipe, block.rows,
              block.size);
        const fpfmt_recipe recipe = recipe_of(block.recipe);
        CHECK(fpfmt_recipe_defect(&block, &recipe) == NULL, "%s does not fit %s", block.recipe,
              block.name);
    }
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++) {
        const fpfmt_block_row *row = fpfmt_block_at(i);
        fpfmt_block block = block_of(row->name);
        const fpfmt_recipe recipe = recipe_of(row->recipe);
        CHECK(strcmp(block.name, row->name) == 0 && fpfmt_recipe_defect(&block, &recipe) == NULL,
              "%s is %s", row->name, block.name);
    }
}

/* ---- books ---- */

static const float rising[] = { 0, 1, 2, 4 }, falling[] = { 0, 2, 1, 4 }, twice[] = { 0, 1, 1, 4 };
static const float endless[] = { 0, 1, 2, INFINITY }, shifted[] = { 1, 2, 3, 4 };
static const float between[] = { 0.5F, 1.5F, 3 }, outside[] = { 0.5F, 2.5F, 3 };
static const uint8_t different[] = { 3, 2, 1, 0 }, same[] = { 3, 2, 2, 0 }, wide[] = { 0, 1, 2, 4 };

static void books(void)
{
    const struct {
        fpfmt_book book;
        const char *word; /* NULL: it is sound */
    } rows[] = {
        { { .width = 2, .count = 4, .values = rising }, NULL },
        { { .width = 2, .count = 4, .values = rising, .thresholds = between }, NULL },
        { { .width = 2, .count = 4, .values = rising, .codes = different }, NULL },
        { { .width = 3, .count = 4, .values = rising, .has_sign = true }, NULL },
        { { .width = 2, .count = 4, .values = rising, .thresholds = outside }, "threshold" },
        { { .width = 2, .count = 4, .values = rising, .codes = same }, "one code" },
        { { .width = 2, .count = 4, .values = rising, .codes = wide }, "width" },
        { { .width = 2, .count = 4, .values = rising, .has_sign = true }, "more of them" },
        { { .width = 3, .count = 4, .values = shifted, .has_sign = true }, "is not 0" },
        { { .width = 2, .count = 4, .values = falling }, "rise" },
        { { .width = 2, .count = 4, .values = twice }, "equal" },
        { { .width = 2, .count = 4, .values = endless }, "finite" },
        { { .width = 2, .count = 5, .values = rising }, "more of them" },
        { { .width = 2, .count = 0, .values = rising }, "no values" },
        { { .width = 2, .count = 4 }, "NULL" },
        { { .width = 0, .count = 1, .values = rising }, "bits" },
        { { .width = 9, .count = 4, .values = rising }, "bits" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_block block = block_of("nf4");
        block.book = &rows[i].book;
        block.element.fraction_bits = rows[i].book.width;
        const char *defect = fpfmt_block_defect(&block);
        if (rows[i].word == NULL)
            CHECK(defect == NULL, "book %zu: %s", i, defect);
        else
            has_defect(&block, rows[i].word);
    }
}

/* ---- recipes ---- */

static void recipes_that_do_not_fit(void)
{
    static const struct {
        const char *block, *recipe, *word;
    } rows[] = {
        { "nf4", "ocp-floor", "code book" },      { "offset4@e8m0/32", "ggml", "sign" },
        { "mxfp4", "te-nvfp4", "fraction" },      { "mxfp4", "torchao-nvfp4", "fraction" },
        { "mxfp4", "four-over-six", "fraction" }, { "e4m3@e4m3/16", "four-over-six", "to 6" },
        { "nvfp4", "deepseek", "tensor" },        { "nvfp4", "te-current", "tensor" },
        { "nvfp4", "deepseek-ue8m0", "tensor" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fpfmt_block block = block_of(rows[i].block);
        const fpfmt_recipe recipe = recipe_of(rows[i].recipe);
        const char *defect = fpfmt_recipe_defect(&block, &recipe);
        fpfmt_block_plan plan;
        CHECK(defect != NULL && strstr(defect, rows[i].word) != NULL, "%s with %s: %s",
              rows[i].block, rows[i].recipe, defect != NULL ? defect : "no defect");
        CHECK(!fpfmt_prepare_blocks(&plan, &block, &recipe, NULL, NULL), "%s with %s has a plan",
              rows[i].block, rows[i].recipe);
    }
}

static void recipe_fields(void)
{
    const fpfmt_block block = block_of("mxfp8-e4m3");
    static const size_t bytes[] = {
        offsetof(fpfmt_recipe, rule),     offsetof(fpfmt_recipe, step),
        offsetof(fpfmt_recipe, rounding), offsetof(fpfmt_recipe, scale_rounding),
        offsetof(fpfmt_recipe, zero),     offsetof(fpfmt_recipe, nan),
        offsetof(fpfmt_recipe, infinite), offsetof(fpfmt_recipe, subnormal),
        offsetof(fpfmt_recipe, reserved),
    };
    static const size_t numbers[] = { offsetof(fpfmt_recipe, least),
                                      offsetof(fpfmt_recipe, least_scale),
                                      offsetof(fpfmt_recipe, tensor_bound) };
    static const float wrong[] = { -1, INFINITY, NAN };
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        fpfmt_recipe recipe = recipe_of("amax");
        ((unsigned char *)&recipe)[bytes[i]] = 200;
        CHECK(fpfmt_recipe_defect(&block, &recipe) != NULL, "byte %zu of 200 is taken", bytes[i]);
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            fpfmt_recipe recipe = recipe_of("amax");
            memcpy((unsigned char *)&recipe + numbers[i], &wrong[k], sizeof wrong[k]);
            CHECK(fpfmt_recipe_defect(&block, &recipe) != NULL, "%g is taken", (double)wrong[k]);
        }
    fpfmt_recipe recipe = recipe_of("amax");
    recipe.step = FPFMT_STEP_PRODUCT;
    CHECK(fpfmt_recipe_defect(&block, &recipe) != NULL, "an exact rule with a step in binary32");
    recipe = recipe_of("deepseek");
    recipe.step = FPFMT_STEP_EXACT;
    CHECK(fpfmt_recipe_defect(&block, &recipe) != NULL, "a rule in binary32 with the exact step");
}

static void recipe_names(void)
{
    static const struct {
        const char *name;
        fpfmt_status status;
    } rows[] = {
        { "RCEIL:inf=NAN:zero=one", FPFMT_FOUND },
        { "te_nvfp4:subnormal=flush", FPFMT_FOUND },
        { "rceil:inf=min", FPFMT_UNSOUND },
        { "rceil:", FPFMT_UNSOUND },
        { "rceil:zero", FPFMT_UNSOUND },
        { "rceil:zero=", FPFMT_UNSOUND },
        { "rceil:zero=onee", FPFMT_UNSOUND },
        { "rceil:colour=red", FPFMT_UNSOUND },
        { "rceil:zero=one:", FPFMT_UNSOUND },
        { "rceil:inf=nan;zero=one", FPFMT_UNSOUND },
        { "", FPFMT_UNKNOWN },
        { "rceils", FPFMT_UNKNOWN },
        { "rcei", FPFMT_UNKNOWN },
        { ":inf=nan", FPFMT_UNKNOWN },
        { "rceil:inf=nan:inf=nan:inf=nan:inf=nan:inf=nan:inf=nan:inf=nan:inf=nan:inf=nan:inf=nan:"
          "inf=nan:inf=max",
          FPFMT_UNSOUND },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_recipe recipe = recipe_of("ggml");
        fpfmt_status status = fpfmt_find_recipe(&recipe, rows[i].name);
        CHECK(status == rows[i].status, "%s is %d", rows[i].name, status);
        CHECK((status == FPFMT_FOUND) != (strcmp(recipe.name, "ggml") == 0), "%s leaves %s",
              rows[i].name, recipe.name);
    }
    const fpfmt_recipe recipe = recipe_of("rceil:inf=nan:zero=one:nan=element:subnormal=flush");
    CHECK(recipe.infinite == FPFMT_BLOCK_INFINITE_NAN && recipe.zero == FPFMT_BLOCK_ZERO_ONE &&
              recipe.nan == FPFMT_BLOCK_NAN_ELEMENT &&
              recipe.subnormal == FPFMT_BLOCK_SUBNORMAL_FLUSH,
          "options are not as they are named");
}

int main(void)
{
    static const struct test tests[] = {
        { "each field of a block format that cannot be is named", block_fields },
        { "names of block formats that are unsound say why", unsound_names },
        { "what is no name leaves the block as it was", unknown_names },
        { "names are found in any spelling, with a recipe that fits", known_names },
        { "books that are unsorted, ambiguous or too wide are refused", books },
        { "recipes that do not fit say what they want", recipes_that_do_not_fit },
        { "each field of a recipe that cannot be is refused", recipe_fields },
        { "recipes take options behind their names, and nothing else", recipe_names },
    };
    return run_tests("block_defects", tests, sizeof tests / sizeof tests[0]);
}
