/* sum.c - the same number added up many times over, by several accumulators
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "kit/formats.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "lab.h"
#include "operands.h"
#include "picture.h"
#include "stall.h"
#include "summing.h"
#include "walk.h"

typedef struct {
    common_settings common;
    format_list formats;
    fpfmt_format to; /* without a name: that of the number, or an engine's own */
    const char *accumulators;
} sum_settings;
BEGINS_WITH_COMMON(sum_settings);

static const sum_settings usual = { .accumulators = "sequential,pairwise,kahan,exact" };

#define AT(member) .target = offsetof(sum_settings, member)

/* clang-format off */
static const option_row options[] = {
    { .name = "as", .takes = "FORMATS", AT(formats), .read = set_formats, .offer = offer_targets,
      .summary = "formats of the number; fp16,bf16,fp32 without it" },
    { .name = "accumulate", .takes = "NAMES", AT(accumulators), .read = set_text,
      .offer = offer_summations, .summary = "sequential,pairwise,kahan,exact without it" },
    { .name = "to", .takes = "FORMAT", AT(to), .read = set_format, .offer = offer_formats,
      .summary = "of the sums; that of the number without it" },
    { .name = NULL },
};
/* clang-format on */

static const lab_column columns[] = {
    { "accumulator", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_NAME },
    { "result", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "format", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "to", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "code", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "result-shown", "result", LAB_SCREEN, ALIGN_LEFT, STYLE_PLAIN },
    { "relative", "off by", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "additions", "stalls after", LAB_EVERYWHERE, ALIGN_RIGHT, STYLE_WARN },
    { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
};

enum { FORMATS_SIZE = 2 * FPFMT_NAME_SIZE + 8 };

/* A sequential sum, for the picture and the reasons below the table. */
typedef struct {
    walk walked;
    char name[FORMATS_SIZE];
} named_walk;

/* The settings and the operands, and what is at hand while they are performed. */
typedef struct {
    const sum_settings *asked;
    lab_page *page;
    progress moving;
    fpfmt_value term;
    fpfmt_ratio exact; /* the term as typed, count times */
    uint64_t count;
    const char *text; /* the term */
    named_walk walks[MOST_PATHS];
    size_t walk_count;
} task;

/* The format of the number, and of its sums if that is another: "fp16 in fp32". Returns text. */
static char *write_formats(char text[FORMATS_SIZE], const fpfmt_format *format,
                           const fpfmt_format *sums)
{
    bool same = strcmp(format->name, sums->name) == 0;
    snprintf(text, FORMATS_SIZE, "%s%s%s", format->name, same ? "" : " in ",
             same ? "" : sums->name);
    return text;
}

/* The sum of an accumulator; all elements are the one code. */
static uint64_t add_up(const task *of, const summation *by, const fpfmt_format *format)
{
    uint64_t one[1];
    fpfmt_store_code(format, one, 0, fpfmt_encode(format, of->term, NULL, NULL));
    const fpfmt_series same = { .format = format, .codes = one, .stride = 0 };
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    return fpfmt_sum(&by->to, &by->how, fpfmt_encode(&by->to, zero, NULL, NULL), same,
                     (size_t)of->count, NULL, NULL);
}

/* A sequential sum is a walk whose steps are the number in its format. */
static walk walk_of(task *of, const summation *by, const fpfmt_format *format)
{
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    walk walked = take_steps(&by->to, zero, in_format(format, of->term), of->count, &of->moving);
    if (of->walk_count < MOST_PATHS) {
        write_formats(of->walks[of->walk_count].name, format, &by->to);
        of->walks[of->walk_count++].walked = walked;
    }
    return walked;
}

/* How many additions changed the sum; where all did, people read "never" under "stalls after". */
static void cell_additions(task *of, const summation *by, const fpfmt_format *format)
{
    char text[24];
    if (!is_sequential(by)) {
        lab_cell(of->page, "-", "");
        return;
    }
    walk walked = walk_of(of, by, format);
    snprintf(text, sizeof text, "%" PRIu64, walked.moved);
    lab_cell(of->page, text, walked.stalled > 0 ? NULL : "never");
}

static void print_sum(task *of, const summation *by, const fpfmt_format *format)
{
    lab_page *page = of->page;
    number exact;
    char formats[FORMATS_SIZE];
    uint64_t code = add_up(of, by, format);
    fpfmt_print_exact(exact, sizeof exact, fpfmt_decode(&by->to, code));
    lab_cell(page, by->name, NULL);
    lab_cell(page, exact, NULL);
    lab_cell(page, format->name, write_formats(formats, format, &by->to));
    lab_cell(page, by->to.name, NULL);
    cell_code(page, &by->to, code);
    cell_value(page, &by->to, code);
    cell_relative(page, fpfmt_decode(&by->to, code), &of->exact);
    cell_additions(of, by, format);
    lab_end_row(page);
}

static bool read_task(task *made, char **operands)
{
    fpfmt_ratio count;
    if (!read_finite(&made->term, &made->exact, operands[0], "X") ||
        !read_whole(&made->count, operands[1], "COUNT", 1, MOST_STEPS))
        return false;
    made->text = operands[0];
    fpfmt_ratio_from(&count, fpfmt_from_u64(made->count));
    if (!fpfmt_ratio_multiply(&made->exact, &made->exact, &count)) {
        complain("X takes too many digits");
        return false;
    }
    return true;
}

static void explain(const task *of)
{
    const char *names[MOST_PATHS];
    path ways[MOST_PATHS];
    char caption[100], called[80];
    snprintf(called, sizeof called, "one more %s", of->text);
    bool any = false;
    for (size_t w = 0; w < of->walk_count; w++) {
        names[w] = of->walks[w].name;
        ways[w] = of->walks[w].walked.way;
        if (of->walks[w].walked.stalled == 0)
            continue;
        if (!any)
            lab_gap(of->page);
        any = true;
        explain_stall(of->page, &of->walks[w].walked, called);
    }
    snprintf(caption, sizeof caption, "Drawn: the sequential sum after 0 to %" PRIu64 " additions.",
             of->count);
    draw_paths(of->page, ways, names, of->walk_count, caption);
}

static void introduce(const task *of)
{
    number exact;
    show_ratio(exact, &of->exact, SHOWN_DIGITS, LEAD_NONE);
    lab_say(of->page,
            "The sum of %" PRIu64 " times %s. Exactly, it is %s. The number is rounded to its "
            "format first, and then added up.",
            of->count, of->text, exact);
    lab_gap(of->page);
}

/* The accumulators for elements of a format; how many, 0 after a complaint. */
static size_t read_ways(summation ways[MOST_SUMMATIONS], const sum_settings *asked,
                        const fpfmt_format *format)
{
    const fpfmt_format *common = *asked->to.name != '\0' ? &asked->to : NULL;
    return read_summations(ways, asked->accumulators, format, common, true);
}

static void run(void *settings, lab_page *page, char **operands, size_t count)
{
    sum_settings *asked = settings;
    task *given = allocate(1, sizeof *given);
    summation ways[MOST_SUMMATIONS];
    (void)count;
    if (asked->formats.count == 0)
        read_formats(&asked->formats, "fp16,bf16,fp32");
    given->asked = asked;
    given->page = page;
    if (!read_task(given, operands))
        return;
    for (size_t f = 0; f < asked->formats.count; f++)
        if (read_ways(ways, asked, &asked->formats.rows[f]) == 0)
            return;
    introduce(given);
    lab_rows(page, columns);
    for (size_t f = 0; f < asked->formats.count; f++) {
        size_t way_count = read_ways(ways, asked, &asked->formats.rows[f]);
        for (size_t w = 0; w < way_count; w++)
            print_sum(given, &ways[w], &asked->formats.rows[f]);
    }
    lab_flush(page);
    explain(given);
}

const experiment sum_experiment = {
    .name = "sum",
    .usage = "X COUNT",
    .summary = "one number added up many times over, by several accumulators",
    .example = "fplab sum 0.1 10000 --as fp16,bf16,fp32 --accumulate sequential,pairwise,kahan",
    .options = options,
    .usual = &usual,
    .size = sizeof(sum_settings),
    .least = 2,
    .most = 2,
    .run = run,
};
