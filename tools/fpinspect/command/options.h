/* options.h - the command line of fpinspect: a table of options, and how they are read
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_OPTIONS_H
#define FPINSPECT_OPTIONS_H

#include "kit/options.h"
#include "values/request.h"

/* The options that are no commands. */
extern const option_row general_options[];

/* Readers of options that are commands: what they show is named by the argument. */
option_reader set_command; /* takes none */
option_reader show_format; /* a format */
option_reader show_pair;   /* two formats, separated by a comma */
option_reader show_word;   /* a word of the table of, whose meaning goes to the target */
option_reader show_text;   /* any text, which goes to the target */

/* Reads the arguments behind the program's name by these tables. False after a complaint. */
bool read_request(request *chosen, option_tables tables, int argc, char **argv);

/* Whether an argument that begins with '-' is a number or another value and no option: -1.5, -.5,
 * -inf, -(1/3), -nan(1), -fp16:max, -sqrt(2), -pi. */
bool is_negative_value(const char *argument);

#endif
