/* train_explain.h - what the figures of a training run mean, in sentences
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_EXPLAIN_H
#define FPLAB_TRAIN_EXPLAIN_H

#include "lab.h"
#include "train.h"

/* Is there a run whose parameters are rounded stochastically? */
bool rounds_by_chance(const train_results *results);

/* Which updates were lost or are not seen yet, which states and gradients became 0, and what the
 * loss of the states did. */
void explain_results(const lab_page *page, const train_results *results);

#endif
