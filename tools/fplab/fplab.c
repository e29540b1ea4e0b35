/* fplab.c - one command line, from its words to what an experiment prints
 * SPDX-License-Identifier: MIT */

#include "fplab.h"

#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include "experiments.h"
#include "help.h"
#include "kit/memory.h"
#include "kit/run.h"
#include "kit/say.h"
#include "kit/text.h"
#include "operands.h"

/* Options of an experiment, or of fplab alone, with the NULL that ends the list. */
typedef struct {
    const option_row *tables[4];
} known_tables;

static known_tables tables_of(const experiment *of)
{
    return of == NULL ? (known_tables){ { common_options, about_options, NULL } }
                      : (known_tables){ { of->options, common_options, about_options, NULL } };
}

/* ---- completions ---- */

/* What may follow the name of an experiment and these words, the last of which is being typed. */
static void complete_experiment(const experiment *of, int count, char **words)
{
    known_tables known = tables_of(of);
    completion now = { .before = "", .typed = words[count - 1] };
    bool operand = print_candidates(known.tables, count, words);
    if (operand && of->offer_operand != NULL)
        of->offer_operand(&now, NULL);
}

/* What the first word may become: an experiment, or a question about fplab. */
static void complete_first(int count, char **words)
{
    const option_row *const tables[] = { about_options, NULL };
    completion now = { .before = "", .typed = words[0] };
    if (!print_candidates(tables, count, words))
        return;
    for (size_t i = 0; experiment_at(i) != NULL; i++)
        offer_word(&now, experiment_at(i)->name, experiment_at(i)->summary);
}

/* The scripts of completions ask: fplab --complete WORD..., the last of which is being typed. */
static bool completes_words(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--complete") != 0)
        return false;
    const experiment *of = argc > 3 ? experiment_named(argv[2]) : NULL;
    if (argc == 3)
        complete_first(1, argv + 2);
    else if (of != NULL)
        complete_experiment(of, argc - 3, argv + 3);
    return true;
}

/* ---- performing ---- */

/* The settings of an experiment, or those of fplab alone, before any option is read. */
static void *usual_settings(const experiment *of)
{
    common_settings *settings = allocate(1, of == NULL ? sizeof *settings : of->size);
    if (of != NULL && of->usual != NULL)
        memcpy(settings, of->usual, of->size);
    settings->display = usual_display();
    return settings;
}

static bool takes(const experiment *of, size_t count)
{
    if (count >= of->least && count <= of->most)
        return true;
    complain("%s takes %s, not %zu operand%s; try 'fplab %s --help'", of->name,
             *of->usage != '\0' ? of->usage : "options only", count, count == 1 ? "" : "s",
             of->name);
    return false;
}

static void perform(const experiment *of, common_settings *asked, const arguments *given)
{
    if (asked->several_forms) {
        complain("--tsv, --csv, --json and --jsonl exclude each other");
    } else if (takes(of, given->count)) {
        asked->display.screen = asked->form == FORM_SCREEN;
        use_display(&asked->display);
        lab_page *page = lab_open((form)asked->form, of->name, &asked->seed);
        of->run(asked, page, given->operands, given->count);
        lab_close(page);
    }
}

/* The words of the command line behind the experiment's name; of is NULL where there is none. */
static void read_and_perform(const experiment *of, int argc, char **argv)
{
    char name[40];
    known_tables known = tables_of(of);
    common_settings *asked = usual_settings(of);
    print_text(name, sizeof name, "fplab%s%s", of != NULL ? " " : "", of != NULL ? of->name : "");
    const option_reading how = {
        .name = name, .tables = known.tables, .settings = asked, .is_operand = is_negative_number
    };
    read_variables(&how);
    arguments given = read_arguments(&how, argc, argv);
    if (!given.good)
        return;
    if (asked->version)
        print_version();
    else if (asked->help && of != NULL)
        print_help_of(of);
    else if (of != NULL)
        perform(of, asked, &given);
    else if (given.count > 0)
        complain("the experiment comes first: fplab EXPERIMENT [OPTION]...");
    else
        print_help();
}

/* GMP and MPFR keep some of their memory from run to run, and end the process where there is none;
 * here that ends the run. */
static void *for_numbers(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL)
        end_of_memory();
    return memory;
}

static void *for_longer_numbers(void *old, size_t before, size_t size)
{
    (void)before;
    void *memory = realloc(old, size);
    if (memory == NULL)
        end_of_memory();
    return memory;
}

static void free_numbers(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

int fplab(int argc, char **argv)
{
    mp_set_memory_functions(for_numbers, for_longer_numbers, free_numbers);
    if (completes_words(argc, argv))
        return this_run()->status;
    bool named = argc > 1 && argv[1][0] != '-';
    const experiment *of = named ? find_experiment(argv[1]) : NULL;
    if (named && of != NULL)
        read_and_perform(of, argc - 2, argv + 2);
    else if (!named)
        read_and_perform(NULL, argc - 1, argv + 1);
    return this_run()->status;
}
