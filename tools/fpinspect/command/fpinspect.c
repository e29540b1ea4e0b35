/* fpinspect.c - one command line, from its words to what is printed
 * SPDX-License-Identifier: MIT */

#include "command/fpinspect.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/commands.h"
#include "command/help.h"
#include "command/options.h"
#include "kit/memory.h"
#include "kit/run.h"

/* Help and the version go with anything. Nothing at all, on a terminal, asks for help. */
static bool answers_question(const request *chosen, option_tables tables)
{
    bool nothing = *chosen->command == '\0' && chosen->operand_count == 0;
    bool help = strcmp(chosen->command, "help") == 0;
    bool version = strcmp(chosen->command, "version") == 0;
    if (help || (nothing && isatty(fileno(this_run()->in))))
        print_help(tables);
    else if (version)
        print_version();
    else
        return false;
    return true;
}

int fpinspect(int argc, char **argv)
{
    const option_row *const tables[] = { general_options, command_options(), NULL };
    request *chosen = allocate(1, sizeof *chosen);
    if (completes(tables, argc, argv) || !read_request(chosen, tables, argc - 1, argv + 1) ||
        answers_question(chosen, tables) || !keeps_to_row(chosen))
        return this_run()->status;
    chosen->display.screen = chosen->form == FORM_SCREEN;
    use_display(&chosen->display);
    run_command(chosen);
    return this_run()->status;
}
