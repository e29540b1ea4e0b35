/* mlp.h - a network of two layers, trained with operands of few bits
 * SPDX-License-Identifier: MIT
 *
 *     z1 = x W1 + b1,  h = max(z1, 0),  z2 = h W2 + b2,  loss = mean of -ln softmax(z2)[label]
 *
 * Operands of products are rounded to a format, the forward one or, for gradients, the backward
 * one. All else is rounded to the working format, operation by operation: a product's sum begins at
 * 0, and its bias is added in one further rounding. Nothing here is computed in the machine's
 * floating point; exponentials and logarithms are MPFR's, rounded correctly. */

#ifndef FPLAB_MLP_H
#define FPLAB_MLP_H

#include "train_data.h"

#include <fpfmt.h>

enum { MLP_LAYERS = 2 };

/* Formats and sums. */
typedef struct {
    fpfmt_format work, forward, backward;
    bool scaled; /* each operand by a power of two, so that its largest element just fits */
    /* of products forward x forward, forward x backward, backward x forward, and of gradients of
     * biases */
    fpfmt_accumulator activations, weights, inputs, biases;
} mlp_numbers;

/* A matrix as an operand: its elements are codes x 2^-shift. */
typedef struct {
    fpfmt_format format;
    void *codes; /* rows x columns, the column the fastest */
    size_t rows, columns;
    int32_t shift;
} operand;

/* Layer l takes sizes[l] numbers and gives sizes[l + 1]. Its weights are sizes[l] x sizes[l + 1] of
 * the parameters, and its biases follow them. */
typedef struct {
    size_t sizes[MLP_LAYERS + 1], weights[MLP_LAYERS], biases[MLP_LAYERS];
    size_t count; /* of parameters */
    size_t batch; /* the most rows at a time */
    mlp_numbers numbers;
    fpfmt_value *parameters, *gradients;
    operand in[MLP_LAYERS], weight[MLP_LAYERS], back;
    fpfmt_value *values;          /* what is being rounded to an operand */
    fpfmt_value *out[MLP_LAYERS]; /* of the layers, before max(z, 0) */
    uint64_t *sums;               /* codes of a product */
    void *workspace;
    size_t workspace_bytes;
    uint64_t rounded, zeroed; /* gradients that became operands, and those of them that became 0 */
} mlp;

/* What the format lacks, as "has no zero"; NULL if a network can work with it. */
const char *mlp_defect(const fpfmt_format *format);

/* All parameters are 0. */
void mlp_begin(mlp *net, const size_t sizes[MLP_LAYERS + 1], size_t batch,
               const mlp_numbers *numbers);

/* Weights of a normal distribution over the root of the number of inputs, rounded to format, with
 * the deviates from *counter on, which moves past them. */
void mlp_start(mlp *net, const fpfmt_format *format, uint64_t seed, uint64_t *counter);

/* The loss of these rows of the data, and the gradients of 2^scale times it. */
fpfmt_value mlp_learn(mlp *net, const dataset *data, const uint32_t *rows, size_t count,
                      int32_t scale);

/* The loss of all rows of the data, and how many of them get their class. */
fpfmt_value mlp_judge(mlp *net, const dataset *data, uint64_t *right);

/* ---- the parts ---- */

/* Values become an operand; *zeroed, if not NULL, counts those that were not 0 and are now. */
void round_operand(operand *to, const fpfmt_format *format, bool scaled, const fpfmt_value *values,
                   size_t rows, size_t columns, uint64_t *zeroed);

/* The product of two operands, either transposed if so said, in the working format. */
void multiply_operands(mlp *net, fpfmt_value *to, const fpfmt_accumulator *how, const operand *a,
                       bool a_transposed, const operand *b, bool b_transposed);

/* The sum of an operand's column. */
fpfmt_value sum_column(const mlp *net, const operand *of, size_t column);

/* -ln softmax(z)[label] of one row, and in gradient softmax(z) less 1 at the label. */
fpfmt_value cross_entropy(const fpfmt_format *work, const fpfmt_value *z, size_t classes,
                          size_t label, fpfmt_value *gradient);

/* One operation, rounded to nearest even, as a value. */
fpfmt_value operate(const fpfmt_format *to, fpfmt_operation operation, fpfmt_value a,
                    fpfmt_value b);

/* value x 2^shift, exact. */
fpfmt_value shifted(fpfmt_value value, int32_t shift);

#endif
