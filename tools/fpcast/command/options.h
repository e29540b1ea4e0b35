/* options.h - the command line of fpcast: a table of options, and how they are read
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_OPTIONS_H
#define FPCAST_OPTIONS_H

#include "kit/environment.h"
#include "kit/options.h"
#include "plan/request.h"

typedef struct {
    request asked;
    bool help, version, report;
    int form; /* FORM_... of kit/records.h */
    display display;
    const option_row **given; /* the options, in their order */
    size_t given_count;
} command_line;

option_tables all_options(void);

/* Reads the arguments behind the program's name. False after a complaint. */
bool read_command_line(command_line *line, int argc, char **argv);

/* Whether what was asked for can be done; false after a complaint that tells the first reason. */
bool go_together(command_line *line);

#endif
