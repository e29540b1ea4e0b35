/* quantize_f32.c - blocks of floats by the kernels, a tile at a time
 * SPDX-License-Identifier: MIT
 *
 * What the reference (quantize.c) does to one value after the other is done here to arrays: largest
 * magnitudes and scales (tile_scales.c), values by their scales, codes. Blocks that hold NaN or
 * infinity, or zeros that an option speaks of, go to the reference, and so does every block format
 * or recipe that is_fast does not know. The bits are those of the reference. */

#include "encode.h"
#include "shape.h"
#include "tile_scales.h"

/* Is the scale's format E8M0, or one that is like it? */
static bool is_e8m0(const fpfmt_format *format)
{
    return format->exponent_bits == 8 && format->fraction_bits == 0 && format->sign_bits == 0 &&
           format->exponent_zero == FPFMT_EXPONENT_ZERO_NORMALS && format->bias == EXPONENT_ONE;
}

/* The kernels' products keep what matters where every element lies between 2^-100 and 2^100. */
static bool is_in_reach(const fpfmt_format *element)
{
    fpfmt_limits limits = fpfmt_measure(element);
    return fpfmt_decode(element, limits.min_positive).exponent > -100 && limits.emax < 100;
}

bool fpfmt_blocks_are_fast(const fpfmt_block_plan *plan)
{
    const fpfmt_prepared *elements = fpfmt_prepared_in(&plan->elements);
    const fpfmt_recipe *recipe = &plan->recipe;
    bool powers =
        recipe->rule <= FPFMT_SCALE_EVEN ||
        (recipe->rule == FPFMT_SCALE_QUOTIENT && recipe->scale_rounding == FPFMT_ROUND_UPWARD);
    bool floats = (recipe->step == FPFMT_STEP_PRODUCT &&
                   (recipe->rule == FPFMT_SCALE_ENGINE || recipe->rule == FPFMT_SCALE_TORCHAO ||
                    recipe->rule == FPFMT_SCALE_FLOAT ||
                    (recipe->rule == FPFMT_SCALE_INVERSE &&
                     recipe->scale_rounding == FPFMT_ROUND_NEAREST_EVEN))) ||
                  (recipe->step == FPFMT_STEP_QUOTIENT && recipe->rule == FPFMT_SCALE_FLOAT);
    return plan->elements.set->amax != NULL && plan->block.book == NULL &&
           is_in_reach(&plan->block.element) &&
           elements->encoder[CARRIER_32].decision < DECIDE_CHANCE_32 &&
           plan->policy.subnormal == FPFMT_SUBNORMAL_KEEP &&
           recipe->subnormal == FPFMT_BLOCK_SUBNORMAL_KEEP &&
           !fpfmt_mode_has_chance(fpfmt_mode_of(recipe->scale_rounding)) &&
           ((powers && plan->block.levels == 1 && is_e8m0(&plan->block.scale)) ||
            (floats && plan->elements.set->operate[CARRIER_32] != NULL &&
             fpfmt_prepared_in(&plan->scales)->decoder[CARRIER_32].carries));
}

/* ---- elements ---- */

/* Raises what values of a block may have raised, which the reference tells: an element that holds
 * its value raises nothing, whatever its product did. It stops where all that is possible was. */
static void find_flags(const fast_call *it, uint32_t amax, const float *values, size_t n,
                       unsigned possible)
{
    const fpfmt_block_plan *plan = it->plan;
    fpfmt_seen seen = { .extreme = fpfmt_from_f32(float_of(amax)), .any = true };
    fpfmt_block_scale scale =
        fpfmt_make_scale(&plan->block, &plan->recipe, &seen, it->tensor, false);
    for (size_t i = 0; i < n && (possible & ~*it->flags) != 0; i++)
        fpfmt_block_encode(&plan->block, &plan->recipe, &scale, fpfmt_from_f32(values[i]),
                           &plan->policy, it->flags);
}

/* May an element that overflows become NaN, which raises invalid and nothing else in a block? */
static bool may_give_nan(const fpfmt_policy *elements)
{
    return elements->overflow != FPFMT_OVERFLOW_MAX &&
           elements->overflow != FPFMT_OVERFLOW_MAX_FINITE &&
           elements->overflow != FPFMT_OVERFLOW_SYMMETRIC;
}

static const float *at_block(const float *values, const tile *at, size_t b)
{
    return values + b * at->size;
}

/* Values by the divisors of their blocks. Tells whether a quotient of what is not 0 became 0. */
static bool divide_tile(const fast_call *it, const tile *at, float *scaled, const float *values,
                        size_t size)
{
    float divisors[OPERATE_TILE] = { 0 };
    bool vanished = false;
    for (size_t b = 0; b < at->blocks; b++)
        for (size_t done = 0, n; done < size; done += n) {
            n = size - done < OPERATE_TILE ? size - done : OPERATE_TILE;
            fill(divisors, at->factor[b], n);
            operate(it, FPFMT_OPERATION_DIVIDE, scaled + b * size + done, values + b * size + done,
                    divisors, n);
        }
    for (size_t i = 0; i < at->blocks * size; i++)
        vanished |= bits_of(scaled[i]) << 1 == 0 && bits_of(values[i]) << 1 != 0;
    return vanished;
}

/* Codes of at most ELEMENTS values in whole blocks, or of a part of one block. */
static void encode_tile(const fast_call *it, const tile *at, unsigned char *codes,
                        const float *values, size_t size)
{
    const fpfmt_prepared *elements = fpfmt_prepared_in(&it->plan->elements);
    float scaled[ELEMENTS];
    unsigned raised = 0;
    fpfmt_job job = { &it->plan->elements.format,
                      &it->plan->elements.policy,
                      it->plan->elements.set,
                      CARRIER_32,
                      0,
                      it->flags == NULL ? NULL : &raised };
    bool exact = it->plan->recipe.step == FPFMT_STEP_EXACT;
    bool vanished =
        it->plan->recipe.step == FPFMT_STEP_QUOTIENT
            ? divide_tile(it, at, scaled, values, size)
            : it->plan->elements.set->scale(scaled, values, at->factor, exact, at->blocks, size);
    fpfmt_encode_all(&job, &elements->encoder[CARRIER_32], codes, scaled, at->blocks * size, false);
    if (it->flags == NULL)
        return;
    bool nan = (raised & FPFMT_FLAG_OVERFLOW) && may_give_nan(&it->plan->elements.policy);
    if (exact && !nan) {
        *it->flags |= raised;
        return;
    }
    unsigned possible = raised | FPFMT_FLAG_INEXACT | (nan ? FPFMT_FLAG_INVALID : 0);
    if (vanished || at->any_zero) /* an element may be infinite, and its scale 0 */
        possible |= FPFMT_FLAG_UNDERFLOW | FPFMT_FLAG_INVALID;
    for (size_t b = 0; b < at->blocks && (possible & ~*it->flags) != 0; b++)
        find_flags(it, at->amax[b], values + b * size, size, possible);
}

/* A block by the reference. */
static bool quantize_slowly(const fast_call *it, unsigned char *codes, unsigned char *scale,
                            const float *values, size_t n, uint64_t number)
{
    size_t one = 1;
    fpfmt_view from = { .data = (void *)(uintptr_t)values, .rank = 1, .shape = &n };
    fpfmt_view to = { .data = codes, .rank = 1, .shape = &n };
    fpfmt_view by = { .data = scale, .rank = 1, .shape = &one };
    return fpfmt_quantize_views(it->plan, NULL, to, by, fpfmt_carriers[CARRIER_32], from, 0,
                                it->tensor, it->first + number, it->flags, NULL);
}

/* The blocks of a tile, of which the first element has this number. */
static void quantize_tile(const fast_call *it, tile *at, unsigned char *codes,
                          unsigned char *scales, const float *values, uint64_t number)
{
    size_t code = shape_bytes(&it->plan->block.element),
           scale = shape_bytes(&it->plan->block.scale);
    if (fpfmt_scale_tile(it, at, values, scales)) {
        for (size_t b = 0; b < at->blocks; b++)
            quantize_slowly(it, codes + b * at->size * code, scales + b * scale,
                            at_block(values, at, b), at->size, number + b * at->size);
        return;
    }
    for (size_t done = 0, n; done < at->size; done += n) {
        n = at->size <= ELEMENTS ? at->size : ELEMENTS;
        n = n < at->size - done ? n : at->size - done;
        encode_tile(it, at, codes + done * code, values + done, n);
    }
}

void fpfmt_quantize_by_tiles(const fpfmt_block_plan *plan, void *codes, void *scales,
                             const float *values, size_t n, const fpfmt_tensor_scale *tensor,
                             uint64_t first, unsigned *flags)
{
    const fast_call it = fpfmt_fast_call(plan, tensor, first, flags);
    size_t whole = plan->block.size < n ? plan->block.size : n, taken;
    size_t code = shape_bytes(&plan->block.element), scale = shape_bytes(&plan->block.scale);
    unsigned char *to = codes, *by = scales;
    for (size_t done = 0; done < n; done += taken) {
        tile at = { .size = whole < n - done ? whole : n - done };
        at.blocks = at.size < ELEMENTS ? ELEMENTS / at.size : 1;
        at.blocks = at.blocks < BLOCKS ? at.blocks : BLOCKS;
        at.blocks = at.blocks < (n - done) / at.size ? at.blocks : (n - done) / at.size;
        taken = at.blocks * at.size;
        quantize_tile(&it, &at, to, by, values + done, done);
        to += taken * code;
        by += at.blocks * scale;
    }
}
