/* overlap.c - where arrays may lie
 * SPDX-License-Identifier: MIT */

#include "overlap.h"

#include "refuse.h"

bool fpfmt_has_room(const void *array, size_t elements, size_t bytes_of_one)
{
    if (elements == 0)
        return true;
    if (array == NULL)
        return refuse("an array is NULL, but has elements");
    if (elements > PTRDIFF_MAX / bytes_of_one)
        return refuse("an array is longer than PTRDIFF_MAX bytes");
    return true;
}

bool fpfmt_may_write(fpfmt_extent out, fpfmt_extent in, bool in_step)
{
    return !extents_meet(out, in) || (in_step && out.first <= in.first) ||
           refuse("the output overlaps the input, and would be written before that is read");
}

bool fpfmt_may_lie(const void *out, size_t out_bytes, const void *in, size_t in_bytes, size_t n)
{
    if (n == 0)
        return true;
    return fpfmt_has_room(out, n, out_bytes) && fpfmt_has_room(in, n, in_bytes) &&
           fpfmt_may_write(extent_of(out, n * out_bytes), extent_of(in, n * in_bytes),
                           out_bytes <= in_bytes);
}
