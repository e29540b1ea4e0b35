/* block.h - values in a block format: scales, elements and what they hold
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_BLOCK_H
#define FPINSPECT_BLOCK_H

#include "facts/report.h"

/* All values of a command line, which are one tensor. Texts are kept for their exact values. What
 * could not be read is a gap, so that blocks lie as they would with it: its text is NULL, and its
 * value 0, which changes no amax. */
typedef struct {
    char **texts;
    fpfmt_value *values;
    size_t count, read;  /* of places, and of those without gaps */
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
    fpfmt_value tensor_amax; /* that it was made of, in binary32; where it was not given */
} quantization;

/* One block of it. */
typedef struct {
    size_t number, first, count; /* which block, its first place, and how many it has */
    size_t read;                 /* without gaps */
    fpfmt_block_scale scale;
    size_t extreme_at; /* the value that amax is of */
} block_facts;

/* How the scale of an element came about, told by block_steps.h. */
typedef struct {
    maybe_ratio amax, tensor_amax; /* the largest of the block, and of all that are finite */
    uint64_t amax_of;              /* the element that it is of */
    fpfmt_value largest;           /* M, the largest element */
    const char *rule, *special;
    int emax, exponent; /* of rules that give powers of two */
    maybe_value factor;
    bool clipped;
    fact_list steps; /* of scale_step */
} block_explanation;
extern const field block_explanation_fields[];

/* One element, for programs and for screens. */
typedef struct {
    const char *input;
    uint64_t index, block;
    const char *format, *recipe;
    coded element, scale;
    maybe_value tensor_scale;
    maybe_ratio scaled, error,
        relative;             /* the value by its scale; stored - input; over the input */
    maybe_ratio quotient;     /* as scaled, and where the input was cut what was kept of it */
    maybe_value scaled_value; /* what was rounded */
    fpfmt_value held;         /* element x scale x tensor scale */
    unsigned flags, status;
    bool explained;
    block_explanation explanation;
} element_facts;
extern const field element_fields[];

/* The field of that name or alias that --print may ask for; NULL if there is none. */
const field *element_field(const char *name);

/* Fills in how; false after a complaint about the recipe or the scale of the tensor. recipe NULL is
 * that of the block format. */
bool plan_quantization(quantization *how, const request *chosen, const tensor *of,
                       const fpfmt_block *block, const char *recipe, const policy_choice *column);

/* Is this place a gap? */
bool is_gap(const tensor *of, size_t index);

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

/* Was a value clipped? It was if, by its scale, it lies outside of what elements reach, though the
 * rounding would have taken it to the outermost anyway. *bound, if not NULL, is the element that it
 * is past. */
bool is_clipped(const quantization *how, fpfmt_value scaled, fpfmt_value *bound);

/* A sum of squares, sum x 2^(2 exponent): no square of what is far from 1 is lost. */
typedef struct {
    double sum;
    int32_t exponent;
} squares;

/* What a block lost, by counts of its values, and by squares of those that are finite on both
 * sides. */
typedef struct {
    size_t count;               /* of all values */
    size_t clipped;             /* as is_clipped has it */
    size_t changed;             /* the block holds another value */
    size_t measured;            /* finite, as is what the block holds */
    size_t to_nan, to_infinite; /* which these were not */
    size_t from_nan;            /* NaN, and the block holds a number */
    squares signal, noise;      /* of the measured: values, and errors */
} block_loss;
block_loss loss_of(const quantization *how, const block_facts *block);

#endif
