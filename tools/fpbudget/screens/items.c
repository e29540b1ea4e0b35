/* items.c - names with a text beside each, which explanations and assumptions are lists of
 * SPDX-License-Identifier: MIT */

#include "screens/items.h"

void draw_item(const char *name, style how, const char *text)
{
    enum { INDENT = 2, COLUMN = 15 };
    int at = INDENT + width_of(name);
    outf(STYLE_PLAIN, "%*s", INDENT, "");
    out(how, name);
    if (at + 2 > COLUMN) {
        out_line();
        at = 0;
    }
    outf(STYLE_PLAIN, "%*s", COLUMN - at, "");
    out_wrapped_from(COLUMN, COLUMN, text);
}

void tell(const char *name, const char *text)
{
    draw_item(name, STYLE_NAME, text);
}

void tell_twice(const char *name, const char *why, const char *text)
{
    tell(name, why);
    tell("", text);
}

void draw_assumptions(const char *const sentences[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        draw_item(i == 0 ? "assumed" : "", STYLE_DIM, sentences[i]);
}
