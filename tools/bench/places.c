/* places.c - arrays that lie otherwise than one code behind the other, and calls that tell more
 * SPDX-License-Identifier: MIT
 *
 * Views, packed codes, flags and statistics: what the tuned sizes of lib/view.c, lib/pack.c,
 * lib/stats.c and lib/kernels are found by. Of a view of rows with gaps some elements of an array
 * are left out, so that its time for an element is a little too small; its lines are for comparing.
 */

#include "bench.h"

enum { GAP = 8, ROWS = 256 };

/* Rows of floats with gaps between them, to codes without. */
static bool encode_rows(const contender *it, void *to, const void *from, size_t n, size_t length)
{
    const size_t shape[2] = { n / (length + GAP), length };
    const ptrdiff_t strides[2] = { (ptrdiff_t)(length + GAP), 1 };
    const fpfmt_view codes = { .data = to, .rank = 2, .shape = shape };
    const fpfmt_view floats = {
        .data = (void *)(uintptr_t)from, .rank = 2, .shape = shape, .strides = strides
    };
    return fpfmt_plan_view(it->plan, FPFMT_VIEW_ENCODE_F32, codes, floats, 0, NULL);
}

bool view_rows_12(const contender *it, void *to, const void *from, size_t n)
{
    return encode_rows(it, to, from, n, 12);
}

bool view_rows_32(const contender *it, void *to, const void *from, size_t n)
{
    return encode_rows(it, to, from, n, 32);
}

bool view_rows_64(const contender *it, void *to, const void *from, size_t n)
{
    return encode_rows(it, to, from, n, 64);
}

bool view_rows_128(const contender *it, void *to, const void *from, size_t n)
{
    return encode_rows(it, to, from, n, 128);
}

/* Rows that were columns. */
static bool transpose(const contender *it, fpfmt_view_operation operation, void *to, const void *from, size_t n)
{
    const size_t shape[2] = { ROWS, n / ROWS };
    const ptrdiff_t strides[2] = { 1, ROWS };
    const fpfmt_view whole = { .data = to, .rank = 2, .shape = shape };
    const fpfmt_view turned = {
        .data = (void *)(uintptr_t)from, .rank = 2, .shape = shape, .strides = strides
    };
    return fpfmt_plan_view(it->plan, operation, whole, turned, 0, NULL);
}

bool view_transpose(const contender *it, void *to, const void *from, size_t n)
{
    return transpose(it, FPFMT_VIEW_ENCODE_F32, to, from, n);
}

bool view_transpose_decode(const contender *it, void *to, const void *from, size_t n)
{
    return transpose(it, FPFMT_VIEW_DECODE_F32, to, from, n);
}

bool encode_packed(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_plan_encode_packed_f32(it->plan, FPFMT_PACK_LOW_FIRST, to, from, n, 0, NULL);
}

bool decode_packed(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_plan_decode_packed_f32(it->plan, FPFMT_PACK_LOW_FIRST, to, from, n, NULL);
}

bool encode_flags(const contender *it, void *to, const void *from, size_t n)
{
    unsigned flags = 0;
    return fpfmt_plan_encode_f32(it->plan, to, from, n, 0, &flags);
}

/* Writes nothing; the array stands for what a loop that rounds would write. */
bool statistics(const contender *it, void *to, const void *from, size_t n)
{
    static fpfmt_stats stats;
    (void)to;
    return fpfmt_plan_stats_f32(it->plan, &stats, from, n, 0);
}
