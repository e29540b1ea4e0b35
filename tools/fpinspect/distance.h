/* distance.h - how far a mistyped word is from one that is known
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_DISTANCE_H
#define FPFMT_KIT_DISTANCE_H

/* How many edits (insert, delete or replace a letter, swap two neighbours) lead from a to b, without
 * regard to the case of ASCII letters. Only the first 40 characters of each count. */
unsigned kit_distance(const char *a, const char *b);

#endif
