/* matmul.h - one product of tensors with named axes
 * SPDX-License-Identifier: MIT */

#ifndef MATMUL_H
#define MATMUL_H

#include "exact.h"

enum { MOST_AXES = 16, AXIS_SIZE = 24 };

/* Where an axis stands; what stands in an operand and not in the result is summed. */
enum { IN_LEFT = 1, IN_RIGHT = 2, IN_RESULT = 4 };

typedef struct {
    char name[AXIS_SIZE];
    unsigned in; /* IN_... */
    amount size; /* without a text: not given */
} axis;

typedef struct {
    axis axes[MOST_AXES];
    size_t count;
    bool sized; /* every axis has a size, or none has */
    exact flops;
} matmul;

/* Reads 'A, B' or 'A, B -> C', each a list of NAME or NAME=SIZE. False after a complaint. */
bool read_matmul(matmul *made, const char *text);

bool is_summed(const axis *one);

#endif
