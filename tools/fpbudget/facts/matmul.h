/* matmul.h - one product of tensors with named axes
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_MATMUL_H
#define FPBUDGET_MATMUL_H

#include "facts/amount.h"
#include "kit/records.h"

enum { MOST_AXES = 16, AXIS_SIZE = 24 };

/* Where an axis stands. */
enum { IN_LEFT = 1, IN_RIGHT = 2, IN_RESULT = 4 };

typedef struct {
    char name[AXIS_SIZE];
    unsigned in;           /* IN_... */
    bool summed;           /* the axis is in both operands and not in the result */
    maybe_ratio size;      /* a whole number */
    const char *size_text; /* as it was written; NULL without a size */
} axis;
extern const field axis_fields[]; /* the schema of an axis */

typedef struct {
    axis axes[MOST_AXES];
    size_t count;
    bool sized;  /* every axis has a size, or none has */
    exact flops; /* 0 without sizes */
} matmul;

/* Fills in *made by a text 'A, B' or 'A, B -> C', each a list of NAME or NAME=SIZE. False after a
 * complaint. Texts of sizes are memory of the run. */
bool read_matmul(matmul *made, const char *text);

#endif
