/* tsv.h - files of rows below tests/data: cells separated by tabs, # before what is none
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_TSV_H
#define FPFMT_TESTS_TSV_H

#include <stddef.h>

/* Calls take with the cells of each row of a file of the source tree and the number of its line;
 * the cells are the function's to change, and gone when it returns. The test fails if the file
 * cannot be read, or a row has another number of cells. Returns how many rows were taken. */
size_t each_tsv_row(const char *name, size_t cells, void (*take)(char *cell[], unsigned line));

#endif
