/* words.h - the words that options take: modes, rules, fields, statuses
 * SPDX-License-Identifier: MIT */

#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

/* A word, other spellings of it separated by blanks ("" for none), and what it means. */
typedef struct {
    const char *name, *aliases;
    int meaning;
} word;

typedef struct {
    const char *what; /* as in "unknown rounding mode 'x'" */
    const word *words;
    size_t count;
} word_table;

extern const word_table rounding_words; /* FPFMT_ROUND_... */
extern const word_table overflow_words; /* FPFMT_OVERFLOW_... */
extern const word_table tininess_words; /* FPFMT_TININESS_... */
extern const word_table flag_words;     /* FPFMT_FLAG_... */
extern const word_table status_words;   /* STATUS_... of report.h */
extern const word_table plot_words;     /* PLOT_... */
extern const word_table color_words;    /* COLOR_... */

enum { PLOT_DENSITY, PLOT_ERROR, PLOT_STAIRCASE };
enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* The row for a word or one of its aliases, whatever its case; NULL if there is none. */
const word *find_word(const word_table *table, const char *text);

/* The name that means this. */
const char *word_for(const word_table *table, int meaning);

/* The table's name nearest to a word that is not in it. */
const char *nearest_word(const word_table *table, const char *text);

#endif
