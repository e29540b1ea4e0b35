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
#include "kit/text.h"

#define GRAMMAR "write ELEMENT@SCALE/SIZE, as e2m1@e8m0/32"

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
    const char *near = near_block(name);
    bool known = fpfmt_find(&format, name) != FPFMT_UNKNOWN || add_set(&set, name) ||
                 fpfmt_suggest(suggestion, sizeof suggestion, name, 0) > 0;
    release(set.rows);
    if (known || near == NULL)
        return false;
    complain("unknown format '%s'; did you mean '%s'?\nTry 'fpinspect --list-blocks'.",
             quoted(name, strlen(name)), near);
    return true;
}

/* ---- names by the grammar ---- */

/* A part of ELEMENT@SCALE@TENSOR/SIZE, and a name that lacks nothing but this part. */
typedef struct {
    const char *name, *before, *after;
    bool may_be_book;
} part;
static const part parts[] = {
    { "element", "", "@fp32/32", true },
    { "scale", "e2m1@", "/32", false },
    { "scale of the tensor", "e2m1@fp32@", "/32", false },
};

/* Is a name that has this text in place of the part one of the grammar? */
static bool reads_as(const char *before, const char *text, const char *after)
{
    char name[FPFMT_BLOCK_NAME_SIZE];
    fpfmt_block block;
    print_text(name, sizeof name, "%s%s%s", before, text, after);
    return strlen(before) + strlen(text) + strlen(after) < sizeof name &&
           fpfmt_find_block(&block, name) != FPFMT_UNKNOWN;
}

/* Complains about a part that is no format, or is missing; false if it is one. */
static bool lacks_part(const char *name, const part *of, const char *text)
{
    fpfmt_format format;
    name_search search = { .typed = text, .elsewhere = "see 'fpinspect --list-formats'" };
    const char *shown = quoted(name, strlen(name));
    if (reads_as(of->before, text, of->after))
        return false;
    if (*text == '\0') {
        complain("unknown block format '%s': its %s is missing; " GRAMMAR, shown, of->name);
        return true;
    }
    if (fpfmt_find(&format, text) == FPFMT_AMBIGUOUS) {
        complain_about_format("", text, FPFMT_AMBIGUOUS, &format);
        return true;
    }
    for (size_t i = 0; of->may_be_book && fpfmt_book_at(i) != NULL; i++)
        consider_name(&search, fpfmt_book_at(i)->name);
    for (size_t i = 0; fpfmt_at(i) != NULL; i++)
        consider_name(&search, fpfmt_at(i)->name);
    complain("unknown block format '%s': its %s '%s' is no format%s%s", shown, of->name,
             quoted(text, strlen(text)), of->may_be_book ? " or code book" : "",
             hint_of(&search, ""));
    return true;
}

/* Says which part of a name with an @ is none. */
static void complain_about_parts(const char *name)
{
    char *copy = copy_text(name, strlen(name)), *at = copy;
    char *slash = strchr(copy, '/');
    const char *size = slash == NULL ? "" : slash + 1;
    if (slash != NULL)
        *slash = '\0';
    bool told = strlen(name) >= FPFMT_BLOCK_NAME_SIZE;
    if (told)
        complain("unknown block format '%s': a name has %d characters at the most",
                 quoted(name, strlen(name)), FPFMT_BLOCK_NAME_SIZE - 1);
    for (size_t i = 0; !told && at != NULL && i < sizeof parts / sizeof parts[0]; i++) {
        char *end = strchr(at, '@');
        if (end != NULL)
            *end = '\0';
        told = lacks_part(name, &parts[i], at);
        at = end == NULL ? NULL : end + 1;
    }
    const char *shown = quoted(name, strlen(name));
    if (!told && at != NULL)
        complain("unknown block format '%s': it has more than two scales; " GRAMMAR, shown);
    else if (!told && *size == '\0')
        complain("unknown block format '%s': its size is missing; " GRAMMAR, shown);
    else if (!told)
        complain("unknown block format '%s': its size '%s' is none; there are numbers below "
                 "4294967295, two of them as 128x128, channel and tensor",
                 shown, quoted(size, strlen(size)));
    release(copy);
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
    if (strchr(name, '@') != NULL) {
        complain_about_parts(name);
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
