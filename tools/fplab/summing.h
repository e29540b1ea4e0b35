/* summing.h - the accumulators of a list, and the output format of each
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_SUMMING_H
#define FPLAB_SUMMING_H

#include <fpfmt.h>

#include "kit/options.h"

/* An accumulator as it was asked for, and the format of its sum. */
typedef struct {
    char name[48];
    fpfmt_accumulator how;
    fpfmt_format to;
} summation;

enum { MOST_SUMMATIONS = 32 };

/* The accumulators of a list, for elements of a format; their output format is to or, where that is
 * NULL, the elements' own for models of programs in a sum, and fp32 for all else. Besides the names
 * of the library there is sequential, which is fma. Returns how many, 0 after a complaint. */
size_t read_summations(summation made[MOST_SUMMATIONS], const char *list,
                       const fpfmt_format *elements, const fpfmt_format *to, bool own_format);

/* Is it one sum in the output format, which takes the elements one by one? */
bool is_sequential(const summation *of);

/* The library's name for one that was typed, since sequential is fma, whatever follows. */
enum { SUMMATION_ROOM = 64 };
void library_name(char made[SUMMATION_ROOM], const char *typed);

/* For completions: the names that read_summations takes. */
option_offer offer_summations;

#endif
