/* dot.c - a dot product, and the ways in which accumulators sum it up
 * SPDX-License-Identifier: MIT */

#include "facts/dot.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "kit/distance.h"
#include "kit/lines.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/say.h"
#include "kit/text.h"

enum { LONGEST = 64 };

/* Is it the name for a promoted accumulator, as promote:128? */
static bool is_promotion(const char *name)
{
    const fpfmt_accumulator *row;
    size_t length = strcspn(name, ":");
    for (size_t i = 0; name[length] == ':' && (row = fpfmt_accumulator_at(i)) != NULL; i++)
        if (row->promoted != NULL && strlen(row->promoted) == length &&
            strncasecmp(name, row->promoted, length) == 0)
            return true;
    return false;
}

/* The name without what follows, lower case, with hyphens, as rows have it. */
static void bare_name(char made[LONGEST], const char *name)
{
    size_t length = strcspn(name, ":/"), n = 0;
    for (; n < length && n < LONGEST - 1; n++)
        made[n] = name[n] == '_' ? '-' : (char)tolower((unsigned char)name[n]);
    made[n] = '\0';
}

/* text with a list of words, separated by blanks, joined to it as "fp16 and bf16". */
static void join_words(char text[TAKES_SIZE], const char *list)
{
    while (*list != '\0') {
        size_t length = strcspn(list, " ");
        bool last = list[length] == '\0';
        append_text(text, TAKES_SIZE, "%.*s%s", (int)length, list, last ? "" : " and ");
        list += length + !last;
    }
}

void describe_inputs(char text[TAKES_SIZE], const char *name)
{
    const fpfmt_accumulator *row;
    char wanted[LONGEST];
    bare_name(wanted, name);
    *text = '\0';
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++) {
        const char *called = is_promotion(name) ? row->promoted : row->name;
        if (called == NULL || strcmp(called, wanted) != 0 || row->inputs == NULL)
            continue;
        if (*text != '\0')
            strcat(text, ", ");
        join_words(text, row->inputs);
        strcat(text, " to ");
        join_words(text, row->outputs);
    }
}

static void complain_about_unknown(const char *name)
{
    char wanted[LONGEST];
    const fpfmt_accumulator *row;
    name_search search = { .typed = wanted, .elsewhere = "see 'fpinspect --list-accumulators'" };
    bare_name(wanted, name);
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++) {
        consider_name(&search, row->name);
        if (row->promoted != NULL)
            consider_name(&search, row->promoted);
    }
    if (search.nearest != NULL && strcmp(search.nearest, "promote") == 0)
        search.nearest = "promote:128";
    complain("unknown accumulator '%s'%s", quoted(name, strlen(name)), hint_of(&search, ""));
}

/* What is wrong with what follows the name. */
static void complain_about_options(const char *name, const fpfmt_accumulator *row)
{
    const char *shown = quoted(name, strlen(name)), *at = name + strcspn(name, ":/");
    char format[FPFMT_NAME_SIZE], nearest[FPFMT_NAME_SIZE], hint[FPFMT_NAME_SIZE + 24] = "";
    print_text(format, sizeof format, "%.*s", (int)strcspn(at + 1, "/"), at + 1);
    bool promotes = is_promotion(name);
    if (*at == ':' && !promotes &&
        (fpfmt_accumulator_is_engine(row) || row->method == FPFMT_ACCUMULATE_EXACT)) {
        complain("accumulator '%s': only those that round every step, as fma:bf16, have a format "
                 "of their own for the sum",
                 shown);
        return;
    }
    if (*at != ':' || promotes || fpfmt_named(format) != NULL) {
        complain("accumulator '%s': after '%c' stands how many products are summed up before the "
                 "sum is promoted, from 1 up",
                 shown, promotes ? ':' : '/');
        return;
    }
    if (fpfmt_suggest(nearest, sizeof nearest, format, 0) > 0 && fpfmt_named(nearest) != NULL)
        print_text(hint, sizeof hint, "; did you mean '%s'?", nearest);
    complain("accumulator '%s': '%s' is no format of --list-formats%s", shown,
             quoted(format, strlen(format)), hint);
}

static void complain_about_inputs(const char *name, const dot_product *made, const fpfmt_format *to)
{
    char takes[TAKES_SIZE];
    bool given = made->chosen->formats_given;
    describe_inputs(takes, name);
    complain("%s does not take %s%s%s%s%s; it takes %s", quoted(name, strlen(name)),
             made->chosen->from.name, made->chosen->from_pair ? " and " : "",
             made->chosen->from_pair ? made->chosen->from_second.name : "", given ? " to " : "",
             given ? to->name : "", takes);
}

static fpfmt_status find(summation *way, const dot_product *made, const char *name,
                         const fpfmt_format *to)
{
    way->to = *to;
    return fpfmt_find_accumulator(&way->how, name, to, &made->chosen->from,
                                  &made->chosen->from_second);
}

/* Without --as the result is in fp32, or in what the engine makes of these inputs. */
static fpfmt_status find_usual(summation *way, const dot_product *made, const char *name)
{
    const fpfmt_accumulator *row;
    fpfmt_status status = find(way, made, name, fpfmt_named("fp32"));
    for (size_t i = 0; status == FPFMT_AMBIGUOUS && (row = fpfmt_accumulator_at(i)) != NULL; i++) {
        const fpfmt_format *to = row->outputs == NULL ? NULL : fpfmt_named(row->outputs);
        if (to != NULL)
            status = find(way, made, name, to);
    }
    return status;
}

static void keep(dot_product *made, const summation *way, const char *name)
{
    made->ways = more(made->ways, made->count, sizeof *way);
    made->ways[made->count] = *way;
    made->ways[made->count++].name = copy_text(name, strlen(name));
}

/* One accumulator with every format of --as; what does not take the inputs is skipped, quietly
 * unless it was asked for. False if the name is not understood. */
static bool add_ways(dot_product *made, const char *name, bool asked)
{
    summation way;
    const request *chosen = made->chosen;
    for (size_t i = 0; i < (chosen->formats_given ? chosen->formats.count : 1); i++) {
        const fpfmt_format *to = &chosen->formats.rows[i];
        fpfmt_status status =
            chosen->formats_given ? find(&way, made, name, to) : find_usual(&way, made, name);
        if (status == FPFMT_UNKNOWN)
            complain_about_unknown(name);
        else if (status == FPFMT_UNSOUND)
            complain_about_options(name, &way.how);
        else if (status == FPFMT_FOUND)
            keep(made, &way, name);
        else if (asked)
            complain_about_inputs(name, made, to);
        if (status == FPFMT_UNKNOWN || status == FPFMT_UNSOUND)
            return false;
    }
    return true;
}

static void add_usual_ways(dot_product *made)
{
    static const char *const usual[] = { "exact", "fma", "pairwise" };
    const fpfmt_accumulator *row;
    const char *last = "";
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        add_ways(made, usual[i], true);
    for (size_t i = 0; (row = fpfmt_accumulator_at(i)) != NULL; i++) {
        if (fpfmt_accumulator_is_engine(row) && strcmp(row->name, last) != 0)
            add_ways(made, row->name, false);
        last = row->name;
    }
}

/* The ways of --accumulate, or the usual ones: a row for each accumulator and format. False after a
 * complaint that leaves nothing to do; an engine that does not take the inputs is only named. */
static bool choose_ways(dot_product *made)
{
    const char *list = made->chosen->accumulators;
    bool good = list == NULL || has_all_items(list);
    char *name;
    if (list == NULL)
        add_usual_ways(made);
    else if (!good)
        return false;
    for (size_t i = 0; list != NULL && (name = list_item(list, i)) != NULL; i++) {
        good &= add_ways(made, name, true);
        release(name);
    }
    made->same_format = true;
    for (size_t i = 1; i < made->count; i++)
        made->same_format &= strcmp(made->ways[i].to.name, made->ways[0].to.name) == 0;
    return good && made->count > 0;
}

/* Every value of a format is an integer times 2^-bits. */
static int bits_below_one(const fpfmt_format *format)
{
    fpfmt_value least = fpfmt_decode(format, fpfmt_measure(format).min_positive);
    return 63 - least.exponent;
}

static bool as_integer(fpfmt_ratio *made, fpfmt_value value, int bits)
{
    value.exponent += value.kind == FPFMT_KIND_ZERO ? 0 : bits;
    return fpfmt_ratio_from(made, value);
}

/* In integers, as the denominators of ratios would grow from term to term. */
static bool add_products(fpfmt_ratio *sum, const vector *a, const vector *b)
{
    fpfmt_ratio left, right;
    int up_a = bits_below_one(a->format), up_b = bits_below_one(b->format);
    fpfmt_value unit = fpfmt_from_i64(1);
    fpfmt_ratio_from(sum, fpfmt_from_i64(0));
    for (size_t i = 0; i < a->count; i++)
        if (!as_integer(&left, vector_value(a, i), up_a) ||
            !as_integer(&right, vector_value(b, i), up_b) ||
            !fpfmt_ratio_multiply(&left, &left, &right) || !fpfmt_ratio_add(sum, sum, &left))
            return false;
    unit.exponent = up_a + up_b;
    return fpfmt_ratio_from(&right, unit) && fpfmt_ratio_divide(sum, sum, &right);
}

/* Was a way before this one in the same format? */
static bool comes_again(const dot_product *made, const summation *way)
{
    for (const summation *before = made->ways; before < way; before++)
        if (strcmp(before->to.name, way->to.name) == 0)
            return true;
    return false;
}

/* Nearest even, but codes of the format itself stay as they are. */
static void set_start(dot_product *made, summation *way, const input *start)
{
    char became[40];
    const fpfmt_policy policy = { .nan = FPFMT_NAN_PRESERVE };
    unsigned flags = 0;
    way->start = fpfmt_encode(&way->to, start->value, &policy, &flags);
    made->same_start &= flags == 0 || made->same_format;
    if (flags == 0 || comes_again(made, way))
        return;
    tell_value(became, fpfmt_decode(&way->to, way->start));
    note("--init: %s became %s, rounded to %s", quoted(start->text, strlen(start->text)), became,
         way->to.name);
}

static void measure_deviation(const dot_product *of, summation *way)
{
    deviation *off = &way->off;
    fpfmt_ratio start, result, step;
    fpfmt_value stored = fpfmt_decode(&way->to, way->code);
    off->exact.exists = of->has_sum &&
                        fpfmt_ratio_from(&start, fpfmt_decode(&way->to, way->start)) &&
                        fpfmt_ratio_add(&off->exact.ratio, &of->sum, &start);
    off->error.exists = off->exact.exists && fpfmt_ratio_from(&result, stored) &&
                        fpfmt_ratio_subtract(&off->error.ratio, &result, &off->exact.ratio);
    if (!off->error.exists)
        return;
    if (fpfmt_ratio_is_zero(&off->error.ratio))
        off->error.ratio.negative = false;
    fpfmt_value at = fpfmt_ratio_value(&off->exact.ratio);
    off->relative.exists =
        fpfmt_ratio_divide(&off->relative.ratio, &off->error.ratio, &off->exact.ratio);
    off->ulps.exists = fpfmt_ratio_from(&step, fpfmt_ulp(&way->to, at)) &&
                       fpfmt_ratio_divide(&off->ulps.ratio, &off->error.ratio, &step);
}

/* The starts, the results, and the exact sum; a note says where --init was rounded. */
static void sum_up(dot_product *made, const input *start)
{
    made->same_start = true;
    for (size_t i = 0; i < made->count; i++) {
        summation *way = &made->ways[i];
        fpfmt_policy policy = column_policy(made->chosen, &made->chosen->columns[0], &way->to);
        set_start(made, way, start);
        way->code = fpfmt_dot(&way->to, &way->how, way->start, vector_series(&made->a),
                              vector_series(&made->b), made->a.count, &policy, NULL);
    }
    made->has_sum = add_products(&made->sum, &made->a, &made->b);
    for (size_t i = 0; i < made->count; i++) {
        made->ways[i].result = (coded){ &made->ways[i].to, made->ways[i].code };
        measure_deviation(made, &made->ways[i]);
    }
}

/* What the two names of --dot are; false after a complaint. */
static bool split_paths(char *paths[2], const request *chosen)
{
    const char *comma = strchr(chosen->dot, ',');
    const char *shown = quoted(chosen->dot, strlen(chosen->dot));
    if (comma == NULL || comma == chosen->dot || comma[1] == '\0') {
        complain("--dot takes two files, as a.txt,b.txt, not '%s'", shown);
        return false;
    }
    if (strcmp(chosen->dot, "-,-") == 0) {
        complain("--dot reads standard input once: one of its two files at the most is '-'");
        return false;
    }
    paths[0] = copy_text(chosen->dot, (size_t)(comma - chosen->dot));
    paths[1] = copy_text(comma + 1, strlen(comma + 1));
    return true;
}

static bool read_start(input *start, const request *chosen)
{
    const char *text = chosen->start != NULL ? chosen->start : "0";
    size_t length = strlen(text);
    text = stripped(copy_text(text, length), &length);
    return read_input(start, NULL, false, text, length, "--init: ");
}

static bool read_both(dot_product *made, char *const paths[2])
{
    const fpfmt_format *from = &made->chosen->from, *second = &made->chosen->from_second;
    bool same = strcmp(paths[0], paths[1]) == 0 && strcmp(from->name, second->name) == 0;
    if (!read_vector(&made->a, paths[0], from))
        return false;
    if (same)
        made->b = made->a;
    else if (!read_vector(&made->b, paths[1], second))
        return false;
    if (made->a.count == made->b.count)
        return true;
    char name[260];
    print_text(name, sizeof name, "%s", vector_name(&made->a));
    complain("%s has %zu value%s and %s has %zu: a dot product takes as many of each", name,
             made->a.count, made->a.count == 1 ? "" : "s", vector_name(&made->b), made->b.count);
    return false;
}

bool compute_dot(dot_product *made, const request *chosen)
{
    input start = { .text = NULL };
    char *paths[2];
    *made = (dot_product){ .chosen = chosen };
    if (!split_paths(paths, chosen) || !choose_ways(made) || !read_start(&start, chosen) ||
        !read_both(made, paths))
        return false;
    sum_up(made, &start);
    release_input(&start);
    return true;
}

void release_dot(dot_product *made)
{
    if (made->b.codes != made->a.codes)
        free_vector(&made->b);
    free_vector(&made->a);
    release(made->ways);
}

const field summation_fields[] = {
    FIELD("accumulator", FIELD_TEXT, summation, name),
    FIELD("result", FIELD_EXACT, summation, result),
    FIELD("format", FIELD_FORMAT, summation, result),
    FIELD("code", FIELD_CODE, summation, result),
    FIELD("shortest", FIELD_SHORTEST, summation, result),
    FIELD("error", FIELD_DECIMAL, summation, off.error),
    FIELD("relative", FIELD_FRACTION, summation, off.relative),
    FIELD("ulps", FIELD_DECIMAL, summation, off.ulps),
    { .name = NULL },
};
