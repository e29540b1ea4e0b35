/* say.h - messages on standard error, and the exit status they lead to
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_SAY_H
#define FPFMT_KIT_SAY_H

#include <stddef.h>

/* The program's name, a colon and the sentence; from then on the exit status is EXIT_TROUBLE. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A sentence behind "note: "; the exit status stays. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A condition of --fail-on occurred. */
void fail_condition(void);

/* Text of any bytes and length as it may be shown: what is not printable ASCII as \xNN, the middle
 * of long text left out. The result is in one of two buffers used in turn. */
const char *quoted(const char *text, size_t length);

#endif
