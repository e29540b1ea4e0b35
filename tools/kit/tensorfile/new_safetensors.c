/* new_safetensors.c - what stands before the data of a new file of safetensors
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/new_safetensors.h"

#include <string.h>

#include "kit/memory.h"

enum { LENGTH_BYTES = 8 };

void put_safetensors_entry(json_writer *to, const safetensors_entry *entry)
{
    json_name(to, entry->name);
    json_members(to);
    json_member(to, "dtype", entry->type);
    json_name(to, "shape");
    json_list(to);
    for (size_t i = 0; i < entry->rank; i++)
        json_count(to, entry->shape[i]);
    json_end(to, "");
    json_name(to, "data_offsets");
    json_list(to);
    json_count(to, entry->begin);
    json_count(to, entry->end);
    json_end(to, "");
    json_end(to, "");
}

char *compose_safetensors(void (*compose)(json_writer *to, void *context), void *context,
                          size_t *length)
{
    size_t size;
    char *json = json_in_memory(compose, context, &size);
    if (json == NULL)
        return NULL;
    size_t padded = size + (0 - size) % LENGTH_BYTES;
    char *made = allocate(LENGTH_BYTES + padded, 1);
    for (size_t i = 0; i < LENGTH_BYTES; i++)
        made[i] = (char)((uint64_t)padded >> 8 * i & 0xff);
    memcpy(made + LENGTH_BYTES, json, size);
    memset(made + LENGTH_BYTES + size, ' ', padded - size);
    release(json);
    *length = LENGTH_BYTES + padded;
    return made;
}
