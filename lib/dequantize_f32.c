/* dequantize_f32.c - blocks back to floats by the kernels, a tile at a time
 * SPDX-License-Identifier: MIT
 *
 * Elements are decoded to floats, exactly, and multiplied by what their block is scaled with as a
 * double, whose product is exact and is rounded once. The bits are those of quantize.c. */

#include "quantize.h"

#include "blocks.h"
#include "bulk.h"
#include "carrier.h"
#include "shape.h"

enum { ELEMENTS = 1024, BLOCKS = 64, FACTOR_BITS = 53 - 24 };

/* Precision of a scale by the tensor's. */
static int factor_bits(const fpfmt_block *block)
{
    int bits = fpfmt_measure(&block->scale).precision;
    return block->levels == 2 ? bits + fpfmt_measure(&block->tensor).precision : bits;
}

bool fpfmt_dequantizes_fast(const fpfmt_block_plan *plan)
{
    const fpfmt_prepared *elements = fpfmt_prepared_in(&plan->elements);
    return plan->elements.set->unscale != NULL && plan->block.book == NULL &&
           plan->policy.nan == FPFMT_NAN_QUIET && plan->policy.subnormal == FPFMT_SUBNORMAL_KEEP &&
           elements->decoder[CARRIER_32].carries && factor_bits(&plan->block) <= FACTOR_BITS;
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
    if (flags == NULL)
        return false;
    bool normal = exponent + range->least > -126 && exponent + range->most < 127;
    return !normal || (!range->exact && !(*flags & FPFMT_FLAG_INEXACT));
}

/* What a scale's code multiplies elements by; log2 of its binade. */
typedef struct {
    double factor;
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
    it.factor = fpfmt_to_f64(stored, NULL, NULL);
    it.exponent = (int16_t)stored.exponent;
    return it;
}

/* A call; the factors of scales of up to 8 bits are made where they are first met. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_tensor_scale *tensor;
    unsigned *flags;
    element_range range;
    bool wide; /* a float does not hold every factor */
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

/* Blocks of one size, at most ELEMENTS values of them. Where a float holds the factor its product
 * is rounded once in binary32 too. */
static void dequantize_tile(const fast_call *it, float *values, const unsigned char *codes,
                            const double *factors, const float *narrow, size_t blocks, size_t size)
{
    const fpfmt_kernels *set = it->plan->elements.set;
    float elements[ELEMENTS];
    fpfmt_plan_decode_f32(&it->plan->elements, elements, codes, blocks * size, it->flags);
    if (it->wide)
        set->unscale(values, elements, factors, blocks, size);
    else
        set->scale(values, elements, narrow, false, blocks, size);
}

/* What the blocks from here on are scaled with, up to the first that goes to the reference; returns
 * how many that are. */
static size_t factors_of(fast_call *it, double *factors, float *narrow,
                         const unsigned char *scales, size_t blocks)
{
    const fpfmt_format *format = &it->plan->block.scale;
    const size_t bytes = shape_bytes(format);
    for (size_t b = 0; b < blocks; b++) {
        uint64_t code = fpfmt_load(scales + b * bytes, bytes) & low_bits(shape_width(format));
        code_factor found, *slot = bytes == 1 ? &it->made[code] : &found;
        if (bytes > 1 || !slot->known)
            *slot = factor_of(it->plan, code, it->tensor);
        if (!slot->usable || may_raise(&it->range, slot->exponent, it->flags))
            return b;
        factors[b] = slot->factor;
        narrow[b] = (float)slot->factor;
    }
    return blocks;
}

void fpfmt_dequantize_by_tiles(const fpfmt_block_plan *plan, float *values, const void *codes,
                               const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                               unsigned *flags)
{
    fast_call it = { .plan = plan, .tensor = tensor, .flags = flags,
                     .range = range_of_elements(&plan->block),
                     .wide = plan->block.levels == 2 };
    size_t whole = plan->block.size < n ? plan->block.size : n, taken;
    size_t code = shape_bytes(&plan->block.element), scale = shape_bytes(&plan->block.scale);
    const unsigned char *from = codes, *by = scales;
    for (size_t done = 0; done < n; done += taken, from += taken * code) {
        double factors[BLOCKS];
        float narrow[BLOCKS];
        size_t size = whole < n - done ? whole : n - done;
        size_t blocks = size < ELEMENTS ? ELEMENTS / size : 1;
        blocks = blocks < BLOCKS ? blocks : BLOCKS;
        blocks = blocks < (n - done) / size ? blocks : (n - done) / size;
        size_t fast = factors_of(&it, factors, narrow, by, blocks);
        taken = (fast == 0 ? 1 : fast) * size;
        by += (fast == 0 ? 1 : fast) * scale;
        if (fast == 0)
            dequantize_slowly(&it, values + done, from, by - scale, size);
        for (size_t at = 0, part; fast > 0 && at < taken; at += part) {
            part = taken <= ELEMENTS ? taken : size - at < ELEMENTS ? size - at : ELEMENTS;
            dequantize_tile(&it, values + done + at, from + at * code, factors, narrow,
                            taken <= ELEMENTS ? fast : 1, taken <= ELEMENTS ? size : part);
        }
    }
}
