/* block_plan.c - prepared block formats, and arrays whose blocks lie one behind the other
 * SPDX-License-Identifier: MIT */

#include "blocks.h"
#include "carrier.h"
#include "overlap.h"
#include "quantize.h"
#include "refuse.h"
#include "shape.h"

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
    /* A scale in binary32 that is rounded when it is stored overflows as its format does; others
     * are no larger than the largest. */
    fpfmt_policy scale = { .rounding = how.scale_rounding,
                           .overflow = how.rule == FPFMT_SCALE_FLOAT ? FPFMT_OVERFLOW_SPEC
                                                                     : FPFMT_OVERFLOW_MAX };
    if (!fpfmt_prepare(&plan->elements, &of.element, &element, set) ||
        !fpfmt_prepare(&plan->scales, &of.scale, &scale, set))
        return false;
    plan->prepared[0] = FPFMT_BLOCKS_PREPARED;
    return true;
}

/* Arrays without gaps, which are views of one dimension. */
typedef struct {
    const fpfmt_block_plan *plan;
    int carrier;
    void *values, *codes, *scales;
    size_t n, blocks;
    const fpfmt_tensor_scale *tensor;
    unsigned *flags;
} row_call;

static row_call row_of(const fpfmt_block_plan *plan, int carrier, const void *values,
                       const void *codes, const void *scales, size_t n,
                       const fpfmt_tensor_scale *tensor, unsigned *flags)
{
    return (row_call){ .plan = plan,
                       .carrier = carrier,
                       .values = (void *)(uintptr_t)values,
                       .codes = (void *)(uintptr_t)codes,
                       .scales = (void *)(uintptr_t)scales,
                       .n = n,
                       .blocks = fpfmt_block_count(&plan->block, n),
                       .tensor = tensor,
                       .flags = flags };
}

/* Refuses what the arrays of a call may not be. */
static bool may_run(const row_call *it, bool quantizes)
{
    const fpfmt_block *block = &it->plan->block;
    if (block->rows != 1 && block->rows != FPFMT_BLOCK_ALL)
        return refuse("tiles take an axis that has one before it");
    size_t value = carrier_bytes(it->carrier), code = shape_bytes(&block->element);
    size_t scale = shape_bytes(&block->scale);
    if (!is_usable(it->tensor) || !has_room(it->values, it->n, value) ||
        !has_room(it->codes, it->n, code) || !has_room(it->scales, it->blocks, scale))
        return false;
    if (it->n == 0)
        return true;
    byte_range values = range_of(it->values, it->n * value);
    byte_range codes = range_of(it->codes, it->n * code);
    byte_range scales = range_of(it->scales, it->blocks * scale);
    return may_write(values, codes, false) && may_write(values, scales, false) &&
           (!quantizes || may_write(codes, scales, false));
}

static bool quantize_row(const row_call *it, uint64_t first)
{
    if (!may_run(it, true))
        return false;
    if (it->carrier == CARRIER_32 && it->n > 0 && fpfmt_blocks_are_fast(it->plan)) {
        fpfmt_quantize_by_tiles(it->plan, it->codes, it->scales, it->values, it->n, it->tensor,
                                first, it->flags);
        return true;
    }
    fpfmt_view from = { .data = it->values, .rank = 1, .shape = &it->n };
    fpfmt_view to = { .data = it->codes, .rank = 1, .shape = &it->n };
    fpfmt_view by = { .data = it->scales, .rank = 1, .shape = &it->blocks };
    return fpfmt_quantize_views(it->plan, NULL, to, by, fpfmt_carriers[it->carrier], from, 0,
                                it->tensor, first, it->flags, NULL);
}

static bool dequantize_row(const row_call *it)
{
    if (!may_run(it, false))
        return false;
    if (it->carrier == CARRIER_32 && it->n > 0 && fpfmt_dequantizes_fast(it->plan)) {
        fpfmt_dequantize_by_tiles(it->plan, it->values, it->codes, it->scales, it->n, it->tensor,
                                  it->flags);
        return true;
    }
    fpfmt_view to = { .data = it->values, .rank = 1, .shape = &it->n };
    fpfmt_view from = { .data = it->codes, .rank = 1, .shape = &it->n };
    fpfmt_view by = { .data = it->scales, .rank = 1, .shape = &it->blocks };
    return fpfmt_dequantize(it->plan, fpfmt_carriers[it->carrier], to, from, by, 0, it->tensor,
                            it->flags);
}

bool fpfmt_quantize_f32(const fpfmt_block_plan *plan, void *codes, void *scales,
                        const float *values, size_t n, const fpfmt_tensor_scale *tensor,
                        uint64_t first, unsigned *flags)
{
    if (!is_prepared(plan))
        return false;
    row_call it = row_of(plan, CARRIER_32, values, codes, scales, n, tensor, flags);
    return quantize_row(&it, first);
}

bool fpfmt_quantize_f64(const fpfmt_block_plan *plan, void *codes, void *scales,
                        const double *values, size_t n, const fpfmt_tensor_scale *tensor,
                        uint64_t first, unsigned *flags)
{
    if (!is_prepared(plan))
        return false;
    row_call it = row_of(plan, CARRIER_64, values, codes, scales, n, tensor, flags);
    return quantize_row(&it, first);
}

bool fpfmt_dequantize_f32(const fpfmt_block_plan *plan, float *values, const void *codes,
                          const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                          unsigned *flags)
{
    if (!is_prepared(plan))
        return false;
    row_call it = row_of(plan, CARRIER_32, values, codes, scales, n, tensor, flags);
    return dequantize_row(&it);
}

bool fpfmt_dequantize_f64(const fpfmt_block_plan *plan, double *values, const void *codes,
                          const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                          unsigned *flags)
{
    if (!is_prepared(plan))
        return false;
    row_call it = row_of(plan, CARRIER_64, values, codes, scales, n, tensor, flags);
    return dequantize_row(&it);
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
