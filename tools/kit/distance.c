/* distance.c - what to say of a name that is none: the one it may be a slip of, or all there are
 * SPDX-License-Identifier: MIT */

#include "kit/distance.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "kit/text.h"

enum { LONGEST = 40 };

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static int letter(const char *text, size_t at)
{
    return tolower((unsigned char)text[at]);
}

/* How many edits lead from a to b: a character more, less, another one, or two neighbours swapped.
 * Case does not count; of a name the first 40 characters do.
 * This is the optimal string alignment distance, by rows of which three are kept: row i has at j
 * the distance of the first i characters of a from the first j of b. */
static unsigned edit_distance(const char *a, const char *b)
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

/* How many edits a slip may take: a third of the longer name, three at the most. Past that the
 * nearest name is any name: "bogus" is four edits from "heads". fpfmt_suggest has the same bound.
 */
static unsigned most_edits(const char *a, const char *b)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    size_t third = (a_length > b_length ? a_length : b_length) / 3;
    return third < 3 ? (unsigned)third : 3;
}

/* Is the name already in a list as "a, b, c"? */
static bool is_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        if (n == length && memcmp(list, name, n) == 0)
            return true;
        list += n + strspn(list + n, ", ");
    }
    return false;
}

void consider_name(name_search *search, const char *name)
{
    unsigned edits = edit_distance(name, search->typed);
    if (!is_listed(search->all, name))
        append_text(search->all, sizeof search->all, "%s%s", *search->all != '\0' ? ", " : "",
                    name);
    if (*search->typed == '\0' || edits > most_edits(name, search->typed) ||
        (search->nearest != NULL && edits >= search->edits))
        return;
    search->nearest = name;
    search->edits = edits;
}

const char *hint_of(name_search *search, const char *lead)
{
    if (search->nearest != NULL)
        print_text(search->hint, sizeof search->hint, "; did you mean '%s%s'?", lead,
                   search->nearest);
    else if (search->elsewhere != NULL)
        print_text(search->hint, sizeof search->hint, "; %s", search->elsewhere);
    else
        print_text(search->hint, sizeof search->hint, "; there %s %s",
                   strchr(search->all, ',') != NULL ? "are" : "is", search->all);
    return search->hint;
}
