/* arguments.h - the command line of an experiment, read by the table of its options
 * SPDX-License-Identifier: MIT */

#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "lab.h"

typedef struct {
    char **operands;
    int count;
    bool help, version, good;
} arguments;

/* Reads the options of all tables, and leaves the operands. A negative number is never an option.
 * good is false after a complaint. of is the experiment, NULL without one. */
arguments read_arguments(int argc, char **argv, const experiment *of,
                         const lab_option *const tables[]);

#endif
