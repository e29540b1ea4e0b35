/* quantize.h - prepared block formats
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_QUANTIZE_H
#define FPFMT_LIB_QUANTIZE_H

#include <fpfmt.h>

#include "refuse.h"

/* What marks a plan that fpfmt_prepare_blocks has made: no other memory is likely to hold it. */
#define FPFMT_BLOCKS_PREPARED UINT64_C(0x626c6f636b732d31)

static inline bool is_prepared(const fpfmt_block_plan *plan)
{
    return (plan != NULL && plan->prepared[0] == FPFMT_BLOCKS_PREPARED) ||
           refuse("a plan of blocks is not prepared");
}

/* Refuses a scale of a tensor that is 0, infinite or NaN; NULL is one of 1. */
static inline bool is_usable(const fpfmt_tensor_scale *tensor)
{
    if (tensor == NULL)
        return true;
    fpfmt_value decode = fpfmt_from_f32(tensor->decode), encode = fpfmt_from_f32(tensor->encode);
    bool used = fpfmt_value_is_finite(decode) && !fpfmt_value_is_zero(decode);
    return (used && fpfmt_value_is_finite(encode)) ||
           refuse("the scale of a tensor is 0, infinite or NaN");
}

/* Rows of n floats one behind the other, with their codes and scales; first is the index of the
 * first element of all. */
typedef struct {
    unsigned char *codes, *scales;
    const float *values;
    size_t rows, n;
    uint64_t first;
} float_rows;

/* fpfmt_quantize by the reference, one value after the other. But where rows is not NULL, and the
 * views are floats in rows without gaps, with blocks along them, nothing is done, and *rows says
 * where they are. */
bool fpfmt_quantize_views(const fpfmt_block_plan *plan, fpfmt_stats *stats, fpfmt_view codes,
                          fpfmt_view scales, const fpfmt_format *format, fpfmt_view values,
                          int axis, const fpfmt_tensor_scale *tensor, uint64_t first,
                          unsigned *flags, float_rows *rows);

/* The code of a value, the element of this index, and what became of it into statistics and flags,
 * if these are not NULL. */
uint64_t fpfmt_quantize_element(const fpfmt_block_plan *plan, const fpfmt_block_scale *scale,
                                fpfmt_value x, uint64_t index, fpfmt_stats *stats, unsigned *flags);

/* Whether kernels give the reference's bits for blocks of floats that lie one behind the other:
 * which recipes, and element formats that binary32 reaches. The plan is prepared. */
bool fpfmt_blocks_are_fast(const fpfmt_block_plan *plan);
bool fpfmt_dequantizes_fast(const fpfmt_block_plan *plan);

/* By the kernels; nothing is left to refuse. */
void fpfmt_quantize_by_tiles(const fpfmt_block_plan *plan, void *codes, void *scales,
                             const float *values, size_t n, const fpfmt_tensor_scale *tensor,
                             uint64_t first, unsigned *flags);
void fpfmt_dequantize_by_tiles(const fpfmt_block_plan *plan, float *values, const void *codes,
                               const void *scales, size_t n, const fpfmt_tensor_scale *tensor,
                               unsigned *flags);

#endif
