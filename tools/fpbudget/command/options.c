/* options.c - the command line of fpbudget: tables of options, and how they are read
 * SPDX-License-Identifier: MIT */

#include "command/options.h"

#include <string.h>

#include "facts/store.h"
#include "kit/memory.h"
#include "kit/records.h"
#include "kit/say.h"
#include "kit/text.h"

/* ---- readers; settings is the command line ---- */

/* The row's value is the kind of the amount. */
static bool set_amount(void *settings, const option_row *row, const char *text)
{
    amount *target = (amount *)((char *)settings + row->target);
    return read_amount(target, row->name, text, (amount_kind)row->value);
}

/* The target is a pointer to a row of the row_table of, whatever the type of its rows. */
static bool set_row(void *settings, const option_row *row, const char *text)
{
    const void *found = require_row(row->of, text);
    memcpy((char *)settings + row->target, &found, sizeof found);
    return found != NULL;
}

static bool set_weights(void *settings, const option_row *row, const char *text)
{
    command_line *line = settings;
    (void)row;
    return read_weights(&line->asked, text);
}

static bool set_store(void *settings, const option_row *row, const char *text)
{
    command_line *line = settings;
    (void)row;
    return read_store(&line->asked, text);
}

/* Two commands at once are refused when all options are known, unless help was asked for. */
static void set_command(command_line *line, const char *name, unsigned commands)
{
    line->several |= line->command != NULL && strcmp(line->command, name) != 0;
    line->command = name;
    line->commands = commands;
}

static bool set_list(void *settings, const option_row *row, const char *text)
{
    (void)text;
    set_command(settings, row->name, COMMAND_LISTS);
    return true;
}

/* ---- offers ---- */

static void offer_rows(const completion *now, const option_row *row)
{
    const row_table *table = row->of;
    for (size_t i = 0; i < table->count; i++)
        offer_word(now, head_at(table, i).name, head_at(table, i).summary);
}

/* Formats with scales, and formats without. */
static void offer_storage(const completion *now, const option_row *row)
{
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++)
        if (fpfmt_block_at(i)->size != FPFMT_BLOCK_ALL)
            offer_word(now, fpfmt_block_at(i)->name, fpfmt_block_at(i)->title);
    offer_formats(now, row);
}

static void offer_part(void *context, row_head part)
{
    const completion *now = context;
    char text[40];
    print_text(text, sizeof text, "%s=", part.name);
    offer_word(now, text, part.summary);
}

/* PART=FORMAT: a part, and behind the equals sign a format. */
static void offer_store(const completion *now, const option_row *row)
{
    const char *equals = strchr(now->typed, '=');
    if (equals == NULL) {
        completion part = *now;
        for_each_stored(offer_part, &part);
        return;
    }
    size_t size = strlen(now->before) + (size_t)(equals + 1 - now->typed) + 1;
    char *before = allocate(size, 1);
    print_text(before, size, "%s%s", now->before, now->typed);
    completion format = { .before = before, .typed = equals + 1 };
    offer_word(&format, "none", "not kept at all");
    offer_storage(&format, row);
    release(before);
}

/* ---- the tables ---- */

#define BOTH (COMMAND_MEMORY | COMMAND_FLOPS)
#define AT(member) .target = offsetof(command_line, member)
#define COUNT .read = set_amount, .value = AMOUNT_COUNT
#define RATE .read = set_amount, .value = AMOUNT_RATE
#define ROW_OF(table) .read = set_row, .offer = offer_rows, .of = &(table)
#define FORM(form_name, form_value, told)                                                          \
    {                                                                                              \
        .name = form_name, .summary = told, .read = set_value, AT(form), .value = form_value,      \
        .commands = BOTH | COMMAND_LISTS                                                           \
    }
#define LIST(list_name, told)                                                                      \
    {                                                                                              \
        .name = list_name, .summary = told, .read = set_list                                       \
    }

/* clang-format off */
static const option_row both_rows[] = {
    { .name = "params", .takes = "N", .summary = "parameters of the model", COUNT,
      AT(asked.parameters), .commands = BOTH, .heading = "Of both commands:" },
    { .name = "layers", .takes = "N", .summary = "layers of the model", COUNT, AT(asked.layers),
      .commands = BOTH },
    { .name = "hidden", .takes = "N", .summary = "hidden size of the model", COUNT,
      AT(asked.hidden), .commands = BOTH },
    { .name = "sequence", .takes = "N", .summary = "tokens of a sequence", COUNT,
      AT(asked.sequence), .commands = BOTH },
    { .name = "recompute", .takes = "HOW", .summary = "none, selective, full ...",
      ROW_OF(recompute_table), AT(asked.recompute), .commands = BOTH },
    { .name = "device", .takes = "NAME", .summary = "an accelerator", ROW_OF(device_table),
      AT(asked.device), .commands = BOTH },
    { .name = "devices", .takes = "N", .summary = "how many of them (1)", COUNT,
      AT(asked.devices), .commands = BOTH },
    { .name = "explain", .summary = "show the formulas with the numbers put in",
      .read = set_true, AT(explain), .commands = BOTH },
    { .name = NULL },
};

static const option_row memory_rows[] = {
    { .name = "recipe", .takes = "NAME", .summary = "what training keeps (mixed-adamw)",
      ROW_OF(recipe_table), AT(asked.recipe), .commands = COMMAND_MEMORY, .heading = "Of memory:" },
    { .name = "optimizer", .takes = "NAME", .summary = "instead of that of the recipe",
      ROW_OF(optimizer_table), AT(asked.optimizer), .commands = COMMAND_MEMORY },
    { .name = "weights", .takes = "FORMAT", .summary = "format of the parameters",
      .read = set_weights, .offer = offer_storage, .commands = COMMAND_MEMORY },
    { .name = "store", .takes = "PART=FORMAT", .summary = "formats of parts, with commas",
      .read = set_store, .offer = offer_store, .commands = COMMAND_MEMORY },
    { .name = "tensors", .takes = "N", .summary = "tensors that the parameters are (1)", COUNT,
      AT(asked.tensors), .commands = COMMAND_MEMORY },
    { .name = "memory", .takes = "BYTES", .summary = "what a device holds, as 80GiB",
      .read = set_amount, .value = AMOUNT_BYTES, AT(asked.memory), .commands = COMMAND_MEMORY },
    { .name = "heads", .takes = "N", .summary = "attention heads of the model", COUNT,
      AT(asked.heads), .commands = COMMAND_MEMORY },
    { .name = "batch", .takes = "N", .summary = "sequences at a time on a device (1)", COUNT,
      AT(asked.batch), .commands = COMMAND_MEMORY },
    { .name = NULL },
};

static const option_row flops_rows[] = {
    { .name = "tokens", .takes = "N", .summary = "tokens of the training", COUNT,
      AT(asked.tokens), .commands = COMMAND_FLOPS, .heading = "Of flops:" },
    { .name = "compute", .takes = "FORMAT", .summary = "format of the products (bf16)",
      ROW_OF(compute_table), AT(asked.compute), .commands = COMMAND_FLOPS },
    { .name = "peak", .takes = "FLOPS", .summary = "peak of a device in FLOP/s, as 312e12", RATE,
      AT(asked.peak), .commands = COMMAND_FLOPS },
    { .name = "mfu", .takes = "SHARE", .summary = "share of the peak that is used (0.5)",
      .read = set_amount, .value = AMOUNT_SHARE, AT(asked.mfu), .commands = COMMAND_FLOPS },
    { .name = "tokens-per-second", .takes = "N", .summary = "measured, of all devices", RATE,
      AT(asked.speed), .commands = COMMAND_FLOPS },
    { .name = "matmul", .takes = "AXES", .summary = "one product, as b=8 i=64, i j=32",
      .read = set_text, AT(asked.matmul), .commands = COMMAND_FLOPS },
    { .name = NULL },
};

static const option_row general_rows[] = {
    { .name = "tsv", .summary = "print tab-separated fields", .read = set_value, AT(form),
      .value = FORM_TSV, .commands = BOTH | COMMAND_LISTS, .heading = "Output:" },
    FORM("csv", FORM_CSV, "print comma-separated fields"),
    FORM("json", FORM_JSON, "print JSON, with all that was counted"),
    FORM("jsonl", FORM_JSONL, "print a line of JSON for each row"),
    DISPLAY_OPTIONS(offsetof(command_line, display)),
    { .name = "list-recipes", .summary = "list the recipes", .read = set_list,
      .heading = "Lists:" },
    LIST("list-optimizers", "list the optimizers"),
    LIST("list-devices", "list the accelerators"),
    LIST("list-formats", "list formats with scales"),
    { .name = "help", .letter = 'h', .summary = "print a summary", .read = set_true, AT(help) },
    { .name = "version", .letter = 'V', .summary = "print the version", .read = set_true,
      AT(version) },
    { .name = NULL },
};
/* clang-format on */

option_tables options_of(unsigned command)
{
    static const option_row *const all[] = { both_rows, memory_rows, flops_rows, general_rows,
                                             NULL };
    static const option_row *const of_memory[] = { both_rows, memory_rows, general_rows, NULL };
    static const option_row *const of_flops[] = { both_rows, flops_rows, general_rows, NULL };
    return command == COMMAND_MEMORY ? of_memory : command == COMMAND_FLOPS ? of_flops : all;
}

/* ---- reading ---- */

static const fpfmt_word commands[] = {
    { "memory", "", "count what training keeps on a device", COMMAND_MEMORY },
    { "flops", "", "count what training computes", COMMAND_FLOPS },
};
const word_table command_words = OWN_WORDS("command", commands);

static bool note_option(void *settings, const option_row *row)
{
    command_line *line = settings;
    line->given = more(line->given, line->given_count, sizeof *line->given);
    line->given[line->given_count++] = row;
    return true;
}

static bool take_operand(command_line *line, const char *text)
{
    const fpfmt_word *found = find_word(&command_words, text);
    if (found == NULL)
        complain("'%s' is neither 'memory' nor 'flops'; numbers follow an option, as --params 7e9",
                 quoted(text, strlen(text)));
    else
        set_command(line, found->name, found->meaning);
    return found != NULL;
}

bool read_command_line(command_line *line, int argc, char **argv)
{
    const option_reading how = {
        .name = "fpbudget", .tables = options_of(0), .settings = line, .accepts = note_option
    };
    memset(line, 0, sizeof *line);
    line->display = usual_display();
    read_variables(&how);
    arguments read = read_arguments(&how, argc, argv);
    /* What follows an option that is none would only be taken for another mistake. */
    bool good = read.good;
    for (size_t i = 0; good && i < read.count; i++)
        good = take_operand(line, read.operands[i]);
    return good;
}
