/* stored.h - what files that are written call types of elements
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_STORED_H
#define FPCAST_STORED_H

#include "kit/tensorfile/tensorfile.h"

typedef enum { OUT_SAFETENSORS, OUT_NPY, OUT_CODES } out_kind;

/* The kind of a file by its name; false if it is none that is written. */
bool kind_of_name(out_kind *kind, const char *path);

/* How codes are kept: the name of their type, its bits, and whether codes of less than 8 bits have
 * no gaps between them. */
typedef struct {
    const char *type;
    unsigned bits;
    bool packed;
} stored;

/* codes: what has no name is kept as unsigned integers. False if it has none. */
bool store_format(stored *how, out_kind kind, const fpfmt_format *format, bool codes);

/* For elements that are copied: their type in the new file, and how many bytes of them are one
 * number, whose order may have to be turned. False if the new file has no such type. */
bool store_as_is(stored *how, unsigned *turned, out_kind kind, const file_tensor *of,
                 container from);

#endif
