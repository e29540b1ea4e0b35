/* shown.c - readers of options that are commands: what they show is named by the argument
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "command/options.h"
#include "kit/blocks.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"

/* Two commands at once are refused later, when all options are known. */
bool set_command(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    (void)text;
    chosen->several_commands |= *chosen->command != '\0' && strcmp(chosen->command, row->name) != 0;
    chosen->command = row->name;
    return true;
}

bool show_format(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    bool table = strcmp(row->name, "table") == 0;
    bool named = names_block(text) || strchr(text, '@') != NULL;
    set_command(settings, row, text);
    if (list_length(text) > 1) {
        complain("--%s takes one format, not '%s'", row->name, quoted(text, strlen(text)));
        return false;
    }
    chosen->book = table ? find_book(text) : NULL;
    chosen->shows_block = chosen->book != NULL || (!table && named);
    if (chosen->book != NULL)
        return true;
    if (chosen->shows_block)
        return find_block(&chosen->block, text);
    fpfmt_block block;
    if (table && named) {
        if (!find_block(&block, text))
            return false;
        note("%s has elements of %s, and scales of %s", block.name, block.element.name,
             block.scale.name);
        chosen->book = block.book;
        chosen->shows_block = block.book != NULL;
        chosen->shown[0] = block.element;
        return true;
    }
    return !complain_about_slip_of_block(text) && find_format(&chosen->shown[0], text);
}

bool show_pair(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    bool pair = list_length(text) == 2, good = pair && has_all_items(text);
    set_command(settings, row, text);
    if (!pair)
        complain("--diff takes two formats, as e4m3,e4m3fnuz, not '%s'",
                 quoted(text, strlen(text)));
    for (size_t i = 0; good && i < 2; i++) {
        char *name = list_item(text, i);
        good = find_format(&chosen->shown[i], name);
        release(name);
    }
    return good;
}

bool show_word(void *settings, const option_row *row, const char *text)
{
    set_command(settings, row, text);
    return set_word(settings, row, text);
}

bool show_text(void *settings, const option_row *row, const char *text)
{
    set_command(settings, row, text);
    return set_text(settings, row, text);
}
