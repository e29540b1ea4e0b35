/* casting.h - tensors from an old file to new ones
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_CASTING_H
#define FPCAST_CASTING_H

#include "plan/plan.h"

/* All tensors of the plan; false after a complaint, or where a signal waits. */
bool cast_tensors(cast_plan *plan);

/* ---- one tensor ---- */

/* Codes of a tensor on their way into its file. */
typedef struct {
    cast_plan *plan;
    cast *it;
    int part;
    unsigned bits;
    size_t each;     /* bytes of an element before it is packed */
    unsigned turned; /* bytes of a number that are to be turned; 1: none */
    unsigned char *packed;
    unsigned char *whole; /* all elements, where rows become columns; else NULL */
} code_sink;

void open_sink(code_sink *made, cast_plan *plan, cast *it, int part);

/* n elements from number first on, in the order of the input. codes may be changed. */
bool put_codes(code_sink *to, uint64_t first, void *codes, size_t n);

bool close_sink(code_sink *to);

bool copy_tensor(cast_plan *plan, cast *it);
bool convert_tensor(cast_plan *plan, cast *it);
bool quantise_tensor(cast_plan *plan, cast *it);

#endif
