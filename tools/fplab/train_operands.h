/* train_operands.h - what became of the numbers that a training run rounded to operands
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_OPERANDS_H
#define FPLAB_TRAIN_OPERANDS_H

#include "kit/number.h"
#include "lab.h"
#include "train.h"

/* part / whole; 0 where there is nothing. */
double share(uint64_t part, uint64_t whole);

/* As a percentage; returns text. */
char *show_share(number text, double part);

/* Of gradients, in both of their operands. */
operand_counts counts_of_gradients(const train_run *run);

/* Of gradients that became operands, those that became 0. */
double zeroed_gradients(const train_run *run);

/* How far operands in blocks are off, and which of them became 0 or were clamped. */
void explain_blocks(const lab_page *page, const train_results *results, const train_run *run);

#endif
