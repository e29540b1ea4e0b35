/* words.h - words that options take: modes, rules, statuses, and what they mean
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_WORDS_H
#define FPFMT_KIT_WORDS_H

#include <fpfmt.h>

/* A family of the library's words, or an array of a tool's own. */
typedef struct {
    const char *what; /* as in "unknown rounding mode 'x'" */
    fpfmt_words family;
    const fpfmt_word *own; /* NULL: the family's */
    size_t count;          /* of own */
} word_table;

#define OWN_WORDS(what_they_are, array)                                                            \
    {                                                                                              \
        .what = what_they_are, .own = array, .count = sizeof array / sizeof array[0]               \
    }

extern const word_table rounding_words, overflow_words, nan_words, tininess_words, flag_words,
    status_words; /* the last are the library's outcomes */

/* Word index of a table, from 0; NULL past the end. */
const fpfmt_word *word_at(const word_table *table, size_t index);

/* The row for a word or one of its aliases, whatever its case; NULL if there is none. */
const fpfmt_word *find_word(const word_table *table, const char *text);

/* The row for a word, or a complaint that names the nearest or all of them, and NULL. */
const fpfmt_word *read_word(const word_table *table, const char *text);

/* The name that means this; "" if there is none. */
const char *word_for(const word_table *table, unsigned meaning);

#endif
