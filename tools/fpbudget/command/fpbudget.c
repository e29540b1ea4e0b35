/* fpbudget.c - one command line, from its words to what is printed
 * SPDX-License-Identifier: MIT */

#include "command/fpbudget.h"

#include <string.h>

#include "command/combinations.h"
#include "command/commands.h"
#include "command/help.h"
#include "kit/memory.h"
#include "kit/run.h"

/* The bit of the command among these words; 0 for none. */
static unsigned command_among(int count, char **words)
{
    for (int i = 0; i < count; i++) {
        const fpfmt_word *found = find_word(&command_words, words[i]);
        if (found != NULL)
            return found->meaning;
    }
    return 0;
}

/* The scripts of completions ask: fpbudget --complete WORD..., the last of which is being typed. */
static bool completes_words(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--complete") != 0)
        return false;
    unsigned command = command_among(argc - 3, argv + 2);
    if (print_candidates(options_of(command), argc - 2, argv + 2) && command == 0)
        print_command_candidates(&command_words, argc - 2, argv + 2);
    return true;
}

/* Help and the version go before all else that was asked for, so that both can be put behind any
 * command line. */
int fpbudget(int argc, char **argv)
{
    command_line *line = allocate(1, sizeof *line);
    if (completes_words(argc, argv) || !read_command_line(line, argc - 1, argv + 1))
        return this_run()->status;
    line->display.screen = line->form == FORM_SCREEN && !line->help && !line->version;
    use_display(&line->display);
    if (line->help)
        print_help(line->several ? 0 : line->commands);
    else if (line->version)
        print_version();
    else if (!go_together(line))
        return this_run()->status;
    else if (line->command == NULL)
        print_help(0);
    else
        run_command(line);
    return this_run()->status;
}
