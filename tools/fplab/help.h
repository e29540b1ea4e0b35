/* help.h - what fplab says of itself
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_HELP_H
#define FPLAB_HELP_H

#include "lab.h"

/* The experiments, and the options that all of them take. */
void print_help(void);

/* What an experiment takes. */
void print_help_of(const experiment *of);

void print_version(void);

#endif
