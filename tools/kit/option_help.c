/* option_help.c - what the tables of options say of themselves: the help, and completions
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>
#include <stdio.h>
#include <string.h>

#include "kit/list.h"
#include "kit/memory.h"
#include "kit/options.h"
#include "kit/rounding.h"
#include "kit/run.h"

/* ---- help ---- */

static void print_option(const option_row *row)
{
    enum { SUMMARIES = 29 };
    char name[64];
    char letter[8] = "    ";
    if (row->letter != '\0')
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    snprintf(name, sizeof name, "%s--%s%s%s", letter, row->name, row->takes != NULL ? "=" : "",
             row->takes != NULL ? row->takes : "");
    fprintf(this_run()->out, "  %-*s%s%s\n", SUMMARIES - 3, name,
            strlen(name) < SUMMARIES - 3 ? "" : " ", row->summary);
}

void print_options(option_tables tables)
{
    for (; *tables != NULL; tables++)
        for (const option_row *row = *tables; row->name != NULL; row++) {
            if (row->heading != NULL)
                fprintf(this_run()->out, "%s\n", row->heading);
            if (!row->hidden)
                print_option(row);
        }
}

void print_options_spaced(option_tables tables)
{
    enum { SUMMARIES = 25 };
    for (; *tables != NULL; tables++)
        for (const option_row *row = *tables; row->name != NULL; row++) {
            char name[64];
            if (row->heading != NULL)
                fprintf(this_run()->out, "%s\n", row->heading);
            snprintf(name, sizeof name, "%s%s%s", row->name, row->takes != NULL ? " " : "",
                     row->takes != NULL ? row->takes : "");
            if (!row->hidden)
                fprintf(this_run()->out, "  --%-*s %s\n", SUMMARIES - 5, name, row->summary);
        }
}

void print_options_packed(option_tables tables)
{
    enum { WIDTH = 80 };
    FILE *to = this_run()->out;
    int at = 0;
    for (; *tables != NULL; tables++)
        for (const option_row *row = *tables; row->name != NULL; row++) {
            char text[64] = "";
            if (row->heading != NULL) {
                fprintf(to, "%s%s", at > 0 ? "\n" : "", row->heading);
                at = (int)strlen(row->heading);
            }
            if (row->hidden)
                continue;
            if (row->letter != '\0')
                snprintf(text, sizeof text, "-%c ", row->letter);
            snprintf(text + strlen(text), sizeof text - strlen(text), "--%s%s%s", row->name,
                     row->takes != NULL ? "=" : "", row->takes != NULL ? row->takes : "");
            if (at + 2 + (int)strlen(text) > WIDTH) {
                putc('\n', to);
                at = 0;
            }
            at += fprintf(to, "  %s", text);
        }
    putc('\n', to);
}

/* ---- offers ---- */

static void put_candidate(const char *before, const char *text, const char *summary)
{
    fprintf(this_run()->out, "%s%s%s%s\n", before, text, summary != NULL ? "\t" : "",
            summary != NULL ? summary : "");
}

void offer_word(const completion *now, const char *text, const char *summary)
{
    if (strncmp(text, now->typed, strlen(now->typed)) == 0)
        put_candidate(now->before, text, summary);
}

void offer_words(const completion *now, const option_row *row)
{
    const fpfmt_word *here;
    for (size_t i = 0; (here = word_at(row->of, i)) != NULL; i++)
        offer_word(now, here->name, here->summary);
}

/* The word of a list, which blanks separate, at *at, and *at behind it; NULL at the end. */
static char *next_word(const char **at)
{
    if (*at == NULL || **at == '\0')
        return NULL;
    size_t length = strcspn(*at, " ");
    char *made = copy_text(*at, length);
    *at += length + strspn(*at + length, " ");
    return made;
}

/* An alias of several formats, as fp8, is refused where a format is wanted, and not offered. */
static void offer_format(const completion *now, const char *name, const char *title)
{
    if (fpfmt_named(name) != NULL)
        offer_word(now, name, title);
}

void offer_formats(const completion *now, const option_row *row)
{
    (void)row;
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const char *aliases = fpfmt_at(i)->aliases, *title = fpfmt_at(i)->title;
        offer_format(now, fpfmt_at(i)->name, title);
        for (char *alias; (alias = next_word(&aliases)) != NULL; release(alias))
            offer_format(now, alias, title);
    }
}

/* Is the set one of a row before this one? */
static bool was_offered(const char *set, size_t row)
{
    while (row-- > 0)
        if (is_word_of(fpfmt_at(row)->sets, set))
            return true;
    return false;
}

void offer_targets(const completion *now, const option_row *row)
{
    offer_formats(now, row);
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const char *sets = fpfmt_at(i)->sets;
        for (char *set; (set = next_word(&sets)) != NULL; release(set))
            if (!was_offered(set, i))
                offer_word(now, set, "a set of formats");
    }
    offer_word(now, "all", "every format that has a name");
}

void offer_policies(const completion *now, const option_row *row)
{
    (void)row;
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++)
        offer_word(now, fpfmt_policy_at(i)->name, fpfmt_policy_at(i)->summary);
}

void offer_rounding(const completion *now, const option_row *row)
{
    (void)row;
    const fpfmt_word *mode;
    for (size_t i = 0; (mode = word_at(&rounding_words, i)) != NULL; i++) {
        char text[ROUNDING_SIZE];
        snprintf(text, sizeof text, "%s%s", mode->name,
                 takes_random_bits((int)mode->meaning) ? ":8" : "");
        offer_word(now, text, mode->summary);
    }
}

void offer_recipes(const completion *now, const option_row *row)
{
    (void)row;
    for (size_t i = 0; fpfmt_recipe_at(i) != NULL; i++)
        offer_word(now, fpfmt_recipe_at(i)->name, fpfmt_recipe_at(i)->summary);
}

void offer_blocks(const completion *now, const option_row *row)
{
    (void)row;
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++)
        offer_word(now, fpfmt_block_at(i)->name, fpfmt_block_at(i)->title);
}

/* The rows of one engine stand together in the table, and are one accumulator to a user. */
void offer_accumulators(const completion *now, const option_row *row)
{
    const char *last = "";
    (void)row;
    for (size_t i = 0; fpfmt_accumulator_at(i) != NULL; i++) {
        const fpfmt_accumulator *here = fpfmt_accumulator_at(i);
        if (strcmp(here->name, last) != 0)
            offer_word(now, here->name, here->summary);
        last = here->name;
    }
}

void offer_files(const completion *now, const option_row *row)
{
    (void)row;
    put_candidate("", ":files", now->before);
}

/* ---- candidates ---- */

/* The option whose argument the last word is: the one before it, or the last word's own, as
 * --as=fp; NULL if the last word is no argument. */
static const option_row *option_of(option_tables tables, int argc, char **argv)
{
    const char *last = argv[argc - 1], *before = argc > 1 ? argv[argc - 2] : "";
    bool own = strncmp(last, "--", 2) == 0 && strchr(last, '=') != NULL;
    const char *text = own ? last : before;
    bool is_long = strncmp(text, "--", 2) == 0;
    size_t length = strcspn(text, own ? "=" : "");
    for (; *tables != NULL && text[0] == '-'; tables++)
        for (const option_row *row = *tables; row->name != NULL; row++) {
            bool named = is_long ? length == strlen(row->name) + 2 &&
                                       strncmp(row->name, text + 2, length - 2) == 0
                                 : row->letter != '\0' && text[1] == row->letter && length == 2;
            if (named && row->takes != NULL)
                return row;
        }
    return NULL;
}

static void offer_options(option_tables tables, const char *typed)
{
    for (; *tables != NULL; tables++)
        for (const option_row *row = *tables; row->name != NULL; row++)
            if (!row->hidden && strncmp(typed, "--", strnlen(typed, 2)) == 0 &&
                (strlen(typed) < 2 || strncmp(row->name, typed + 2, strlen(typed + 2)) == 0))
                put_candidate("--", row->name, row->summary);
}

bool print_candidates(option_tables tables, int argc, char **argv)
{
    if (argc == 0)
        return true;
    char *last = argv[argc - 1];
    const option_row *row = option_of(tables, argc, argv);
    if (row == NULL) {
        if (*last == '-')
            offer_options(tables, last);
        return *last != '-';
    }
    const char *comma = strrchr(last, ','), *equals = strchr(last, '=');
    size_t kept = comma != NULL                    ? (size_t)(comma + 1 - last)
                  : *last == '-' && equals != NULL ? (size_t)(equals + 1 - last)
                                                   : 0;
    char *before = copy_text(last, kept);
    completion now = { .before = before, .typed = last + kept };
    if (row->offer != NULL)
        row->offer(&now, row);
    release(before);
    return false;
}

bool completes(option_tables tables, int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--complete") != 0)
        return false;
    print_candidates(tables, argc - 2, argv + 2);
    return true;
}

void print_command_candidates(const word_table *commands, int argc, char **argv)
{
    completion now = { .before = "", .typed = argc > 0 ? argv[argc - 1] : "" };
    const fpfmt_word *here;
    for (size_t i = 0; (here = word_at(commands, i)) != NULL; i++)
        offer_word(&now, here->name, here->summary);
}
