/* help.c - what fplab says of itself
 * SPDX-License-Identifier: MIT */

#include "help.h"

#include <ctype.h>
#include <stdio.h>

#include "experiments.h"
#include "kit/run.h"

void print_help(void)
{
    FILE *to = this_run()->out;
    const option_row *const tables[] = { common_options, NULL };
    fputs("Usage: fplab EXPERIMENT [OPTION]... [OPERAND]...\n"
          "Experiments with numbers of few bits: exact, and the same on every machine.\n\n",
          to);
    for (size_t i = 0; experiment_at(i) != NULL; i++)
        fprintf(to, "  %-7s %s\n", experiment_at(i)->name, experiment_at(i)->summary);
    fputs("\n", to);
    print_options_spaced(tables);
    fputs("\n'fplab EXPERIMENT --help' tells what it takes. Manual: fplab(1).\n", to);
}

void print_help_of(const experiment *of)
{
    const option_row *const tables[] = { of->options, common_options, NULL };
    fprintf(this_run()->out, "Usage: fplab %s [OPTION]...%s%s\n%c%s.\n  %s\n\n", of->name,
            *of->usage != '\0' ? " " : "", of->usage, toupper((unsigned char)of->summary[0]),
            of->summary + 1, of->example);
    print_options_spaced(tables);
}

void print_version(void)
{
    fprintf(this_run()->out, "fplab %s\n", fpfmt_version());
}
