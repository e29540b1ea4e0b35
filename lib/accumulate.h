/* accumulate.h - a dot product underway
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_ACCUMULATE_H
#define FPFMT_ACCUMULATE_H

#include <fpfmt.h>

#include "bits.h"
#include "shape.h"

/* A call of fpfmt_dot: what it was given, and what changes while it runs. */
typedef struct {
    const fpfmt_accumulator *how;
    const fpfmt_format *to, *inner; /* the output format, and that of the sum until the end */
    fpfmt_series a, b;
    fpfmt_policy policy; /* first is the index of the next rounding: each takes one */
    unsigned flags;      /* raised so far */
} fpfmt_dot_task;

static const fpfmt_value zero_value = { .kind = FPFMT_KIND_ZERO };

/* Do its codes, if there are any, have a format? */
static inline bool has_format(const fpfmt_series *series)
{
    return series->codes == NULL || series->format != NULL;
}

/* Element i of a series without its scale; 1 where it has no codes. */
static inline fpfmt_value element_at(const fpfmt_series *series, size_t i)
{
    if (series->codes == NULL)
        return fpfmt_from_i64(1);
    size_t bytes = shape_bytes(series->format);
    const unsigned char *codes = series->codes;
    return fpfmt_decode(
        series->format,
        fpfmt_load(codes + (ptrdiff_t)i * series->stride * (ptrdiff_t)bytes, bytes));
}

/* The scale of element i; 1 where there are none. */
static inline fpfmt_value scale_at(const fpfmt_series *series, size_t i)
{
    const fpfmt_scales *scales = &series->scales;
    if (scales->codes == NULL)
        return fpfmt_from_i64(1);
    size_t bytes = shape_bytes(scales->format);
    const unsigned char *codes = scales->codes;
    return fpfmt_decode(
        scales->format,
        fpfmt_load(codes + (ptrdiff_t)(i / scales->size) * scales->stride * (ptrdiff_t)bytes,
                   bytes));
}

/* Element i by its scale. */
static inline fpfmt_value at(const fpfmt_series *series, size_t i)
{
    fpfmt_value element = element_at(series, i);
    if (series->scales.codes == NULL)
        return element;
    return fpfmt_exact(FPFMT_OPERATION_MULTIPLY, element, scale_at(series, i), element, NULL, NULL);
}

/* The sum, in the output format, and the products of elements from i to before end, as an
 * accumulator of kind ALIGNED adds them. */
fpfmt_value fpfmt_aligned(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end);

#endif
