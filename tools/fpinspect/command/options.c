/* options.c - the command line of fpinspect: a table of options, and how they are read
 * SPDX-License-Identifier: MIT */

#include "command/options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "command/columns.h"
#include "command/offers.h"
#include "facts/block.h"
#include "facts/report.h"
#include "kit/blocks.h"
#include "kit/distance.h"
#include "kit/list.h"
#include "kit/losses.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/tensorfile.h"
#include "values/expression.h"

/* ---- readers; settings is the request ---- */

/* Formats and sets, or block formats: of a list that has both the command line is refused later. */
static bool read_targets(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    block_list *blocks = &chosen->blocks;
    bool good = has_all_items(text), filled = good;
    char *name;
    (void)row;
    chosen->formats_given = true;
    for (size_t i = 0; filled && (name = list_item(text, i)) != NULL; i++) {
        if (names_block(name) || strchr(name, '@') != NULL) {
            blocks->rows = more(blocks->rows, blocks->count, sizeof *blocks->rows);
            good &= find_block(&blocks->rows[blocks->count], name);
            blocks->count += good;
        } else if (complain_about_slip_of_block(name)) {
            good = false;
        } else {
            good &= read_formats(&chosen->formats, name);
        }
        release(name);
    }
    return good;
}

static bool read_from(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    fpfmt_format *const to[] = { &chosen->from, &chosen->from_second };
    size_t count = list_length(text);
    bool good = has_all_items(text);
    (void)row;
    if (good && count == 1 && (names_block(text) || strchr(text, '@') != NULL)) {
        chosen->from_block = find_block(&chosen->block, text);
        return chosen->from_block;
    }
    if (good && count > 2) {
        complain("--from takes a format, or two for the two files of --dot, not %zu", count);
        good = false;
    }
    for (size_t i = 0; good && i < count; i++) {
        char *name = list_item(text, i);
        good = !complain_about_slip_of_block(name) && find_format(to[i], name);
        release(name);
    }
    if (count == 1)
        chosen->from_second = chosen->from;
    chosen->from_pair = count == 2;
    return chosen->has_from = good;
}

/* Random bits as an integer, in any base that numbers have. */
static bool read_random(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    fpfmt_value value;
    unsigned flags = 0;
    size_t length = strlen(text);
    (void)row;
    chosen->has_random = fpfmt_parse(&value, text, length, NULL) == length && length > 0 &&
                         !value.negative && value.kind < FPFMT_KIND_INFINITE;
    if (chosen->has_random)
        chosen->random = fpfmt_to_u64(value, NULL, &flags);
    chosen->has_random &= flags == 0;
    if (!chosen->has_random)
        complain("--random takes random bits as an integer below 2^64, as 0x5a, not '%s'",
                 quoted(text, length));
    return chosen->has_random;
}

static bool read_steps(void *settings, const option_row *row, const char *text)
{
    (void)row;
    return read_via(settings, text);
}

/* A list that makes columns is read when all three of them are known. */
static bool keep_list(void *settings, const option_row *row, const char *text)
{
    option_list *target = (option_list *)((char *)settings + row->target);
    if (!has_all_items(text))
        return false;
    *target = (option_list){ .list = text, .count = list_length(text) };
    return true;
}

static bool saturate(void *settings, const option_row *row, const char *text)
{
    (void)text;
    return keep_list(settings, row, "max");
}

static bool flush(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    (void)text;
    chosen->subnormal |= (uint8_t)row->value;
    return true;
}

static bool set_form(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    (void)text;
    chosen->form = (form)row->value;
    return true;
}

/* Objects are no fields of a line. */
static bool may_be_printed(const field *here)
{
    return here->kind != FIELD_OBJECT;
}

static void complain_about_field(const char *name)
{
    name_search search = { .typed = name };
    for (const field *here = report_fields; here->name != NULL; here++)
        if (may_be_printed(here))
            consider_name(&search, here->name);
    for (const field *here = element_fields; here->name != NULL; here++)
        consider_name(&search, here->name);
    complain("unknown field '%s'%s", quoted(name, strlen(name)), hint_of(&search, ""));
}

/* --tsv and its like keep their form, with these fields. */
static bool read_fields(void *settings, const option_row *row, const char *text)
{
    request *chosen = settings;
    char *name;
    bool good = has_all_items(text), filled = good;
    (void)row;
    chosen->form = chosen->form <= FORM_QUIET ? FORM_PRINT : chosen->form;
    chosen->field_count = 0;
    for (size_t i = 0; filled && (name = list_item(text, i)) != NULL; i++) {
        const field *found = report_field(name);
        if (found == NULL) /* which of the two it has to be is known when --as is */
            found = element_field(name);
        if (found == NULL)
            complain_about_field(name);
        else if (chosen->field_count == MOST_FIELDS)
            complain("--print takes %d fields at the most", MOST_FIELDS);
        good &= found != NULL && chosen->field_count < MOST_FIELDS;
        if (good)
            chosen->fields[chosen->field_count++] = found;
        chosen->stepwise |= good && is_stepwise_field(found);
        release(name);
    }
    return good;
}

/* Words of --fail-on are flags or statuses; overflow and others are both. Scans heed them as
 * statuses, and beyond a share of the elements where one is given. */
static bool read_condition(request *chosen, char *name)
{
    char *colon = strchr(name, ':');
    fail_limit limit = { .outcome = 0 };
    if (colon != NULL)
        *colon = '\0';
    if (!read_share(&limit, name, colon == NULL ? NULL : colon + 1))
        return false;
    const fpfmt_word *flag = find_word(&flag_words, name);
    const fpfmt_word *status = find_word(&status_words, name);
    if (flag == NULL && status == NULL)
        return read_word(&status_words, name) != NULL;
    if (flag != NULL)
        chosen->fail_flags |= flag->meaning;
    else
        chosen->fail_statuses |= 1u << status->meaning;
    if (status != NULL && chosen->limit_count < MOST_LIMITS) {
        limit.outcome = status->meaning;
        chosen->limits[chosen->limit_count++] = limit;
    }
    return true;
}

static bool read_conditions(void *settings, const option_row *row, const char *text)
{
    char *name;
    bool good = has_all_items(text), filled = good;
    (void)row;
    for (size_t i = 0; filled && (name = list_item(text, i)) != NULL; i++) {
        good &= read_condition(settings, name);
        release(name);
    }
    return good;
}

/* ---- the table of what is no command ---- */

#define AT(member) .target = offsetof(request, member)
#define FORM(form_name, form_value, told)                                                          \
    {                                                                                              \
        .name = form_name, .summary = told, .read = set_form, .value = form_value                  \
    }
#define QUESTION(question, key, told)                                                              \
    {                                                                                              \
        .name = question, .letter = key, .summary = told, .read = set_command                      \
    }

static const fpfmt_word endians[] = {
    { "little", "", "the lowest byte first", 0 },
    { "big", "", "the highest byte first", 1 },
};
static const word_table endian_words = OWN_WORDS("byte order", endians);

/* clang-format off */
const option_row general_options[] = {
    { .name = "as", .letter = 'a', .takes = "FORMATS", .summary = "target formats, and sets of them",
      .read = read_targets, .offer = offer_all_targets, .heading = "Formats and rounding:" },
    { .name = "from", .letter = 'f', .takes = "FORMAT[,FORMAT]", .summary = "values are raw bits of a format",
      .read = read_from, .offer = offer_sources },
    { .name = "via", .takes = "FORMAT[:MODE],...", .summary = "convert through these formats first",
      .read = read_steps, .offer = offer_steps },
    { .name = "round", .letter = 'r', .takes = "MODES", .summary = "rounding modes",
      .read = keep_list, AT(roundings), .offer = offer_rounding },
    { .name = "overflow", .takes = "RULES", .summary = "what becomes of overflow",
      .read = keep_list, AT(overflows), .offer = offer_words, .of = &overflow_words },
    { .name = "saturate", .summary = "the same as --overflow max", .read = saturate,
      AT(overflows) },
    { .name = "policy", .takes = "NAMES", .summary = "what an ecosystem does", .read = keep_list,
      AT(policies), .offer = offer_policies },
    { .name = "ftz", .summary = "flush tiny results to zero", .read = flush,
      .value = FPFMT_SUBNORMAL_FLUSH_RESULTS },
    { .name = "daz", .summary = "take subnormal inputs for zero", .read = flush,
      .value = FPFMT_SUBNORMAL_FLUSH_INPUTS },
    { .name = "tininess", .takes = "WHEN", .summary = "when a result is tiny: after or before rounding",
      .read = set_word, AT(tininess), .offer = offer_words, .of = &tininess_words },
    { .name = "nan", .takes = "RULE", .summary = "what becomes of NaN", .read = set_word, AT(nan),
      .offer = offer_words, .of = &nan_words },
    { .name = "seed", .takes = "N", .summary = "seed of stochastic rounding", .read = set_whole,
      AT(seed), .most = UINT64_MAX },
    { .name = "recipe", .takes = "NAMES", .summary = "how scales of blocks follow from values",
      .read = keep_list, AT(recipes), .offer = offer_recipes },
    { .name = "scale", .takes = "CODES", .summary = "scales of the blocks of --from",
      .read = set_text, AT(scales) },
    { .name = "tensor-scale", .takes = "NUMBER", .summary = "second scale of a block format",
      .read = set_text, AT(tensor_scale) },
    { .name = "random", .takes = "BITS", .summary = "random bits of a stochastic rounding",
      .read = read_random },
    { .name = "explain", .letter = 'e', .summary = "show the steps of the rounding",
      .read = set_true, AT(explain) },
    { .name = "stepwise", .summary = "show what rounding every operation gives", .read = set_true,
      AT(stepwise) },
    { .name = "neighbors", .letter = 'n', .takes = "N", .summary = "codes to show below and above",
      .read = set_whole, AT(neighbors), .least = 1, .most = 1000 },
    { .name = "exact", .letter = 'x', .summary = "write all digits", .read = set_true, AT(full) },
    { .name = "accumulate", .takes = "NAMES", .summary = "how the products of --dot are summed up",
      .read = set_text, AT(accumulators), .offer = offer_accumulators },
    { .name = "init", .takes = "NUMBER", .summary = "start of the sum of --dot", .read = set_text,
      AT(start) },
    { .name = "print", .letter = 'p', .takes = "FIELDS", .summary = "print these fields",
      .read = read_fields, .offer = offer_fields, .heading = "Output:" },
    { .name = "quiet", .letter = 'q', .summary = "print exact decimals only", .read = set_form,
      .value = FORM_QUIET },
    FORM("tsv", FORM_TSV, "print tab-separated fields"),
    FORM("csv", FORM_CSV, "print comma-separated fields"),
    FORM("plain", FORM_PLAIN, "print blank-separated fields"),
    FORM("json", FORM_JSON, "print JSON"),
    FORM("jsonl", FORM_JSONL, "print a line of JSON for each result"),
    { .name = "fail-on", .takes = "WORDS", .summary = "exit with 1 where these occur",
      .read = read_conditions, .offer = offer_conditions },
    DISPLAY_OPTIONS(offsetof(request, display)),
    QUESTION("help", 'h', "print a summary"),
    QUESTION("version", 'V', "print the version"),
    { .name = "tensor", .takes = "GLOBS", .summary = "scan tensors of these names", .read = set_text,
      AT(tensors), .heading = "Files:" },
    { .name = "axis", .takes = "N", .summary = "scan each index of this dimension by itself",
      .read = set_int, AT(axis), .most = TENSOR_RANK - 1 },
    { .name = "worst", .takes = "N", .summary = "tell the elements that lose most", .read = set_whole,
      AT(worst), .least = 1, .most = 1000 },
    { .name = "scale-of", .takes = "A=B,...", .summary = "tensor B has the scales of tensor A",
      .read = set_text, AT(scale_of) },
    { .name = "offset", .takes = "N", .summary = "byte at which raw codes begin", .read = set_whole,
      AT(file_offset), .most = INT64_MAX },
    { .name = "count", .takes = "N", .summary = "how many raw codes there are", .read = set_whole,
      AT(file_count), .most = INT64_MAX },
    { .name = "endian", .takes = "WHICH", .summary = "order of the bytes of raw codes",
      .read = set_word, AT(endian), .offer = offer_words, .of = &endian_words },
    { .name = "jobs", .letter = 'j', .takes = "N", .summary = "threads; default: processors",
      .read = set_whole, AT(jobs), .least = 1, .most = 256 },
    { .name = NULL },
};
/* clang-format on */

/* ---- reading ---- */

bool is_negative_value(const char *argument)
{
    const char *rest = argument + 1;
    char name[FPFMT_NAME_SIZE];
    fpfmt_format format;
    size_t length = strcspn(rest, ":");
    if (argument[0] != '-' || *rest == '\0' || *rest == '-')
        return false;
    if (isdigit((unsigned char)*rest) || *rest == '.' || *rest == '(')
        return true;
    if (strncasecmp(rest, "inf", 3) == 0 || strncasecmp(rest, "nan", 3) == 0 ||
        strncasecmp(rest, "snan", 4) == 0 || strncasecmp(rest, "qnan", 4) == 0)
        return true;
    size_t letters = strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789");
    bool ends = strchr(" +-*/^", rest[letters]) != NULL;
    if (letters > 1 && ends && constant_digits(rest, letters) != NULL) /* not -e */
        return true;
    if (is_call(rest))
        return true;
    if (rest[length] == '\0' || length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, rest);
    return fpfmt_find(&format, name) == FPFMT_FOUND;
}

static bool note_option(void *settings, const option_row *row)
{
    request *chosen = settings;
    chosen->given = more(chosen->given, chosen->given_count, sizeof *chosen->given);
    chosen->given[chosen->given_count++] = row;
    return true;
}

/* A format alone asks for its limits: fpinspect bf16. */
static void prefer_info(request *chosen)
{
    if (*chosen->command != '\0' || chosen->operand_count != 1 || chosen->formats_given)
        return;
    const char *name = chosen->operands[0];
    bool plain =
        strlen(name) < FPFMT_NAME_SIZE && fpfmt_find(&chosen->shown[0], name) == FPFMT_FOUND;
    chosen->shows_block = !plain && fpfmt_find_block(&chosen->block, name) == FPFMT_FOUND;
    if (!plain && !chosen->shows_block)
        return;
    chosen->command = "info";
    chosen->operand_count = 0;
}

/* Without --as: the format of the bits where all values are bits of one, else the usual formats. */
static void choose_targets(request *chosen)
{
    if (!chosen->formats_given && chosen->has_from && *chosen->command == '\0')
        chosen->formats = (format_list){ &chosen->from, 1 };
    else if (!chosen->formats_given && !chosen->from_block)
        add_set(&chosen->formats, "default");
}

bool read_request(request *chosen, option_tables tables, int argc, char **argv)
{
    const option_reading how = { .name = "fpinspect",
                                 .tables = tables,
                                 .settings = chosen,
                                 .is_operand = is_negative_value,
                                 .accepts = note_option };
    *chosen = (request){ .command = "", .nan = -1, .axis = -1, .file_count = UINT64_MAX };
    chosen->display = usual_display();
    read_variables(&how);
    arguments read = read_arguments(&how, argc, argv);
    chosen->operands = read.operands;
    chosen->operand_count = read.count;
    bool good = read_columns(chosen) && read.good;
    choose_targets(chosen);
    prefer_info(chosen);
    return good;
}
