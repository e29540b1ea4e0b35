/* sink.c - codes on their way into a file: packed, in the order of bytes and of rows
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "kit/memory.h"
#include "kit/tensorfile/byte_order.h"
#include "kit/tensorfile/elements.h"
#include "write/casting.h"
#include "write/output.h"

void open_sink(code_sink *made, cast_plan *plan, cast *it, int part)
{
    const new_tensor *to = &it->parts[part];
    *made = (code_sink){ .plan = plan, .it = it, .part = part, .bits = to->how.bits };
    made->each = to->how.packed ? 1 : to->how.bits / 8;
    made->turned = is_host_big() && !to->how.packed ? (unsigned)made->each : 1;
    if (to->how.packed)
        made->packed = allocate(PIECE_ELEMENTS, 1);
    if (it->from->columns_first && plan->kind != OUT_NPY && part == PART_ELEMENTS)
        made->whole = allocate((size_t)it->from->count, made->each);
}

static bool write_codes(code_sink *to, uint64_t first, void *codes, size_t n)
{
    if (to->packed == NULL)
        return write_bytes(to->plan, to->it, to->part, first * to->each, codes, n * to->each);
    return fpfmt_pack(to->bits, FPFMT_PACK_LOW_FIRST, to->packed, codes, n) &&
           write_bytes(to->plan, to->it, to->part, first * to->bits / 8, to->packed,
                       fpfmt_packed_size(to->bits, n));
}

/* The number of an element when the last index is the fastest, from its number when the first
 * is. */
static uint64_t by_rows(const file_tensor *of, uint64_t number)
{
    uint64_t made = 0, stride = of->count;
    for (int i = 0; i < of->rank; i++) {
        stride /= of->shape[i];
        made += number % of->shape[i] * stride;
        number /= of->shape[i];
    }
    return made;
}

bool put_codes(code_sink *to, uint64_t first, void *codes, size_t n)
{
    if (to->turned > 1)
        turn_codes(codes, to->turned, to->turned, n * to->each / to->turned, !is_host_big());
    if (to->whole == NULL)
        return write_codes(to, first, codes, n);
    for (size_t i = 0; i < n; i++)
        memcpy(to->whole + by_rows(to->it->from, first + i) * to->each,
               (unsigned char *)codes + i * to->each, to->each);
    return true;
}

bool close_sink(code_sink *to)
{
    uint64_t count = to->whole == NULL ? 0 : to->it->from->count;
    bool good = true;
    for (uint64_t at = 0; good && at < count; at += PIECE_ELEMENTS) {
        size_t n = count - at < PIECE_ELEMENTS ? (size_t)(count - at) : PIECE_ELEMENTS;
        good = write_codes(to, at, to->whole + at * to->each, n);
    }
    release(to->packed);
    release(to->whole);
    return good;
}
