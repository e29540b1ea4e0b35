/* overlap.h - where arrays may lie: what every array call refuses about addresses
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_OVERLAP_H
#define FPFMT_LIB_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The addresses of the first and of the last byte, so that the end of memory is one too. */
typedef struct {
    uintptr_t first, last;
} fpfmt_extent;

/* Of an array of bytes, of which there is at least one. */
static inline fpfmt_extent extent_of(const void *array, size_t bytes)
{
    return (fpfmt_extent){ (uintptr_t)array, (uintptr_t)array + (bytes - 1) };
}

static inline bool extents_meet(fpfmt_extent a, fpfmt_extent b)
{
    return a.first <= b.last && b.first <= a.last;
}

/* Refused: elements of an array that is NULL, and more than PTRDIFF_MAX bytes of them. */
bool fpfmt_has_room(const void *array, size_t elements, size_t bytes_of_one);

/* Refused: an output that meets an input, but for one that begins on or before the input and is
 * written in_step: each element no later than it is read, and none beyond what has been read. */
bool fpfmt_may_write(fpfmt_extent out, fpfmt_extent in, bool in_step);

/* Both of two arrays of n elements that are converted front to back. There the output is in step if
 * its elements are not the larger ones. */
bool fpfmt_may_lie(const void *out, size_t out_bytes, const void *in, size_t in_bytes, size_t n);

#endif
