/* refuse.h - what a call does that its caller got wrong
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_REFUSE_H
#define FPFMT_REFUSE_H

#include <stdbool.h>

#ifdef FPFMT_CHECKING
#include <stdio.h>
#include <stdlib.h>
#endif

/* What a function returns that refuses a call: false. A caller's bug is not an error code to be
 * handled: in a checking build, configured with --enable-checking, it ends the program with a
 * sentence. */
static inline bool refuse(const char *sentence)
{
#ifdef FPFMT_CHECKING
    fprintf(stderr, "fpfmt: %s\n", sentence);
    abort();
#endif
    (void)sentence;
    return false;
}

#endif
