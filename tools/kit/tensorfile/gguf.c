/* gguf.c - files of llama.cpp's GGUF
 * SPDX-License-Identifier: MIT
 *
 * Versions 2 and 3: counts of tensors and of keys, the keys with their values, of which one matters
 * here, then of each tensor its name, its shape, the fastest index first, its type and its place.
 * The tensors follow one behind the other, each padded to the alignment. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/types.h"

enum {
    USUAL_ALIGNMENT = 32,
    MOST_NAME = 64, /* bytes of a tensor's name */
    MOST_DIMENSIONS = 4,
    MOST_KEY = 65535
};

enum { TYPE_UINT32 = 4, TYPE_STRING = 8, TYPE_ARRAY = 9, TYPES = 13 };

/* Bytes of a value by its type; 0 for those that say their length themselves. */
static const unsigned char value_bytes[TYPES] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };

typedef struct {
    tensor_file *file;
    const source *from;
    cursor at;
    bool big_endian;
    uint64_t alignment;
    char **keys;
    size_t key_count;
    const char *wrong; /* what ends the reading; NULL: it goes on */
} reading;

static bool take_number(reading *now, uint64_t *number, size_t bytes)
{
    unsigned char raw[8];
    if (!take_bytes(&now->at, raw, bytes)) {
        now->wrong = "the file ends within its header";
        return false;
    }
    *number = 0;
    for (size_t i = 0; i < bytes; i++)
        *number = *number << 8 | raw[now->big_endian ? i : bytes - 1 - i];
    return true;
}

/* A text of at most so many bytes, which the file has to have before there is room for it. */
static char *take_text(reading *now, size_t most, const char *too_long)
{
    uint64_t length;
    if (!take_number(now, &length, 8))
        return NULL;
    if (length > most || length > now->at.end - now->at.at) {
        now->wrong = length > most ? too_long : "the file ends within its header";
        return NULL;
    }
    char *text = allocate((size_t)length + 1, 1);
    if (!take_bytes(&now->at, text, (size_t)length)) {
        now->wrong = "the file ends within its header";
        return NULL;
    }
    return text;
}

static bool pass_value(reading *now, uint64_t type);

static bool pass_array(reading *now)
{
    uint64_t type, count;
    if (!take_number(now, &type, 4) || !take_number(now, &count, 8))
        return false;
    if (type >= TYPES || type == TYPE_ARRAY) {
        now->wrong = "a value is an array of a type that GGUF has none of";
        return false;
    }
    if (value_bytes[type] == 0) {
        for (; count > 0; count--)
            if (!pass_value(now, type))
                return false;
        return true;
    }
    bool fits = count <= (now->at.end - now->at.at) / value_bytes[type] &&
                skip_bytes(&now->at, count * value_bytes[type]);
    if (!fits)
        now->wrong = "the file ends within its header";
    return fits;
}

static bool pass_value(reading *now, uint64_t type)
{
    uint64_t length;
    if (type >= TYPES) {
        now->wrong = "a value is of a type that GGUF does not have";
        return false;
    }
    if (type == TYPE_ARRAY)
        return pass_array(now);
    length = value_bytes[type];
    if (type == TYPE_STRING && !take_number(now, &length, 8))
        return false;
    if (!skip_bytes(&now->at, length)) {
        now->wrong = "the file ends within its header";
        return false;
    }
    return true;
}

static bool take_key(reading *now)
{
    uint64_t type;
    char *key = take_text(now, MOST_KEY, "a key has more than 65535 bytes");
    if (key == NULL || !take_number(now, &type, 4))
        return false;
    if (*key == '\0')
        now->wrong = "a key is empty";
    now->keys = more(now->keys, now->key_count, sizeof *now->keys);
    now->keys[now->key_count++] = key;
    if (strcmp(key, "general.alignment") != 0)
        return now->wrong == NULL && pass_value(now, type);
    if (type == TYPE_UINT32 && !take_number(now, &now->alignment, 4))
        return false;
    if (type != TYPE_UINT32 || now->alignment == 0 || (now->alignment & (now->alignment - 1)) != 0)
        now->wrong = "general.alignment is no power of two of 32 bits";
    return now->wrong == NULL;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool take_keys(reading *now, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (!take_key(now))
            return false;
    if (now->key_count > 0)
        qsort(now->keys, now->key_count, sizeof *now->keys, compare_texts);
    for (size_t i = 1; i < now->key_count; i++)
        if (strcmp(now->keys[i], now->keys[i - 1]) == 0)
            now->wrong = "a key comes twice";
    return now->wrong == NULL;
}

/* The shape, whose fastest index stands first in the file. */
static bool take_shape(reading *now, file_tensor *made)
{
    uint64_t dimensions;
    if (!take_number(now, &dimensions, 4))
        return false;
    if (dimensions > MOST_DIMENSIONS) {
        now->wrong = "a tensor has more than 4 dimensions";
        return false;
    }
    made->rank = (int)dimensions;
    for (int i = made->rank; i-- > 0;)
        if (!take_number(now, &made->shape[i], 8))
            return false;
    return true;
}

/* What a tensor's type and shape make of its bytes. */
static void settle(reading *now, file_tensor *made, uint64_t number)
{
    const ggml_type *type = number > UINT32_MAX ? NULL : ggml_type_at((uint32_t)number);
    if (type == NULL) {
        spoil(now->file, made, "its type is number %" PRIu64 ", whose size is not known", number);
        return;
    }
    made->type = type->name;
    made->big_endian = now->big_endian;
    made->format = type->format == NULL ? NULL : fpfmt_named(type->format);
    made->block = type->block == NULL ? NULL : block_row(type->block);
    uint64_t row = made->rank == 0 ? 1 : made->shape[made->rank - 1];
    if (!count_elements(made) || made->count / type->elements > UINT64_MAX / 2 / type->bytes)
        spoil(now->file, made, "its shape has more elements than any file");
    else if (row % type->elements != 0)
        spoil(now->file, made, "its rows of %" PRIu64 " elements are no whole blocks of %u", row,
              (unsigned)type->elements);
    else
        made->bytes = made->count / type->elements * type->bytes;
}

static bool take_tensor(reading *now)
{
    uint64_t type;
    char *name = take_text(now, MOST_NAME, "the name of a tensor has more than 64 bytes");
    if (name == NULL)
        return false;
    file_tensor *made = add_tensor(now->file, name);
    release(name);
    if (!take_shape(now, made) || !take_number(now, &type, 4) ||
        !take_number(now, &made->offset, 8))
        return false;
    settle(now, made, type);
    return true;
}

static uint64_t padded(uint64_t size, uint64_t alignment)
{
    return size + ((0 - size) & (alignment - 1));
}

/* Each tensor begins where the one before it, and its padding, ends. Where that one is bad, its end
 * is not known, and the next begins where it says. */
static void check_places(reading *now)
{
    tensor_file *file = now->file;
    uint64_t data = padded(now->at.at, now->alignment), at = 0;
    uint64_t room = data > now->from->size ? 0 : now->from->size - data;
    bool known = true;
    for (size_t i = 0; i < file->count; i++) {
        file_tensor *here = &file->tensors[i];
        uint64_t said = here->offset;
        here->offset = data + said;
        if (!here->is_bad && (known ? said != at : said < at || said % now->alignment != 0))
            spoil(file, here,
                  "it is said to begin at byte %" PRIu64 " of the data, and the one "
                  "before it ends at %" PRIu64,
                  said, at);
        else if (!here->is_bad && (said > room || here->bytes > room - said))
            spoil(file, here,
                  "it has %" PRIu64 " bytes from byte %" PRIu64 " of the data on, of "
                  "which the file has %" PRIu64,
                  here->bytes, said, room);
        known = !here->is_bad;
        if (known)
            at = padded(said + here->bytes, now->alignment);
    }
}

static const char *take_opening(reading *now, uint64_t *tensors, uint64_t *keys)
{
    char magic[4];
    uint64_t version;
    if (!take_bytes(&now->at, magic, sizeof magic) || memcmp(magic, "GGUF", 4) != 0)
        return "it is no file of GGUF";
    if (!take_number(now, &version, 4))
        return now->wrong;
    if ((version & 0xffff) == 0) {
        now->big_endian = true;
        version = version >> 24 | (version >> 8 & 0xff00);
    }
    if (version != 2 && version != 3)
        return "its version is neither 2 nor 3";
    take_number(now, tensors, 8);
    if (now->wrong == NULL)
        take_number(now, keys, 8);
    return now->wrong;
}

bool read_gguf(tensor_file *file, const source *from)
{
    uint64_t tensors = 0, keys = 0;
    reading *now = allocate(1, sizeof *now);
    *now = (reading){ .file = file,
                      .from = from,
                      .at = { .from = from, .end = from->size },
                      .alignment = USUAL_ALIGNMENT };
    now->wrong = take_opening(now, &tensors, &keys);
    if (now->wrong == NULL && take_keys(now, keys))
        for (uint64_t i = 0; i < tensors && take_tensor(now); i++)
            continue;
    bool good = now->wrong == NULL;
    if (good)
        check_places(now);
    else
        complain("%s: %s, at byte %" PRIu64, quoted(file->path, strlen(file->path)), now->wrong,
                 now->at.at);
    release(now);
    return good;
}
