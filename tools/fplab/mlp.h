/* mlp.h - a network of two layers, trained with operands of few bits
 * SPDX-License-Identifier: MIT
 *
 *     z1 = x W1 + b1,  h = max(z1, 0),  z2 = h W2 + b2,  loss = mean of -ln softmax(z2)[label]
 *
 * Each product rounds its operands: to plain formats, or to blocks along the dimension that it sums
 * over. All else is rounded to the working format, operation by operation: a product's sum begins
 * at 0, and its bias is added in one further rounding. Nothing here is computed in the machine's
 * floating point; exponentials and logarithms are MPFR's, rounded correctly. */

#ifndef FPLAB_MLP_H
#define FPLAB_MLP_H

#include "mlp_operand.h"
#include "train_data.h"

enum { MLP_LAYERS = 2 };

/* The operands of a layer's products, x W forward and then, with the gradient g of what it gives, x
 * g and g W. */
typedef enum {
    OPERAND_INPUT,
    OPERAND_WEIGHT,
    OPERAND_INPUT_DW, /* of the product that gives the gradient of weights */
    OPERAND_GRADIENT_DW,
    OPERAND_GRADIENT_DX, /* and of that which gives the gradient of inputs */
    OPERAND_WEIGHT_DX,
    OPERANDS
} operand_use;

/* Formats and sums. */
typedef struct {
    fpfmt_format work;
    operand_format operands[OPERANDS];
    /* of products forward, of those that give gradients of weights and of inputs, and of the sums
     * that give gradients of biases */
    fpfmt_accumulator activations, weights, inputs, biases;
} mlp_numbers;

/* Layer l takes sizes[l] numbers and gives sizes[l + 1]. Its weights are sizes[l] x sizes[l + 1] of
 * the parameters, and its biases follow them. */
typedef struct {
    size_t sizes[MLP_LAYERS + 1], weights[MLP_LAYERS], biases[MLP_LAYERS];
    size_t count; /* of parameters */
    size_t batch; /* the most rows at a time */
    mlp_numbers numbers;
    fpfmt_value *parameters, *gradients;
    operand operands[MLP_LAYERS][OPERANDS];
    operand_counts counts[OPERANDS];
    fpfmt_value *inputs[MLP_LAYERS];
    fpfmt_value *values;          /* the gradient that goes back */
    fpfmt_value *out[MLP_LAYERS]; /* of the layers, before max(z, 0) */
    uint64_t *sums;               /* codes of a product */
    void *workspace;
    size_t workspace_bytes;
    uint64_t counter; /* index of the next random bits */
} mlp;

/* What the format lacks, as "has no zero"; NULL if a network can work with it. */
const char *mlp_defect(const fpfmt_format *format);

/* All parameters are 0. */
void mlp_begin(mlp *net, const size_t sizes[MLP_LAYERS + 1], size_t batch,
               const mlp_numbers *numbers);

/* Weights of a normal distribution over the root of the number of inputs, rounded to format. All
 * random bits, of them and of operands, are those of the seed, from the counter on. */
void mlp_start(mlp *net, const fpfmt_format *format, uint64_t seed);

/* The loss of these rows of the data, and the gradients of 2^scale times it. */
fpfmt_value mlp_learn(mlp *net, const dataset *data, const uint32_t *rows, size_t count,
                      int32_t scale);

/* The loss of all rows of the data, and how many of them get their class. */
fpfmt_value mlp_judge(mlp *net, const dataset *data, uint64_t *right);

/* ---- the parts ---- */

/* The product of two operands, lines by lines, in the working format. */
void multiply_operands(mlp *net, fpfmt_value *to, const fpfmt_accumulator *how, const operand *a,
                       const operand *b);

/* The sum of an operand's line. */
fpfmt_value sum_line(const mlp *net, const operand *of, size_t line);

/* -ln softmax(z)[label] of one row, and in gradient softmax(z) less 1 at the label. */
fpfmt_value cross_entropy(const fpfmt_format *work, const fpfmt_value *z, size_t classes,
                          size_t label, fpfmt_value *gradient);

#endif
