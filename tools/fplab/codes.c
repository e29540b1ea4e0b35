/* codes.c - memory, and arrays of codes as fpfmt.h has them
 * SPDX-License-Identifier: MIT */

#include <stdlib.h>

#include "lab.h"

void *lab_allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        complain("out of memory");
        exit(exit_status());
    }
    return memory;
}

size_t lab_code_bytes(const fpfmt_format *format)
{
    return fpfmt_code_bytes(format);
}

void lab_store(void *codes, size_t index, const fpfmt_format *format, uint64_t code)
{
    fpfmt_store_code(format, codes, index, code);
}

uint64_t lab_load(const void *codes, size_t index, const fpfmt_format *format)
{
    return fpfmt_load_code(format, codes, index);
}
