/* rows.c - rows of a table, found by name
 * SPDX-License-Identifier: MIT */

#include "rows.h"

#include <fpfmt.h>
#include <string.h>
#include <strings.h>

#include "../fpinspect/distance.h"
#include "../fpinspect/say.h"

const void *row_at(const row_table *table, size_t index)
{
    return (const char *)table->rows + index * table->size;
}

const char *row_name(const row_table *table, size_t index)
{
    const char *name;
    memcpy(&name, row_at(table, index), sizeof name);
    return name;
}

const void *find_row(const row_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcasecmp(row_name(table, i), name) == 0)
            return row_at(table, i);
    return NULL;
}

size_t nearest_row(const row_table *table, const char *name, unsigned *distance)
{
    size_t best = 0;
    *distance = kit_distance(row_name(table, 0), name);
    for (size_t i = 1; i < table->count; i++) {
        unsigned off = kit_distance(row_name(table, i), name);
        if (off < *distance) {
            *distance = off;
            best = i;
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
                 row_name(table, nearest_row(table, name, &distance)), table->advice);
    return found;
}
