/* cells.h - known results: files of rows, and rows of cells
 * SPDX-License-Identifier: MIT
 *
 * The rows are those of tests/data/vectors/, one text for each folder of files, or, where the
 * environment names a folder as vectors, its files themselves, NAME.gz.
 *
 * A cell is code:flags, or code:flags/flags where tininess before rounding differs. A ? marks what
 * depends on a convention. */

#ifndef FPFMT_TESTS_CELLS_H
#define FPFMT_TESTS_CELLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <fpfmt.h>

/* The rounding modes of a row's cells, in their order. */
enum { MODES = 6 };
extern const uint8_t cell_modes[MODES];

typedef struct {
    uint64_t code;
    unsigned flags[2]; /* tininess after, before */
    bool none, code_marked, flags_marked;
} cell;

/* The cells of a row, in place; "=" repeats the one before. */
bool parse_cells(cell cells[], size_t count, char *text);

/* Is this what the cell says? Any quiet NaN is as good as another. */
bool is_cell(const cell *expected, const fpfmt_format *format, uint64_t code, unsigned flags,
             unsigned tininess);

/* One file, to be read once. */
typedef struct {
    FILE *stream;
    bool of_folder; /* its own file, by way of gzip; not a part of a text of the tree */
    const char *name;
    fpfmt_format format; /* of the last "# format=" line */
    uint64_t rows;
    char line[1 << 16];
} cell_file;

/* Opens a file by its name, as "encode/bf16.txt". False, and the test fails, if there is none. */
bool open_cells(cell_file *file, const char *name);

/* The next row that is to be looked at, without its line feed: every SAMPLE-th. NULL past the last;
 * then the file is closed, and the test fails if it had none. */
char *next_row(cell_file *file);

/* Call read with the name of every file of a folder, as "encode"; returns how many. The test fails
 * if there is none. */
size_t each_file(const char *folder, void (*read)(const char *name));

#endif
