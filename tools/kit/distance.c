/* distance.c - how far one name is from another, for what to say of names that are none
 * SPDX-License-Identifier: MIT */

#include "kit/distance.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 40 };

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static int letter(const char *text, size_t at)
{
    return tolower((unsigned char)text[at]);
}

/* The optimal string alignment distance, by rows of which three are kept: row i has at j the
 * distance of the first i characters of a from the first j of b. */
unsigned edit_distance(const char *a, const char *b)
{
    unsigned rows[3][LONGEST + 1] = { { 0 } };
    size_t a_length = strnlen(a, LONGEST), b_length = strnlen(b, LONGEST);
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            bool alike = letter(a, i - 1) == letter(b, j - 1);
            row[j] = smaller(smaller(above[j], row[j - 1]) + 1, above[j - 1] + !alike);
            if (i > 1 && j > 1 && letter(a, i - 1) == letter(b, j - 2) &&
                letter(a, i - 2) == letter(b, j - 1))
                row[j] = smaller(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}
