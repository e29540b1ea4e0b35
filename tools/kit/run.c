/* run.c - which run is going on
 * SPDX-License-Identifier: MIT */

#include "kit/run.h"

static kit_run *current;

kit_run *this_run(void)
{
    return current;
}

void start_run(kit_run *run)
{
    enum { USUAL_WIDTH = 80 };
    run->status = EXIT_DONE;
    run->width = USUAL_WIDTH;
    run->at = run->owed = 0;
    run->hang = USUAL_HANG;
    current = run;
}

_Noreturn void stop_run(void)
{
    current->stop(current);
}
