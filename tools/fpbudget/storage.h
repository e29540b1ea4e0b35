/* storage.h - how the elements of a tensor are kept: a format of the library, or blocks of one
 * SPDX-License-Identifier: MIT */

#ifndef STORAGE_H
#define STORAGE_H

#include "exact.h"
#include "rows.h"

/* Formats whose elements share scales, by name. */
typedef struct {
    const char *name, *grammar, *summary;
} block_row;
extern const row_table block_table;

/* Widths in bits; no block: scale_width and block are 0, no scale of the tensor: tensor_width is.
 */
typedef struct {
    char name[48];
    int width, scale_width, tensor_width;
    uint64_t block;
} storage;

/* Fills in *kept by a name of block_table, by any name of a format, or by the grammar
 * ELEMENT:SCALE/SIZE[+TENSOR], as e2m1:e4m3/16+fp32. False after a complaint that begins with
 * where. */
bool find_storage(storage *kept, const char *name);

/* The bits of one element, its part of a full block's scale included. */
exact bits_per_element(const storage *kept);

/* The bits of so many elements in so many tensors: blocks that are not full have a scale too. */
exact bits_of(const storage *kept, exact elements, exact tensors);

#endif
