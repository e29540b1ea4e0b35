/* options.c - the command line of fpcast: a table of options, and how they are read
 * SPDX-License-Identifier: MIT */

#include "command/options.h"

#include <string.h>

#include "kit/blocks.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/records.h"
#include "kit/rounding.h"
#include "kit/say.h"
#include "kit/text.h"
#include "plan/layouts.h"

/* ---- readers; settings is the command line ---- */

static void add_rule(command_line *line, const char *pattern, const char *target)
{
    request *asked = &line->asked;
    asked->rules = more(asked->rules, asked->rule_count, sizeof *asked->rules);
    asked->rules[asked->rule_count++] = (cast_rule){ pattern, target };
}

/* PATTERN=FORMAT: the last equals sign counts, as names may have others. */
static bool add_tensors(void *settings, const option_row *row, const char *text)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0') {
        complain("--%s takes a pattern of names and a format, as 'model.layers.*=e4m3', not '%s'",
                 row->name, quoted(text, strlen(text)));
        return false;
    }
    add_rule(settings, copy_text(text, (size_t)(equals - text)), equals + 1);
    return true;
}

static bool add_kept(void *settings, const option_row *row, const char *text)
{
    (void)row;
    add_rule(settings, text, NULL);
    return true;
}

static bool set_policy(void *settings, const option_row *row, const char *text)
{
    command_line *line = settings;
    (void)row;
    line->asked.policy = find_policy(text);
    line->asked.has_policy = true;
    return line->asked.policy != NULL;
}

static bool set_rounding(void *settings, const option_row *row, const char *text)
{
    command_line *line = settings;
    (void)row;
    line->asked.has_policy = true;
    return read_rounding(text, &line->asked.rounding, &line->asked.random_bits);
}

static bool set_rule_word(void *settings, const option_row *row, const char *text)
{
    ((command_line *)settings)->asked.has_policy = true;
    return set_word(settings, row, text);
}

static bool set_from(void *settings, const option_row *row, const char *text)
{
    ((command_line *)settings)->asked.has_from = true;
    return set_format(settings, row, text);
}

static bool set_layout(void *settings, const option_row *row, const char *text)
{
    const fpfmt_word *found = read_word(row->of, text);
    if (found != NULL)
        ((command_line *)settings)->asked.layout = found->name;
    return found != NULL;
}

static bool add_condition(request *asked, char *item)
{
    fail_limit made = { .outcome = 0 };
    char *colon = strchr(item, ':');
    if (colon != NULL)
        *colon = '\0';
    const fpfmt_word *outcome = read_word(&status_words, item);
    if (outcome == NULL || !read_share(&made, outcome->name, colon == NULL ? NULL : colon + 1))
        return false;
    made.outcome = outcome->meaning;
    asked->counts = true;
    asked->limits = more(asked->limits, asked->limit_count, sizeof made);
    asked->limits[asked->limit_count++] = made;
    return true;
}

static bool add_conditions(void *settings, const option_row *row, const char *text)
{
    command_line *line = settings;
    bool good = has_all_items(text);
    char *item;
    (void)row;
    for (size_t i = 0; good && (item = list_item(text, i)) != NULL; i++) {
        good = add_condition(&line->asked, item);
        release(item);
    }
    return good;
}

/* ---- offers ---- */

static void offer_all_targets(const completion *now, const option_row *row)
{
    offer_blocks(now, row);
    offer_formats(now, row);
}

/* Behind the equals sign of a pattern stands a target. */
static void offer_tensors(const completion *now, const option_row *row)
{
    const char *equals = strrchr(now->typed, '=');
    if (equals == NULL)
        return;
    size_t size = strlen(now->before) + (size_t)(equals + 1 - now->typed) + 1;
    char *before = allocate(size, 1);
    print_text(before, size, "%s%s", now->before, now->typed);
    completion target = { .before = before, .typed = equals + 1 };
    offer_all_targets(&target, row);
    release(before);
}

/* ---- the table ---- */

static const fpfmt_word orders[] = {
    { "little", "le", "the lowest byte first", 0 },
    { "big", "be", "the highest byte first", 1 },
};
static const word_table order_words = OWN_WORDS("order of bytes", orders);

#define AT(member) .target = offsetof(command_line, member)
#define FORM(form_name, form_value, told)                                                          \
    {                                                                                              \
        .name = form_name, .summary = told, .read = set_value, AT(form), .value = form_value       \
    }

/* clang-format off */
static const option_row rows[] = {
    { .name = "as", .takes = "FORMAT", .summary = "what tensors become that no pattern fits",
      .read = set_text, AT(asked.as), .offer = offer_all_targets, .heading = "What becomes of tensors:" },
    { .name = "tensor", .takes = "GLOB=FORMAT", .summary = "what those of such names become",
      .read = add_tensors, .offer = offer_tensors },
    { .name = "keep", .takes = "GLOB", .summary = "those of such names stay as they are",
      .read = add_kept },
    { .name = "layout", .takes = "NAME", .summary = "how elements and scales are named",
      .read = set_layout, .offer = offer_words, .of = &layout_words },
    { .name = "codes", .summary = "formats without a name become unsigned integers",
      .read = set_true, AT(asked.codes) },
    { .name = "policy", .takes = "NAME", .summary = "what an ecosystem does", .read = set_policy,
      .offer = offer_policies, .heading = "Rounding:" },
    { .name = "round", .letter = 'r', .takes = "MODE", .summary = "rounding mode (rne)",
      .read = set_rounding, .offer = offer_rounding },
    { .name = "seed", .takes = "N", .summary = "seed of stochastic rounding (0)", .read = set_whole,
      AT(asked.seed), .most = UINT64_MAX },
    { .name = "overflow", .takes = "RULE", .summary = "what becomes of overflow",
      .read = set_rule_word, AT(asked.overflow), .offer = offer_words, .of = &overflow_words },
    { .name = "nan", .takes = "RULE", .summary = "what becomes of NaN", .read = set_rule_word,
      AT(asked.nan), .offer = offer_words, .of = &nan_words },
    { .name = "recipe", .takes = "NAME", .summary = "how scales of blocks follow from values",
      .read = set_text, AT(asked.recipe), .offer = offer_recipes },
    { .name = "from", .takes = "FORMAT", .summary = "format of raw codes, and of integers as wide",
      .read = set_from, AT(asked.from), .offer = offer_formats, .heading = "Reading:" },
    { .name = "offset", .takes = "BYTES", .summary = "where raw codes begin (0)", .read = set_whole,
      AT(asked.offset), .most = UINT64_MAX },
    { .name = "count", .takes = "N", .summary = "how many raw codes (all)", .read = set_whole,
      AT(asked.count), .most = UINT64_MAX },
    { .name = "endian", .takes = "ORDER", .summary = "little or big, of raw codes (little)",
      .read = set_word, AT(asked.big_endian), .offer = offer_words, .of = &order_words },
    { .name = "scale-of", .takes = "W=S", .summary = "tensors that belong together, with commas",
      .read = set_text, AT(asked.scale_of) },
    { .name = "report", .summary = "count what became of each tensor", .read = set_true, AT(report),
      .heading = "Output:" },
    { .name = "fail-on", .takes = "LIST", .summary = "write nothing then: overflow,underflow:1%",
      .read = add_conditions, .offer = offer_words, .of = &status_words },
    { .name = "dry-run", .letter = 'n', .summary = "write nothing", .read = set_true,
      AT(asked.dry_run) },
    FORM("tsv", FORM_TSV, "print the report as tab-separated fields"),
    FORM("csv", FORM_CSV, "print it as comma-separated fields"),
    FORM("json", FORM_JSON, "print it as JSON"),
    FORM("jsonl", FORM_JSONL, "print it as a line of JSON for each tensor"),
    DISPLAY_OPTIONS(offsetof(command_line, display)),
    { .name = "help", .letter = 'h', .summary = "print a summary", .read = set_true, AT(help) },
    { .name = "version", .letter = 'V', .summary = "print the version", .read = set_true,
      AT(version) },
    { .name = NULL },
};
/* clang-format on */

option_tables all_options(void)
{
    static const option_row *const all[] = { rows, NULL };
    return all;
}

/* ---- reading ---- */

static bool note_option(void *settings, const option_row *row)
{
    command_line *line = settings;
    line->given = more(line->given, line->given_count, sizeof *line->given);
    line->given[line->given_count++] = row;
    return true;
}

bool read_command_line(command_line *line, int argc, char **argv)
{
    const option_reading how = {
        .name = "fpcast", .tables = all_options(), .settings = line, .accepts = note_option
    };
    memset(line, 0, sizeof *line);
    line->display = usual_display();
    line->asked.rounding = line->asked.overflow = line->asked.nan = -1;
    line->asked.count = UINT64_MAX;
    read_variables(&how);
    arguments read = read_arguments(&how, argc, argv);
    if (!read.good)
        return false;
    if (read.count > 0)
        line->asked.in = read.operands[0];
    if (read.count > 1)
        line->asked.out = read.operands[1];
    if (read.count > 2)
        complain("'%s' is one name too many: an input and an output are taken",
                 quoted(read.operands[2], strlen(read.operands[2])));
    return read.count <= 2;
}

static bool is_given(const command_line *line, const char *name)
{
    for (size_t i = 0; i < line->given_count; i++)
        if (strcmp(line->given[i]->name, name) == 0)
            return true;
    return false;
}

bool go_together(command_line *line)
{
    const request *asked = &line->asked;
    line->asked.counts |= line->report || line->form != FORM_SCREEN;
    if (asked->out == NULL)
        complain(
            "say what is cast and where to, as fpcast in.safetensors out.safetensors --as bf16");
    else if (strcmp(asked->out, "-") == 0)
        complain("new files have a name: they are not written to standard output");
    else if (!asked->has_from &&
             (is_given(line, "offset") || is_given(line, "count") || is_given(line, "endian")))
        complain("--offset, --count and --endian are of raw codes, whose format --from tells");
    else
        return true;
    return false;
}
