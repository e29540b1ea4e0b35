/* views.c - commands whose facts are more than one array, or whose fields depend on their options
 * SPDX-License-Identifier: MIT */

#include "command/views.h"

#include <stdio.h>

#include "facts/binades.h"
#include "facts/block_lists.h"
#include "facts/diff.h"
#include "facts/dot.h"
#include "facts/stairs.h"
#include "kit/memory.h"
#include "kit/run.h"
#include "kit/say.h"
#include "screens/view.h"

const char fpinspect_schema[] = "fpinspect/1";

void run_diff(const request *chosen)
{
    format_difference *made = allocate(1, sizeof *made);
    compare_formats(made, &chosen->shown[0], &chosen->shown[1]);
    if (chosen->form == FORM_SCREEN)
        draw_difference(made);
    else
        print_records(chosen->form, fpinspect_schema, "differences", difference_fields,
                      made->differences, sizeof(difference));
}

/* Formats without binades are left out, with a note: fixed point has none. */
static format_list keep_floating(const format_list *formats)
{
    format_list kept = { .rows = NULL };
    for (size_t i = 0; i < formats->count; i++)
        if (formats->rows[i].exponent_bits == 0) {
            note("%s is fixed point and has no binades to plot", formats->rows[i].name);
        } else {
            kept.rows = more(kept.rows, kept.count, sizeof *kept.rows);
            kept.rows[kept.count++] = formats->rows[i];
        }
    return kept;
}

static void print_numbers(const request *chosen)
{
    fact_list facts;
    stair_schema *schema = allocate(1, sizeof *schema);
    if (chosen->plot == PLOT_STAIRCASE) {
        const field *fields = gather_stairs(&facts, schema, chosen);
        print_records(chosen->form, fpinspect_schema, "steps", fields, facts, sizeof(stair_facts));
        return;
    }
    gather_binades(&facts, chosen);
    print_records(chosen->form, fpinspect_schema, "binades",
                  chosen->plot == PLOT_DENSITY ? density_fields : error_fields, facts,
                  sizeof(binade));
}

void run_plot(const request *chosen)
{
    request floating = *chosen;
    floating.formats = keep_floating(&chosen->formats);
    if (floating.formats.count == 0)
        complain("--plot needs a floating-point format in --as");
    else if (chosen->form == FORM_SCREEN)
        draw_plot(&floating);
    else
        print_numbers(&floating);
}

static void print_results(const dot_product *made)
{
    number result;
    for (size_t i = 0; i < made->count; i++) {
        const summation *way = &made->ways[i];
        fpfmt_print_exact(result, sizeof result, fpfmt_decode(&way->to, way->code));
        fprintf(this_run()->out, "%s\n", result);
    }
}

void run_dot(const request *chosen)
{
    dot_product made;
    bool good = compute_dot(&made, chosen);
    fact_list ways = { made.ways, made.count };
    if (good && chosen->form == FORM_SCREEN)
        draw_dot(&made);
    else if (good && chosen->form == FORM_QUIET)
        print_results(&made);
    else if (good)
        print_records(chosen->form, fpinspect_schema, "results", summation_fields, ways,
                      sizeof(summation));
    release_dot(&made);
}

void show_block(const request *chosen)
{
    fact_list facts;
    bool screen = chosen->form == FORM_SCREEN;
    if (chosen->book != NULL) {
        gather_book(&facts, chosen);
        if (screen)
            draw_book(chosen, &facts);
        else
            print_records_about(chosen->form, fpinspect_schema, chosen->book->name, "values",
                                book_fields, facts, sizeof(book_facts));
        return;
    }
    gather_block_info(&facts, chosen);
    if (screen)
        draw_block_info(chosen, &facts);
    else
        print_records(chosen->form, fpinspect_schema, "blocks", block_format_fields, facts,
                      sizeof(block_format_facts));
}
