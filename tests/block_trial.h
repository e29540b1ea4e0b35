/* block_trial.h - one block, quantised by the library and by the oracle
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_BLOCK_TRIAL_H
#define FPFMT_TESTS_BLOCK_TRIAL_H

#include "oracle_blocks.h"

enum { LONGEST_BLOCK = 128 };

/* Everything that a quantisation depends on. */
typedef struct {
    fpfmt_block block;
    fpfmt_recipe recipe;
    fpfmt_policy policy;
    fpfmt_tensor_scale tensor;
    bool has_tensor; /* whether that is given */
    const fpfmt_format *carrier;
    uint64_t first;
    size_t n;
    uint64_t values[LONGEST_BLOCK]; /* codes of the carrier */
    oracle_block reference;
    oracle_recipe how;
} block_trial;

/* Element and scale by the names of oracle.h, or a book; levels is 1 or 2. False if the library
 * finds a defect in the block format, or a recipe that does not fit. */
bool set_block_trial(block_trial *trial, const char *element, const char *scale, int levels,
                     size_t size, const char *recipe);

/* Quantises by the view call, with statistics, and for floats and doubles by the array calls;
 * scale, elements, flags and statistics are compared with the oracle's. */
void run_block_trial(const block_trial *trial);

/* What the oracle's scale stands for, of the values so far. */
double scale_of_trial(const block_trial *trial);

#endif
