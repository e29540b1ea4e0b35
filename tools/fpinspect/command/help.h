/* help.h - what fpinspect says of itself
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_HELP_H
#define FPINSPECT_HELP_H

#include "kit/options.h"

/* A summary of the options of these tables, which fits a terminal of 24 lines. */
void print_help(option_tables tables);

void print_version(void);

#endif
