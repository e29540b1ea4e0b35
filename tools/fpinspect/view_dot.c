/* view_dot.c - a dot product as several accumulators sum it up
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dot.h"
#include "number.h"
#include "out.h"
#include "records.h"
#include "say.h"
#include "view.h"

static const char *const fields[] = { "accumulator", "result", "format",   "code",
                                      "shortest",    "error",  "relative", "ulps" };
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void for_machine(const dot_product *made)
{
    static number result, shortest, error, relative, ulps;
    static deviation off;
    char code[24];
    records rows = {
        .output = made->chosen->output, .list = "results", .names = fields, .count = FIELDS
    };
    records_begin(&rows);
    for (size_t i = 0; i < made->count; i++) {
        const summation *way = &made->ways[i];
        fpfmt_print_exact(result, sizeof result, fpfmt_decode(&way->to, way->code));
        fpfmt_print_shortest(shortest, sizeof shortest, &way->to, way->code);
        measure_deviation(&off, made, way);
        optional_ratio(error, &off.error, off.has_error, false);
        optional_ratio(relative, &off.relative, off.has_relative, true);
        optional_ratio(ulps, &off.ulps, off.has_ulps, false);
        const char *const texts[FIELDS] = { way->name,    result,
                                            way->to.name, show_code(code, &way->to, way->code),
                                            shortest,     error,
                                            relative,     ulps };
        records_row(&rows, texts);
    }
    records_end(&rows);
}

static void print_results(const dot_product *made)
{
    static number result;
    for (size_t i = 0; i < made->count; i++) {
        const summation *way = &made->ways[i];
        fpfmt_print_exact(result, sizeof result, fpfmt_decode(&way->to, way->code));
        puts(result);
    }
}

static void headline(const dot_product *made)
{
    static number start;
    const summation *first = &made->ways[0];
    size_t n = made->a.count;
    fpfmt_policy policy = column_policy(made->chosen, &made->chosen->columns[0], &first->to);
    outf(STYLE_INPUT, "%s × %s", vector_name(&made->a), vector_name(&made->b));
    if (made->same_format) {
        out(STYLE_PLAIN, " → ");
        out(STYLE_NAME, first->to.name);
    }
    outf(STYLE_PLAIN, "   %zu product%s of %s", n, n == 1 ? "" : "s", made->chosen->from.name);
    if (made->chosen->start != NULL) {
        show_value(start, &first->to, fpfmt_decode(&first->to, first->start), false, LEAD_NONE);
        outf(STYLE_PLAIN, ", added to %.40s", made->same_start ? start : made->chosen->start);
    }
    if (policy.rounding != FPFMT_ROUND_NEAREST_EVEN)
        outf(STYLE_DIM, "   %s", rounding_name(&policy));
    out_line();
    out_line();
}

static void row(const dot_product *made, const summation *way)
{
    static number result, ulps, percent;
    static deviation off;
    char code[24];
    measure_deviation(&off, made, way);
    bool exact = off.has_error && fpfmt_ratio_is_zero(&off.error);
    strcpy(ulps, exact ? " exact" : "");
    strcpy(percent, "");
    if (off.has_ulps && !exact)
        show_ulps(ulps, &off.ulps, LEAD_HANG_SIGN);
    if (off.has_relative && !exact)
        show_percent(percent, &off.relative, LEAD_HANG_SIGN);
    show_value(result, &way->to, fpfmt_decode(&way->to, way->code), made->chosen->full, LEAD_HANG);
    table_cell(STYLE_NAME, way->name);
    if (!made->same_format)
        table_cell(STYLE_PLAIN, way->to.name);
    table_cell(STYLE_PLAIN, result);
    table_cell(STYLE_PLAIN, show_code(code, &way->to, way->code));
    table_cell(exact ? STYLE_DIM : STYLE_PLAIN, ulps);
    table_cell(STYLE_PLAIN, percent);
    table_row();
}

static void table(const dot_product *made)
{
    table_begin(2);
    table_cell(STYLE_DIM, "accumulator");
    if (!made->same_format)
        table_cell(STYLE_DIM, "format");
    table_cell(STYLE_DIM, " result");
    table_cell(STYLE_DIM, "code");
    table_label(STYLE_DIM, " off the exact sum");
    table_row();
    for (size_t i = 0; i < made->count; i++)
        row(made, &made->ways[i]);
    table_flush();
    out_line();
}

/* All its digits with --exact, however long the line is. */
static void tell_sum(const dot_product *made)
{
    static number exact;
    static deviation off;
    measure_deviation(&off, made, &made->ways[0]);
    if (made->a.count == 0) {
        out_wrapped(2, "Without products the result is the start.");
    } else if (!off.has_exact) {
        out_wrapped(2, "A term is infinite or NaN: there is no exact sum.");
    } else if (made->same_start) {
        if (made->chosen->full)
            fpfmt_print_ratio(exact, sizeof exact, &off.exact);
        else
            show_ratio(exact, &off.exact, SHOWN_DIGITS, LEAD_NONE);
        out(STYLE_PLAIN, "  The exact sum is ");
        out(STYLE_PLAIN, exact);
        out(STYLE_PLAIN, ".");
        out_line();
    }
}

/* Where the options do not reach. */
static void tell_limits(const dot_product *made)
{
    const policy_choice *column = &made->chosen->columns[0];
    bool own = column->rounding >= 0 || column->overflow >= 0 ||
               column->row != fpfmt_policy_at(0) || made->chosen->subnormal != 0;
    for (size_t i = 0; i < made->count && own; i++)
        if (fpfmt_accumulator_is_engine(&made->ways[i].how)) {
            out_wrapped(2, "The models of hardware round as that does, whatever the options say.");
            return;
        }
}

static void explain(const dot_product *made)
{
    size_t aligned = 0;
    for (size_t i = 0; i < made->count && made->a.count > 0; i++)
        if (made->ways[i].how.method == FPFMT_ACCUMULATE_ALIGNED) {
            out_line();
            screen_alignment(made, &made->ways[i]);
            aligned++;
        }
    if (aligned < made->count)
        out_line();
    if (made->a.count == 0)
        out_wrapped(2, "There is no group to explain.");
    else if (aligned < made->count)
        out_wrapped(2, "The other accumulators align nothing; fpinspect --list-accumulators "
                       "tells what they do.");
}

/* What the two names of --dot are; false after a complaint. */
static bool split_paths(char *paths[2], const options *chosen)
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
    paths[0] = strndup(chosen->dot, (size_t)(comma - chosen->dot));
    paths[1] = strdup(comma + 1);
    return true;
}

static bool read_start(input *start, const options *chosen)
{
    static options plain;
    plain = *chosen;
    plain.has_from = false;
    const char *text = chosen->start != NULL ? chosen->start : "0";
    return read_input(start, &plain, text, strlen(text), "--init: ");
}

static bool read_both(dot_product *made, char *const paths[2])
{
    const fpfmt_format *from = &made->chosen->from;
    bool same = strcmp(paths[0], paths[1]) == 0;
    if (!read_vector(&made->a, paths[0], from, made->chosen))
        return false;
    if (same)
        made->b = made->a;
    else if (!read_vector(&made->b, paths[1], from, made->chosen))
        return false;
    if (made->a.count == made->b.count)
        return true;
    char name[260];
    snprintf(name, sizeof name, "%s", vector_name(&made->a));
    complain("%s has %zu value%s and %s has %zu: a dot product takes as many of each", name,
             made->a.count, made->a.count == 1 ? "" : "s", vector_name(&made->b), made->b.count);
    return false;
}

static void show(const dot_product *made)
{
    if (made->chosen->output == OUTPUT_QUIET) {
        print_results(made);
        return;
    }
    if (made->chosen->output != OUTPUT_SCREEN) {
        for_machine(made);
        return;
    }
    headline(made);
    table(made);
    tell_sum(made);
    tell_limits(made);
    if (made->chosen->explain)
        explain(made);
}

void view_dot(const options *chosen)
{
    static dot_product made;
    static input start;
    char *paths[2];
    made.chosen = chosen;
    if (!split_paths(paths, chosen))
        return;
    if (choose_ways(&made) && read_start(&start, chosen) && read_both(&made, paths)) {
        sum_up(&made, &start);
        show(&made);
    }
    if (made.b.codes != made.a.codes)
        free_vector(&made.b);
    free_vector(&made.a);
    for (size_t i = 0; i < made.count; i++)
        free(made.ways[i].name);
    free(made.ways);
    free(paths[0]);
    free(paths[1]);
}
