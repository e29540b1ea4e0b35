/* mlp_operand.h - matrices as operands of products: rounded to a plain format, or to blocks
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_MLP_OPERAND_H
#define FPLAB_MLP_OPERAND_H

#include <fpfmt.h>

/* What numbers become as operands. */
typedef struct {
    fpfmt_format format; /* of the codes; of blocks that of their elements */
    bool has_blocks;
    bool scaled; /* by a power of two, so that the largest number just fits; never in blocks */
    fpfmt_block block;
    fpfmt_recipe recipe;
    fpfmt_policy policy;
} operand_format;

/* The name of the block format, or of the format. */
const char *operand_name(const operand_format *how);

/* Do both make the same operand of a matrix, whatever dimension the product sums over? */
bool rounds_alike(const operand_format *a, const operand_format *b);

/* A matrix as an operand of a product that sums over one of its dimensions: axis 1 along rows, axis
 * 0 down columns. A line is what it sums over at a time. Elements are codes x 2^-shift or, in
 * blocks, which run along the lines, codes x scale x tensor scale. */
typedef struct {
    const operand_format *how;
    void *codes;  /* rows x columns, the column the fastest */
    void *scales; /* of blocks: all of a line, or of some lines together, one behind the other */
    size_t room;  /* elements that codes and scales have room for */
    size_t rows, columns;
    int axis;
    int32_t shift;
    fpfmt_tensor_scale tensor; /* decode 1 where there is none */
    uint64_t first;            /* the index of the random bits of the first element */
} operand;

/* What became of numbers: all; those that became 0; and those past the largest value or element. Of
 * blocks also how far rounding moved them. */
typedef struct {
    uint64_t rounded, zeroed, beyond;
    fpfmt_stats stats;
} operand_counts;

/* Values become an operand; one that is all 0 gets its memory, which lasts. Rounding by chance
 * takes an index of random bits for each element: of blocks line by line, else row by row. */
void round_operand(operand *to, const operand_format *how, int axis, const fpfmt_value *values,
                   size_t rows, size_t columns, uint64_t *counter, operand_counts *counts);

/* Values were made an operand, and have moved since: which of them would have the code that they
 * have, by the operand's scales and random bits? */
void find_unmoved(bool *unmoved, const operand *of, const fpfmt_value *before,
                  const fpfmt_value *after);

/* How many lines there are, and how long they are. */
size_t line_count(const operand *of);
size_t line_length(const operand *of);

/* The codes as a matrix whose rows are the lines, with the scales that change along a line. */
fpfmt_matrix matrix_of_lines(const operand *of);

/* What a sum over a line is multiplied with after it, exactly: the scale that a whole line shares,
 * that of the tensor, and 2^-shift. */
fpfmt_value line_factor(const operand *of, size_t line);

/* One operation, rounded to nearest even, as a value. */
fpfmt_value operate(const fpfmt_format *to, fpfmt_operation operation, fpfmt_value a,
                    fpfmt_value b);

/* value x 2^shift, exact. */
fpfmt_value shifted(fpfmt_value value, int32_t shift);

#endif
