/* rows.c - tables of named rows: recipes, devices, parts
 * SPDX-License-Identifier: MIT */

#include "facts/rows.h"

#include <string.h>
#include <strings.h>

#include "kit/distance.h"
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

const char *nearest_row(const row_table *table, const char *name, unsigned *distance)
{
    const char *best = head_at(table, 0).name;
    *distance = edit_distance(best, name);
    for (size_t i = 1; i < table->count; i++) {
        const char *other = head_at(table, i).name;
        unsigned edits = edit_distance(other, name);
        if (edits < *distance) {
            *distance = edits;
            best = other;
        }
    }
    return best;
}

const void *require_row(const row_table *table, const char *name)
{
    unsigned distance;
    const void *found = find_row(table, name);
    if (found == NULL)
        complain("unknown %s '%s'; did you mean '%s'?%s", table->what, quoted(name, strlen(name)),
                 nearest_row(table, name, &distance), table->advice);
    return found;
}
