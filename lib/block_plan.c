/* block_plan.c - prepared block formats, and arrays whose blocks lie one behind the other
 * SPDX-License-Identifier: MIT */

#include "blocks.h"
#include "carrier.h"
#include "overlap.h"
#include "quantize.h"
#include "refuse.h"

bool fpfmt_prepare_blocks(fpfmt_block_plan *plan, const fpfmt_block *block,
                          const fpfmt_recipe *recipe, const fpfmt_policy *policy,
                          const fpfmt_kernels *set)
{
    fpfmt_recipe how = { .name = "" };
    if (recipe != NULL)
        how = *recipe;
    else if (block == NULL || fpfmt_find_recipe(&how, block->recipe) != FPFMT_FOUND)
        return false;
    const fpfmt_policy standard = { .rounding = how.rounding };
    const fpfmt_policy rules = policy != NULL ? *policy : standard;
    if (fpfmt_block_defect(block) != NULL || fpfmt_recipe_defect(block, &how) != NULL)
        return false;
    const fpfmt_block of = *block;
    fpfmt_policy element = fpfmt_element_policy(&of, &rules);
    *plan = (fpfmt_block_plan){ .block = of, .recipe = how, .policy = rules };
    if (!fpfmt_prepare(&plan->elements, &of.element, &element, set))
        return false;
    plan->prepared[0] = FPFMT_BLOCKS_PREPARED;
    return true;
}

/* Arrays without gaps are views of one dimension; tiles are refused there. */
static bool quantize_row(const fpfmt_block_plan *plan, void *codes, void *scales, int carrier,
                         const void *values, size_t n, const fpfmt_tensor_scale *tensor,
                         uint64_t first, unsigned *flags)
{
    if (!is_prepared(plan))
        return false;
    size_t blocks = fpfmt_block_count(&plan->block, n);
    fpfmt_view from = { .data = (void *)(uintptr_t)values, .rank = 1, .shape = &n };
    fpfmt_view to = { .data = codes, .rank = 1, .shape = &n };
    fpfmt_view by = { .data = scales, .rank = 1, .shape = &blocks };
    return fpfmt_quantize(plan, to, by, fpfmt_carriers[carrier], from, 0, tensor, first, NULL,
                          flags);
}

static bool dequantize_row(const fpfmt_block_plan *plan, int carrier, void *values,
                           const void *codes, const void *scales, size_t n,
                           const fpfmt_tensor_scale *tensor, unsigned *flags)
{
    if (!is_prepared(plan))
        return false;
    size_t blocks = fpfmt_block_count(&plan->block, n);
    fpfmt_view to = { .data = values, .rank = 1, .shape = &n };
    fpfmt_view from = { .data = (void *)(uintptr_t)codes, .rank = 1, .shape = &n };
    fpfmt_view by = { .data = (void *)(uintptr_t)scales, .rank = 1, .shape = &blocks };
    return fpfmt_dequantize(plan, fpfmt_carriers[carrier], to, from, by, 0, tensor, flags);
}

bool fpfmt_quantize_f32(const fpfmt_block_plan *plan, void *codes, void *scales,
                        const float *values, size_t n, const fpfmt_tensor_scale *tensor,
                        uint64_t first, unsigned *flags)
{
    return quantize_row(plan, codes, scales, CARRIER_32, values, n, tensor, first, flags);
}

bool fpfmt_quantize_f64(const fpfmt_block_plan *plan, void *codes, void *scales,
                        const double *values, size_t n, const fpfmt_tensor_scale *tensor,
                        uint64_t first, unsigned *flags)
{
    return quantize_row(plan, codes, scales, CARRIER_64, values, n, tensor, first, flags);
}

bool fpfmt_dequantize_f32(const fpfmt_block_plan *plan, float *values, const void *codes,
                          const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                          unsigned *flags)
{
    return dequantize_row(plan, CARRIER_32, values, codes, scales, n, tensor, flags);
}

bool fpfmt_dequantize_f64(const fpfmt_block_plan *plan, double *values, const void *codes,
                          const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                          unsigned *flags)
{
    return dequantize_row(plan, CARRIER_64, values, codes, scales, n, tensor, flags);
}

/* As values of every format are, and as statistics take them. */
static fpfmt_value as_binary64(fpfmt_value value)
{
    return fpfmt_from_f64(fpfmt_to_f64(value, NULL, NULL));
}

/* A block of values is a call's only one. */
bool fpfmt_scale_block(const fpfmt_block *block, const fpfmt_recipe *recipe,
                       fpfmt_block_scale *scale, const fpfmt_value *values, size_t n,
                       const fpfmt_tensor_scale *tensor)
{
    fpfmt_seen seen = { .any = false };
    if (fpfmt_block_defect(block) != NULL || fpfmt_recipe_defect(block, recipe) != NULL)
        return refuse("the block format or the recipe has a defect");
    if (!has_room(values, n, sizeof *values) || !is_usable(tensor))
        return false;
    bool two = recipe->rule == FPFMT_SCALE_BEST_OF_TWO;
    for (size_t i = 0; i < n; i++)
        fpfmt_see(&seen, recipe, two ? as_binary64(values[i]) : values[i]);
    *scale = fpfmt_make_scale(block, recipe, &seen, tensor, false);
    if (!two)
        return true;
    fpfmt_block_scale other = fpfmt_make_scale(block, recipe, &seen, tensor, true);
    fpfmt_stats errors[2] = { { .count = 0 }, { .count = 0 } };
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            const fpfmt_block_scale *by = k == 0 ? scale : &other;
            fpfmt_value x = as_binary64(values[i]);
            uint64_t code = fpfmt_block_encode(block, recipe, by, x, NULL, NULL);
            fpfmt_stats_count(&errors[k], x, fpfmt_block_decode(block, code, by->stored),
                              FPFMT_OUTCOME_EXACT, i);
        }
    if (fpfmt_stats_less_noise(&errors[1], &errors[0]))
        *scale = other;
    return true;
}
