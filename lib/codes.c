/* codes.c - one code of an array at a time
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "bits.h"
#include "shape.h"

size_t fpfmt_code_bytes(const fpfmt_format *format)
{
    return shape_bytes(format);
}

uint64_t fpfmt_load_code(const fpfmt_format *format, const void *codes, size_t index)
{
    size_t bytes = shape_bytes(format);
    return fpfmt_load((const unsigned char *)codes + index * bytes, bytes) &
           low_bits(shape_width(format));
}

void fpfmt_store_code(const fpfmt_format *format, void *codes, size_t index, uint64_t code)
{
    size_t bytes = shape_bytes(format);
    fpfmt_store((unsigned char *)codes + index * bytes, code & low_bits(shape_width(format)),
                bytes);
}
