/* layout.h - where the elements of a tensor lie: shape, strides, and what changes them
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_LAYOUT_H
#define FPLAB_LAYOUT_H

#include <fpfmt.h>

/* Element [i][k]... lies at offset + i * strides[0] + k * strides[1] + ..., in elements. */
typedef struct {
    int rank;
    size_t shape[FPFMT_VIEW_RANK_MAX];
    ptrdiff_t strides[FPFMT_VIEW_RANK_MAX];
    ptrdiff_t offset;
} layout;

enum { MOST_ELEMENTS = 1 << 20 };

/* The copy that an operation needs, if needed: of which view, and why. */
typedef struct {
    bool needed;
    layout source;
    char why[160];
} copying;

size_t elements_of(const layout *of);

/* Without gaps, the last axis the fastest, from offset 0. */
void make_contiguous(layout *of);

/* The axes in the order of a list of all of them. */
void permute(layout *of, const int *order);

/* Each changes a layout as its text says; false after a complaint, which names the operation. Where
 * that needs a copy, it is told in *made_copy, and the layout is that of the copy. */
bool apply_transpose(layout *of, const char *text, copying *made_copy);
bool apply_permute(layout *of, const char *text, copying *made_copy);
bool apply_slice(layout *of, const char *text, copying *made_copy);
bool apply_reshape(layout *of, const char *text, copying *made_copy);
bool apply_rearrange(layout *of, const char *text, copying *made_copy);

/* Reads a shape, as "2,3,4"; false after a complaint. One size may be -1 where size is not 0: what
 * is left of size elements. what stands in complaints. */
bool read_shape(layout *of, const char *text, const char *what, size_t size);

/* The new shape: a view of the same memory if strides do, else a copy. */
void reshape_or_copy(layout *of, const layout *shaped, copying *made_copy);

#endif
