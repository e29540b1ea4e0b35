/* raw.c - codes and nothing else: --from says what they are
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "kit/tensorfile/containers.h"

bool read_raw(tensor_file *file, const source *from, const file_reading *reading)
{
    file_tensor *made = add_tensor(file, "");
    uint64_t each = fpfmt_code_bytes(reading->from);
    made->format = reading->from;
    made->type = reading->from->name;
    made->big_endian = reading->big_endian;
    made->offset = reading->offset;
    if (reading->offset > from->size) {
        spoil(file, made, "--offset %" PRIu64 " is past the end, which is at byte %" PRIu64,
              reading->offset, from->size);
        return false;
    }
    uint64_t there = (from->size - reading->offset) / each;
    made->count = reading->count < there ? reading->count : there;
    if (reading->count != UINT64_MAX && reading->count > there)
        spoil(file, made,
              "--count %" PRIu64 " is more than the %" PRIu64 " codes of %s from byte %" PRIu64
              " on",
              reading->count, there, reading->from->name, reading->offset);
    else if (reading->count == UINT64_MAX && (from->size - reading->offset) % each != 0)
        spoil(file, made,
              "its %" PRIu64 " bytes are no whole number of codes of %s, which take "
              "%" PRIu64 " each",
              from->size - reading->offset, reading->from->name, each);
    made->rank = 1;
    made->shape[0] = made->count;
    made->bytes = made->count * each;
    return !made->is_bad;
}
