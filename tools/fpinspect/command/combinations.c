/* combinations.c - what goes together: a command with its options, forms and operands
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "command/columns.h"
#include "command/commands.h"
#include "facts/report.h"
#include "kit/list.h"
#include "kit/say.h"

/* Options that go with no form of their own, and with every command. */
static const char always[] = "color ascii width tsv csv plain json jsonl quiet";

/* A sentence for a pair that users try, where the general one would leave them wondering. */
typedef struct {
    const char *command, *option, *why;
} reason;
static const reason reasons[] = {
    { "", "accumulate", "--accumulate is for --dot, which names two files" },
    { "", "init", "--init is for --dot, which names two files" },
    { "dot", "via", "--dot rounds as its accumulators do: it takes no --via" },
    { "dot", "stepwise", "--stepwise is for expressions; --dot shows accumulators side by side" },
    { "dot", "neighbors", "--dot shows no neighbours" },
    { "dot", "print", "--dot has fields of its own: it takes no --print" },
    { "dot", "fail-on", "--dot tells results and not flags: it takes no --fail-on" },
};

static bool refuse_option(const command_row *row, const char *option)
{
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(reasons[i].command, row->option.name) == 0 &&
            strcmp(reasons[i].option, option) == 0) {
            complain("%s", reasons[i].why);
            return false;
        }
    complain("--%s takes no --%s", row->option.name, option);
    return false;
}

static bool takes_options(const request *chosen)
{
    const command_row *row = command_named(chosen->command);
    for (size_t i = 0; i < chosen->given_count; i++) {
        const char *option = chosen->given[i]->name;
        if (strcmp(option, row->option.name) != 0 && !is_word_of(always, option) &&
            !is_word_of(row->takes, option))
            return refuse_option(row, option);
    }
    return true;
}

/* What depends on more than one option. */
typedef struct {
    bool holds;
    const char *why;
} conflict;

static bool none_of(const conflict *those, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (those[i].holds) {
            complain("%s", those[i].why);
            return false;
        }
    return true;
}

/* The random bits that a column's rounding takes: 64 is all, and 0 that it takes none. */
static int random_bits_of(const policy_choice *column)
{
    return column->rounding == FPFMT_ROUND_STOCHASTIC         ? 64
           : column->rounding == FPFMT_ROUND_STOCHASTIC_EQUAL ? 1
           : takes_random_bits(column->rounding)              ? column->random_bits
                                                              : 0;
}

/* --random is the draw of one rounding, in every column by chance. */
static bool takes_random(const request *chosen)
{
    for (size_t i = 0; chosen->has_random && i < chosen->column_count; i++) {
        int bits = random_bits_of(&chosen->columns[i]);
        if (bits == 0) {
            complain("--random is for a stochastic mode, as --round sr-a:8");
            return false;
        }
        if (bits < 64 && chosen->random >> bits != 0) {
            complain("--random %llu is more than the %d random bits of the mode",
                     (unsigned long long)chosen->random, bits);
            return false;
        }
    }
    return true;
}

/* What block formats do not go with. */
static bool blocks_agree(const request *chosen)
{
    bool scan = strcmp(chosen->command, "scan") == 0;
    bool plain = scan || *chosen->command == '\0', quantises = chosen->blocks.count > 0;
    bool blocks = quantises || chosen->from_block;
    bool rounds = chosen->policies.list != NULL || chosen->columns[0].rounding >= 0 ||
                  chosen->columns[0].overflow >= 0;
    const conflict conflicts[] = {
        { blocks && !plain, "block formats go with values, --info and the lists, and not with "
                            "other views" },
        { quantises && !scan && chosen->formats.count > 0,
          "--as takes formats, or block formats, whose values share scales: not both at a time" },
        { quantises && chosen->from_block,
          "--from names a block format to be read back: it goes with no block format in --as" },
        { blocks && chosen->via_count > 0, "block formats take values as they are: no --via" },
        { blocks && chosen->stepwise, "block formats take values as they are: no --stepwise" },
        { blocks && chosen->neighbors > 0, "elements of blocks are shown without --neighbors" },
        { blocks && chosen->has_random,
          "--random is the draw of one rounding, and a block has many" },
        { blocks && !scan && chosen->column_count > 1,
          "block formats take one way of rounding, not a list; --recipe makes columns" },
        { chosen->recipes.list != NULL && chosen->from_block,
          "--recipe makes scales from values; codes of --from have their scales already, in "
          "--scale" },
        { chosen->recipes.list != NULL && !quantises,
          "--recipe is for block formats, as --as mxfp4" },
        { chosen->tensor_scale != NULL && !blocks,
          "--tensor-scale is for block formats with two scales, as --as nvfp4" },
        { chosen->scales != NULL && !chosen->from_block,
          "--scale is for codes of a block format, as --from mxfp4" },
        { chosen->from_block && !quantises && chosen->formats_given,
          "--from of a block format shows what its codes hold: it takes no --as" },
        { chosen->from_block && rounds,
          "codes of a block format hold what they hold: they take no --round, --overflow and "
          "--policy" },
        { chosen->from_block && chosen->explain, "--explain is for values, and not for codes" },
    };
    return none_of(conflicts, sizeof conflicts / sizeof conflicts[0]);
}

/* Fields of --print that only block formats have. */
static bool fields_agree(const request *chosen)
{
    bool blocks = chosen->blocks.count > 0 || chosen->from_block;
    for (size_t i = 0; !blocks && i < chosen->field_count; i++)
        if (report_field(chosen->fields[i]->name) == NULL) {
            complain("field '%s' is of block formats alone, as --as mxfp4",
                     chosen->fields[i]->name);
            return false;
        }
    return true;
}

static bool has_share(const request *chosen)
{
    bool any = false;
    for (size_t i = 0; i < chosen->limit_count; i++)
        any |= chosen->limits[i].has_share;
    return any;
}

static bool agrees(const request *chosen)
{
    bool dot = strcmp(chosen->command, "dot") == 0, scan = strcmp(chosen->command, "scan") == 0;
    const conflict conflicts[] = {
        { strcmp(chosen->command, "compare") == 0 && chosen->operand_count > 0 &&
              chosen->form != FORM_SCREEN,
          "--compare marks a value on its screen alone: leave it out in other forms" },
        { !scan && has_share(chosen),
          "--fail-on takes a share of elements with --scan, and without it a word alone" },
        { scan && chosen->from_block, "--from of a scan is a format, and no block format" },
        { scan && (chosen->scales != NULL || chosen->tensor_scale != NULL),
          "--scan makes scales of blocks itself: it takes neither --scale nor --tensor-scale" },
        { dot && !chosen->has_from, "--dot needs the format of its inputs, as --from e4m3" },
        { !dot && chosen->from_pair, "--from takes two formats with --dot, which has two files" },
        { chosen->has_random && (chosen->stepwise || chosen->via_count > 0),
          "--random is the draw of one rounding: it goes with neither --stepwise nor --via" },
        { chosen->has_random && chosen->explain,
          "--explain tells of the draw of --seed, and not of that of --random" },
        { dot && chosen->column_count > 1, "--dot takes one way of rounding, not a list" },
        { dot && chosen->explain && chosen->form != FORM_SCREEN,
          "--explain draws a screen, and --dot was asked for another form" },
        { chosen->stepwise && chosen->has_from,
          "--stepwise takes expressions, and with --from each value is raw bits" },
        { chosen->stepwise && chosen->via_count > 0,
          "--stepwise rounds operations and --via rounds conversions: one of them at a time" },
        { chosen->stepwise && chosen->form == FORM_QUIET,
          "--quiet prints one number; for that of --stepwise too, write "
          "--print=exact,stepwise-exact" },
    };
    return none_of(conflicts, sizeof conflicts / sizeof conflicts[0]) && takes_random(chosen) &&
           blocks_agree(chosen) && fields_agree(chosen);
}

bool keeps_to_row(const request *chosen)
{
    const command_row *row = command_named(chosen->command);
    if (chosen->several_commands) {
        complain(
            "only one of --compare, --table, --info, --diff, --plot, --analyze, --dot, --scan and the "
            "lists at a time");
        return false;
    }
    if (!takes_options(chosen))
        return false;
    if ((row->forms & 1u << chosen->form) == 0) {
        complain("--%s does not print in the form that was asked for", row->option.name);
        return false;
    }
    if (chosen->operand_count > row->operands) {
        const char *extra = chosen->operands[row->operands];
        complain("--%s takes %s, so that '%s' is one too many", row->option.name,
                 row->operands == 0 ? "no value" : "one value", quoted(extra, strlen(extra)));
        return false;
    }
    return agrees(chosen);
}
