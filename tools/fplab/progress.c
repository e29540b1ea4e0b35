/* progress.c - how far a long run has come
 * SPDX-License-Identifier: MIT */

#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "kit/run.h"

enum { PATIENCE = 2 }; /* seconds that pass in silence */

void begin_progress(progress *of, uint64_t total)
{
    of->done = 0;
    of->total = total;
    if (of->began == 0)
        of->began = time(NULL);
}

void add_progress(progress *of, uint64_t steps)
{
    FILE *to = this_run()->err;
    of->done += steps;
    if (!isatty(fileno(to)) || (!of->told && time(NULL) - of->began < PATIENCE))
        return;
    bool ended = of->done >= of->total;
    int percent = ended ? 100 : (int)(100.0L * (long double)of->done / (long double)of->total);
    if (ended)
        fputs("\r               \r", to);
    else if (!of->told || percent != of->percent)
        fprintf(to, "\rfplab: %3d %%", percent);
    of->told = !ended;
    of->percent = percent;
}

void end_progress(progress *of)
{
    add_progress(of, of->done < of->total ? of->total - of->done : 0);
}
