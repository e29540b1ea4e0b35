/* draw_block.h - pieces of the screens of block formats
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_DRAW_BLOCK_H
#define FPINSPECT_DRAW_BLOCK_H

#include "facts/block.h"
#include "kit/number.h"
#include "kit/out.h"

enum { RULE_SIZE = 240 };

/* How the scale of a block follows from amax, as a formula with its numbers. */
void tell_rule(char text[RULE_SIZE], const quantization *how, const block_facts *block);

/* amax for people, 9 digits of it, or Inf. */
void show_amax(number text, const quantization *how, const block_facts *block);

/* A scale for people: a power of two, or its value. */
void show_scale(number text, const fpfmt_format *format, fpfmt_value value);

/* A value by its scale, 6 digits of it. */
void show_scaled(number text, const element_facts *made);

/* A number to a few digits, ≈ where these do not tell all. */
void show_about(number text, double value, int digits);

/* "rms error ≈0.270" and "SQNR ≈14.2 dB", each "" and false where there is no such number. */
bool show_rms(number text, const block_loss *loss);
bool show_sqnr(number text, const block_loss *loss);

/* "2 clipped, 1 became NaN", of what is so plain a loss that no mean tells of it; "" without any.
 */
enum { COUNTS_SIZE = 120 };
void show_counts(char text[COUNTS_SIZE], const block_loss *loss);

/* Does the block hold every value as it was? */
bool is_lossless(const block_loss *loss);

/* "÷ scale", or what the recipe does instead. */
const char *step_sign(const quantization *how);

/* The look of a status. */
style style_of_status(unsigned status);

#endif
