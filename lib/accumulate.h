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

/* Do its codes, if there are any, have a format? */
static inline bool has_format(const fpfmt_series *series)
{
    return series->codes == NULL || series->format != NULL;
}

static inline fpfmt_value at(const fpfmt_series *series, size_t i)
{
    if (series->codes == NULL)
        return fpfmt_from_i64(1);
    int width = shape_width(series->format);
    size_t bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
    const unsigned char *codes = series->codes;
    return fpfmt_decode(
        series->format,
        fpfmt_load(codes + (ptrdiff_t)i * series->stride * (ptrdiff_t)bytes, bytes));
}

static inline bool is_nan(fpfmt_value value)
{
    return value.kind >= FPFMT_KIND_QUIET_NAN;
}

static inline bool is_finite(fpfmt_value value)
{
    return value.kind < FPFMT_KIND_INFINITE;
}

/* Do products of its inputs have room in 64 bits? */
bool fpfmt_can_align(const fpfmt_dot_task *it);

/* Of an accumulator that aligns: the sum and elements i to end. */
fpfmt_value fpfmt_aligned(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end);

#endif
