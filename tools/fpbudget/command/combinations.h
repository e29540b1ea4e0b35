/* combinations.h - which options go together, and which need others
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_COMBINATIONS_H
#define FPBUDGET_COMBINATIONS_H

#include "command/options.h"

/* Whether what was asked for can be done; false after a complaint that tells the first reason. */
bool go_together(const command_line *line);

#endif
