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

#include "kit/tensorfile/tensorfile.h"

/* Bytes that grow; those of one begin with { 0 }. */
typedef struct {
    unsigned char *at;
    size_t size;
} bytes;

void put(bytes *to, const void *from, size_t n);
void put_text(bytes *to, const char *text);
void put_number(bytes *to, uint64_t number, size_t width, bool big_endian);
void put_floats(bytes *to, const float *values, size_t n);
void put_zeros(bytes *to, size_t n);
void drop(bytes *of);

/* An array of NumPy: the header is text, and data may be NULL. */
void put_npy(bytes *to, unsigned major, const char *header, const void *data, size_t n);

/* A file of safetensors, or one of a header alone. */
void put_safetensors(bytes *to, const char *header, const void *data, size_t n);

/* A member of a zip archive. What is not asked for is as it should be. */
enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };
typedef struct {
    const char *name;
    bytes data;
    unsigned method;
    uint32_t damage; /* of the checksum: bits that are wrong */
    uint64_t vast;   /* a size that is claimed in place of the right one */
    bool is_locked;  /* it says that it is encrypted */
} zip_member;

void put_zip(bytes *to, const zip_member *members, size_t count);

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
