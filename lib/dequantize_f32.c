/* dequantize_f32.c - blocks back to floats by the kernels, a tile at a time
 * SPDX-License-Identifier: MIT
 *
 * Elements become floats, exactly, and are multiplied by their block's scale, and that by the
 * tensor's. Where there are two scales the first product is exact, so that one rounding is left.
 * The bits are those of quantize.c. */

#include "quantize.h"

#include "blocks.h"
#include "bulk.h"
#include "carrier.h"
#include "shape.h"

enum { ELEMENTS = 1024, BLOCKS = 64, FLOAT_PRECISION = 24 };

/* Precision of a scale by the tensor's, which is given as a float, whatever its format. */
static int factor_bits(const fpfmt_block *block)
{
    int bits = fpfmt_measure(&block->scale).precision;
    return block->levels == 2 ? bits + FLOAT_PRECISION : bits;
}

/* A float holds every scale that is not the tensor's, and where there is that too also the product
 * of an element and such a scale, which then lies between 2^-120 and 2^120. */
static bool floats_hold(const fpfmt_block *block)
{
    fpfmt_limits element = fpfmt_measure(&block->element), scale = fpfmt_measure(&block->scale);
    if (!fpfmt_contains(fpfmt_carriers[CARRIER_32], &block->scale))
        return false;
    if (block->levels == 1)
        return true;
    int least = fpfmt_decode(&block->element, element.min_positive).exponent +
                fpfmt_decode(&block->scale, scale.min_positive).exponent;
    return element.precision + scale.precision <= 24 && least - 24 > -120 &&
           element.emax + scale.emax < 120;
}

bool fpfmt_dequantizes_fast(const fpfmt_block_plan *plan)
{
    const fpfmt_prepared *elements = fpfmt_prepared_in(&plan->elements);
    return plan->elements.set->unscale != NULL && plan->block.book == NULL &&
           plan->policy.nan == FPFMT_NAN_QUIET && plan->policy.subnormal == FPFMT_SUBNORMAL_KEEP &&
           elements->decoder[CARRIER_32].carries && floats_hold(&plan->block);
}

/* What elements of a block may raise when they become floats, by the exponents alone: nothing where
 * the product of two significands fits into a float and stays in its normal range. */
typedef struct {
    int least, most; /* log2 of the smallest element's last bit, and of the largest's binade */
    bool exact;
} element_range;

static element_range range_of_elements(const fpfmt_block *block)
{
    fpfmt_limits limits = fpfmt_measure(&block->element);
    return (element_range){
        .least = fpfmt_decode(&block->element, limits.min_positive).exponent - limits.precision,
        .most = limits.emax + 1,
        .exact = limits.precision + factor_bits(block) <= 24,
    };
}

static bool may_raise(const element_range *range, int exponent, const unsigned *flags)
{
    bool normal = exponent + range->least > -126 && exponent + range->most < 127;
    return !normal || (!range->exact && !(*flags & FPFMT_FLAG_INEXACT));
}

/* What a scale's code multiplies elements by, without the tensor's; and log2 of both together. */
typedef struct {
    float factor;
    int16_t exponent;
    bool known, usable; /* finite and not 0 */
} code_factor;

static code_factor factor_of(const fpfmt_block_plan *plan, uint64_t code,
                             const fpfmt_tensor_scale *tensor)
{
    fpfmt_value stored = fpfmt_block_stored(&plan->block, code, tensor);
    code_factor it = { .known = true };
    it.usable = fpfmt_value_is_finite(stored) && !fpfmt_value_is_zero(stored);
    if (!it.usable)
        return it;
    it.factor = fpfmt_to_f32(fpfmt_decode(&plan->block.scale, code), NULL, NULL);
    it.exponent = (int16_t)stored.exponent;
    return it;
}

/* A call; the factors of scales of up to 8 bits are made where they are first met. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_tensor_scale *tensor;
    unsigned *flags;
    element_range range;
    float last; /* the tensor's scale, or 1 */
    code_factor made[256];
} fast_call;

/* A block by the reference. */
static void dequantize_slowly(const fast_call *it, float *values, const unsigned char *codes,
                              const unsigned char *scale, size_t n)
{
    size_t one = 1;
    fpfmt_view to = { .data = values, .rank = 1, .shape = &n };
    fpfmt_view from = { .data = (void *)(uintptr_t)codes, .rank = 1, .shape = &n };
    fpfmt_view by = { .data = (void *)(uintptr_t)scale, .rank = 1, .shape = &one };
    fpfmt_dequantize(it->plan, fpfmt_carriers[CARRIER_32], to, from, by, 0, it->tensor, it->flags);
}

/* Blocks of one size, at most ELEMENTS values of them. */
static void dequantize_tile(const fast_call *it, float *values, const unsigned char *codes,
                            const float *factors, size_t blocks, size_t size)
{
    const fpfmt_kernels *set = it->plan->elements.set;
    const fpfmt_decoder *decoder = &fpfmt_prepared_in(&it->plan->elements)->decoder[CARRIER_32];
    float elements[ELEMENTS];
    bool quiet = it->flags == NULL || decoder->quiet == 0;
    if (quiet && set->restore != NULL &&
        set->restore(decoder, values, codes, factors, it->last, blocks, size))
        return;
    fpfmt_plan_decode_f32(&it->plan->elements, elements, codes, blocks * size, it->flags);
    set->unscale(values, elements, factors, it->last, blocks, size);
}

/* What the blocks from here on are scaled with, up to the first that goes to the reference; returns
 * how many that are. */
static size_t factors_of(fast_call *it, float *factors, const unsigned char *scales, size_t blocks)
{
    const fpfmt_format *format = &it->plan->block.scale;
    const size_t bytes = shape_bytes(format);
    const uint64_t mask = low_bits(shape_width(format));
    for (size_t b = 0; b < blocks; b++) {
        uint64_t code = (bytes == 1 ? scales[b] : fpfmt_load(scales + b * bytes, bytes)) & mask;
        code_factor found, *slot = bytes == 1 ? &it->made[code] : &found;
        if (bytes > 1 || !slot->known)
            *slot = factor_of(it->plan, code, it->tensor);
        if (!slot->usable ||
            (it->flags != NULL && may_raise(&it->range, slot->exponent, it->flags)))
            return b;
        factors[b] = slot->factor;
    }
    return blocks;
}

void fpfmt_dequantize_by_tiles(const fpfmt_block_plan *plan, float *values, const void *codes,
                               const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                               unsigned *flags)
{
    fast_call it = { .plan = plan,
                     .tensor = tensor,
                     .flags = flags,
                     .range = range_of_elements(&plan->block),
                     .last = plan->block.levels == 2 && tensor != NULL ? tensor->decode : 1 };
    size_t whole = plan->block.size < n ? plan->block.size : n, taken;
    size_t code = shape_bytes(&plan->block.element), scale = shape_bytes(&plan->block.scale);
    const unsigned char *from = codes, *by = scales;
    for (size_t done = 0; done < n; done += taken, from += taken * code) {
        float factors[BLOCKS];
        size_t size = whole < n - done ? whole : n - done;
        size_t blocks = size < ELEMENTS ? ELEMENTS / size : 1;
        blocks = blocks < BLOCKS ? blocks : BLOCKS;
        blocks = blocks < (n - done) / size ? blocks : (n - done) / size;
        size_t fast = factors_of(&it, factors, by, blocks);
        taken = (fast == 0 ? 1 : fast) * size;
        by += (fast == 0 ? 1 : fast) * scale;
        if (fast == 0)
            dequantize_slowly(&it, values + done, from, by - scale, size);
        for (size_t at = 0, part; fast > 0 && at < taken; at += part) {
            part = taken <= ELEMENTS ? taken : size - at < ELEMENTS ? size - at : ELEMENTS;
            dequantize_tile(&it, values + done + at, from + at * code, factors,
                            taken <= ELEMENTS ? fast : 1, taken <= ELEMENTS ? size : part);
        }
    }
}
