/* block_counts.h - statistics of floats in blocks whose scales are any numbers
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_BLOCK_COUNTS_H
#define FPFMT_LIB_BLOCK_COUNTS_H

#include "blocks.h"
#include "quantize.h"
#include "ranges.h"

/* A call: the reading is that of the elements, carried by binary32. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_tensor_scale *tensor;
    fpfmt_stats *stats;
    fpfmt_reading reading;
} block_counting;

/* One block of n values, of which the first has this index, and its codes as kernels made them. */
void fpfmt_count_block(const block_counting *by, const unsigned char *codes, const float *values,
                       size_t n, uint64_t first);

#endif
