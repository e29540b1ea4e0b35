/* runs.h - many runs of a tool in one process, against a process for each
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_RUNS_H
#define FPFMT_TESTS_RUNS_H

enum { MOST_WORDS = 12 };

/* A command line without the program's name; NULL ends it. */
typedef const char *command_line_words[MOST_WORDS];

/* Performs the command lines forwards, backwards and each twice in this process, and compares what
 * they print on both streams and their exit status with what the built program of that name in the
 * current folder does. */
void compare_runs(const char *name, int (*tool)(int argc, char **argv),
                  const command_line_words *lines, int count);

#endif
