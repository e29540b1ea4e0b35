/* formats.c - formats by name, lists of them, and what to say of names that are none
 * SPDX-License-Identifier: MIT */

#include "kit/formats.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"

void complain_about_format(const char *where, const char *name, fpfmt_status status,
                           const fpfmt_format *format)
{
    char suggestion[FPFMT_NAME_SIZE], all[200] = "";
    const char *shown = quoted(name, strlen(name));
    if (status == FPFMT_UNSOUND) {
        complain("%sformat '%s' cannot be used: %s", where, shown, fpfmt_defect(format));
        return;
    }
    for (size_t i = 0;
         fpfmt_suggest(suggestion, sizeof suggestion, name, i) > 0 && strlen(all) < 120; i++)
        sprintf(all + strlen(all), "%s%s", i > 0 ? ", " : "", suggestion);
    if (status == FPFMT_AMBIGUOUS)
        complain("%sformat '%s' could mean any of %s; write which", where, shown, all);
    else if (*all != '\0')
        complain("%sunknown format '%s'; did you mean '%s'?\nTry 'fpinspect --list-formats', or "
                 "describe your own: e8m7, e4m3fnuz, e5m2b16.",
                 where, shown, all);
    else
        complain(
            "%sunknown format '%s'\nTry 'fpinspect --list-formats', or describe your own: e8m7, "
            "e4m3fnuz, e5m2b16.",
            where, shown);
}

bool find_format(fpfmt_format *format, const char *name)
{
    fpfmt_status status = fpfmt_find(format, name);
    if (status != FPFMT_FOUND) {
        complain_about_format("", name, status, format);
        return false;
    }
    if (format->caution != NULL && strcasecmp(format->name, name) != 0)
        note("%s is %s: %s", name, format->name, format->caution);
    return true;
}

static void add_format(format_list *list, const fpfmt_format *format)
{
    list->rows = more(list->rows, list->count, sizeof *format);
    list->rows[list->count++] = *format;
}

bool add_set(format_list *list, const char *name)
{
    size_t before = list->count;
    for (size_t i = 0; fpfmt_at(i) != NULL; i++)
        if (strcmp(name, "all") == 0 || is_word_of(fpfmt_at(i)->sets, name))
            add_format(list, fpfmt_at(i));
    return list->count > before;
}

bool read_formats(format_list *list, const char *text)
{
    bool good = true;
    char *name;
    for (size_t i = 0; (name = list_item(text, i)) != NULL; i++) {
        fpfmt_format format;
        if (!add_set(list, name)) {
            if (find_format(&format, name))
                add_format(list, &format);
            else
                good = false;
        }
        release(name);
    }
    return good;
}
