/* refuse.h - what a call does that its caller got wrong
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_REFUSE_H
#define FPFMT_REFUSE_H

#include <stdbool.h>

#ifdef FPFMT_CHECKING
#include <stdio.h>
#include <stdlib.h>
#endif

/* False; in a checking build, the sentence and the end. */
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
