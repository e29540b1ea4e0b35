/* blocks.c - block formats and recipes by name, and what to say of names that are none
 * SPDX-License-Identifier: MIT */

#include "kit/blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kit/distance.h"
#include "kit/formats.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/say.h"

bool names_block(const char *name)
{
    fpfmt_block block;
    fpfmt_status status = fpfmt_find_block(&block, name);
    return status == FPFMT_FOUND || status == FPFMT_UNSOUND;
}

const char *near_block(const char *name)
{
    name_search search = { .typed = name };
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++)
        consider_name(&search, fpfmt_block_at(i)->name);
    return search.nearest;
}

bool complain_about_slip_of_block(const char *name)
{
    char suggestion[FPFMT_NAME_SIZE];
    fpfmt_format format;
    format_list set = { .rows = NULL };
    const char *block = near_block(name);
    bool known = fpfmt_find(&format, name) != FPFMT_UNKNOWN || add_set(&set, name) ||
                 fpfmt_suggest(suggestion, sizeof suggestion, name, 0) > 0;
    release(set.rows);
    if (known || block == NULL)
        return false;
    complain("unknown format '%s'; did you mean '%s'?", quoted(name, strlen(name)), block);
    return true;
}

bool find_block(fpfmt_block *block, const char *name)
{
    fpfmt_status status = fpfmt_find_block(block, name);
    const char *shown = quoted(name, strlen(name));
    if (status == FPFMT_FOUND)
        return true;
    if (status == FPFMT_UNSOUND) {
        complain("block format '%s' cannot be used: %s", shown, fpfmt_block_defect(block));
        return false;
    }
    name_search search = { .typed = name, .elsewhere = "see 'fpinspect --list-blocks'" };
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++)
        consider_name(&search, fpfmt_block_at(i)->name);
    complain("unknown block format '%s'%s", shown, hint_of(&search, ""));
    return false;
}

bool find_recipe(fpfmt_recipe *recipe, const fpfmt_block *block, const char *name)
{
    name = name == NULL ? block->recipe : name;
    const char *shown = quoted(name, strlen(name));
    name_search search = { .typed = name, .elsewhere = "see 'fpinspect --list-recipes'" };
    switch (fpfmt_find_recipe(recipe, name)) {
    case FPFMT_FOUND: break;
    case FPFMT_UNSOUND:
        complain("recipe '%s' has options that are not understood; they are zero=rule|least|one|"
                 "zeros, nan=scale|element, inf=nan|max|rule and subnormal=keep|flush, as "
                 "rceil:inf=nan",
                 shown);
        return false;
    default:
        for (size_t i = 0; fpfmt_recipe_at(i) != NULL; i++)
            consider_name(&search, fpfmt_recipe_at(i)->name);
        complain("unknown recipe '%s'%s", shown, hint_of(&search, ""));
        return false;
    }
    const char *defect = fpfmt_recipe_defect(block, recipe);
    if (defect != NULL)
        complain("recipe '%s' does not fit %s: %s", shown, block->name, defect);
    return defect == NULL;
}

const fpfmt_book *find_book(const char *name)
{
    for (size_t i = 0; fpfmt_book_at(i) != NULL; i++)
        if (strcasecmp(fpfmt_book_at(i)->name, name) == 0)
            return fpfmt_book_at(i);
    return NULL;
}

void show_block_bits(char text[40], const fpfmt_block *block)
{
    number exact;
    fpfmt_ratio bits;
    if (fpfmt_ratio_from(&bits, fpfmt_block_bits(block)))
        show_ratio(exact, &bits, 5, LEAD_NONE);
    else
        strcpy(exact, "?");
    snprintf(text, 40, "%.39s", exact);
}

void show_block_size(char text[40], const fpfmt_block *block)
{
    if (block->rows == FPFMT_BLOCK_ALL)
        strcpy(text, "tensor");
    else if (block->size == FPFMT_BLOCK_ALL)
        strcpy(text, "channel");
    else if (block->rows > 1)
        snprintf(text, 40, "%" PRIu32 "x%" PRIu32, block->rows, block->size);
    else
        snprintf(text, 40, "%" PRIu32, block->size);
}
