/* words.c - words that options take: modes, rules, statuses, and what they mean
 * SPDX-License-Identifier: MIT */

#include "kit/words.h"

#include <string.h>
#include <strings.h>

#include "kit/distance.h"
#include "kit/list.h"
#include "kit/say.h"

const word_table rounding_words = { .what = "rounding mode", .family = FPFMT_WORDS_ROUNDING };
const word_table overflow_words = { .what = "overflow rule", .family = FPFMT_WORDS_OVERFLOW };
const word_table nan_words = { .what = "rule for NaN", .family = FPFMT_WORDS_NAN };
const word_table tininess_words = { .what = "tininess", .family = FPFMT_WORDS_TININESS };
const word_table flag_words = { .what = "flag", .family = FPFMT_WORDS_FLAG };
const word_table status_words = { .what = "status", .family = FPFMT_WORDS_OUTCOME };

const fpfmt_word *word_at(const word_table *table, size_t index)
{
    if (table->own == NULL)
        return fpfmt_word_at(table->family, index);
    return index < table->count ? &table->own[index] : NULL;
}

const fpfmt_word *find_word(const word_table *table, const char *text)
{
    const fpfmt_word *here;
    for (size_t i = 0; (here = word_at(table, i)) != NULL; i++)
        if (strcasecmp(here->name, text) == 0 || is_word_of(here->aliases, text))
            return here;
    return NULL;
}

const fpfmt_word *read_word(const word_table *table, const char *text)
{
    const fpfmt_word *found = find_word(table, text), *here;
    name_search search = { .typed = text };
    if (found != NULL)
        return found;
    for (size_t i = 0; (here = word_at(table, i)) != NULL; i++)
        consider_name(&search, here->name);
    complain("unknown %s '%s'%s", table->what, quoted(text, strlen(text)), hint_of(&search, ""));
    return NULL;
}

const char *word_for(const word_table *table, unsigned meaning)
{
    const fpfmt_word *here;
    for (size_t i = 0; (here = word_at(table, i)) != NULL; i++)
        if (here->meaning == meaning)
            return here->name;
    return "";
}
