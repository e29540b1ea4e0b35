/* cells.c - reading known results
 * SPDX-License-Identifier: MIT */

#define _POSIX_C_SOURCE 200809L /* popen, opendir */

#include "cells.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { PATH = 1024 };

const uint8_t cell_modes[MODES] = { FPFMT_ROUND_NEAREST_EVEN, FPFMT_ROUND_NEAREST_AWAY,
                                    FPFMT_ROUND_TOWARD_ZERO,  FPFMT_ROUND_UPWARD,
                                    FPFMT_ROUND_DOWNWARD,     FPFMT_ROUND_TO_ODD };

static bool parse_cell(cell *result, const char *text)
{
    char *at;
    *result = (cell){ .none = text[0] == 'x' };
    result->code = result->none ? 0 : strtoull(text, &at, 16);
    at = strpbrk(text, "?:");
    if (at == NULL)
        return false;
    result->code_marked = *at == '?';
    at += *at == '?';
    if (*at != ':')
        return false;
    result->flags[0] = result->flags[1] = (unsigned)strtoul(at + 1, &at, 16);
    if (*at == '/')
        result->flags[1] = (unsigned)strtoul(at + 1, &at, 16);
    result->flags_marked = *at == '?';
    return at[*at == '?'] == '\0';
}

bool parse_cells(cell cells[], size_t count, char *text)
{
    size_t n = 0;
    for (char *at = strtok(text, " \n"); at != NULL && n < count; at = strtok(NULL, " \n"), n++) {
        if (strcmp(at, "=") == 0 && n > 0)
            cells[n] = cells[n - 1];
        else if (!parse_cell(&cells[n], at))
            return false;
    }
    return n == count;
}

bool is_cell(const cell *expected, const fpfmt_format *format, uint64_t code, unsigned flags,
             unsigned tininess)
{
    bool both_nan = fpfmt_is_nan(format, code) && fpfmt_is_nan(format, expected->code) &&
                    !fpfmt_is_signaling(format, code);
    return (code == expected->code || both_nan) && flags == expected->flags[tininess];
}

/* What stands before the name of each file in a text of many. */
static const char file_line[] = "# file=";

/* The text of tests/data/vectors/ that has the files of a folder; of name only the part before its
 * slash counts. */
static FILE *open_text(const char *name)
{
    char path[PATH];
    snprintf(path, sizeof path, "tests/data/vectors/%.*s.txt", (int)strcspn(name, "/"), name);
    return fopen(source_path(path), "r");
}

/* The name of the next file of a text, in line; NULL past the last. */
static const char *next_file(FILE *text, char *line, size_t size)
{
    while (fgets(line, (int)size, text) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, file_line, strlen(file_line)) == 0)
            return line + strlen(file_line);
    }
    return NULL;
}

/* The text, positioned at the first line of the file. NULL if it has no such file. */
static FILE *open_part(cell_file *file, const char *name)
{
    FILE *text = open_text(name);
    const char *found = NULL;
    if (text == NULL)
        return NULL;
    do
        found = next_file(text, file->line, sizeof file->line);
    while (found != NULL && strcmp(found, name) != 0);
    if (found == NULL)
        fclose(text);
    return found == NULL ? NULL : text;
}

bool open_cells(cell_file *file, const char *name)
{
    char command[PATH + 32];
    const char *path = vectors_path(name);
    file->of_folder = path != NULL;
    file->name = name;
    file->rows = 0;
    file->format.name[0] = '\0';
    snprintf(command, sizeof command, "gzip -dc '%s.gz'", path != NULL ? path : "");
    file->stream = file->of_folder ? popen(command, "r") : open_part(file, name);
    return CHECK(file->stream != NULL, "%s cannot be read", name);
}

static void close_cells(cell_file *file)
{
    int status = file->of_folder ? pclose(file->stream) : fclose(file->stream);
    CHECK(status == 0, "%s: %s failed", file->name, file->of_folder ? "gzip" : "reading");
    CHECK(file->rows > 0, "%s has no rows", file->name);
}

/* Files of blocks call the element of MXINT8 as the block. */
static const char *element_named(const char *name)
{
    return strcmp(name, "mxint8") == 0 ? "int8f6" : name;
}

char *next_row(cell_file *file)
{
    char name[64];
    while (fgets(file->line, sizeof file->line, file->stream) != NULL) {
        file->line[strcspn(file->line, "\n")] = '\0';
        if (strncmp(file->line, file_line, strlen(file_line)) == 0)
            break;
        if (sscanf(file->line, "# format=%63s", name) == 1)
            CHECK(fpfmt_find(&file->format, element_named(name)) == FPFMT_FOUND,
                  "%s is not found", name);
        else if (file->line[0] != '#' && file->rows++ % SAMPLE == 0)
            return file->line;
    }
    close_cells(file);
    return NULL;
}

static size_t each_file_of_text(const char *folder, void (*read)(const char *name))
{
    char line[PATH];
    FILE *text = open_text(folder);
    const char *name;
    size_t files = 0;
    if (!CHECK(text != NULL, "%s has no text in tests/data/vectors", folder))
        return 0;
    for (; (name = next_file(text, line, sizeof line)) != NULL; files++)
        read(name);
    fclose(text);
    return files;
}

static size_t each_file_of_folder(const char *folder, void (*read)(const char *name))
{
    char name[PATH];
    struct dirent *entry;
    size_t files = 0;
    DIR *directory = opendir(vectors_path(folder));
    if (!CHECK(directory != NULL, "%s cannot be read", vectors_path(folder)))
        return 0;
    while ((entry = readdir(directory)) != NULL) {
        char *end = strstr(entry->d_name, ".gz");
        if (end == NULL)
            continue;
        snprintf(name, sizeof name, "%s/%.*s", folder, (int)(end - entry->d_name), entry->d_name);
        read(name);
        files++;
    }
    closedir(directory);
    return files;
}

size_t each_file(const char *folder, void (*read)(const char *name))
{
    size_t files = vectors_path(folder) == NULL ? each_file_of_text(folder, read)
                                                : each_file_of_folder(folder, read);
    CHECK(files > 0, "%s has no files", folder);
    return files;
}
