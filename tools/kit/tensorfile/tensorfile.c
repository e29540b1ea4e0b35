/* tensorfile.c - tensors in files: what all kinds share
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/tensorfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"

enum { TOLD = 400 };

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
        if (of->shape[i] > INT64_MAX || (of->shape[i] != 0 && of->count > INT64_MAX / of->shape[i]))
            return false;
        of->count *= of->shape[i];
    }
    return true;
}

static void complain_of(const tensor_file *file, const file_tensor *of, const char *format,
                        va_list rest)
{
    char told[TOLD];
    const char *part = of->part < file->part_count ? file->parts[of->part] : file->path;
    if (strcmp(part, "-") == 0)
        part = "standard input";
    vsnprintf(told, sizeof told, format, rest);
    if (*of->name == '\0')
        complain("%s: %s", quoted(part, strlen(part)), told);
    else
        complain("%s: tensor '%s': %s", quoted(part, strlen(part)),
                 quoted(of->name, strlen(of->name)), told);
}

void complain_of_tensor(const tensor_file *file, const file_tensor *of, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    complain_of(file, of, format, rest);
    va_end(rest);
}

void spoil(tensor_file *file, file_tensor *of, const char *format, ...)
{
    va_list rest;
    of->is_bad = true;
    va_start(rest, format);
    complain_of(file, of, format, rest);
    va_end(rest);
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

bool open_again(source *made, tensor_file *file, size_t part)
{
    if (strcmp(file->parts[part], "-") != 0)
        return open_source(made, file->parts[part]);
    *made = file->open;
    return true;
}

void close_again(source *made, const tensor_file *file)
{
    if (made->file != file->open.file)
        close_source(made);
}

uint64_t row_length(const file_tensor *of)
{
    return of->rank == 0 || of->shape[of->rank - 1] == 0 ? 1 : of->shape[of->rank - 1];
}

uint64_t rows_of(const file_tensor *of)
{
    return of->rank < 2 || of->shape[of->rank - 2] == 0 ? 1 : of->shape[of->rank - 2];
}
