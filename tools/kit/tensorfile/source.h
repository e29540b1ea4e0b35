/* source.h - the bytes of a file, read where they are asked for
 * SPDX-License-Identifier: MIT
 *
 * Nothing is mapped: a file that is cut off while it is read gives a sentence and no signal. */

#ifndef FPFMT_KIT_SOURCE_H
#define FPFMT_KIT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    const char *path; /* as messages name it */
    FILE *file;
    uint64_t size; /* when it was opened */
} source;

/* Opens a regular file, or a copy of standard input, "-", on the disk, as tensors are not read in
 * the order of their bytes. False after a complaint. */
bool open_source(source *made, const char *path);

/* n bytes from this place on. False after a complaint, which says where the file ended. */
bool read_source(const source *from, uint64_t offset, void *bytes, size_t n);

void close_source(source *made);

/* Bytes of a file one after the other, a buffer at a time. */
enum { CURSOR_BUFFER = 4096 };
typedef struct {
    const source *from;
    uint64_t at, end;  /* the next byte, and where it may not go on */
    uint64_t buffered; /* where the buffer begins */
    size_t filled;
    unsigned char buffer[CURSOR_BUFFER];
} cursor;

/* The next n bytes; false, without a complaint, where that passes the end, and after one where the
 * file could not be read. */
bool take_bytes(cursor *from, void *bytes, size_t n);

/* Passes by n bytes; false where that passes the end. */
bool skip_bytes(cursor *from, uint64_t n);

#endif
