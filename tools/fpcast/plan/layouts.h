/* layouts.h - how files of safetensors keep elements and their scales
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_LAYOUTS_H
#define FPCAST_LAYOUTS_H

#include <fpfmt.h>

#include "kit/words.h"

/* A tensor X of a block format becomes two or three: names, types and shapes are a producer's. */
typedef struct {
    const char *name;             /* of the layout, for --layout */
    const char *formats, *scales; /* elements and scales that it takes, separated by blanks */
    uint32_t size, rows;          /* of its blocks; 0: any that are told by shapes */
    uint8_t levels;
    const char *element_end, *scale_end, *whole_end; /* what stands behind the tensor's name */
    bool packed;         /* two codes to a byte, the first in the low bits */
    bool rows_of_blocks; /* blocks have a dimension of their own */
    bool whole_inverse;  /* the scale of the whole is kept as its inverse, in one element */
} layout;

/* The layouts by name, each once. */
extern const word_table layout_words;

/* The layout of that name for a block format, or its first; NULL after a complaint. */
const layout *find_layout(const fpfmt_block *block, const char *name);

#endif
