/* memory_ends.h - runs of a tool whose memory ends at each allocation in turn
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_MEMORY_ENDS_H
#define FPFMT_TESTS_MEMORY_ENDS_H

#include <stddef.h>

#include "runs.h"

/* Performs each command line with memory for no allocation, for one, for two and so on until it
 * needs no more; of long runs the first forty and then fewer and fewer. A run without memory says
 * so in its last message and has exit status 2; it closes its files, so that no number of them
 * runs out of these. input is what stands in standard input. */
void end_memory_of(const char *name, int (*tool)(int argc, char **argv),
                   const command_line_words *lines, int count, const char *input);

/* The same of one command line, with a look at what each run left behind. */
void end_memory_and_look(const char *name, int (*tool)(int argc, char **argv),
                         const command_line_words line, void (*look)(size_t fails_at));

#endif
