/* overlap.h - where arrays may lie: what every array call refuses about addresses
 * SPDX-License-Identifier: MIT
 *
 * All of it is inline: a call for one element takes 30 ns, of which a call here would be two. */

#ifndef FPFMT_LIB_OVERLAP_H
#define FPFMT_LIB_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "refuse.h"

/* The addresses of the first and of the last byte, so that the end of memory is one too. */
typedef struct {
    uintptr_t first, last;
} byte_range;

/* Of an array of bytes, of which there is at least one. */
static inline byte_range range_of(const void *array, size_t bytes)
{
    return (byte_range){ (uintptr_t)array, (uintptr_t)array + (bytes - 1) };
}

static inline bool ranges_meet(byte_range a, byte_range b)
{
    return a.first <= b.last && b.first <= a.last;
}

static inline bool is_there(const void *array)
{
    return array != NULL || refuse("an array is NULL, but has elements");
}

static inline bool fits(size_t elements, size_t bytes_of_one)
{
    return elements <= PTRDIFF_MAX / bytes_of_one ||
           refuse("an array is longer than PTRDIFF_MAX bytes");
}

/* Refused: elements of an array that is NULL, and more than PTRDIFF_MAX bytes of them. */
static inline bool has_room(const void *array, size_t elements, size_t bytes_of_one)
{
    return elements == 0 || (is_there(array) && fits(elements, bytes_of_one));
}

/* Refused: an output that meets an input, but for one that begins on or before the input and is
 * written in_step: each element no later than it is read, and none beyond what has been read. */
static inline bool may_write(byte_range out, byte_range in, bool in_step)
{
    return !ranges_meet(out, in) || (in_step && out.first <= in.first) ||
           refuse("the output overlaps the input, and would be written before that is read");
}

/* All of this for two arrays of n elements that are converted front to back. There the output is in
 * step if its elements are not the larger ones, and both arrays fit if the larger elements do. */
static inline bool may_lie(const void *out, size_t out_bytes, const void *in, size_t in_bytes,
                           size_t n)
{
    bool in_step = out_bytes <= in_bytes;
    return n == 0 || (is_there(out) && is_there(in) && fits(n, in_step ? in_bytes : out_bytes) &&
                      may_write(range_of(out, n * out_bytes), range_of(in, n * in_bytes), in_step));
}

#endif
