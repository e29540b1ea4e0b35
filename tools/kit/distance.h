/* distance.h - how far one name is from another, for what to say of names that are none
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_DISTANCE_H
#define FPFMT_KIT_DISTANCE_H

/* How many edits lead from a to b: a character more, less, another one, or two neighbours swapped.
 * Case does not count; of a name the first 40 characters do. */
unsigned edit_distance(const char *a, const char *b);

#endif
