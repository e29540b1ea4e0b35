/* cells.c - the cells of a table: read from its text, measured, and broken into lines
 * SPDX-License-Identifier: MIT */

#include "kit/cells.h"

#include <ctype.h>
#include <string.h>

int cell_width(const char *cell, const char **end)
{
    int columns = 0;
    while (*cell != '\1' && *cell != '\2') {
        columns += width_of(cell + 1);
        cell += strlen(cell) + 1;
    }
    *end = cell;
    return columns;
}

bool is_label(const char *cell)
{
    return ((*cell - CELL_STYLES) & CELL_LABEL) != 0;
}

place cell_start(const char *cell)
{
    return (place){ cell, cell + 1 };
}

bool at_character(place *here)
{
    while (*here->piece != '\1' && *here->piece != '\2') {
        if (*here->at != '\0')
            return true;
        here->piece = here->at + 1;
        here->at = here->piece + 1;
    }
    return false;
}

static place after(place here, int *columns)
{
    here.at += character_at(here.at, columns);
    return here;
}

int columns_between(place from, place to)
{
    int total = 0, columns;
    for (; at_character(&from) && from.at < to.at; total += columns)
        from = after(from, &columns);
    return total;
}

/* Is here a blank where a line may end? The unit stays with its number. */
static bool is_blank(place here)
{
    return here.at[0] == ' ' && here.at[1] != '%';
}

/* The columns from here to the next blank or the end of the cell. */
static int word_from(place here)
{
    int total = 0, columns;
    for (; at_character(&here) && !is_blank(here); total += columns)
        here = after(here, &columns);
    return total;
}

/* Do parts of a name meet here, as those of layer.0.weight do before letters? */
static bool is_joint(place here)
{
    return *here.at == '.' && isalpha((unsigned char)here.at[1]);
}

place line_end(place here, int room, int most, place *next)
{
    enum { HARDLY_ANYTHING = 4 };
    int used = 0, columns;
    bool inside = false, leading = true, jointed = false;
    place end = here, joint = here;
    for (; at_character(&here); used += columns) {
        place following = after(here, &columns);
        bool blank = is_blank(here);
        if (!blank && !inside && !leading) {
            int word = word_from(here);
            if (used + word > room && (word <= most || room - used < HARDLY_ANYTHING)) {
                *next = here;
                return end;
            }
        }
        if (!blank && used + columns > room && used > 0) {
            *next = jointed ? joint : here;
            return jointed ? joint : inside ? here : end;
        }
        if (!blank)
            end = following;
        if (blank || is_joint(here)) {
            jointed = !blank;
            joint = following;
        }
        leading &= blank;
        inside = !blank;
        here = following;
    }
    *next = here;
    return end;
}

int lead_of(const char *cell)
{
    place here = cell_start(cell);
    int lead = 0, columns;
    for (; at_character(&here) && *here.at == ' '; lead++)
        here = after(here, &columns);
    return lead == 0 && at_character(&here) && strncmp(here.at, "≈", strlen("≈")) == 0 ? 1 : lead;
}

int lines_in(const char *cell, int width, int *broken)
{
    int lines = 0, lead = lead_of(cell), rest = width - lead > 1 ? width - lead : 1;
    place here = cell_start(cell);
    while (at_character(&here)) {
        place end = line_end(here, lines == 0 ? width : rest, rest, &here);
        *broken += at_character(&here) && end.at == here.at;
        lines++;
    }
    return lines;
}

void put_until(place from, place end)
{
    while (at_character(&from) && from.at < end.at) {
        char text[512];
        size_t n = 0;
        const char *piece = from.piece;
        int columns;
        while (from.piece == piece && *from.at != '\0' && from.at < end.at && n + 8 < sizeof text) {
            place next = after(from, &columns);
            memcpy(text + n, from.at, (size_t)(next.at - from.at));
            n += (size_t)(next.at - from.at);
            from = next;
        }
        text[n] = '\0';
        out((style)((*piece - CELL_STYLES) & ~CELL_LABEL), text);
    }
}

const char *read_row(const kit_table *table, const char *at, cells *row)
{
    const char *end, *label = NULL;
    row->count = 0;
    for (int column = 0; column < TABLE_COLUMNS; column++) {
        bool empty = cell_width(at, &end) == 0;
        if (table->dropped[column]) {
            label = is_label(at) && !empty ? at : NULL;
        } else {
            const char *shown = empty && label != NULL ? label : at;
            row->column[row->count] = column;
            row->cell[row->count] = shown;
            row->here[row->count++] = cell_start(shown);
            label = NULL;
        }
        at = end + 1;
        if (*end == '\2')
            break;
    }
    return at;
}
