/* stored.c - what files that are written call types of elements
 * SPDX-License-Identifier: MIT */

#include "plan/stored.h"

#include <string.h>

#include "kit/tensorfile/types.h"

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

bool kind_of_name(out_kind *kind, const char *path)
{
    static const char *const ends[] = {
        [OUT_SAFETENSORS] = ".safetensors", [OUT_NPY] = ".npy", [OUT_CODES] = ".bin"
    };
    for (out_kind i = OUT_SAFETENSORS; i <= OUT_CODES; i++)
        if (ends_with(path, ends[i])) {
            *kind = i;
            return true;
        }
    return false;
}

/* What NumPy writes: its own types by name, those of ml_dtypes as bytes without a meaning, but for
 * the one that has a letter. Codes of less than 8 bits take a byte each. */
static const struct {
    const char *format, *descr;
} numpy_types[] = {
    { "fp16", "<f2" },   { "fp32", "<f4" },        { "fp64", "<f8" },     { "bf16", "<V2" },
    { "e5m2", "<f1" },   { "e4m3", "|V1" },        { "e4m3fnuz", "|V1" }, { "e5m2fnuz", "|V1" },
    { "e8m0", "|V1" },   { "e4m3b11fnuz", "|V1" }, { "e4m3ieee", "|V1" }, { "e3m4", "|V1" },
    { "e2m1", "|V1" },   { "e2m3", "|V1" },        { "e3m2", "|V1" },     { "int8", "|i1" },
    { "uint8", "|u1" },  { "int16", "<i2" },       { "uint16", "<u2" },   { "int32", "<i4" },
    { "uint32", "<u4" },
};

/* Types that are no format of the library, in NumPy's words, ggml's and safetensors', and the bytes
 * of a number. */
static const struct {
    const char *numpy, *safetensors, *descr;
    unsigned bits, number;
} whole_types[] = {
    { "i8", "I64", "<i8", 64, 8 },
    { "u8", "U64", "<u8", 64, 8 },
    { "b1", "BOOL", "|b1", 8, 1 },
    { "c8", "C64", "<c8", 64, 4 },
};

static const char *numpy_name(const fpfmt_format *format)
{
    for (size_t i = 0; i < sizeof numpy_types / sizeof numpy_types[0]; i++)
        if (strcmp(numpy_types[i].format, format->name) == 0)
            return numpy_types[i].descr;
    return NULL;
}

static unsigned width_of(const fpfmt_format *format)
{
    return (unsigned)fpfmt_measure(format).width;
}

static const char *unsigned_name(out_kind kind, size_t bytes)
{
    static const char *const safetensors[] = { [1] = "U8", [2] = "U16", [4] = "U32", [8] = "U64" };
    static const char *const numpy[] = { [1] = "|u1", [2] = "<u2", [4] = "<u4", [8] = "<u8" };
    return kind == OUT_NPY ? numpy[bytes] : safetensors[bytes];
}

bool store_format(stored *how, out_kind kind, const fpfmt_format *format, bool codes)
{
    size_t bytes = fpfmt_code_bytes(format);
    const char *name = kind == OUT_CODES ? format->name
                       : kind == OUT_NPY ? numpy_name(format)
                                         : safetensors_name(format);
    *how = (stored){ .type = name, .bits = (unsigned)(8 * bytes) };
    if (name != NULL && kind == OUT_SAFETENSORS && safetensors_type(name)->bits < 8) {
        how->bits = width_of(format);
        how->packed = true;
    }
    if (name == NULL && codes)
        how->type = unsigned_name(kind, bytes);
    return how->type != NULL;
}

/* Is what the file calls a type this one? */
static bool is_whole_type(size_t row, const file_tensor *of, container from)
{
    if (from == CONTAINER_NPY || from == CONTAINER_NPZ) {
        const file_type *type = numpy_type(of->type);
        size_t length = strlen(whole_types[row].numpy);
        return type != NULL && strncmp(type->name, whole_types[row].numpy, length) == 0 &&
               (type->name[length] == ' ' || type->name[length] == '\0');
    }
    return strcmp(whole_types[row].safetensors, of->type) == 0;
}

bool store_as_is(stored *how, unsigned *turned, out_kind kind, const file_tensor *of,
                 container from)
{
    bool safetensors = from == CONTAINER_SAFETENSORS || from == CONTAINER_SHARDS;
    *turned = 1;
    if (safetensors && kind == OUT_SAFETENSORS) {
        const file_type *type = safetensors_type(of->type);
        *how = (stored){ .type = of->type, .bits = type->bits, .packed = type->bits < 8 };
        return true;
    }
    for (size_t i = 0; of->format == NULL && i < sizeof whole_types / sizeof whole_types[0]; i++)
        if (is_whole_type(i, of, from)) {
            *how = (stored){ .type = kind == OUT_NPY ? whole_types[i].descr
                                                     : whole_types[i].safetensors,
                             .bits = whole_types[i].bits };
            *turned = whole_types[i].number;
            return true;
        }
    if (of->format == NULL || of->block != NULL || !store_format(how, kind, of->format, false))
        return false;
    *turned = of->packed ? 1 : (unsigned)fpfmt_code_bytes(of->format);
    return true;
}
