/* block.h - values in a block format: scales, elements and what they hold
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_BLOCK_H
#define FPINSPECT_BLOCK_H

#include "facts/report.h"

/* All values of a command line, which are one tensor. Texts are kept for their exact values. */
typedef struct {
    char **texts;
    fpfmt_value *values;
    size_t count;
    fpfmt_value extreme; /* the first of the largest magnitude that is finite; 0 without one */
} tensor;

/* How a tensor is quantised: one block format under one recipe, and one way of rounding. */
typedef struct {
    const request *chosen;
    const tensor *of;
    const fpfmt_block *block;
    fpfmt_recipe recipe;
    const policy_choice *column;
    fpfmt_policy policy;
    bool has_tensor_scale;
    fpfmt_tensor_scale tensor_scale;
} quantization;

/* One block of it. */
typedef struct {
    size_t number, first, count; /* which block, its first value, and how many it has */
    fpfmt_block_scale scale;
    size_t extreme_at; /* the value that amax is of */
} block_facts;

/* One element, for programs and for screens. */
typedef struct {
    const char *input;
    uint64_t index, block;
    const char *format, *recipe;
    coded element, scale;
    maybe_value tensor_scale;
    maybe_ratio scaled, error,
        relative;             /* the value by its scale; stored - input; over the input */
    maybe_value scaled_value; /* what was rounded */
    fpfmt_value held;         /* element x scale x tensor scale */
    unsigned flags, status;
} element_facts;
extern const field element_fields[];

/* The field of that name or alias; NULL if there is none. */
const field *element_field(const char *name);

/* Fills in how; false after a complaint about the recipe or the scale of the tensor. recipe NULL is
 * that of the block format. */
bool plan_quantization(quantization *how, const request *chosen, const tensor *of,
                       const fpfmt_block *block, const char *recipe, const policy_choice *column);

/* How many blocks the tensor has, and one of them. */
size_t blocks_of(const quantization *how);
void make_block(block_facts *made, const quantization *how, size_t which);

/* amax exactly, as the input has it, or as a recipe in binary32 sees it; false if it is not finite.
 */
bool amax_of(fpfmt_ratio *amax, const quantization *how, const block_facts *block);

/* One element of a block, with its errors; in is room for reading its text again. */
void make_element(element_facts *made, const quantization *how, const block_facts *block,
                  size_t index, input *in);

/* Its status in words, as "inexact, tie → even". */
void describe_element(char text[64], const quantization *how, const element_facts *made);

/* What a block lost: values past the largest element, the sum of squared errors and that of
 * squares, and how many values are finite on both sides. */
typedef struct {
    size_t clipped, finite;
    double noise, signal;
} block_loss;
block_loss loss_of(const quantization *how, const block_facts *block);

#endif
