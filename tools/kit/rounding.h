/* rounding.h - rounding modes and policies by name, with their random bits
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_ROUNDING_H
#define FPFMT_KIT_ROUNDING_H

#include <stdbool.h>

#include <fpfmt.h>

/* Is it a mode that needs a number of random bits behind it, as sr-a:8? */
bool takes_random_bits(int mode);

/* Does a mode, FPFMT_ROUND_..., decide by chance? -1, where none was given, does not. */
bool has_chance(int mode);

/* A mode, with its number of random bits where it takes them: rne, sr, sr-a:8. False after a
 * complaint. */
bool read_rounding(const char *text, int *rounding, int *random_bits);

/* And back: the policy's mode as read_rounding takes it. */
enum { ROUNDING_SIZE = 32 };
const char *rounding_name(char text[ROUNDING_SIZE], const fpfmt_policy *policy);

/* The row of a policy; NULL after a complaint. */
const fpfmt_policy_row *find_policy(const char *name);

#endif
