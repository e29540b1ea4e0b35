/* rows.c - tables of named rows: recipes, devices, parts
 * SPDX-License-Identifier: MIT */

#include "facts/rows.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "kit/say.h"

const void *row_at(const row_table *table, size_t index)
{
    return (const char *)table->rows + index * table->size;
}

row_head head_at(const row_table *table, size_t index)
{
    row_head head;
    memcpy(&head, row_at(table, index), sizeof head);
    return head;
}

/* The name of a row that has this alias; the name itself where none has. */
static const char *unaliased(const row_table *table, const char *name)
{
    for (const row_alias *now = table->aliases; now != NULL && now->alias != NULL; now++)
        if (strcasecmp(now->alias, name) == 0)
            return now->name;
    return name;
}

const void *find_row(const row_table *table, const char *name)
{
    name = unaliased(table, name);
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(head_at(table, i).name, name) == 0)
            return row_at(table, i);
    return NULL;
}

void consider_rows(name_search *search, const row_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        consider_name(search, head_at(table, i).name);
}

const void *require_row(const row_table *table, const char *name)
{
    const void *found = find_row(table, name);
    name_search search = { .typed = name };
    if (found != NULL)
        return found;
    consider_rows(&search, table);
    const char *hint = hint_of(&search, "");
    bool stops = search.nearest == NULL && *table->advice != '\0';
    complain("unknown %s '%s'%s%s%s", table->what, quoted(name, strlen(name)), hint,
             stops ? "." : "", table->advice);
    return NULL;
}
