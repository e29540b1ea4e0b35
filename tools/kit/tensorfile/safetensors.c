/* safetensors.c - files of safetensors
 * SPDX-License-Identifier: MIT
 *
 * Eight bytes have the length of a header, the lowest first; the header is an object of JSON, and
 * the elements of the tensors follow without gaps. What is refused is what the format's own reader
 * refuses, and a name that comes twice, of which that one reads the last. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/json_file.h"
#include "kit/tensorfile/types.h"

enum { LENGTH_BYTES = 8 };

/* The longest header that the format's own reader takes. */
#define MOST_HEADER UINT64_C(100000000)

/* What a header is read with: where the data begin, and whose it is. */
typedef struct {
    tensor_file *file;
    const source *from;
    size_t part, first; /* the first of its tensors */
    uint64_t data;
    const file_reading *reading;
} shard;

/* Takes [a, b, ...]: at most so many whole numbers, which are not negative; -1 if it is none. */
static int take_numbers(uint64_t *to, int most, json_t *list)
{
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n > (size_t)most)
        return -1;
    for (size_t i = 0; i < n; i++) {
        json_t *item = json_array_get(list, i);
        if (!json_is_integer(item) || json_integer_value(item) < 0)
            return -1;
        to[i] = (uint64_t)json_integer_value(item);
    }
    return (int)n;
}

/* What the type of a tensor is, and what --from makes of integers as wide; NULL if it is none. */
static const file_type *settle_type(file_tensor *to, json_t *dtype, const file_reading *reading)
{
    const char *name = json_string_value(dtype);
    const file_type *type = name == NULL ? NULL : safetensors_type(name);
    if (type == NULL)
        return NULL;
    to->type = type->name;
    to->packed = type->bits < 8;
    settle_format(to, type, reading);
    return type;
}

/* What a tensor lacks whose range of bytes is not known; it comes behind all others. */
#define NOWHERE UINT64_MAX

/* The bytes of a tensor, with its range; false if that is none. */
static bool take_range(file_tensor *to, const shard *now, json_t *entry)
{
    uint64_t range[2];
    to->offset = NOWHERE;
    if (take_numbers(range, 2, json_object_get(entry, "data_offsets")) != 2 || range[0] > range[1])
        return false;
    to->offset = now->data + range[0];
    to->bytes = range[1] - range[0];
    return true;
}

/* Do the elements of a tensor, of so many bits each, fill its bytes, and are these there? */
static void check_size(const shard *now, file_tensor *of, uint64_t bits)
{
    if (of->offset + of->bytes > now->from->size)
        spoil(now->file, of, "it ends at byte %" PRIu64 ", and the file at byte %" PRIu64,
              of->offset + of->bytes, now->from->size);
    else if (!count_elements(of) || of->count > UINT64_MAX / bits)
        spoil(now->file, of, "its shape has more elements than any file");
    else if (of->count * bits % 8 != 0)
        spoil(now->file, of, "its %" PRIu64 " elements of %" PRIu64 " bits end within a byte",
              of->count, bits);
    else if (of->count * bits / 8 != of->bytes)
        spoil(now->file, of,
              "it has %" PRIu64 " bytes from byte %" PRIu64 " on, and its shape takes %" PRIu64,
              of->bytes, of->offset, of->count * bits / 8);
}

static void take_tensor(const shard *now, const char *name, json_t *entry)
{
    file_tensor *made = add_tensor(now->file, name);
    json_t *dtype = json_object_get(entry, "dtype");
    made->part = now->part;
    bool is_placed = take_range(made, now, entry);
    const file_type *type = settle_type(made, dtype, now->reading);
    int rank = take_numbers(made->shape, TENSOR_RANK, json_object_get(entry, "shape"));
    made->rank = rank < 0 ? 0 : rank;
    if (!json_is_object(entry))
        spoil(now->file, made, "it is no object with dtype, shape and data_offsets");
    else if (!is_placed)
        spoil(now->file, made, "its data_offsets are not the begin and the end of its bytes");
    else if (type == NULL)
        spoil(now->file, made, "its dtype is %s, which is none of safetensors'",
              json_is_string(dtype) ? quoted(json_string_value(dtype), json_string_length(dtype))
                                    : "no text");
    else if (rank < 0)
        spoil(now->file, made, "its shape is no list of up to %d whole numbers", TENSOR_RANK);
    else
        check_size(now, made, type->bits);
}

static void take_notes(tensor_file *file, json_t *metadata, size_t part)
{
    const char *key;
    json_t *value;
    json_object_foreach(metadata, key, value) {
        file->notes = more(file->notes, file->note_count, sizeof *file->notes);
        file->notes[file->note_count++] =
            (file_note){ copy_text(key, strlen(key)),
                         copy_text(json_string_value(value), json_string_length(value)), part };
    }
}

static int compare_places(const void *a, const void *b)
{
    const file_tensor *left = a, *right = b;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return (left->bytes > right->bytes) - (left->bytes < right->bytes);
}

/* Tensors lie one behind the other, from the first byte of the data to the last of the file; one
 * whose bytes are not known may have those that no other has. */
static void check_places(const shard *now)
{
    tensor_file *file = now->file;
    file_tensor *all = file->tensors + now->first;
    size_t count = file->count - now->first;
    uint64_t at = now->data;
    if (count > 0)
        qsort(all, count, sizeof *all, compare_places);
    bool known = count == 0 || all[count - 1].offset != NOWHERE;
    for (size_t i = 0; i < count && all[i].offset != NOWHERE; i++) {
        file_tensor *here = &all[i];
        if (known && here->offset > at && !here->is_bad)
            spoil(file, here,
                  "it begins at byte %" PRIu64 ", and nothing has the bytes from %" PRIu64 " on",
                  here->offset, at);
        else if (here->offset < at && !here->is_bad)
            spoil(file, here, "it begins at byte %" PRIu64 ", within the tensor before it",
                  here->offset);
        if (here->offset + here->bytes > at)
            at = here->offset + here->bytes;
    }
    if (known && at < now->from->size)
        complain("%s: it has %" PRIu64 " bytes behind its last tensor",
                 quoted(now->from->path, strlen(now->from->path)), now->from->size - at);
}

/* Is every value a text? */
static bool are_texts(json_t *object)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return false;
    json_object_foreach(object, key, value)
        if (!json_is_string(value))
            return false;
    return true;
}

bool read_safetensors(tensor_file *file, const source *from, size_t part,
                      const file_reading *reading)
{
    unsigned char bytes[LENGTH_BYTES];
    uint64_t length = 0;
    const char *path = file->parts[part], *key;
    if (!read_source(from, 0, bytes, LENGTH_BYTES))
        return false;
    for (size_t i = LENGTH_BYTES; i-- > 0;)
        length = length << 8 | bytes[i];
    if (length > MOST_HEADER || length > from->size - LENGTH_BYTES) {
        complain("%s: its header has %" PRIu64 " bytes, and %s", quoted(path, strlen(path)), length,
                 length > MOST_HEADER ? "100000000 are the most" : "the file is shorter");
        return false;
    }
    json_t *header = load_json(from, LENGTH_BYTES, (size_t)length), *value;
    if (header == NULL)
        return false;
    shard now = { file, from, part, file->count, LENGTH_BYTES + length, reading };
    json_t *metadata = json_object_get(header, "__metadata__");
    if (metadata != NULL && !are_texts(metadata))
        complain("%s: its __metadata__ are not texts by name", quoted(path, strlen(path)));
    else
        take_notes(file, metadata, part);
    json_object_foreach(header, key, value)
        if (strcmp(key, "__metadata__") != 0)
            take_tensor(&now, key, value);
    json_decref(header);
    check_places(&now);
    return true;
}
