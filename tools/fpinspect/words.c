/* words.c - the words that options take: modes, rules, fields, statuses
 * SPDX-License-Identifier: MIT */

#include "words.h"

#include <fpfmt.h>
#include <string.h>
#include <strings.h>

#include "distance.h"
#include "report.h"

#define TABLE(what, words)                                                                         \
    {                                                                                              \
        what, words, sizeof words / sizeof words[0]                                                \
    }

/* Aliases: long names, RISC-V's, SMT-LIB's and MPFR's. */
static const word roundings[] = {
    { "rne", "nearest-even rte rnte rndn tonearest", FPFMT_ROUND_NEAREST_EVEN },
    { "rna", "nearest-away rmm rnta rndna", FPFMT_ROUND_NEAREST_AWAY },
    { "rnz", "nearest-zero", FPFMT_ROUND_NEAREST_ZERO },
    { "rtz", "toward-zero rz rndz truncate", FPFMT_ROUND_TOWARD_ZERO },
    { "raz", "away-from-zero ra rnda", FPFMT_ROUND_AWAY_FROM_ZERO },
    { "rup", "up upward rtp ru rp rndu", FPFMT_ROUND_UPWARD },
    { "rdn", "down downward rtn rd rm rndd", FPFMT_ROUND_DOWNWARD },
    { "rto", "to-odd odd ro", FPFMT_ROUND_TO_ODD },
    { "sr", "stochastic", FPFMT_ROUND_STOCHASTIC },
    { "sr-a", "stochastic-a", FPFMT_ROUND_STOCHASTIC_A },
    { "sr-b", "stochastic-b", FPFMT_ROUND_STOCHASTIC_B },
    { "sr-c", "stochastic-c", FPFMT_ROUND_STOCHASTIC_C },
    { "sr-eq", "stochastic-equal", FPFMT_ROUND_STOCHASTIC_EQUAL },
};
const word_table rounding_words = TABLE("rounding mode", roundings);

static const word overflows[] = {
    { "spec", "", FPFMT_OVERFLOW_SPEC },
    { "inf", "infinity", FPFMT_OVERFLOW_INF },
    { "nan", "", FPFMT_OVERFLOW_NAN },
    { "max", "saturate sat", FPFMT_OVERFLOW_MAX },
    { "max-finite", "", FPFMT_OVERFLOW_MAX_FINITE },
    { "symmetric", "", FPFMT_OVERFLOW_SYMMETRIC },
};
const word_table overflow_words = TABLE("overflow rule", overflows);

static const word tininesses[] = {
    { "after", "after-rounding", FPFMT_TININESS_AFTER_ROUNDING },
    { "before", "before-rounding", FPFMT_TININESS_BEFORE_ROUNDING },
};
const word_table tininess_words = TABLE("tininess", tininesses);

static const word flags[] = {
    { "inexact", "", FPFMT_FLAG_INEXACT },
    { "underflow", "", FPFMT_FLAG_UNDERFLOW },
    { "overflow", "", FPFMT_FLAG_OVERFLOW },
    { "divide-by-zero", "divbyzero", FPFMT_FLAG_DIVIDE_BY_ZERO },
    { "invalid", "", FPFMT_FLAG_INVALID },
};
const word_table flag_words = TABLE("flag", flags);

static const word statuses[] = {
    { "exact", "", STATUS_EXACT },         { "inexact", "", STATUS_INEXACT },
    { "subnormal", "", STATUS_SUBNORMAL }, { "underflow", "", STATUS_UNDERFLOW },
    { "overflow", "", STATUS_OVERFLOW },   { "saturated", "", STATUS_SATURATED },
    { "invalid", "", STATUS_INVALID },     { "divide-by-zero", "", STATUS_DIVIDE_BY_ZERO },
};
const word_table status_words = TABLE("status", statuses);

static const word plots[] = {
    { "density", "", PLOT_DENSITY },
    { "error", "", PLOT_ERROR },
    { "staircase", "stairs", PLOT_STAIRCASE },
};
const word_table plot_words = TABLE("plot", plots);

static const word colors[] = {
    { "auto", "tty if-tty", COLOR_AUTO },
    { "always", "yes force", COLOR_ALWAYS },
    { "never", "no none", COLOR_NEVER },
};
const word_table color_words = TABLE("value of --color", colors);

static int is_among(const char *list, const char *text)
{
    size_t length = strlen(text);
    while (*list != '\0') {
        size_t n = strcspn(list, " ");
        if (n == length && strncasecmp(list, text, n) == 0)
            return 1;
        list += n + strspn(list + n, " ");
    }
    return 0;
}

const word *find_word(const word_table *table, const char *text)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(table->words[i].name, text) == 0 || is_among(table->words[i].aliases, text))
            return &table->words[i];
    return NULL;
}

const char *word_for(const word_table *table, int meaning)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->words[i].meaning == meaning)
            return table->words[i].name;
    return "";
}

const char *nearest_word(const word_table *table, const char *text)
{
    const char *best = table->words[0].name;
    for (size_t i = 1; i < table->count; i++)
        if (kit_distance(table->words[i].name, text) < kit_distance(best, text))
            best = table->words[i].name;
    return best;
}
