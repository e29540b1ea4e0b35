/* commands.c - the table of what fpbudget can do
 * SPDX-License-Identifier: MIT */

#include "command/commands.h"

#include <string.h>

#include "facts/lists.h"
#include "kit/memory.h"
#include "screens/screens.h"

static const char schema[] = "fpbudget/1";

static void run_memory(const command_line *line)
{
    memory_budget *made = allocate(1, sizeof *made);
    if (!count_memory(made, &line->asked))
        return;
    if (line->form == FORM_SCREEN)
        draw_memory(made, &line->asked, line->explain);
    else if (line->form == FORM_JSON)
        json_memory(made, &line->asked);
    else
        print_records((form)line->form, schema, "parts", part_fields, memory_rows(made),
                      sizeof(memory_part));
}

static void run_flops(const command_line *line)
{
    flops_budget *made = allocate(1, sizeof *made);
    if (!count_flops(made, &line->asked))
        return;
    if (line->form == FORM_SCREEN)
        draw_flops(made, &line->asked, line->explain);
    else if (line->form == FORM_JSON)
        json_flops(made, &line->asked);
    else
        print_records((form)line->form, schema, "passes", pass_fields, flops_rows(made),
                      sizeof(pass));
}

/* A list is a row: which facts it gathers, how a screen draws them, and how programs read them. */
typedef struct {
    const char *name; /* of its option */
    fact_list (*gather)(void);
    void (*draw)(const fact_list *facts);
    const char *list; /* what JSON calls the facts */
    const field *fields;
    size_t size; /* bytes of one of the facts */
} list_row;

static const list_row lists[] = {
    { "list-recipes", gather_recipes, draw_recipes, "recipes", recipe_fields,
      sizeof(recipe_facts) },
    { "list-optimizers", gather_optimizers, draw_optimizers, "optimizers", optimizer_fields,
      sizeof(optimizer_facts) },
    { "list-devices", gather_devices, draw_devices, "devices", device_fields, sizeof(device_row) },
    { "list-formats", gather_blocks, draw_blocks, "formats", block_fields, sizeof(block_facts) },
};

static void run_list(const command_line *line)
{
    const list_row *row = lists;
    while (strcmp(row->name, line->command) != 0)
        row++;
    fact_list facts = row->gather();
    if (line->form == FORM_SCREEN)
        row->draw(&facts);
    else
        print_records((form)line->form, schema, row->list, row->fields, facts, row->size);
}

void run_command(const command_line *line)
{
    if (line->commands == COMMAND_MEMORY)
        run_memory(line);
    else if (line->commands == COMMAND_FLOPS)
        run_flops(line);
    else
        run_list(line);
}
