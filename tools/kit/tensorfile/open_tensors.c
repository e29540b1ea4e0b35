/* open_tensors.c - which kind of file it is, and the checks that all kinds share
 * SPDX-License-Identifier: MIT */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/schemes.h"

enum { MAGIC = 9 };

void close_tensors(tensor_file *file)
{
    close_archive(file);
    close_source(&file->open);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* Does the file begin as one of safetensors: with the length of a header that it has, and a brace?
 * Raw codes may have the brace there, too. */
static bool has_json_header(const unsigned char first[MAGIC], const source *from)
{
    uint64_t length = 0;
    for (size_t i = MAGIC - 1; i-- > 0;)
        length = length << 8 | first[i];
    return first[MAGIC - 1] == '{' && from->size >= MAGIC && length <= from->size - (MAGIC - 1);
}

/* By its first bytes, and where these tell nothing by its name. */
static bool read_kind(tensor_file *made, const source *from, const file_reading *reading)
{
    unsigned char first[MAGIC] = { 0 };
    size_t n = from->size < MAGIC ? (size_t)from->size : MAGIC;
    if (!read_source(from, 0, first, n))
        return false;
    made->kind = CONTAINER_NPY;
    if (memcmp(first, "\x93NUMPY", 6) == 0)
        return read_npy(made, from, reading);
    made->kind = CONTAINER_NPZ;
    if (memcmp(first, "PK\3\4", 4) == 0 || memcmp(first, "PK\5\6", 4) == 0)
        return read_npz(made, from, reading);
    made->kind = CONTAINER_GGUF;
    if (memcmp(first, "GGUF", 4) == 0)
        return read_gguf(made, from);
    made->kind = CONTAINER_SAFETENSORS;
    if (ends_with(made->path, ".safetensors") || has_json_header(first, from))
        return read_safetensors(made, from, 0, reading);
    if (ends_with(made->path, ".json"))
        return read_index(made, from, reading);
    made->kind = CONTAINER_RAW;
    if (reading->from != NULL)
        return read_raw(made, from, reading);
    complain("%s: it is none of .npy, .npz, .safetensors, their index, and GGUF; raw codes need "
             "--from",
             quoted(from->path, strlen(from->path)));
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(file_tensor *const *)a)->name, (*(file_tensor *const *)b)->name);
}

/* A name that comes twice, in one file or in two shards, is one of neither. */
static void refuse_twins(tensor_file *file)
{
    file_tensor **all = allocate(file->count + 1, sizeof(file_tensor *));
    for (size_t i = 0; i < file->count; i++)
        all[i] = &file->tensors[i];
    qsort(all, file->count, sizeof(file_tensor *), compare_names);
    for (size_t i = 1; i < file->count; i++)
        if (strcmp(all[i]->name, all[i - 1]->name) == 0) {
            all[i - 1]->is_bad = true;
            spoil(file, all[i], "another tensor has this name");
        }
    release(all);
}

bool open_tensors(tensor_file *made, const char *path, const file_reading *reading)
{
    static const file_reading nothing = { .count = UINT64_MAX };
    struct stat found;
    *made = (tensor_file){ .path = path };
    made->parts = allocate(1, sizeof *made->parts);
    made->parts[0] = copy_text(path, strlen(path));
    made->part_count = 1;
    reading = reading == NULL ? &nothing : reading;
    bool good;
    if (strcmp(path, "-") != 0 && stat(path, &found) == 0 && S_ISDIR(found.st_mode)) {
        good = read_folder(made, reading);
    } else {
        const source *from = open_part(made, 0);
        good = from != NULL && read_kind(made, from, reading);
    }
    if (good) {
        refuse_twins(made);
        good = find_schemes(made, reading);
    }
    if (!good)
        close_tensors(made);
    return good;
}
