/* summing.c - the accumulators of a list, and the output format of each
 * SPDX-License-Identifier: MIT */

#include "summing.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kit/distance.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"

static const char sequential[] = "sequential";

void library_name(char made[SUMMATION_ROOM], const char *typed)
{
    size_t length = strcspn(typed, ":/");
    bool own = length == sizeof sequential - 1 && strncasecmp(typed, sequential, length) == 0;
    snprintf(made, SUMMATION_ROOM, "%s%s", own ? "fma" : "", own ? typed + length : typed);
}

static void complain_about_unknown(const char *typed)
{
    const fpfmt_accumulator *row;
    char name[64];
    name_search search = { .typed = name,
                           .elsewhere = "see 'fpinspect --list-accumulators', or sequential" };
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed, ":/"), typed);
    consider_name(&search, sequential);
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++) {
        consider_name(&search, row->name);
        if (row->promoted != NULL)
            consider_name(&search, row->promoted);
    }
    bool promoted = search.nearest != NULL && strcmp(search.nearest, "promote") == 0;
    if (promoted)
        search.nearest = "promote:128";
    complain("unknown accumulator '%s'%s", quoted(typed, strlen(typed)), hint_of(&search, ""));
}

/* What the engine of this name takes, as "e4m3 e5m2 to fp32; fp16 to fp16". */
static void list_inputs(char text[300], const char *name)
{
    const fpfmt_accumulator *row;
    *text = '\0';
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++)
        if (strcasecmp(row->name, name) == 0 && row->inputs != NULL && strlen(text) < 250)
            sprintf(text + strlen(text), "%s%s to %s", *text != '\0' ? "; " : "", row->inputs,
                    row->outputs);
}

static void complain_about_inputs(const char *typed, const char *name, const fpfmt_format *elements,
                                  const fpfmt_format *to)
{
    char inputs[300], bare[64];
    bool promotes = strncasecmp(name, "promote", 7) == 0;
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(name, ":/"), promotes ? "nv-hopper" : name);
    list_inputs(inputs, bare);
    complain("accumulator '%s' does not take %s to %s, but %s", quoted(typed, strlen(typed)),
             elements->name, to->name, inputs);
}

static fpfmt_status find(summation *made, const char *name, const fpfmt_format *elements,
                         const fpfmt_format *to)
{
    made->to = *to;
    return fpfmt_find_accumulator(&made->how, name, to, elements, elements);
}

static bool read_summation(summation *made, const char *typed, const fpfmt_format *elements,
                           const fpfmt_format *to, bool own_format)
{
    const fpfmt_format *wide = fpfmt_named("fp32");
    char name[SUMMATION_ROOM];
    library_name(name, typed);
    snprintf(made->name, sizeof made->name, "%s", typed);
    fpfmt_status status = find(made, name, elements,
                               to != NULL   ? to
                               : own_format ? elements
                                            : wide);
    if (status == FPFMT_FOUND && to == NULL && made->how.inputs != NULL)
        status = find(made, name, elements, wide);
    if (status == FPFMT_AMBIGUOUS && to == NULL)
        status = find(made, name, elements, wide);
    if (strlen(typed) >= sizeof made->name)
        status = FPFMT_UNKNOWN;
    switch (status) {
    case FPFMT_FOUND: return true;
    case FPFMT_UNKNOWN: complain_about_unknown(typed); return false;
    case FPFMT_AMBIGUOUS: complain_about_inputs(typed, name, elements, &made->to); return false;
    default:
        complain("accumulator '%s': after the name come :FORMAT, where each step is rounded, and "
                 "/N, as in fma:bf16/128 or promote:128",
                 quoted(typed, strlen(typed)));
        return false;
    }
}

size_t read_summations(summation made[MOST_SUMMATIONS], const char *list,
                       const fpfmt_format *elements, const fpfmt_format *to, bool own_format)
{
    size_t count = list_length(list);
    bool good = count <= MOST_SUMMATIONS && has_all_items(list);
    if (count > MOST_SUMMATIONS)
        complain("--accumulate takes %d accumulators at the most", MOST_SUMMATIONS);
    for (size_t i = 0; i < count && good; i++) {
        char *name = list_item(list, i);
        good = read_summation(&made[i], name, elements, to, own_format);
        release(name);
    }
    return good ? count : 0;
}

bool is_sequential(const summation *of)
{
    return (of->how.method == FPFMT_ACCUMULATE_FMA ||
            of->how.method == FPFMT_ACCUMULATE_MULTIPLY_ADD) &&
           of->how.inner == NULL && of->how.promote == 0;
}

void offer_summations(const completion *now, const option_row *row)
{
    offer_word(now, sequential, "one by one, as fma");
    offer_accumulators(now, row);
}
