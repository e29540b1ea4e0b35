/* fpcast.h - one command line of fpcast, as one run
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_FPCAST_H
#define FPCAST_FPCAST_H

/* For perform_run of kit/run.h: argv[0] is the program's name. Returns the exit status. */
int fpcast(int argc, char **argv);

#endif
