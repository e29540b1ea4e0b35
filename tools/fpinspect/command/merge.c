/* merge.c - reports of scans, added up
 * SPDX-License-Identifier: MIT
 *
 * A report has counts and sums that are exact, so that reports of parts become that of the whole,
 * byte for byte: thousands of files can be scanned by as many processes. */

#include "command/scan.h"

#include <string.h>

#include "command/scan_report.h"
#include "kit/memory.h"
#include "kit/options.h"
#include "kit/say.h"
#include "kit/tensorfile/json_file.h"
#include "kit/text.h"

/* ---- what is in a report ---- */

typedef struct {
    const char *path;
    bool bad;
} reading;

static void refuse(reading *now, const char *what)
{
    if (!now->bad)
        complain("%s: it is no report of --scan --json: %s", quoted(now->path, strlen(now->path)),
                 what);
    now->bad = true;
}

/* A text of an object; NULL where it is null or missing. */
static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static uint64_t count_of(reading *now, const json_t *object, const char *name)
{
    uint64_t count = 0;
    const char *text = text_of(object, name);
    if (text == NULL || !parse_whole(&count, text, 0, UINT64_MAX))
        refuse(now, name);
    return count;
}

static fpfmt_value value_of(reading *now, const json_t *object, const char *name)
{
    fpfmt_value value = { .kind = FPFMT_KIND_ZERO };
    const char *text = text_of(object, name);
    size_t length = text == NULL ? 0 : strlen(text);
    if (length == 0 || fpfmt_parse(&value, text, length, NULL) != length)
        refuse(now, name);
    return value;
}

static void take_binades(reading *now, value_counts *to, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *here = json_array_get(list, i);
        const char *text = text_of(here, "exponent");
        uint64_t magnitude = 0;
        bool negative = text != NULL && *text == '-';
        if (text == NULL || !parse_whole(&magnitude, text + negative, 0, -BINADE_LEAST)) {
            refuse(now, "binades");
            return;
        }
        int place = (negative ? -(int)magnitude : (int)magnitude) - BINADE_LEAST;
        if (place >= BINADES) {
            refuse(now, "binades");
            return;
        }
        to->in_binade[place] = count_of(now, here, "count");
        to->powers[place] = count_of(now, here, "powers");
    }
}

static void take_values(reading *now, value_counts *to, const json_t *from)
{
    to->count = count_of(now, from, "count");
    to->zero = count_of(now, from, "zero");
    to->nan = count_of(now, from, "nan");
    to->infinite = count_of(now, from, "inf");
    to->least = value_of(now, from, "least");
    to->largest = value_of(now, from, "largest");
    take_binades(now, to, json_object_get(from, "binades"));
}

static void take_stats(reading *now, fpfmt_stats *to, const scan_result *of, const json_t *from)
{
    to->count = of->values.count;
    to->nan = of->values.nan;
    to->infinite = of->values.infinite;
    to->exact = count_of(now, from, "exact");
    to->inexact = count_of(now, from, "inexact");
    to->subnormal = count_of(now, from, "subnormal");
    to->underflow = count_of(now, from, "underflow");
    to->overflow = count_of(now, from, "overflow");
    to->saturated = count_of(now, from, "saturated");
    to->invalid = count_of(now, from, "invalid");
    to->finite = count_of(now, from, "finite");
    to->nonzero = to->finite - (of->values.zero < to->finite ? of->values.zero : to->finite);
    to->absolute_index = count_of(now, from, "absolute_index");
    to->relative_index = count_of(now, from, "relative_index");
    if (!read_error(&to->absolute, text_of(from, "absolute")) ||
        !read_error(&to->relative, text_of(from, "relative")))
        refuse(now, "absolute, relative");
    if (!read_sum(to->signal, FPFMT_SUM_LIMBS, text_of(from, "signal")) ||
        !read_sum(to->noise, FPFMT_SUM_LIMBS, text_of(from, "noise")) ||
        !read_sum(to->relative_squares, sizeof to->relative_squares / sizeof(uint64_t),
                  text_of(from, "relative_squares")))
        refuse(now, "signal, noise, relative_squares");
}

/* ---- the target of a report ---- */

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static char *kept(const char *text)
{
    return text == NULL ? NULL : copy_text(text, strlen(text));
}

/* The rounding that a report says its targets had: a policy of the table, and what overrode it. The
 * bits of a rounding by chance do not matter any more. */
static bool take_policy(reading *now, scan_target *to, const json_t *from)
{
    const char *name = text_of(from, "policy"), *round = text_of(from, "round");
    const char *rule_name = text_of(from, "overflow_rule"), *flush = text_of(from, "flush");
    const fpfmt_policy_row *row = name == NULL ? NULL : fpfmt_policy_named(name);
    const fpfmt_word *rule = rule_name == NULL ? NULL : find_word(&overflow_words, rule_name);
    char *mode_name =
        copy_text(round == NULL ? "" : round, round == NULL ? 0 : strcspn(round, ":"));
    const fpfmt_word *mode = find_word(&rounding_words, mode_name);
    uint64_t flushed = 0;
    release(mode_name);
    if (row == NULL || rule == NULL || mode == NULL || flush == NULL ||
        !parse_whole(&flushed, flush, 0, 3)) {
        refuse(now, "policy, round, overflow_rule, flush");
        return false;
    }
    to->policy = fpfmt_policy_for(&to->format, row);
    to->policy.rounding = (uint8_t)mode->meaning;
    to->policy.overflow = (uint8_t)rule->meaning;
    to->policy.subnormal = (uint8_t)flushed;
    to->round = kept(round);
    to->policy_name = row->name;
    return true;
}

static bool take_target(reading *now, scan_target *to, const json_t *from)
{
    const char *name = text_of(from, "format"), *recipe = text_of(from, "recipe");
    fpfmt_block *block = allocate(1, sizeof *block);
    *to = (scan_target){ .name = kept(name), .variant = kept(text_of(from, "variant")) };
    if (name == NULL) {
        refuse(now, "format");
    } else if (recipe != NULL) {
        if (fpfmt_find_block(block, name) != FPFMT_FOUND ||
            fpfmt_find_recipe(&to->recipe, recipe) != FPFMT_FOUND)
            refuse(now, "format, recipe");
        to->block = block;
        to->format = block->element;
    } else if (fpfmt_find(&to->format, name) != FPFMT_FOUND) {
        refuse(now, "format");
    }
    return !now->bad && take_policy(now, to, from);
}

/* ---- reports ---- */

/* The targets of the first result are those of all. */
static void take_targets(reading *now, target_list *to, const json_t *list)
{
    for (size_t t = 0; t < json_array_size(list) && !now->bad; t++) {
        to->rows = more(to->rows, to->count, sizeof *to->rows);
        take_target(now, &to->rows[to->count++], json_array_get(list, t));
    }
}

static bool has_targets(reading *now, const target_list *targets, const json_t *list)
{
    bool same = json_array_size(list) == targets->count;
    for (size_t t = 0; t < targets->count && same && !now->bad; t++) {
        scan_target here;
        const scan_target *first = &targets->rows[t];
        same = take_target(now, &here, json_array_get(list, t)) &&
               is_same(here.name, first->name) && is_same(here.round, first->round) &&
               is_same(here.variant, first->variant) &&
               is_same(here.policy_name, first->policy_name) &&
               is_same(here.recipe.name, first->recipe.name) &&
               here.policy.overflow == first->policy.overflow &&
               here.policy.subnormal == first->policy.subnormal;
    }
    if (!same && !now->bad)
        complain("%s: its formats or ways of rounding are not those of the first report",
                 quoted(now->path, strlen(now->path)));
    now->bad |= !same;
    return same;
}

static uint64_t code_of(reading *now, const json_t *from, const char *name)
{
    fpfmt_value value;
    unsigned flags = 0;
    const char *text = text_of(from, name);
    if (text == NULL)
        return 0;
    if (fpfmt_parse(&value, text, strlen(text), NULL) != strlen(text))
        refuse(now, name);
    return fpfmt_to_u64(value, NULL, &flags);
}

static void take_worst(reading *now, scan_column *to, const json_t *list)
{
    to->worst_count = json_array_size(list);
    to->worst = allocate(to->worst_count + 1, sizeof *to->worst);
    for (size_t i = 0; i < to->worst_count; i++) {
        const json_t *from = json_array_get(list, i);
        to->worst[i] = (element_loss){
            .index = count_of(now, from, "index"),
            .value = fpfmt_to_f64(value_of(now, from, "value"), NULL, NULL),
            .result = fpfmt_to_f64(value_of(now, from, "exact"), NULL, NULL),
            .code = code_of(now, from, "code"),
            .scale = code_of(now, from, "scale"),
        };
    }
}

static void spell_shape(char text[200], const json_t *list)
{
    *text = '\0';
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *size = json_string_value(json_array_get(list, i));
        append_text(text, 200, "%s%s", i == 0 ? "" : " ", size == NULL ? "" : size);
    }
}

static void take_result(reading *now, scan_report *report, const target_list *targets,
                        const json_t *from)
{
    const json_t *list = json_object_get(from, "formats");
    if (!has_targets(now, targets, list))
        return;
    scan_result *made = new_result(targets, 0);
    made->file = text_of(from, "file");
    made->tensor = text_of(from, "tensor");
    made->type = text_of(from, "type");
    made->format = text_of(from, "read_as");
    made->scheme = text_of(from, "scheme");
    spell_shape(made->shape, json_object_get(from, "shape"));
    take_values(now, &made->values, from);
    for (size_t t = 0; t < targets->count; t++) {
        const json_t *column = json_array_get(list, t);
        take_stats(now, &made->columns[t].stats, made, column);
        take_worst(now, &made->columns[t], json_object_get(column, "worst"));
    }
    if (made->file == NULL || made->type == NULL || made->format == NULL)
        refuse(now, "file, type, read_as");
    if (!now->bad)
        put_result(report, made);
    release_result(made, targets->count);
}

/* A sum of several tensors has no name: it is made again. */
static bool is_sum(const json_t *of)
{
    return text_of(of, "tensor") == NULL;
}

static void merge_file(scan_report *report, target_list *targets, const request *chosen,
                       const char *path, bool *begun)
{
    source from;
    reading now = { .path = path };
    json_t *whole = open_source(&from, path) ? load_json(&from, 0, (size_t)from.size) : NULL;
    const json_t *list = json_object_get(whole, "tensors");
    if (whole != NULL && !json_is_array(list))
        refuse(&now, "it has no tensors");
    for (size_t i = 0; i < json_array_size(list) && !now.bad; i++) {
        const json_t *here = json_array_get(list, i);
        if (is_sum(here))
            continue;
        if (!*begun)
            take_targets(&now, targets, json_object_get(here, "formats"));
        if (!*begun && !now.bad)
            begin_report(report, chosen, targets);
        *begun |= !now.bad;
        if (*begun)
            take_result(&now, report, targets, here);
    }
    if (whole != NULL)
        json_decref(whole);
    close_source(&from);
}

void run_merge(const request *chosen)
{
    scan_report *report = allocate(1, sizeof *report);
    target_list targets = { .rows = NULL };
    bool begun = false;
    if (chosen->operand_count == 0)
        complain("--merge takes reports of --scan --json, as a.json b.json");
    for (size_t i = 0; i < chosen->operand_count; i++)
        merge_file(report, &targets, chosen, chosen->operands[i], &begun);
    if (begun)
        end_report(report);
    release(report);
}
