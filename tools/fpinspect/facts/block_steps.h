/* block_steps.h - how the scale of a block came about: each step with its number, for any recipe
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_BLOCK_STEPS_H
#define FPINSPECT_BLOCK_STEPS_H

#include "facts/block.h"
#include "kit/number.h"

/* A step and what it gives, as the recipe rounds it. */
typedef struct {
    char step[80];     /* "amax / M" */
    char numbers[100]; /* "460 / 448" for people; "" where the step names what stands above it */
    maybe_ratio value;
    number text; /* the value exactly; inf or nan */
} scale_step;
extern const field scale_step_fields[];

enum { MOST_SCALE_STEPS = 10 };
typedef struct {
    scale_step rows[MOST_SCALE_STEPS];
    size_t count;
} scale_steps;

/* The steps to the tensor's scale, if there is one; and to the block's, and to what values are
 * multiplied with or divided by. */
void list_tensor_steps(scale_steps *made, const quantization *how);
void list_block_steps(scale_steps *made, const quantization *how, const block_facts *block);

/* What decides a block instead of a rule on numbers: "nan", "inf" or "zero", of its values as the
 * recipe sees them, or "range", a scale past the largest; NULL where the rule does. */
const char *special_of(const quantization *how, const block_facts *block);

/* Fills in all but clipped; the rows of steps are the caller's to release. */
void explain_block(block_explanation *made, const quantization *how, const block_facts *block);

#endif
