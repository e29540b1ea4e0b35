/* draw_dot.c - a dot product as several accumulators sum it up
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "facts/dot.h"
#include "kit/number.h"
#include "kit/out.h"
#include "kit/table.h"
#include "screens/screen.h"
#include "screens/view.h"

static void headline(const dot_product *made)
{
    number start;
    const summation *first = &made->ways[0];
    size_t n = made->a.count;
    fpfmt_policy policy = column_policy(made->chosen, &made->chosen->columns[0], &first->to);
    outf(STYLE_INPUT, "%s × %s", vector_name(&made->a), vector_name(&made->b));
    if (made->same_format) {
        out(STYLE_PLAIN, " → ");
        out(STYLE_NAME, first->to.name);
    }
    outf(STYLE_PLAIN, "   %zu product%s of %s", n, n == 1 ? "" : "s", made->chosen->from.name);
    if (made->chosen->from_pair)
        outf(STYLE_PLAIN, " and %s", made->chosen->from_second.name);
    if (made->chosen->start != NULL) {
        show_value(start, &first->to, fpfmt_decode(&first->to, first->start), false, LEAD_NONE);
        outf(STYLE_PLAIN, ", added to %.40s", made->same_start ? start : made->chosen->start);
    }
    show_mode(&policy);
    out_line();
    out_line();
}

static void row(const dot_product *made, const summation *way)
{
    number result, ulps, percent;
    const deviation *off = &way->off;
    char code[24];
    bool exact = off->error.exists && fpfmt_ratio_is_zero(&off->error.ratio);
    strcpy(ulps, exact ? " exact" : "");
    strcpy(percent, "");
    if (off->ulps.exists && !exact)
        show_ulps(ulps, &off->ulps.ratio, LEAD_HANG_SIGN);
    if (off->relative.exists && !exact)
        show_percent(percent, &off->relative.ratio, LEAD_HANG_SIGN);
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
    int code = made->same_format ? 2 : 3, percent = code + 2;
    table_begin(2);
    table_drop(percent, 1);
    table_drop(code, 2);
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

/* All its digits with --exact, however many lines these take. */
static void tell_sum(const dot_product *made)
{
    number exact;
    const maybe_ratio *sum = &made->ways[0].off.exact;
    if (made->a.count == 0) {
        out_wrapped(2, "Without products the result is the start.");
    } else if (!sum->exists) {
        out_wrapped(2, "A term is infinite or NaN: there is no exact sum.");
    } else if (made->same_start) {
        if (made->chosen->full)
            fpfmt_print_ratio(exact, sizeof exact, &sum->ratio);
        else
            show_ratio(exact, &sum->ratio, SHOWN_DIGITS, LEAD_NONE);
        out(STYLE_PLAIN, "  The exact sum is ");
        out_hang((int)strlen("  The exact sum is "));
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

void draw_dot(const dot_product *made)
{
    headline(made);
    table(made);
    tell_sum(made);
    tell_limits(made);
    if (made->chosen->explain)
        explain(made);
}
