/* byte_order.c - the order of the bytes of codes
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/byte_order.h"

#include <stdint.h>
#include <string.h>

bool is_host_big(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

void turn_codes(void *codes, size_t each, size_t stride, size_t n, bool big_endian)
{
    unsigned char *code = codes;
    if (each == 1 || big_endian == is_host_big())
        return;
    for (size_t i = 0; i < n; i++, code += stride)
        for (size_t a = 0, b = each - 1; a < b; a++, b--) {
            unsigned char kept = code[a];
            code[a] = code[b];
            code[b] = kept;
        }
}
