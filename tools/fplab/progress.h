/* progress.h - how far a long run has come
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_PROGRESS_H
#define FPLAB_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* All 0 before the first begin_progress. */
typedef struct {
    uint64_t done, total; /* steps of the part that is going on */
    time_t began;         /* when the first part did */
    bool told;            /* a percentage stands on the terminal */
    int percent;          /* which one */
} progress;

/* A part of so many steps begins. */
void begin_progress(progress *of, uint64_t total);

/* So many more steps are done. Once a run takes long, this keeps a line on a terminal that standard
 * error is, and takes it away behind the last step. */
void add_progress(progress *of, uint64_t steps);

/* The part is done, however many steps were left. */
void end_progress(progress *of);

#endif
