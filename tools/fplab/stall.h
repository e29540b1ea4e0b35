/* stall.h - why a sum stalls, in words
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_STALL_H
#define FPLAB_STALL_H

#include "rows.h"
#include "walk.h"

/* Tells people why a walk stalled, as it must have; step is how its step is called. */
void explain_stall(const lab_page *page, const walk *of, const char *step);

#endif
