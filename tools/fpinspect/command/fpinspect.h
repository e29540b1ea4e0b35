/* fpinspect.h - one command line, from its words to what is printed
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_FPINSPECT_H
#define FPINSPECT_FPINSPECT_H

/* Performs a command line on the run that is going on, whose exit status says how it went. argv[0]
 * is the program's name. */
int fpinspect(int argc, char **argv);

#endif
