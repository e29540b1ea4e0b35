/* targets.c - lists of formats, and what to say of names that are none
 * SPDX-License-Identifier: MIT */

#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "say.h"

void *more(void *memory, size_t count, size_t size)
{
    void *grown = realloc(memory, (count + 1) * size);
    if (grown == NULL) {
        complain("out of memory");
        exit(exit_status());
    }
    return grown;
}

/* A copy of item number index of a list separated by commas; NULL past the last. */
char *list_item(const char *list, size_t index)
{
    for (; index > 0; index--) {
        list = strchr(list, ',');
        if (list == NULL)
            return NULL;
        list++;
    }
    return strndup(list, strcspn(list, ","));
}

size_t list_length(const char *list)
{
    size_t n = 1;
    for (; (list = strchr(list, ',')) != NULL; list++)
        n++;
    return n;
}

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
                 "describe "
                 "your own: e8m7, e4m3fnuz, e5m2b16.",
                 where, shown, all);
    else
        complain(
            "%sunknown format '%s'\nTry 'fpinspect --list-formats', or describe your own: e8m7, "
            "e4m3fnuz, e5m2b16.",
            where, shown);
}

static void add_format(options *chosen, const fpfmt_format *format)
{
    chosen->formats = more(chosen->formats, chosen->format_count, sizeof *format);
    chosen->formats[chosen->format_count++] = *format;
}

static bool is_word_of(const char *list, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = length > 0 ? list : NULL; at != NULL && (at = strstr(at, text)) != NULL;
         at++)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The rows of a set, as ieee or mx; false if there is none of that name. */
bool add_set(options *chosen, const char *name)
{
    size_t before = chosen->format_count;
    for (size_t i = 0; fpfmt_at(i) != NULL; i++)
        if (strcmp(name, "all") == 0 || is_word_of(fpfmt_at(i)->sets, name))
            add_format(chosen, fpfmt_at(i));
    return chosen->format_count > before;
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

bool read_formats(options *chosen, const char *list)
{
    bool good = true;
    char *name;
    chosen->formats_given = true;
    for (size_t i = 0; (name = list_item(list, i)) != NULL; i++) {
        fpfmt_format format;
        if (!add_set(chosen, name)) {
            if (find_format(&format, name))
                add_format(chosen, &format);
            else
                good = false;
        }
        free(name);
    }
    return good;
}
