/* experiments.h - the table of all experiments
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_EXPERIMENTS_H
#define FPLAB_EXPERIMENTS_H

#include "lab.h"

/* Experiment index of the table, from 0; NULL past the last. */
const experiment *experiment_at(size_t index);

/* The experiment of exactly this name; NULL if there is none. */
const experiment *experiment_named(const char *name);

/* The same, with a complaint that names the nearest experiment, or all of them, if there is none.
 */
const experiment *find_experiment(const char *name);

#endif
