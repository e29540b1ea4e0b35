/* options.c - the command line, read by the tables that describe it
 * SPDX-License-Identifier: MIT */

#include "kit/options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/distance.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"

/* Beyond every letter, so that getopt_long tells rows by number and letters by themselves. */
enum { FIRST_ROW = 256 };

/* What getopt_long is told: all rows, and a string of the letters. */
typedef struct {
    struct option *names;
    const option_row **rows;
    size_t count;
    char *letters;
} known_options;

static known_options know(option_tables tables)
{
    known_options known = { .names = NULL };
    size_t room = 3;
    for (option_tables t = tables; *t != NULL; t++)
        for (const option_row *row = *t; row->name != NULL; row++) {
            known.rows = more(known.rows, known.count, sizeof *known.rows);
            known.rows[known.count++] = row;
            room += 2;
        }
    known.names = allocate(known.count + 1, sizeof *known.names);
    known.letters = allocate(room, 1);
    strcpy(known.letters,
           "+:"); /* stop at operands; tell a missing argument from an unknown name */
    for (size_t i = 0; i < known.count; i++) {
        const option_row *row = known.rows[i];
        known.names[i] = (struct option){ .name = row->name,
                                          .has_arg = row->takes != NULL,
                                          .val = FIRST_ROW + (int)i };
        size_t end = strlen(known.letters);
        if (row->letter != '\0')
            sprintf(known.letters + end, "%c%s", row->letter, row->takes != NULL ? ":" : "");
    }
    return known;
}

/* The row of getopt_long's answer, a number or a letter; NULL if it is neither. */
static const option_row *row_of(const known_options *known, int answer)
{
    if (answer >= FIRST_ROW)
        return known->rows[answer - FIRST_ROW];
    for (size_t i = 0; i < known->count; i++)
        if (known->rows[i]->letter != '\0' && known->rows[i]->letter == answer)
            return known->rows[i];
    return NULL;
}

static bool begins(const char *name, const char *typed)
{
    return strncmp(name, typed, strlen(typed)) == 0;
}

/* A shortened name of several options: all of them. False if it is none. */
static bool complain_about_start(const known_options *known, const char *name, const char *shown)
{
    char all[200] = "";
    size_t count = 0;
    for (size_t i = 0; i < known->count; i++) {
        const option_row *row = known->rows[i];
        if (row->hidden || !begins(row->name, name))
            continue;
        append_text(all, sizeof all, "%s--%s", count > 0 ? ", " : "", row->name);
        count++;
    }
    if (count > 1)
        complain("option '%s' could mean any of %s", shown, all);
    return count > 1;
}

/* An option that is none: the nearest name if it is near, else where to find all names. */
static void complain_about_name(const option_reading *how, const known_options *known,
                                const char *argument)
{
    char name[64], listed[64];
    name_search search = { .typed = name, .elsewhere = listed };
    const char *shown = quoted(argument, strlen(argument));
    print_text(name, sizeof name, "%s", argument + 2);
    name[strcspn(name, "=")] = '\0';
    if (complain_about_start(known, name, shown))
        return;
    for (size_t i = 0; i < known->count; i++)
        if (!known->rows[i]->hidden)
            consider_name(&search, known->rows[i]->name);
    print_text(listed, sizeof listed, "try '%s --help'", how->name);
    complain("unknown option '%s'%s", shown, hint_of(&search, "--"));
}

/* What getopt_long did not take. */
static void complain_about_option(const option_reading *how, const known_options *known,
                                  const char *argument, int answer)
{
    const option_row *row = row_of(known, optopt);
    if (answer == ':' && row != NULL)
        complain("option --%s needs an argument", row->name);
    else if (argument[1] != '-')
        complain("unknown option '-%c'; try '%s --help'", isprint(optopt) ? optopt : '?',
                 how->name);
    else if (row != NULL)
        complain("option --%s takes no argument", row->name);
    else
        complain_about_name(how, known, argument);
}

static bool read_one(const option_reading *how, const known_options *known, const char *argument,
                     int answer)
{
    const option_row *row = answer == '?' || answer == ':' ? NULL : row_of(known, answer);
    if (row == NULL) {
        complain_about_option(how, known, argument, answer);
        return false;
    }
    return (how->accepts == NULL || how->accepts(how->settings, row)) &&
           row->read(how->settings, row, optarg == NULL ? "" : optarg);
}

static bool is_option(const option_reading *how, const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0' &&
           (how->is_operand == NULL || !how->is_operand(argument));
}

/* Could the option take this text? A number has its bounds, and the words of tables are ours. */
static bool could_take(const option_row *row, const char *text)
{
    uint64_t number;
    return row->most == 0 || parse_whole(&number, text, row->least, row->most);
}

/* The argument that a word of a row's list of variables gives, NULL if the variable is empty. */
static const char *argument_from(const char *variable)
{
    char name[64];
    size_t length = strcspn(variable, "= ");
    print_text(name, sizeof name, "%.*s", (int)length, variable);
    const char *value = getenv(name);
    if (value == NULL || *value == '\0' || variable[length] != '=')
        return value == NULL || *value == '\0' ? NULL : value;
    return variable + length + 1;
}

static void read_variables_of(const option_reading *how, const option_row *row)
{
    const char *next = row->environment;
    while (next != NULL && *next != '\0') {
        const char *given = argument_from(next);
        if (given != NULL) {
            bool own = given > next && given < next + strlen(next);
            char *text = copy_text(given, own ? strcspn(given, " ") : strlen(given));
            if (could_take(row, text))
                row->read(how->settings, row, text);
            return;
        }
        next += strcspn(next, " ");
        next += strspn(next, " ");
    }
}

void read_variables(const option_reading *how)
{
    for (option_tables t = how->tables; *t != NULL; t++)
        for (const option_row *row = *t; row->name != NULL; row++)
            read_variables_of(how, row);
}

/* getopt_long keeps its place in a group of letters, as -qx, in variables of its own. Zero makes it
 * forget that place, and with no arguments it then stands before the first one. */
static void begin_anew(char **all, const known_options *known)
{
    opterr = 0;
    optind = 0;
    getopt_long(1, all, known->letters, known->names, NULL);
    optind = 1;
}

arguments read_arguments(const option_reading *how, int argc, char **argv)
{
    known_options known = know(how->tables);
    arguments read = { .operands = allocate((size_t)argc + 1, sizeof *read.operands),
                       .good = true };
    bool only_operands = false;
    char **all = allocate((size_t)argc + 2, sizeof *all);
    all[0] = copy_text(how->name, strlen(how->name));
    memcpy(all + 1, argv, (size_t)argc * sizeof *all);
    begin_anew(all, &known);
    while (optind <= argc) {
        char *argument = all[optind];
        if (!only_operands && strcmp(argument, "--") == 0) {
            only_operands = true;
            optind++;
        } else if (only_operands || !is_option(how, argument)) {
            read.operands[read.count++] = argument;
            optind++;
        } else {
            optopt = 0;
            int answer = getopt_long(argc + 1, all, known.letters, known.names, NULL);
            read.good &= read_one(how, &known, argument, answer);
        }
    }
    return read;
}
