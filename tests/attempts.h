/* attempts.h - calls that must fail, or be refused
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_ATTEMPTS_H
#define FPFMT_TESTS_ATTEMPTS_H

#include <stdbool.h>
#include <stddef.h>

/* What the calls are given: arrays of N elements of any format, all zero. */
enum { N = 4 };
extern unsigned char codes[8 * N], more_codes[8 * N];
extern float floats[N];
extern double doubles[N];
extern unsigned flags;

/* A call by its name; fails makes it, and says whether it failed. */
typedef struct {
    const char *name;
    bool (*fails)(void);
} attempt;

/* Each of them fails. */
void try_failing(const attempt *attempts, size_t count);

/* Each of them is refused: a checking build stops there; others fail, raise no flag and write
 * nothing to codes and more_codes. */
void try_refused(const attempt *attempts, size_t count);

#endif
