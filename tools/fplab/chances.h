/* chances.h - a sum that takes the same step over and over, rounded stochastically many times
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_CHANCES_H
#define FPLAB_CHANCES_H

#include <fpfmt.h>

#include "progress.h"

/* From start, count steps of step, in so many runs. Step i of run r has the random bits of index
 * r count + i under the seed. */
typedef struct {
    const fpfmt_format *format;   /* of the sum */
    const fpfmt_format *of_steps; /* to which the step is rounded before */
    fpfmt_value start, step;
    uint64_t count, runs, seed;
} stochastic_walks;

/* Where the runs ended, and where theory expects them. */
typedef struct {
    uint64_t first; /* the code that the first run ended with */
    double mean, deviation, expected_mean, expected_deviation;
} chances;

chances try_chances(const stochastic_walks *of, progress *moving);

#endif
