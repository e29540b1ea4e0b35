/* new_safetensors.h - what stands before the data of a new file of safetensors
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_NEW_SAFETENSORS_H
#define FPFMT_KIT_NEW_SAFETENSORS_H

#include <stddef.h>
#include <stdint.h>

#include "kit/json.h"

/* The entry of a tensor, whose bytes begin and end there in the data. */
typedef struct {
    const char *name, *type;
    const uint64_t *shape;
    size_t rank;
    uint64_t begin, end;
} safetensors_entry;
void put_safetensors_entry(json_writer *to, const safetensors_entry *entry);

/* The length, the JSON that is composed, and blanks behind it, so that the data begin at a multiple
 * of 8; *length is that of all. NULL, and errno, where there is no room. */
char *compose_safetensors(void (*compose)(json_writer *to, void *context), void *context,
                          size_t *length);

#endif
