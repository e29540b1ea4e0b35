/* cells.c - reading the shared vectors
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

/* A path below the folder of vectors; NULL, and the test is skipped, if that is not there. */
static const char *path_of(const char *name)
{
    const char *path = vectors_path(name);
    if (path == NULL)
        skip_test("the folder of shared vectors is not beside this tree");
    return path;
}

bool open_cells(cell_file *file, const char *name)
{
    char command[PATH + 16];
    const char *path = path_of(name);
    if (path == NULL)
        return false;
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    file->stream = popen(command, "r");
    file->name = name;
    file->rows = 0;
    file->format.name[0] = '\0';
    return CHECK(file->stream != NULL, "%s cannot be read", name);
}

char *next_row(cell_file *file)
{
    char name[64];
    while (fgets(file->line, sizeof file->line, file->stream) != NULL) {
        file->line[strcspn(file->line, "\n")] = '\0';
        if (sscanf(file->line, "# format=%63s", name) == 1)
            CHECK(fpfmt_find(&file->format, name) == FPFMT_FOUND, "%s is not found", name);
        else if (file->line[0] != '#' && file->rows++ % SAMPLE == 0)
            return file->line;
    }
    CHECK(pclose(file->stream) == 0, "%s: gzip failed", file->name);
    CHECK(file->rows > 0, "%s has no rows", file->name);
    return NULL;
}

size_t each_file(const char *folder, void (*read)(const char *name))
{
    char name[PATH];
    const char *path = path_of(folder);
    struct dirent *entry;
    size_t files = 0;
    if (path == NULL)
        return 0;
    DIR *directory = opendir(path);
    if (!CHECK(directory != NULL, "%s cannot be read", path))
        return 0;
    while ((entry = readdir(directory)) != NULL)
        if (strstr(entry->d_name, ".gz") != NULL) {
            snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
            read(name);
            files++;
        }
    closedir(directory);
    CHECK(files > 0, "%s has no files", folder);
    return files;
}
