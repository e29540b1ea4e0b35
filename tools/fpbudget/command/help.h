/* help.h - what fpbudget says of itself
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_HELP_H
#define FPBUDGET_HELP_H

/* A summary with the options of a command, given by its bit, or with all of them where that is 0.
 */
void print_help(unsigned command);

void print_version(void);

#endif
