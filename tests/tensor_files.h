/* tensor_files.h - files of tensors, written for a test, and what the reader tells of them
 * SPDX-License-Identifier: MIT
 *
 * The files lie in a folder of the process, which begin_files makes and end_files removes; paths
 * are within it, and complaints name them so. */

#ifndef FPFMT_TESTS_TENSOR_FILES_H
#define FPFMT_TESTS_TENSOR_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "kit/tensorfile/tensorfile.h"

void begin_files(void);
void end_files(void);

/* Was the reader built without the library that reads a.npz, or a.safetensors? If so, it prints the
 * line that says that all tests of the program are skipped. */
bool skips_all(const char *name);

/* Path of a file of the folder; valid until the next call. */
const char *file_path(const char *name);

void write_file(const char *name, const bytes *content);

/* What the reader tells of a file, or "-" with this input: a line for each tensor,
 *
 *     name type format [shape]: values
 *
 * with " as RULE" before the colon where scales were found, " (scale)" at what is one, and the
 * sentence "bad" or "not read" in place of values; then the complaints, each behind "! ". After 20
 * values comes " ...". Valid until the next call. */
const char *told_of(const char *name, const file_reading *reading);
const char *told_of_input(const bytes *input, const file_reading *reading);

/* Opens a file and reads all there is to read. Returns the exit status: EXIT_DONE, or EXIT_TROUBLE
 * with at least one complaint; everything else is a mismatch. */
int read_all_of(const char *name, const file_reading *reading);

/* A row: what a file has, and what is told of it. */
bool tells(const char *name, const file_reading *reading, const char *expected);

/* The same with all values, of which alike ones behind each other are one: "1 x128 2". */
bool tells_runs(const char *name, const file_reading *reading, const char *expected);

/* A row where a complaint need only begin so, and nothing else is told. */
bool refuses(const char *name, const file_reading *reading, const char *sentence);

#endif
