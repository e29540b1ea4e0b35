/* distance.c - the edit distance that suggestions for mistyped words go by
 * SPDX-License-Identifier: MIT */

#include "distance.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 40 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t counted_length(const char *text)
{
    size_t length = strlen(text);
    return length < LONGEST ? length : LONGEST;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The distance of Damerau and Levenshtein in which no letter is edited twice. Entry j of row i of
 * its table is the distance from the first i letters of a to the first j of b. A swap looks two
 * rows back, so that three rows are kept, taken in turn. */
unsigned kit_distance(const char *a, const char *b)
{
    unsigned rows[3][LONGEST + 1];
    size_t a_length = counted_length(a), b_length = counted_length(b);
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            bool swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]);
            row[j] = smaller(above[j - 1] + (x != y), smaller(above[j], row[j - 1]) + 1);
            if (swapped)
                row[j] = smaller(row[j], second[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}
