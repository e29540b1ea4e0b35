/* offers.c - what may stand behind an option, for the completions of shells
 * SPDX-License-Identifier: MIT */

#include "command/offers.h"

#include <stdio.h>
#include <string.h>

#include "command/columns.h"
#include "facts/block.h"
#include "facts/report.h"
#include "kit/blocks.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/rounding.h"

void offer_fields(const completion *now, const option_row *row)
{
    (void)row;
    for (const field *here = report_fields; here->name != NULL; here++)
        if (here->kind != FIELD_OBJECT)
            offer_word(now, here->name, NULL);
    for (const field *here = element_fields; here->name != NULL; here++)
        if (here->kind != FIELD_OBJECT && report_field(here->name) == NULL)
            offer_word(now, here->name, NULL);
}

/* Flags, and statuses that are none. */
void offer_conditions(const completion *now, const option_row *row)
{
    (void)row;
    const fpfmt_word *here;
    for (size_t i = 0; (here = word_at(&flag_words, i)) != NULL; i++)
        offer_word(now, here->name, here->summary);
    for (size_t i = 0; (here = word_at(&status_words, i)) != NULL; i++)
        if (find_word(&flag_words, here->name) == NULL)
            offer_word(now, here->name, here->summary);
}

/* Formats and sets, or block formats: a list has what its first item is. */
void offer_all_targets(const completion *now, const option_row *row)
{
    const char *equals = strchr(now->before, '='),
               *list = equals == NULL ? now->before : equals + 1;
    char *first = list_item(list, 0);
    bool begins = *list == '\0', blocks = begins || names_block(first);
    release(first);
    if (begins || !blocks)
        offer_targets(now, row);
    if (blocks)
        offer_blocks(now, row);
}

/* One format or block format, or two formats. */
void offer_sources(const completion *now, const option_row *row)
{
    const char *equal = strchr(now->before, '=');
    offer_formats(now, row);
    if (*now->before == '\0' || (equal != NULL && equal[1] == '\0'))
        offer_blocks(now, row);
}

void offer_shown(const completion *now, const option_row *row)
{
    offer_formats(now, row);
    for (size_t i = 0; strcmp(row->name, "table") == 0 && fpfmt_book_at(i) != NULL; i++)
        offer_word(now, fpfmt_book_at(i)->name, fpfmt_book_at(i)->title);
    if (strcmp(row->name, "table") != 0)
        offer_blocks(now, row);
}

/* A format, and behind a colon the mode by which a step rounds. */
void offer_steps(const completion *now, const option_row *row)
{
    const char *colon = strchr(now->typed, ':');
    if (colon == NULL) {
        offer_formats(now, row);
        return;
    }
    size_t kept = strlen(now->before) + (size_t)(colon + 1 - now->typed);
    char *before = allocate(kept + 1, 1);
    snprintf(before, kept + 1, "%s%s", now->before, now->typed);
    completion mode = { .before = before, .typed = colon + 1 };
    offer_rounding(&mode, row);
    release(before);
}
