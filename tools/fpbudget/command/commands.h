/* commands.h - the table of what fpbudget can do
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_COMMANDS_H
#define FPBUDGET_COMMANDS_H

#include "command/options.h"

/* Does what a command line asks for, which go_together has found possible, and prints it in the
 * form that was asked for. */
void run_command(const command_line *line);

#endif
