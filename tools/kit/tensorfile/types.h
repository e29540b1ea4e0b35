/* types.h - what the kinds of files call the types of elements
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_TYPES_H
#define FPFMT_KIT_TYPES_H

#include "kit/tensorfile/tensorfile.h"

/* A type: its name in a kind of file, the format of its codes (NULL: not read), and its bits. */
typedef struct {
    const char *name, *format;
    unsigned bits;
    bool is_other; /* neither an integer nor a size alone: no codes of another format */
} file_type;

/* The format of a tensor's codes: that of its type, or of integers, and of what tells a size alone,
 * the one that --from names, if it is as wide. */
void settle_format(file_tensor *of, const file_type *type, const file_reading *reading);

/* safetensors' types; NULL if there is none of the name. */
const file_type *safetensors_type(const char *name);

/* The type of safetensors for codes of a format; NULL if there is none. */
const char *safetensors_name(const fpfmt_format *format);

/* NumPy's types by what their descr says behind the byte order, which is one of "<>=|" or absent;
 * NULL if it is none of those whose size is known. */
const file_type *numpy_type(const char *descr);

/* ggml's types by number: a block of so many elements takes so many bytes. */
typedef struct {
    const char *name;
    uint16_t elements, bytes; /* 0: ggml has no such type (any more) */
    const char *format;       /* of single codes, or */
    const char *block;        /* of blocks; NULL for both: not read */
} ggml_type;
const ggml_type *ggml_type_at(uint32_t number);

/* A block format of the library as its rows have it, filled in once for a run's file; NULL if it
 * has none of the name. */
const fpfmt_block *block_row(const char *name);

/* Bits of a code of a format. */
unsigned code_width(const fpfmt_format *format);

#endif
