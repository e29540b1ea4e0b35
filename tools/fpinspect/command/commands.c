/* commands.c - the table of what fpinspect can do
 * SPDX-License-Identifier: MIT */

#include "command/commands.h"

#include <string.h>

#include "command/inspect.h"
#include "command/offers.h"
#include "command/options.h"
#include "command/scan.h"
#include "command/views.h"
#include "facts/analysis.h"
#include "facts/block_lists.h"
#include "facts/format.h"
#include "facts/lists.h"
#include "facts/tensor_list.h"
#include "facts/values.h"
#include "kit/memory.h"
#include "screens/view.h"

enum {
    SCREEN = 1 << FORM_SCREEN,
    RECORDS = 1 << FORM_PLAIN | 1 << FORM_TSV | 1 << FORM_CSV | 1 << FORM_JSON | 1 << FORM_JSONL,
    QUIET = 1 << FORM_QUIET,
    EVERY = SCREEN | RECORDS | QUIET | 1 << FORM_PRINT
};

#define ROUNDING "round overflow saturate policy ftz daz tininess nan seed "

#define SOURCES "from tensor scale-of offset count endian "

#define BLOCKS "recipe scale tensor-scale "

#define FACTS(gatherer, drawer, list_name, schema, type)                                           \
    .gather = gatherer, .draw = drawer, .list = list_name, .fields = schema, .size = sizeof(type)
#define AT(member) .target = offsetof(request, member)

static const fpfmt_word plots[] = {
    { "density", "", "how many values lie in each binade", PLOT_DENSITY },
    { "error", "", "the largest relative error in each binade", PLOT_ERROR },
    { "staircase", "stairs", "what rounding makes of numbers near 0", PLOT_STAIRCASE },
};
static const word_table plot_words = OWN_WORDS("plot", plots);

/* clang-format off */
static const command_row rows[] = {
    { .option = { .name = "" },
      .takes = ROUNDING BLOCKS "random as from via explain stepwise neighbors exact print fail-on",
      .operands = UINT64_MAX, .forms = EVERY, .run = inspect },
    { .option = { .name = "compare", .letter = 'c', .summary = "show ranges and precisions",
                  .read = set_command, .heading = "Views:" },
      .takes = "as from", .operands = 1, .forms = SCREEN | RECORDS,
      FACTS(gather_targets, draw_compare, "formats", format_fields, format_facts) },
    { .option = { .name = "table", .letter = 'T', .takes = "FORMAT",
                  .summary = "show every value of a format", .read = show_format,
                  .offer = offer_shown },
      .takes = "", .forms = SCREEN | RECORDS, .about_format = true,
      FACTS(gather_values, draw_table, "values", value_fields, coded) },
    { .option = { .name = "info", .letter = 'i', .takes = "FORMAT",
                  .summary = "show the limits of a format", .read = show_format,
                  .offer = offer_shown },
      .takes = "", .forms = SCREEN | RECORDS,
      FACTS(gather_info, draw_info, "formats", format_fields, format_facts) },
    { .option = { .name = "diff", .takes = "A,B", .summary = "show how two formats differ",
                  .read = show_pair, .offer = offer_formats },
      .takes = "", .forms = SCREEN | RECORDS, .run = run_diff },
    { .option = { .name = "plot", .takes = "WHAT", .summary = "draw a picture", .read = show_word,
                  AT(plot), .offer = offer_words, .of = &plot_words },
      .takes = ROUNDING "as", .forms = SCREEN | RECORDS, .run = run_plot },
    { .option = { .name = "analyze", .summary = "tell whether the chain of --via can differ",
                  .read = set_command },
      .takes = ROUNDING "as via", .forms = SCREEN | RECORDS,
      FACTS(gather_analyses, draw_analyses, "analyses", analysis_fields, analysis) },
    { .option = { .name = "dot", .takes = "FILE,FILE",
                  .summary = "sum up the products of two files of numbers", .read = show_text,
                  AT(dot), .offer = offer_files },
      .takes = ROUNDING "as from accumulate init explain exact", .forms = SCREEN | QUIET | RECORDS,
      .run = run_dot },
    { .option = { .name = "scan", .letter = 's', .summary = "tell what formats would do to tensors of files",
                  .read = set_command },
      .takes = ROUNDING BLOCKS SOURCES "as axis worst jobs fail-on", .operands = UINT64_MAX,
      .forms = SCREEN | RECORDS, .run = run_scan },
    { .option = { .name = "merge", .summary = "add up reports of --scan --json",
                  .read = set_command },
      .takes = "fail-on", .operands = UINT64_MAX, .forms = SCREEN | RECORDS, .run = run_merge },
    { .option = { .name = "list", .summary = "list the tensors of files", .read = set_command },
      .takes = SOURCES, .operands = UINT64_MAX, .forms = SCREEN | RECORDS,
      FACTS(gather_tensors, draw_tensors, "tensors", listed_tensor_fields, listed_tensor) },
    { .option = { .name = "list-formats", .letter = 'l', .summary = "list the formats",
                  .read = set_command },
      .takes = "", .forms = SCREEN | RECORDS,
      FACTS(gather_formats, draw_formats, "formats", format_name_fields, format_facts) },
    { .option = { .name = "list-policies", .summary = "list the policies", .read = set_command },
      .takes = "", .forms = SCREEN | RECORDS,
      FACTS(gather_policies, draw_policies, "policies", policy_fields, policy_facts) },
    { .option = { .name = "list-modes", .summary = "list rounding modes and overflow rules",
                  .read = set_command },
      .takes = "", .forms = SCREEN | RECORDS,
      FACTS(gather_modes, draw_modes, "modes", mode_word_fields, mode_word_facts) },
    { .option = { .name = "list-accumulators", .summary = "list the accumulators",
                  .read = set_command },
      .takes = "", .forms = SCREEN | RECORDS,
      FACTS(gather_accumulators, draw_accumulators, "accumulators", accumulator_fields,
            accumulator_facts) },
    { .option = { .name = "list-blocks", .summary = "list the block formats",
                  .read = set_command },
      .takes = "", .forms = SCREEN | RECORDS,
      FACTS(gather_blocks, draw_blocks, "blocks", block_format_fields, block_format_facts) },
    { .option = { .name = "list-recipes", .summary = "list the recipes for scales of blocks",
                  .read = set_command },
      .takes = "", .forms = SCREEN | RECORDS,
      FACTS(gather_recipes, draw_recipe_list, "recipes", recipe_fields, recipe_facts) },
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };

const command_row *command_named(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].option.name, name) == 0)
            return &rows[i];
    return NULL;
}

const option_row *command_options(void)
{
    option_row *options = allocate(ROWS, sizeof *options);
    for (size_t i = 1; i < ROWS; i++) /* row 0 takes no option; the last one stays all zero */
        options[i - 1] = rows[i].option;
    return options;
}

void run_command(const request *chosen)
{
    const command_row *row = command_named(chosen->command);
    const char *about = row->about_format ? chosen->shown[0].name : NULL;
    fact_list facts = { .rows = NULL };
    if (chosen->shows_block)
        show_block(chosen);
    else if (row->run != NULL)
        row->run(chosen);
    else if (!row->gather(&facts, chosen))
        return;
    else if (chosen->form == FORM_SCREEN)
        row->draw(chosen, &facts);
    else
        print_records_about(chosen->form, fpinspect_schema, about, row->list, row->fields, facts,
                            row->size);
}
