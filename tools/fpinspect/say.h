/* say.h - messages on standard error, and the exit status they lead to
 * SPDX-License-Identifier: MIT */

#ifndef SAY_H
#define SAY_H

/* The tool that these files are built for. */
#ifndef PROGRAM
#define PROGRAM "fpinspect"
#endif

enum { EXIT_DONE = 0, EXIT_CONDITION = 1, EXIT_TROUBLE = 2 };

/* PROGRAM, a colon and the sentence; from then on the exit status is EXIT_TROUBLE. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same behind "note: "; the exit status stays. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A condition of --fail-on occurred. */
void fail_condition(void);

int exit_status(void);

/* Text of any bytes and length as it may be shown: what is not printable ASCII as \xNN, the middle
 * of long text left out. The result is in one of two buffers used in turn. */
const char *quoted(const char *text, unsigned long length);

#endif
