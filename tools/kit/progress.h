/* progress.h - how far a long piece of work is, for who waits at a terminal
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_PROGRESS_H
#define FPFMT_KIT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t done, total, bytes; /* elements, and bytes of all of them */
    double begun, shown;         /* seconds of a clock that only goes forward */
    bool wanted, visible;
} progress;

/* Begins to count; nothing is shown where standard error is no terminal. */
void begin_progress(progress *made, uint64_t total, uint64_t bytes);

/* So many more are done. After two seconds a line tells the share, the speed and the time left. */
void advance(progress *of, uint64_t elements);

/* The line is gone. */
void end_progress(progress *of);

#endif
