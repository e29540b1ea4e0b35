/* codes.c - memory, and arrays of codes as fpfmt.h has them
 * SPDX-License-Identifier: MIT */

#include <stdlib.h>
#include <string.h>

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
    int width = fpfmt_measure(format).width;
    return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

void lab_store(void *codes, size_t index, const fpfmt_format *format, uint64_t code)
{
    size_t bytes = lab_code_bytes(format);
    unsigned char *at = (unsigned char *)codes + index * bytes;
    uint8_t narrow = (uint8_t)code;
    uint16_t half = (uint16_t)code;
    uint32_t whole = (uint32_t)code;
    switch (bytes) {
    case 1: memcpy(at, &narrow, bytes); break;
    case 2: memcpy(at, &half, bytes); break;
    case 4: memcpy(at, &whole, bytes); break;
    default: memcpy(at, &code, bytes); break;
    }
}

uint64_t lab_load(const void *codes, size_t index, const fpfmt_format *format)
{
    size_t bytes = lab_code_bytes(format);
    const unsigned char *at = (const unsigned char *)codes + index * bytes;
    uint8_t narrow;
    uint16_t half;
    uint32_t whole;
    uint64_t code;
    switch (bytes) {
    case 1: memcpy(&narrow, at, bytes); return narrow;
    case 2: memcpy(&half, at, bytes); return half;
    case 4: memcpy(&whole, at, bytes); return whole;
    default: memcpy(&code, at, bytes); return code;
    }
}
