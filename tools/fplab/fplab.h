/* fplab.h - one command line, from its words to what an experiment prints
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_FPLAB_H
#define FPLAB_FPLAB_H

/* Performs a command line on the run that is going on, whose exit status says how it went. argv[0]
 * is the program's name. Nothing is kept from one call to the next. */
int fplab(int argc, char **argv);

#endif
