/* test_null_blocks.c - as test_null.c, of block formats, recipes and their plans
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <string.h>

#include <fpfmt.h>
#include <fpfmt_blocks.h>

#include "attempts.h"

static const fpfmt_format *half(void)
{
    return fpfmt_named("fp16");
}

/* A block format, and the recipe that it names. */
static fpfmt_block block(void)
{
    fpfmt_block row;
    memset(&row, 0, sizeof row);
    CHECK(fpfmt_find_block(&row, "nvfp4") == FPFMT_FOUND, "there is no nvfp4");
    return row;
}

static fpfmt_recipe recipe(void)
{
    fpfmt_recipe row;
    memset(&row, 0, sizeof row);
    CHECK(fpfmt_find_recipe(&row, "amax") == FPFMT_FOUND, "there is no amax");
    return row;
}

static bool find_block(void)
{
    fpfmt_block row = block();
    return fpfmt_find_block(&row, NULL) == FPFMT_UNKNOWN && row.size == 16;
}

static bool block_defect(void)
{
    return fpfmt_block_defect(NULL) != NULL;
}

static bool find_recipe(void)
{
    fpfmt_recipe row = recipe();
    return fpfmt_find_recipe(&row, NULL) == FPFMT_UNKNOWN && row.rule == FPFMT_SCALE_QUOTIENT;
}

static bool recipe_defect(void)
{
    const fpfmt_block row = block();
    const fpfmt_recipe how = recipe();
    return fpfmt_recipe_defect(NULL, &how) != NULL && fpfmt_recipe_defect(&row, NULL) != NULL;
}

static bool scale_tensor(void)
{
    const fpfmt_block row = block();
    const fpfmt_recipe how = recipe();
    fpfmt_tensor_scale scale = { 3, 5 };
    return !fpfmt_scale_tensor(&scale, NULL, &how, 1) &&
           !fpfmt_scale_tensor(&scale, &row, NULL, 1) && scale.decode == 3 && scale.encode == 5;
}

static bool delay_scale(void)
{
    fpfmt_amax_history it = { .history = floats, .length = N }, none = { .length = N };
    bool failed = !fpfmt_delay_scale(NULL, half(), 1) && !fpfmt_delay_scale(&none, half(), 1) &&
                  !fpfmt_delay_scale(&it, NULL, 1);
    return failed && floats[0] == 0 && it.scale.decode == 0;
}

static bool prepare_blocks(void)
{
    fpfmt_block_plan plan;
    fpfmt_block unnamed = block();
    const fpfmt_recipe how = recipe();
    unnamed.recipe = NULL;
    return !fpfmt_prepare_blocks(&plan, NULL, NULL, NULL, NULL) &&
           !fpfmt_prepare_blocks(&plan, NULL, &how, NULL, NULL) &&
           !fpfmt_prepare_blocks(&plan, &unnamed, NULL, NULL, NULL);
}

static bool block_count(void)
{
    fpfmt_block row = block();
    row.size = 0;
    return fpfmt_block_count(NULL, N) == 0 && fpfmt_block_count(&row, N) == 0;
}

static bool block_bytes(void)
{
    return fpfmt_block_bytes(NULL, N) == 0;
}

/* Calls that a checking build stops, as it does all that is refused. */

static fpfmt_value values[N];

static bool scale_block_of_none(void)
{
    const fpfmt_recipe how = recipe();
    fpfmt_block_scale scale;
    return !fpfmt_scale_block(NULL, &how, &scale, values, N, NULL);
}

static bool scale_block_by_none(void)
{
    const fpfmt_block row = block();
    fpfmt_block_scale scale;
    return !fpfmt_scale_block(&row, NULL, &scale, values, N, NULL);
}

static bool scale_block_without_values(void)
{
    const fpfmt_block row = block();
    const fpfmt_recipe how = recipe();
    fpfmt_block_scale scale;
    return !fpfmt_scale_block(&row, &how, &scale, NULL, N, NULL);
}

static bool quantize_f32(void)
{
    return !fpfmt_quantize_f32(NULL, codes, more_codes, floats, N, NULL, 0, &flags);
}

static bool quantize_f64(void)
{
    return !fpfmt_quantize_f64(NULL, codes, more_codes, doubles, N, NULL, 0, &flags);
}

static bool dequantize_f32(void)
{
    return !fpfmt_dequantize_f32(NULL, floats, codes, more_codes, N, NULL, &flags);
}

static bool dequantize_f64(void)
{
    return !fpfmt_dequantize_f64(NULL, doubles, codes, more_codes, N, NULL, &flags);
}

/* The plan of a block format, or one that was never prepared. */
static fpfmt_block_plan plan_of_blocks(bool prepared)
{
    const fpfmt_block row = block();
    fpfmt_block_plan plan;
    memset(&plan, 0, sizeof plan);
    if (prepared)
        CHECK(fpfmt_prepare_blocks(&plan, &row, NULL, NULL, NULL), "nvfp4 has no plan");
    return plan;
}

static bool plan_of_blocks_not_prepared(void)
{
    const fpfmt_block_plan plan = plan_of_blocks(false);
    return !fpfmt_quantize_f32(&plan, codes, more_codes, floats, N, NULL, 0, &flags) &&
           !fpfmt_dequantize_f32(&plan, floats, codes, more_codes, N, NULL, &flags);
}

static const size_t shape[] = { N }, one[] = { 1 };

static fpfmt_view view(void *data, const size_t *of)
{
    return (fpfmt_view){ .data = data, .rank = 1, .shape = of };
}

static bool quantize_by_none(void)
{
    return !fpfmt_quantize(NULL, NULL, view(codes, shape), view(more_codes, one), half(),
                           view(floats, shape), 0, NULL, 0, &flags);
}

static bool quantize_of_none(void)
{
    const fpfmt_block_plan plan = plan_of_blocks(true);
    return !fpfmt_quantize(&plan, NULL, view(codes, shape), view(more_codes, one), NULL,
                           view(floats, shape), 0, NULL, 0, &flags);
}

static bool dequantize_by_none(void)
{
    return !fpfmt_dequantize(NULL, half(), view(floats, shape), view(codes, shape),
                             view(more_codes, one), 0, NULL, &flags);
}

static bool dequantize_to_none(void)
{
    const fpfmt_block_plan plan = plan_of_blocks(true);
    return !fpfmt_dequantize(&plan, NULL, view(floats, shape), view(codes, shape),
                             view(more_codes, one), 0, NULL, &flags);
}

static bool quantize_without(int part)
{
    const fpfmt_block_plan plan = plan_of_blocks(true);
    return !fpfmt_quantize_f32(&plan, part == 0 ? NULL : codes, part == 1 ? NULL : more_codes,
                               part == 2 ? NULL : floats, N, NULL, 0, &flags);
}

static bool quantize_without_codes(void)
{
    return quantize_without(0);
}

static bool quantize_without_scales(void)
{
    return quantize_without(1);
}

static bool quantize_without_values(void)
{
    return quantize_without(2);
}

static bool join_blocks(void)
{
    return !fpfmt_join_blocks(NULL, codes, more_codes, floats, N);
}

static bool split_blocks(void)
{
    return !fpfmt_split_blocks(NULL, codes, more_codes, floats, N);
}

static const attempt failing[] = {
    { "fpfmt_find_block", find_block },     { "fpfmt_block_defect", block_defect },
    { "fpfmt_find_recipe", find_recipe },   { "fpfmt_recipe_defect", recipe_defect },
    { "fpfmt_scale_tensor", scale_tensor }, { "fpfmt_delay_scale", delay_scale },
    { "fpfmt_block_count", block_count },   { "fpfmt_prepare_blocks", prepare_blocks },
    { "fpfmt_block_bytes", block_bytes },
};

static const attempt refused[] = {
    { "fpfmt_scale_block, block", scale_block_of_none },
    { "fpfmt_scale_block, recipe", scale_block_by_none },
    { "fpfmt_scale_block, values", scale_block_without_values },
    { "fpfmt_quantize_f32", quantize_f32 },
    { "fpfmt_quantize_f64", quantize_f64 },
    { "fpfmt_dequantize_f32", dequantize_f32 },
    { "fpfmt_dequantize_f64", dequantize_f64 },
    { "a plan of blocks that was not prepared", plan_of_blocks_not_prepared },
    { "fpfmt_quantize, plan", quantize_by_none },
    { "fpfmt_quantize, format", quantize_of_none },
    { "fpfmt_dequantize, plan", dequantize_by_none },
    { "fpfmt_dequantize, format", dequantize_to_none },
    { "fpfmt_quantize_f32, codes", quantize_without_codes },
    { "fpfmt_quantize_f32, scales", quantize_without_scales },
    { "fpfmt_quantize_f32, values", quantize_without_values },
    { "fpfmt_join_blocks", join_blocks },
    { "fpfmt_split_blocks", split_blocks },
};

static void failures(void)
{
    try_failing(failing, sizeof failing / sizeof failing[0]);
}

static void refusals(void)
{
    try_refused(refused, sizeof refused / sizeof refused[0]);
}

int main(void)
{
    static const struct test tests[] = {
        { "without a block format, a recipe or a name, what can fail does", failures },
        { "what is refused for a fault of the caller is so for blocks that are not there",
          refusals },
    };
    return run_tests("null_blocks", tests, sizeof tests / sizeof tests[0]);
}
