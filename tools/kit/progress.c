/* progress.c - how far a long piece of work is, for who waits at a terminal
 * SPDX-License-Identifier: MIT */

#include "kit/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "kit/run.h"

/* Seconds before the first line, and between two. */
static const double patience = 2, interval = 0.2;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void begin_progress(progress *made, uint64_t total, uint64_t bytes)
{
    FILE *err = this_run()->err;
    int descriptor = fileno(err);
    *made = (progress){ .total = total, .bytes = bytes, .begun = seconds() };
    made->wanted = total > 0 && descriptor >= 0 && isatty(descriptor);
}

void advance(progress *of, uint64_t elements)
{
    of->done += elements;
    if (!of->wanted)
        return;
    double now = seconds(), taken = now - of->begun;
    if (taken < patience || now - of->shown < interval)
        return;
    double share = (double)of->done / (double)of->total;
    fprintf(this_run()->err, "\r%3.0f %%   %.2f GB/s   %.0f s left \033[K", share * 100,
            share * (double)of->bytes / taken * 1e-9, taken / share - taken);
    fflush(this_run()->err);
    of->shown = now;
    of->visible = true;
}

void end_progress(progress *of)
{
    if (of->visible)
        fprintf(this_run()->err, "\r\033[K");
    of->visible = false;
}
