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

/* Scales that are read at a time, and elements that become floats before they are multiplied, where
 * the set does not do both at once. */
enum { BLOCKS = 256, ELEMENTS = 1024 };

/* Bits of the significand of an element by its scale and the tensor's, of which this one is told: a
 * power of two has one. */
static int product_bits(const fpfmt_block *block, float last)
{
    uint64_t significand = fpfmt_from_f32(last).significand << 1;
    int bits = fpfmt_measure(&block->element).precision + fpfmt_measure(&block->scale).precision;
    for (; significand != 0; significand <<= 1)
        bits++;
    return bits;
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

/* Magnitudes of scales, as bits of floats, that blocks may have here: from least on, and span above
 * it. These order as numbers do. */
typedef struct {
    uint32_t least, span;
} scale_range;

/* The smallest magnitude of an exponent, but not below the smallest positive float, nor above the
 * largest by more than a step. */
static uint32_t bits_of_exponent(int exponent)
{
    int field = exponent + 127;
    return field < 1 ? 1 : field > 255 ? UINT32_C(255) << 23 : (uint32_t)field << 23;
}

/* Every scale but 0, infinity and NaN, where flags are not wanted. Where they are, those whose
 * elements raise nothing, whatever they are: what is multiplied stays in the normal range of a
 * float, in which the product of two significands fits. The exponent of a scale by the tensor's is
 * the sum of both or one more. */
static scale_range range_of_scales(const fpfmt_block *block, float last)
{
    fpfmt_limits limits = fpfmt_measure(&block->element);
    int least = fpfmt_decode(&block->element, limits.min_positive).exponent - limits.precision;
    int by = block->levels == 2 ? fpfmt_from_f32(last).exponent : 0;
    uint32_t first = bits_of_exponent(-125 - least - by);
    uint32_t end = bits_of_exponent(126 - limits.emax - by - (block->levels == 2));
    return first < end ? (scale_range){ first, end - first } : (scale_range){ 1, 0 };
}

/* A call. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_tensor_scale *tensor;
    unsigned *flags;
    scale_range range;
    bool exact; /* no product is rounded in the normal range */
    float last; /* the tensor's scale, or 1 */
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

/* Blocks of one size whose scales are in order. */
static void dequantize_blocks(const fast_call *it, float *values, const unsigned char *codes,
                              const float *factors, size_t blocks, size_t size)
{
    const fpfmt_kernels *set = it->plan->elements.set;
    const fpfmt_decoder *decoder = &fpfmt_prepared_in(&it->plan->elements)->decoder[CARRIER_32];
    const size_t code = shape_bytes(&it->plan->block.element);
    bool quiet = it->flags == NULL || decoder->quiet == 0;
    float elements[ELEMENTS];
    if (quiet && set->restore != NULL &&
        set->restore(decoder, values, codes, factors, it->last, blocks, size))
        return;
    for (size_t b = 0, some; b < blocks; b += some) {
        some = size < ELEMENTS ? ELEMENTS / size : 1;
        some = some < blocks - b ? some : blocks - b;
        /* A piece of a block that is longer, or all of some. */
        for (size_t i = 0, n; i < size; i += n) {
            n = size - i < ELEMENTS ? size - i : ELEMENTS;
            size_t at = b * size + i;
            fpfmt_plan_decode_f32(&it->plan->elements, elements, codes + at * code, some * n,
                                  it->flags);
            set->unscale(values + at, elements, factors + b, it->last, some, n);
        }
    }
}

/* How many of the factors, from the first on, are in order; the block behind these goes to the
 * reference. Where products may be inexact all do until one was. */
static size_t count_fast(const fast_call *it, const float *factors, size_t blocks)
{
    if (it->flags != NULL && !it->exact && !(*it->flags & FPFMT_FLAG_INEXACT))
        return 0;
    for (size_t b = 0; b < blocks; b++) {
        uint32_t bits;
        memcpy(&bits, factors + b, sizeof bits);
        if ((bits & 0x7FFFFFFF) - it->range.least >= it->range.span)
            return b;
    }
    return blocks;
}

/* Scales as floats; codes of up to 8 bits are looked up, as kernels for arrays do not reach E8M0,
 * which has no zero. */
static void read_scales(const fpfmt_plan *plan, float *factors, const unsigned char *scales,
                        size_t n)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    if (!inside->decoder[CARRIER_32].has_table) {
        fpfmt_plan_decode_f32(plan, factors, scales, n, NULL);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)inside->table[1][scales[i]] << 24 |
                        (uint32_t)inside->table[0][scales[i]] << 16;
        memcpy(factors + i, &bits, sizeof bits);
    }
}

void fpfmt_dequantize_by_tiles(const fpfmt_block_plan *plan, float *values, const void *codes,
                               const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                               unsigned *flags)
{
    fast_call it = { .plan = plan,
                     .tensor = tensor,
                     .flags = flags,
                     .range = { 1, 0x7F7FFFFF },
                     .last = plan->block.levels == 2 && tensor != NULL ? tensor->decode : 1 };
    size_t whole = plan->block.size < n ? plan->block.size : n;
    size_t code = shape_bytes(&plan->block.element), scale = shape_bytes(&plan->block.scale);
    const unsigned char *from = codes, *by = scales;
    float factors[BLOCKS];
    it.exact = product_bits(&plan->block, it.last) <= 24;
    if (flags != NULL)
        it.range = range_of_scales(&plan->block, it.last);
    while (n > 0) {
        size_t size = whole < n ? whole : n, blocks = n / size < BLOCKS ? n / size : BLOCKS, fast;
        read_scales(&plan->scales, factors, by, blocks);
        for (size_t b = 0; b < blocks; b += fast) {
            fast = count_fast(&it, factors + b, blocks - b);
            if (fast > 0)
                dequantize_blocks(&it, values, from, factors + b, fast, size);
            else
                dequantize_slowly(&it, values, from, by + b * scale, size);
            fast += fast == 0;
            values += fast * size;
            from += fast * size * code;
        }
        by += blocks * scale;
        n -= blocks * size;
    }
}
