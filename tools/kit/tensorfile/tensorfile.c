/* tensorfile.c - tensors in files: which kind of file it is, and what all kinds share
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/tensorfile.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/schemes.h"

enum { TOLD = 400, MAGIC = 9, MOST_INDEX = 100000000 };

file_tensor *add_tensor(tensor_file *file, const char *name)
{
    file->tensors = more(file->tensors, file->count, sizeof *file->tensors);
    file_tensor *made = &file->tensors[file->count++];
    *made = (file_tensor){ .name = copy_text(name, strlen(name)),
                           .type = "",
                           .scheme = { .scales = NO_TENSOR, .whole = NO_TENSOR } };
    return made;
}

bool count_elements(file_tensor *of)
{
    of->count = 1;
    for (int i = 0; i < of->rank; i++) {
        if (of->shape[i] != 0 && of->count > INT64_MAX / of->shape[i])
            return false;
        of->count *= of->shape[i];
    }
    return true;
}

void spoil(tensor_file *file, file_tensor *of, const char *format, ...)
{
    char told[TOLD];
    const char *part = of != NULL && of->part < file->part_count ? file->parts[of->part] : file->path;
    va_list rest;
    if (strcmp(part, "-") == 0)
        part = "standard input";
    va_start(rest, format);
    vsnprintf(told, sizeof told, format, rest);
    va_end(rest);
    if (of != NULL)
        of->is_bad = true;
    if (of == NULL || *of->name == '\0')
        complain("%s: %s", quoted(part, strlen(part)), told);
    else
        complain("%s: tensor '%s': %s", quoted(part, strlen(part)),
                 quoted(of->name, strlen(of->name)), told);
}

const file_tensor *tensor_named(const tensor_file *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->tensors[i].name, name) == 0)
            return &file->tensors[i];
    return NULL;
}

const source *open_part(tensor_file *file, size_t part)
{
    if (file->open.file != NULL && file->open_part == part)
        return &file->open;
    close_source(&file->open);
    file->open_part = part;
    return open_source(&file->open, file->parts[part]) ? &file->open : NULL;
}

void close_tensors(tensor_file *file)
{
    close_archive(file);
    close_source(&file->open);
}

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
        spoil(file, made, "--count %" PRIu64 " is more than the %" PRIu64 " codes of %s from byte %"
              PRIu64 " on", reading->count, there, reading->from->name, reading->offset);
    else if (reading->count == UINT64_MAX && (from->size - reading->offset) % each != 0)
        spoil(file, made, "its %" PRIu64 " bytes are no whole number of codes of %s, which take "
              "%" PRIu64 " each", from->size - reading->offset, reading->from->name, each);
    made->rank = 1;
    made->shape[0] = made->count;
    made->bytes = made->count * each;
    return !made->is_bad;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
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
    if (ends_with(made->path, ".safetensors") || (n == MAGIC && first[MAGIC - 1] == '{'))
        return read_safetensors(made, from, 0, reading);
    if (ends_with(made->path, ".json") && from->size <= MOST_INDEX)
        return read_index(made, from, reading);
    made->kind = CONTAINER_RAW;
    if (reading->from != NULL)
        return read_raw(made, from, reading);
    complain("%s: it is none of .npy, .npz, .safetensors, their index, and GGUF; raw codes need "
             "--from", quoted(from->path, strlen(from->path)));
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
