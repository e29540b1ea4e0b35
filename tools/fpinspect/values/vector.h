/* vector.h - the values of a file as codes of one format
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_VECTOR_H
#define FPINSPECT_VECTOR_H

#include <fpfmt.h>

typedef struct {
    const char *path; /* "-" for standard input */
    const fpfmt_format *format;
    void *codes; /* an array of codes as fpfmt.h has them */
    size_t count;
} vector;

/* Reads numbers, raw bits and expressions, one a line. What is no value of the format is rounded to
 * nearest even, and a note says so. False after a complaint, and there is no vector. */
bool read_vector(vector *made, const char *path, const fpfmt_format *format);
void free_vector(vector *made);

fpfmt_value vector_value(const vector *of, size_t index);

/* The same for fpfmt_dot. */
fpfmt_series vector_series(const vector *of);

/* The file's name for people. */
const char *vector_name(const vector *of);

#endif
