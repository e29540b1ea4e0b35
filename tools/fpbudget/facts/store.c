/* store.c - --weights and --store: how each part is kept where not as the recipe says
 * SPDX-License-Identifier: MIT */

#include "facts/store.h"

#include <string.h>
#include <strings.h>

#include "kit/distance.h"
#include "kit/say.h"
#include "kit/text.h"

/* Names for several parts at once. */
static const row_head groups[] = {
    { "state", "all that the optimizer keeps" },
    { "activations", "all terms of the activations but masks" },
    { "inputs", "the activations that products read" },
    { "masks", "the masks of dropouts" },
};
static const row_table group_table = ROW_TABLE("group of parts", groups, "");

/* Does one of the first so many optimizers keep a part of this name? */
static bool is_kept_by(size_t optimizers, const char *name)
{
    for (size_t i = 0; i < optimizers; i++) {
        const optimizer_row *row = row_at(&optimizer_table, i);
        for (size_t n = 0; n < MOST_STATES && row->states[n].name != NULL; n++)
            if (strcmp(row->states[n].name, name) == 0)
                return true;
    }
    return false;
}

void for_each_stored(void (*take)(void *context, row_head named), void *context)
{
    static const row_table *const tables[] = { &part_table, &group_table, &term_table };
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            take(context, head_at(tables[t], i));
    for (size_t i = 0; i < optimizer_table.count; i++) {
        const optimizer_row *row = row_at(&optimizer_table, i);
        for (size_t n = 0; n < MOST_STATES && row->states[n].name != NULL; n++)
            if (!is_kept_by(i, row->states[n].name))
                take(context, (row_head){ row->states[n].name, row->states[n].why });
    }
}

static void consider_head(void *context, row_head named)
{
    consider_name(context, named.name);
}

/* Whether --store takes the name, in either case; else a complaint tells the nearest one or all. */
static bool is_part(const char *name)
{
    name_search search = { .typed = name };
    for_each_stored(consider_head, &search);
    if (search.nearest != NULL && strcasecmp(search.nearest, name) == 0)
        return true;
    complain("unknown part '%s' of --store%s", quoted(name, strlen(name)), hint_of(&search, ""));
    return false;
}

static bool add_item(question *asked, const char *name, const char *format)
{
    if (asked->item_count == MOST_ITEMS) {
        complain("--store takes %d parts at the most", MOST_ITEMS);
        return false;
    }
    store_item *item = &asked->items[asked->item_count++];
    print_text(item->name, sizeof item->name, "%s", name);
    item->none = strcasecmp(format, "none") == 0;
    if (item->none && strcasecmp(name, "parameters") == 0) {
        complain("parameters are kept in some format, and none is no format");
        return false;
    }
    return item->none || find_storage(&item->kept, format);
}

bool read_weights(question *asked, const char *text)
{
    return add_item(asked, "parameters", text);
}

bool read_store(question *asked, const char *text)
{
    bool goes_on = true;
    while (goes_on) {
        char name[32] = "", format[48] = "";
        size_t length = strcspn(text, ","), part = strcspn(text, "=,");
        if (part < length && part < sizeof name && length - part - 1 < sizeof format) {
            print_text(name, sizeof name, "%.*s", (int)part, text);
            print_text(format, sizeof format, "%.*s", (int)(length - part - 1), text + part + 1);
        }
        if (*name == '\0' || *format == '\0') {
            complain("--store takes PART=FORMAT, as gradients=fp32, not '%s'",
                     quoted(text, length));
            return false;
        }
        if (!is_part(name) || !add_item(asked, name, format))
            return false;
        goes_on = text[length] == ',';
        text += length + goes_on;
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

bool storage_of(storage *kept, const question *asked, const char *const names[PART_NAMES],
                const char *format)
{
    memset(kept, 0, sizeof *kept);
    for (size_t i = asked->item_count; i-- > 0;)
        if (is_about(&asked->items[i], names)) {
            if (!asked->items[i].none)
                *kept = asked->items[i].kept;
            return !asked->items[i].none;
        }
    return format != NULL && find_storage(kept, format);
}
