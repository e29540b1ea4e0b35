/* draw_block.h - pieces of the screens of block formats
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_DRAW_BLOCK_H
#define FPINSPECT_DRAW_BLOCK_H

#include "facts/block.h"
#include "kit/number.h"

enum { RULE_SIZE = 240 };

/* How the scale of a block follows from amax, as a formula with its numbers. */
void tell_rule(char text[RULE_SIZE], const quantization *how, const block_facts *block);

/* amax for people, 9 digits of it, or Inf. */
void show_amax(number text, const quantization *how, const block_facts *block);

/* A scale for people: a power of two, or its value. */
void show_scale(number text, const fpfmt_format *format, fpfmt_value value);

/* A number to a few digits, ≈ where these do not tell all. */
void show_about(number text, double value, int digits);

/* "rms error ≈0.27   SQNR ≈14.2 dB"; "" where nothing was lost. */
void show_loss(number text, const block_loss *loss);

#endif
