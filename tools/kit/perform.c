/* perform.c - a command as one run, which ends early when there is no memory left
 * SPDX-License-Identifier: MIT
 *
 * A run without memory has nothing to go on with, in whatever depth it notices. Its memory belongs
 * to the run and not to the functions on the stack, so that leaving them all at once loses
 * nothing. */

#include <setjmp.h>

#include "kit/run.h"

typedef struct {
    kit_run run; /* first, so that the run leads here */
    jmp_buf start;
} performance;

/* clang has a function of this type be one by the attribute alone. */
__attribute__((noreturn)) static void leave(kit_run *run)
{
    longjmp(((performance *)run)->start, 1);
}

int perform_run(const char *program, int (*command)(int argc, char **argv), int argc, char **argv,
                FILE *in, FILE *out, FILE *err)
{
    static const performance none;
    performance now = none;
    now.run.program = program;
    now.run.in = in;
    now.run.out = out;
    now.run.err = err;
    now.run.stop = leave;
    start_run(&now.run);
    if (setjmp(now.start) == 0)
        command(argc, argv);
    return finish_run(&now.run);
}
