/* train_data.h - what a network learns from: rows of numbers, each with a class
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_DATA_H
#define FPLAB_TRAIN_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;
    size_t rows, features, classes;
    uint64_t *inputs; /* rows x features, codes of fp64, finite */
    uint32_t *labels; /* of the rows, below classes */
} dataset;

/* The 150 irises. */
void use_iris(dataset *data);

/* From two files of NumPy, named with a comma between: inputs of floats in two dimensions, and
 * integers from 0 up, a class for each row. False after a complaint. */
bool read_dataset(dataset *data, const char *files);

/* A number that tells data apart. */
uint64_t dataset_fingerprint(const dataset *data);

/* FNV-1a, 64 bits: goes on from hash, which begins as FINGERPRINT_START. Another value of any one
 * byte always gives another result. */
#define FINGERPRINT_START UINT64_C(0xcbf29ce484222325)
uint64_t fingerprint(uint64_t hash, const void *bytes, size_t count);

#endif
