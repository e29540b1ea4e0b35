/* main.c - fplab: experiments with numbers of few bits, exact and reproducible
 * SPDX-License-Identifier: MIT */

#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../fpinspect/distance.h"
#include "arguments.h"
#include "rows.h"

enum { WIDTH = 80 };

static const experiment *const experiments[] = {
    &update_experiment, &sum_experiment,  &dot_experiment,   &scale_experiment,
    &init_experiment,   &view_experiment, &train_experiment,
};
enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

uint64_t lab_seed;
static bool json, tsv, ascii;

static const lab_option common[] = {
    { "seed", "N", "seed of what is random; 0 without it", LAB_COUNT, &lab_seed, 0, UINT64_MAX },
    { "tsv", NULL, "print rows of fields separated by tabs", LAB_FLAG, &tsv, 0, 0 },
    { "json", NULL, "print the rows as JSON", LAB_FLAG, &json, 0, 0 },
    { "ascii", NULL, "use ASCII only", LAB_FLAG, &ascii, 0, 0 },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};
static const lab_option none[] = { { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 } };

static void list_options(const lab_option *row)
{
    for (; row->name != NULL; row++) {
        char name[40];
        snprintf(name, sizeof name, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
                 row->argument != NULL ? row->argument : "");
        printf("  %-22s %s\n", name, row->summary);
    }
}

static void print_help(void)
{
    fputs("Usage: fplab EXPERIMENT [OPTION]... [OPERAND]...\n"
          "Experiments with numbers of few bits: exact, and the same on every machine.\n\n",
          stdout);
    for (size_t i = 0; i < EXPERIMENTS; i++)
        printf("  %-7s %s\n", experiments[i]->name, experiments[i]->summary);
    fputs("\n", stdout);
    list_options(common);
    fputs("\n'fplab EXPERIMENT --help' tells what it takes. Manual: fplab(1).\n", stdout);
}

static void print_help_of(const experiment *of)
{
    printf("Usage: fplab %s [OPTION]...%s%s\n%c%s.\n  %s\n\n", of->name, *of->usage ? " " : "",
           of->usage, toupper((unsigned char)of->summary[0]), of->summary + 1, of->example);
    list_options(of->options);
    list_options(common);
}

static const experiment *find_experiment(const char *name)
{
    const experiment *nearest = experiments[0];
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
        if (kit_distance(experiments[i]->name, name) < kit_distance(nearest->name, name))
            nearest = experiments[i];
    }
    complain("unknown experiment '%s'; did you mean '%s'?", quoted(name, strlen(name)),
             nearest->name);
    return NULL;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

static void set_up_output(const experiment *of)
{
    const char *term = getenv("TERM");
    bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    bool color =
        is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR") || (isatty(STDOUT_FILENO) && !dumb);
    setlocale(LC_CTYPE, "");
    ascii |= strcasecmp(nl_langinfo(CODESET), "UTF-8") != 0;
    setlocale(LC_CTYPE, "C"); /* names are ASCII, whatever the environment */
    out_setup(ascii, color && !is_set("NO_COLOR"), WIDTH);
    rows_setup(json, tsv, of->name);
}

static bool takes(const experiment *of, int count)
{
    if (count >= of->least && count <= of->most)
        return true;
    complain("%s takes %s, not %d operand%s; try 'fplab %s --help'", of->name,
             *of->usage ? of->usage : "options only", count, count == 1 ? "" : "s", of->name);
    return false;
}

static void perform(const experiment *of, const arguments *given)
{
    if (json && tsv)
        complain("--json and --tsv exclude each other");
    else if (takes(of, given->count)) {
        set_up_output(of);
        of->run(given->count, given->operands);
        rows_finish();
    }
}

int main(int argc, char **argv)
{
    bool named = argc > 1 && argv[1][0] != '-';
    const experiment *of = named ? find_experiment(argv[1]) : NULL;
    if (named && of == NULL)
        return exit_status();
    const lab_option *const tables[] = { of != NULL ? of->options : none, common, NULL };
    static arguments given;
    given = read_arguments(argc - 1 - named, argv + 1 + named, of, tables);
    if (!given.good)
        return exit_status();
    if (given.version)
        printf("fplab %s\n", fpfmt_version());
    else if (of != NULL && given.help)
        print_help_of(of);
    else if (of != NULL)
        perform(of, &given);
    else if (given.count > 0)
        complain("the experiment comes first: fplab EXPERIMENT [OPTION]...");
    else
        print_help();
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0)
        complain("standard output: %s", errno != 0 ? strerror(errno) : "write error");
    return exit_status();
}
