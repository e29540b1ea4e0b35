/* store.c - --weights and --store: how each part is kept, where not as the recipe says
 * SPDX-License-Identifier: MIT */

#include "store.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../fpinspect/distance.h"
#include "../fpinspect/say.h"

/* Names for several parts at once. */
typedef struct {
    const char *name;
} group_row;
static const group_row groups[] = { { "state" }, { "activations" }, { "inputs" }, { "masks" } };
static const row_table group_table = ROW_TABLE("part", groups, "");

static bool is_state(const char *name)
{
    for (size_t i = 0; i < optimizer_table.count; i++) {
        const optimizer_row *row = row_at(&optimizer_table, i);
        for (size_t n = 0; n < 2 && row->states[n].name != NULL; n++)
            if (strcasecmp(row->states[n].name, name) == 0)
                return true;
    }
    return false;
}

/* A name of a part, a group or a term, or a complaint with the nearest of all. */
static bool is_part(const char *name)
{
    static const row_table *const tables[] = { &part_table, &group_table, &term_table };
    const char *best = "parameters";
    if (is_state(name))
        return true;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            const char *known = row_name(tables[t], i);
            if (strcasecmp(known, name) == 0)
                return true;
            if (kit_distance(known, name) < kit_distance(best, name))
                best = known;
        }
    complain("unknown part '%s' of --store; did you mean '%s'?", quoted(name, strlen(name)), best);
    return false;
}

static bool add_item(options *chosen, const char *name, const char *format)
{
    if (chosen->item_count == MOST_ITEMS) {
        complain("--store takes %d parts at the most", MOST_ITEMS);
        return false;
    }
    store_item *item = &chosen->items[chosen->item_count++];
    snprintf(item->name, sizeof item->name, "%s", name);
    item->none = strcasecmp(format, "none") == 0;
    if (item->none && strcasecmp(name, "parameters") == 0) {
        complain("parameters are kept in some format, and none is no format");
        return false;
    }
    return item->none || find_storage(&item->kept, format);
}

bool read_weights(options *chosen, const char *text)
{
    return add_item(chosen, "parameters", text);
}

bool read_store(options *chosen, const char *text)
{
    bool more = true;
    while (more) {
        char name[32] = "", format[48] = "";
        size_t length = strcspn(text, ","), word = strcspn(text, "=,");
        if (word < length && word < sizeof name && length - word - 1 < sizeof format) {
            snprintf(name, sizeof name, "%.*s", (int)word, text);
            snprintf(format, sizeof format, "%.*s", (int)(length - word - 1), text + word + 1);
        }
        if (*name == '\0' || *format == '\0') {
            complain("--store takes PART=FORMAT, as gradients=fp32, not '%s'",
                     quoted(text, length));
            return false;
        }
        if (!is_part(name) || !add_item(chosen, name, format))
            return false;
        more = text[length] == ',';
        text += length + more;
    }
    return true;
}

static bool is_about(const store_item *item, const char *const names[PART_NAMES])
{
    for (size_t i = 0; i < PART_NAMES; i++)
        if (names[i] != NULL && strcasecmp(item->name, names[i]) == 0)
            return true;
    return false;
}

bool storage_of(storage *kept, const options *chosen, const char *const names[PART_NAMES],
                const char *format)
{
    memset(kept, 0, sizeof *kept);
    for (size_t i = chosen->item_count; i-- > 0;)
        if (is_about(&chosen->items[i], names)) {
            if (!chosen->items[i].none)
                *kept = chosen->items[i].kept;
            return !chosen->items[i].none;
        }
    return format != NULL && find_storage(kept, format);
}
