/* train_screen.h - what a training run shows: its settings, its losses, what its formats did
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_TRAIN_SCREEN_H
#define FPLAB_TRAIN_SCREEN_H

#include "rows.h"
#include "train.h"

/* For programs: a row for each step. */
void print_steps(lab_page *page, const train_results *results);

/* For people: what is trained, before the first step, and what was seen, after the last. */
void introduce_training(const lab_page *page, const train_results *results);
void show_results(lab_page *page, const train_results *results);

#endif
