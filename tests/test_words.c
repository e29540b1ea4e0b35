/* test_words.c - names of modes, rules, flags and outcomes, both ways
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

enum { LONGEST_SUMMARY = 72, LONGEST_WORD = 40 };

/* The enumerators of each family, typed from the header: a bit each. */
static const unsigned long enumerators[FPFMT_WORDS_COUNT] = {
    [FPFMT_WORDS_ROUNDING] = (1ul << FPFMT_ROUND_COUNT) - 1,
    [FPFMT_WORDS_OVERFLOW] = (1ul << FPFMT_OVERFLOW_COUNT) - 1,
    [FPFMT_WORDS_OVERFLOW_TEST] = 3, /* AFTER, BEFORE */
    [FPFMT_WORDS_SUBNORMAL] = 15,    /* KEEP, FLUSH_RESULTS, FLUSH_INPUTS, and both */
    [FPFMT_WORDS_NAN] = (1ul << FPFMT_NAN_COUNT) - 1,
    [FPFMT_WORDS_NEGATIVE] = 7, /* SPEC, ZERO, DROP */
    [FPFMT_WORDS_TININESS] = 3, /* AFTER, BEFORE */
    [FPFMT_WORDS_SPECIALS] = 3, /* IEEE, P3109 */
    [FPFMT_WORDS_FLAG] = 1ul << FPFMT_FLAG_INEXACT | 1ul << FPFMT_FLAG_UNDERFLOW |
                         1ul << FPFMT_FLAG_OVERFLOW | 1ul << FPFMT_FLAG_DIVIDE_BY_ZERO |
                         1ul << FPFMT_FLAG_INVALID,
    [FPFMT_WORDS_CLASS] = 31, /* ZERO to QUIET_NAN; SIGNALING_NAN is nan too */
    [FPFMT_WORDS_OUTCOME] = (1ul << FPFMT_OUTCOME_COUNT) - 1,
};

static void every_enumerator(void)
{
    for (unsigned f = 0; f < FPFMT_WORDS_COUNT; f++) {
        unsigned long met = 0;
        const fpfmt_word *word;
        for (size_t i = 0; (word = fpfmt_word_at(f, i)) != NULL; i++) {
            CHECK((met & 1ul << word->meaning) == 0, "family %u: two words mean %u", f,
                  word->meaning);
            CHECK(fpfmt_word_for(f, word->meaning) == word, "family %u: %s is not found", f,
                  word->name);
            met |= 1ul << word->meaning;
        }
        CHECK(met == enumerators[f], "family %u has words for %lx, not %lx", f, met,
              enumerators[f]);
    }
}

/* Calls check with each name and alias of a word, as it is. */
static void each_spelling(unsigned family, const fpfmt_word *word,
                          void (*check)(unsigned family, const fpfmt_word *word, const char *text))
{
    char text[LONGEST_WORD + 1];
    check(family, word, word->name);
    for (const char *list = word->aliases; *list != '\0'; list += strspn(list, " ")) {
        size_t length = strcspn(list, " ");
        if (!CHECK(length <= LONGEST_WORD, "%s has a long alias", word->name))
            return;
        sprintf(text, "%.*s", (int)length, list);
        check(family, word, text);
        list += length;
    }
}

static void is_found(unsigned family, const fpfmt_word *word, const char *text)
{
    char changed[LONGEST_WORD + 2];
    size_t length = strlen(text);
    CHECK(strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length && length > 0,
          "'%s' is no word in lower case", text);
    CHECK(fpfmt_word_named(family, text) == word, "family %u: %s is not %s, or not it alone",
          family, text, word->name);
    strcpy(changed, text);
    for (size_t i = 0; i < length; i += 2)
        if (changed[i] >= 'a' && changed[i] <= 'z')
            changed[i] = (char)(changed[i] - 'a' + 'A');
    CHECK(fpfmt_word_named(family, changed) == word, "%s is not found", changed);
    strcat(changed, "x");
    CHECK(fpfmt_word_named(family, changed) != word, "%s is found", changed);
}

static void by_name(void)
{
    const fpfmt_word *word;
    for (unsigned f = 0; f < FPFMT_WORDS_COUNT; f++)
        for (size_t i = 0; (word = fpfmt_word_at(f, i)) != NULL; i++)
            each_spelling(f, word, is_found);
}

static void summaries(void)
{
    const fpfmt_word *word, *other;
    for (unsigned f = 0; f < FPFMT_WORDS_COUNT; f++)
        for (size_t i = 0; (word = fpfmt_word_at(f, i)) != NULL; i++) {
            size_t length = strlen(word->summary);
            CHECK(length > 0 && length <= LONGEST_SUMMARY, "%s has a summary of %zu characters",
                  word->name, length);
            for (size_t k = 0; k < length; k++)
                CHECK(word->summary[k] >= ' ' && word->summary[k] <= '~',
                      "%s has a summary that is not one line of ASCII", word->name);
            for (size_t k = 0; k < i && (other = fpfmt_word_at(f, k)) != NULL; k++)
                CHECK(strcmp(word->summary, other->summary) != 0, "%s and %s have one summary",
                      word->name, other->name);
        }
}

static void no_such_word(void)
{
    CHECK(fpfmt_word_named(FPFMT_WORDS_ROUNDING, NULL) == NULL, "NULL is a mode");
    CHECK(fpfmt_word_named(FPFMT_WORDS_ROUNDING, "") == NULL, "nothing is a mode");
    CHECK(fpfmt_word_named(FPFMT_WORDS_ROUNDING, " ") == NULL, "a blank is a mode");
    CHECK(fpfmt_word_named(FPFMT_WORDS_ROUNDING, "rn") == NULL, "rn is a mode");
    CHECK(fpfmt_word_named(FPFMT_WORDS_ROUNDING, "rte rnte") == NULL, "two aliases are a mode");
    CHECK(fpfmt_word_named(FPFMT_WORDS_OVERFLOW, "rne") == NULL, "rne is an overflow rule");
    CHECK(fpfmt_word_for(FPFMT_WORDS_ROUNDING, FPFMT_ROUND_COUNT) == NULL, "END is a mode");
    CHECK(fpfmt_word_for(FPFMT_WORDS_FLAG, 0) == NULL, "no flag is a flag");
    CHECK(fpfmt_word_at(FPFMT_WORDS_COUNT, 0) == NULL, "there is one more family");
    CHECK(fpfmt_word_named(FPFMT_WORDS_COUNT, "rne") == NULL, "there is one more family");
    CHECK(fpfmt_word_for(FPFMT_WORDS_COUNT, 0) == NULL, "there is one more family");
}

static void both_nans(void)
{
    const fpfmt_word *quiet = fpfmt_word_for(FPFMT_WORDS_CLASS, FPFMT_KIND_QUIET_NAN);
    CHECK(quiet != NULL && strcmp(quiet->name, "nan") == 0, "quiet NaN is not nan");
    CHECK(fpfmt_word_for(FPFMT_WORDS_CLASS, FPFMT_KIND_SIGNALING_NAN) == quiet,
          "signaling NaN is not nan");
}

/* before: flags of what led to the number. */
static const struct {
    const char *format, *number;
    fpfmt_policy policy;
    unsigned before;
    const char *outcome;
} roundings[] = {
    { "fp16", "1.5", { 0 }, 0, "exact" },
    { "fp16", "inf", { 0 }, 0, "exact" },
    { "fp16", "nan", { 0 }, 0, "exact" },
    { "fp16", "-0", { 0 }, 0, "exact" },
    { "fp16", "0x1p-24", { 0 }, 0, "exact" },
    { "fp16", "0.1", { 0 }, 0, "inexact" },
    { "fp16", "1e-6", { 0 }, 0, "subnormal" },
    { "fp16", "1e-8", { 0 }, 0, "underflow" },
    { "fp16", "1e-8", { .rounding = FPFMT_ROUND_UPWARD }, 0, "subnormal" },
    { "e8m0", "0", { 0 }, 0, "inexact" },
    { "e8m0", "1e-40", { 0 }, 0, "inexact" },
    { "dlfloat16", "0x1p-40", { .rounding = FPFMT_ROUND_UPWARD }, 0, "inexact" },
    { "fp16", "1e6", { 0 }, 0, "overflow" },
    { "e4m3", "1e6", { 0 }, 0, "overflow" },
    { "e4m3", "inf", { 0 }, 0, "overflow" },
    { "fp16", "1e6", { .overflow = FPFMT_OVERFLOW_MAX }, 0, "saturated" },
    { "fp16", "1e6", { .rounding = FPFMT_ROUND_TOWARD_ZERO }, 0, "saturated" },
    { "e2m1", "7", { 0 }, 0, "saturated" },
    { "e2m1", "nan", { 0 }, 0, "invalid" },
    { "fp16", "snan", { 0 }, 0, "invalid" },
    { "binary8p1uf", "-1", { 0 }, 0, "invalid" },
    { "binary8p1uf", "-1", { .negative = FPFMT_NEGATIVE_ZERO }, 0, "saturated" },
    { "binary8p1uf", "-0x1p-129", { 0 }, 0, "underflow" },
    { "uint8", "-1", { 0 }, 0, "saturated" },
    { "uint8", "-0.25", { 0 }, 0, "underflow" },
    { "uint8", "-1", { .negative = FPFMT_NEGATIVE_ZERO }, 0, "saturated" },
    { "uint8", "256", { .overflow = FPFMT_OVERFLOW_INVALID }, 0, "invalid" },
    { "e4m3", "1e6", { .overflow = FPFMT_OVERFLOW_INVALID }, 0, "overflow" },
    { "fp16", "inf", { 0 }, FPFMT_FLAG_DIVIDE_BY_ZERO, "divide-by-zero" },
    { "e4m3", "inf", { 0 }, FPFMT_FLAG_DIVIDE_BY_ZERO, "divide-by-zero" },
    { "fp16", "0", { 0 }, FPFMT_FLAG_DIVIDE_BY_ZERO, "exact" },
    { "fp16", "0.1", { 0 }, FPFMT_FLAG_DIVIDE_BY_ZERO, "inexact" },
    { "fp16", "nan", { 0 }, FPFMT_FLAG_INVALID, "invalid" },
};

static void outcomes(void)
{
    for (size_t i = 0; i < sizeof roundings / sizeof roundings[0]; i++) {
        const char *number = roundings[i].number;
        fpfmt_format format;
        fpfmt_value value;
        unsigned flags = roundings[i].before;
        if (!CHECK(fpfmt_find(&format, roundings[i].format) == FPFMT_FOUND, "no format %s",
                   roundings[i].format) ||
            !CHECK(fpfmt_parse(&value, number, strlen(number), NULL) == strlen(number),
                   "%s is no number", number))
            continue;
        uint64_t code = fpfmt_encode(&format, value, &roundings[i].policy, &flags);
        fpfmt_value stored = fpfmt_decode(&format, code);
        const fpfmt_word *word =
            fpfmt_word_for(FPFMT_WORDS_OUTCOME, fpfmt_outcome_of(&format, value, stored, flags));
        CHECK(word != NULL && strcmp(word->name, roundings[i].outcome) == 0,
              "%s in %s is %s, not %s", number, format.name, word == NULL ? "nothing" : word->name,
              roundings[i].outcome);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "every enumerator has one word", every_enumerator },
        { "every name and alias, in any case, finds its word alone", by_name },
        { "every word has a summary of one line", summaries },
        { "what is no word finds none", no_such_word },
        { "a signaling NaN is called nan", both_nans },
        { "an outcome is that of the value, the result and the flags", outcomes },
    };
    return run_tests("words", tests, sizeof tests / sizeof tests[0]);
}
