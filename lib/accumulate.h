/* accumulate.h - a dot product underway
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_ACCUMULATE_H
#define FPFMT_ACCUMULATE_H

#include <fpfmt.h>

#include "bits.h"
#include "shape.h"

typedef struct {
    const fpfmt_accumulator *how;
    const fpfmt_format *to, *inner; /* inner: of the sum */
    fpfmt_series a, b;
    fpfmt_policy policy; /* first counts the roundings */
    unsigned flags;
} fpfmt_dot_task;

static const fpfmt_value zero_value = { .kind = FPFMT_KIND_ZERO };

static inline fpfmt_value at(const fpfmt_series *series, size_t i)
{
    if (series->codes == NULL)
        return fpfmt_from_i64(1);
    size_t bytes = shape_bytes(series->format);
    const unsigned char *codes = series->codes;
    return fpfmt_decode(
        series->format,
        fpfmt_load(codes + (ptrdiff_t)i * series->stride * (ptrdiff_t)bytes, bytes));
}

/* Do products of its inputs have room in 64 bits? */
bool fpfmt_can_align(const fpfmt_dot_task *it);

/* Of an accumulator that aligns: the sum and elements i to end. */
fpfmt_value fpfmt_aligned(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end);

#endif
