/* elements.h - what is summed up in tests of accumulators
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_ELEMENTS_H
#define FPFMT_TESTS_ELEMENTS_H

#include <fpfmt.h>

enum { LONGEST = 640 };

/* Factors and a start, as codes and as the library reads them. The caller says the formats. */
typedef struct {
    const fpfmt_format *from[2], *to;
    uint64_t codes[2][LONGEST], start;
    unsigned char stored[2][8 * LONGEST];
    size_t n;
} elements;

uint64_t random_below(uint64_t bound);

/* n factors and a start: interesting ones, some near each other, some near the smallest, some that
 * cancel, some mostly zero. specials: with NaN and infinity among them. */
void make_elements(elements *it, size_t n, bool specials);

/* A length, mostly of a few groups of any engine. */
size_t random_length(void);

/* Factors 0 or 1 as the library takes them. */
fpfmt_series series_of(const elements *it, int factor);

/* The format that is word number index of a list; NULL past the last. */
const fpfmt_format *format_in(const char *list, size_t index);

#endif
