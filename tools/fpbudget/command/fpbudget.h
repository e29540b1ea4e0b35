/* fpbudget.h - one command line of fpbudget, as one run
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_FPBUDGET_H
#define FPBUDGET_FPBUDGET_H

/* For perform_run of kit/run.h: argv[0] is the program's name. Returns the exit status. */
int fpbudget(int argc, char **argv);

#endif
