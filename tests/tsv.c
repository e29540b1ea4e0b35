/* tsv.c - files of rows below tests/data: cells separated by tabs, # before what is none
 * SPDX-License-Identifier: MIT */

#include "tsv.h"

#include <stdio.h>
#include <string.h>

#include "runner.h"

enum { LONGEST_LINE = 4096, MOST_CELLS = 16 };

/* The cells of a line, in place; how many there are, of which MOST_CELLS are stored. */
static size_t split(char *line, char *cell[MOST_CELLS])
{
    size_t count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *at = line; at != NULL; count++) {
        char *tab = strchr(at, '\t');
        if (tab != NULL)
            *tab++ = '\0';
        if (count < MOST_CELLS)
            cell[count] = at;
        at = tab;
    }
    return count;
}

size_t each_tsv_row(const char *name, size_t cells, void (*take)(char *cell[], unsigned line))
{
    char line[LONGEST_LINE], *cell[MOST_CELLS];
    size_t rows = 0;
    FILE *file = fopen(source_path(name), "r");
    if (!CHECK(file != NULL && cells <= MOST_CELLS, "%s cannot be read", name))
        return 0;
    for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        size_t count = split(line, cell);
        if (CHECK(count == cells, "%s:%u has %zu cells, not %zu", name, number, count, cells)) {
            take(cell, number);
            rows++;
        }
    }
    fclose(file);
    return rows;
}
