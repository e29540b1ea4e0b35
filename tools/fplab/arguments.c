/* arguments.c - the command line of an experiment, read by the table of its options
 * SPDX-License-Identifier: MIT */

#include "arguments.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../fpinspect/distance.h"
#include "../fpinspect/targets.h"

bool lab_number(fpfmt_value *value, fpfmt_ratio *ratio, const char *text, const char *what)
{
    const char *why = NULL, *shown = quoted(text, strlen(text));
    size_t length = strlen(text), read = fpfmt_parse(value, text, length, &why);
    if (read == 0 || why != NULL)
        complain("%s: '%s' is not a number", what, shown);
    else if (!fpfmt_value_is_finite(*value))
        complain("%s must be finite, not %s", what, shown);
    else if (ratio != NULL && fpfmt_parse_ratio(ratio, text, length, NULL) != length)
        complain("%s: '%s' takes too many digits", what, shown);
    else
        return true;
    return false;
}

bool lab_count(uint64_t *count, const char *text, const char *what, uint64_t least, uint64_t most)
{
    uint64_t n = 0;
    size_t digits = strspn(text, "0123456789");
    bool good = digits > 0 && text[digits] == '\0';
    for (size_t i = 0; good && i < digits; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        good = n <= (UINT64_MAX - digit) / 10;
        n = 10 * n + digit;
    }
    if (!good || n < least || n > most) {
        complain("%s must be a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", what, least,
                 most, quoted(text, strlen(text)));
        return false;
    }
    *count = n;
    return true;
}

bool lab_read_formats(lab_formats *formats, const char *list)
{
    options read = { 0 };
    if (!read_formats(&read, list)) {
        free(read.formats);
        return false;
    }
    *formats = (lab_formats){ .rows = read.formats, .count = read.format_count };
    return true;
}

static bool set(const lab_option *option, const char *text)
{
    char what[40];
    snprintf(what, sizeof what, "--%s", option->name);
    switch (option->kind) {
    case LAB_FLAG: *(bool *)option->target = true; return true;
    case LAB_TEXT: *(const char **)option->target = text; return true;
    case LAB_COUNT: return lab_count(option->target, text, what, option->least, option->most);
    case LAB_FORMAT: return find_format(option->target, text);
    case LAB_FORMATS: return lab_read_formats(option->target, text);
    }
    return false;
}

/* The option of this name, and the nearest one by edits. */
static const lab_option *find(const char *name, const lab_option *const tables[],
                              const lab_option **nearest)
{
    *nearest = NULL;
    for (; *tables != NULL; tables++)
        for (const lab_option *row = *tables; row->name != NULL; row++) {
            if (strcmp(row->name, name) == 0)
                return row;
            if (*nearest == NULL ||
                kit_distance(row->name, name) < kit_distance((*nearest)->name, name))
                *nearest = row;
        }
    return NULL;
}

static void complain_about_option(const char *argument, const char *name, const lab_option *nearest,
                                  const experiment *of)
{
    const char *shown = quoted(argument, strlen(argument)), *blank = of != NULL ? " " : "";
    if (nearest != NULL && kit_distance(nearest->name, name) <= strlen(name) / 2)
        complain("unknown option '%s'; did you mean '--%s'?", shown, nearest->name);
    else
        complain("unknown option '%s'; try 'fplab%s%s --help'", shown, blank,
                 of != NULL ? of->name : "");
}

/* -1e-3 and -.5 are numbers, and so are -inf and -nan, which are refused later. */
static bool is_operand(const char *argument)
{
    return argument[0] != '-' || argument[1] == '\0' || argument[1] == '.' ||
           isdigit((unsigned char)argument[1]) || strncasecmp(argument, "-inf", 4) == 0 ||
           strncasecmp(argument, "-nan", 4) == 0;
}

/* --name, --name=VALUE, or --name and then VALUE; false after a complaint. */
static bool read_option(char *argument, char *const *next, int *taken, const experiment *of,
                        const lab_option *const tables[])
{
    char name[40];
    const lab_option *nearest;
    const char *value = strchr(argument, '=');
    size_t length = strcspn(argument, "=");
    bool is_long = argument[1] == '-';
    snprintf(name, sizeof name, "%.*s", (int)length - 1 - is_long, argument + 1 + is_long);
    const lab_option *found = is_long ? find(name, tables, &nearest) : NULL;
    *taken = 0;
    if (found == NULL) {
        complain_about_option(argument, name, is_long ? nearest : NULL, of);
        return false;
    }
    if (found->kind == LAB_FLAG && value != NULL) {
        complain("option --%s takes no argument", name);
        return false;
    }
    if (found->kind == LAB_FLAG || value != NULL)
        return set(found, value == NULL ? "" : value + 1);
    if (*next == NULL) {
        complain("option --%s needs an argument", name);
        return false;
    }
    *taken = 1;
    return set(found, *next);
}

arguments read_arguments(int argc, char **argv, const experiment *of,
                         const lab_option *const tables[])
{
    arguments read = { .good = true };
    bool only_operands = false;
    int taken = 0;
    read.operands = lab_allocate((size_t)argc + 1, sizeof *read.operands);
    for (int i = 0; i < argc; i += 1 + taken) {
        char *argument = argv[i];
        taken = 0;
        if (only_operands || is_operand(argument))
            read.operands[read.count++] = argument;
        else if (strcmp(argument, "--") == 0)
            only_operands = true;
        else if (strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0)
            read.help = true;
        else if (strcmp(argument, "-V") == 0 || strcmp(argument, "--version") == 0)
            read.version = true;
        else
            read.good &= read_option(argument, &argv[i + 1], &taken, of, tables);
    }
    return read;
}
