/* walk.h - a sum that takes the same step over and over, until it stalls
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_WALK_H
#define FPLAB_WALK_H

#include <fpfmt.h>

#include "paths.h"
#include "progress.h"

enum { MOST_STEPS = 100000000 };

/* Where a sum in a format ended. */
typedef struct {
    fpfmt_format format;
    fpfmt_value step; /* as it was rounded to the format */
    uint64_t code;
    uint64_t moved;   /* steps that changed the sum */
    uint64_t stalled; /* the first that did not, from which on none does; 0 for none */
    path way;         /* the sum after steps 0 to count */
} walk;

/* From start, count steps, each sum rounded to nearest even. */
walk take_steps(const fpfmt_format *format, fpfmt_value start, fpfmt_value step, uint64_t count,
                progress *moving);

/* A value rounded to a format. */
fpfmt_value in_format(const fpfmt_format *format, fpfmt_value value);

#endif
