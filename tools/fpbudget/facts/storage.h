/* storage.h - how the elements of a tensor are kept: in a format of the library, or in blocks of
 * one SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_STORAGE_H
#define FPBUDGET_STORAGE_H

#include "facts/exact.h"

/* Widths are in bits. Without blocks scale_width and block are 0; where a tensor has no scale of
 * its own, tensor_width is 0. */
typedef struct {
    char name[48];    /* as the user or the table wrote it */
    int width;        /* of an element */
    int scale_width;  /* of the scale that a block shares */
    int tensor_width; /* of the scale of a tensor */
    uint64_t block;   /* elements of a block */
} storage;

/* Fills in *kept by a name of the library's block formats or its grammar for them, by any name of a
 * format, or by ELEMENT:SCALE/SIZE[+TENSOR], as e2m1:e4m3/16+fp32, where ELEMENT, SCALE and TENSOR
 * are names of formats. False after a complaint. */
bool find_storage(storage *kept, const char *name);

/* The bits of one element, its part of the scale of a full block included. */
exact bits_per_element(const storage *kept);

/* The bits of so many elements in so many tensors. A block that is not full has a scale too. */
exact bits_of(const storage *kept, exact elements, exact tensors);

#endif
