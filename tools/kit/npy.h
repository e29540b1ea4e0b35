/* npy.h - arrays in files of NumPy
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_NPY_H
#define FPFMT_KIT_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_RANK = 2 };

/* Little-endian elements of a kind, 'f' or 'i', and 4 or 8 bytes. */
typedef struct {
    char kind;
    size_t bytes;
    size_t rank, shape[NPY_RANK];
    bool columns_first;        /* element [i][k] is number k * rows + i: Fortran's order */
    const unsigned char *data; /* within file */
    unsigned char *file;       /* memory of the run */
} npy_array;

/* Reads versions 1.0 and 2.0. False after a complaint, which names the file. */
bool read_npy(npy_array *array, const char *path);

/* The bits of element [i][k]; k is 0 in one dimension. Integers are sign-extended. */
uint64_t npy_element(const npy_array *array, size_t i, size_t k);

/* The bytes of a file, which release() ends, and a NUL behind them; NULL after a complaint. */
unsigned char *read_whole_file(const char *path, size_t *size);

#endif
