/* update.c - many small steps on a weight: which are lost, and two ways to keep them
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "chances.h"
#include "kit/formats.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "lab.h"
#include "operands.h"
#include "picture.h"
#include "stall.h"
#include "walk.h"

enum { MOST_RUNS = 100000 };

typedef struct {
    common_settings common;
    format_list formats;
    fpfmt_format master; /* without a name: none */
    uint64_t runs;       /* of stochastic rounding; 0 for none */
} update_settings;
BEGINS_WITH_COMMON(update_settings);

#define AT(member) .target = offsetof(update_settings, member)

/* clang-format off */
static const option_row options[] = {
    { .name = "as", .takes = "FORMATS", AT(formats), .read = set_formats, .offer = offer_targets,
      .summary = "formats of the weight; fp32,bf16,fp16,tf32 without it" },
    { .name = "master", .takes = "FORMAT", AT(master), .read = set_format, .offer = offer_formats,
      .summary = "also keep a master copy of the weight in this format" },
    { .name = "stochastic", .takes = "RUNS", AT(runs), .read = set_whole, .least = 1,
      .most = MOST_RUNS, .summary = "also round stochastically, so many times over" },
    { .name = NULL },
};
/* clang-format on */

/* The settings and the operands, and what is at hand while they are performed. */
typedef struct {
    const update_settings *asked;
    lab_page *page;
    progress moving;
    fpfmt_value start, step;
    fpfmt_ratio exact; /* start + count * step, as typed */
    uint64_t count;
    const char *start_text, *step_text;
} task;

/* ---- what is printed ---- */

static const lab_column columns[] = {
    { "format", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_NAME },
    { "way", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "code", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "exact", "weight", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "relative", "off by", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "moved", NULL, LAB_MACHINE, ALIGN_RIGHT, STYLE_PLAIN },
    { "stalled", "stalls at step", LAB_EVERYWHERE, ALIGN_RIGHT, STYLE_WARN },
    { "mean", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "deviation", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "expected-mean", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "expected-deviation", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
};

static void print_weight(const task *of, const walk *walked, const fpfmt_format *stored,
                         const char *way)
{
    lab_page *page = of->page;
    uint64_t code = fpfmt_convert(stored, &walked->format, walked->code, NULL, NULL);
    lab_cell(page, stored->name, NULL);
    lab_cell(page, way, NULL);
    cell_code(page, stored, code);
    cell_value(page, stored, code);
    cell_relative(page, fpfmt_decode(stored, code), &of->exact);
    cell_count(page, walked->moved);
    if (walked->stalled > 0)
        cell_count(page, walked->stalled);
    else
        lab_cell(page, "-", "never");
    for (int i = 0; i < 4; i++)
        cell_none(page);
    lab_end_row(page);
}

static void draw(const task *of, const walk *walked)
{
    const char *names[MOST_PATHS];
    path ways[MOST_PATHS];
    char caption[80];
    size_t count = of->asked->formats.count;
    for (size_t f = 0; f < count && count <= MOST_PATHS; f++) {
        names[f] = walked[f].format.name;
        ways[f] = walked[f].way;
    }
    snprintf(caption, sizeof caption, "Drawn: the weight after 0 to %" PRIu64 " steps.", of->count);
    draw_paths(of->page, ways, names, count, caption);
}

/* ---- stochastic rounding ---- */

static const lab_column chance_columns[] = {
    { "format", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_NAME },
    { "way", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "code", "first run", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "exact", "weight", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "relative", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "moved", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "stalled", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "mean", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "deviation", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "expected-mean", "expected", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_DIM },
    { "expected-deviation", "deviation", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_DIM },
    { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
};

static void print_chances(const task *of, const fpfmt_format *format, const chances *found)
{
    lab_page *page = of->page;
    lab_cell(page, format->name, NULL);
    lab_cell(page, "stochastic", NULL);
    cell_code(page, format, found->first);
    cell_value(page, format, found->first);
    cell_relative(page, fpfmt_decode(format, found->first), &of->exact);
    cell_none(page);
    cell_none(page);
    cell_double(page, found->mean, 6);
    cell_double(page, found->deviation, 4);
    cell_double(page, found->expected_mean, 6);
    cell_double(page, found->expected_deviation, 4);
    lab_end_row(page);
}

static void show_chances(task *of, const fpfmt_format *of_steps)
{
    const update_settings *asked = of->asked;
    lab_flush(of->page);
    lab_gap(of->page);
    lab_say(of->page,
            "Stochastic rounding, %" PRIu64 " runs with seed %" PRIu64 ": the sum of the weight "
            "and a step in %s goes to either neighbour with a chance that makes its mean the sum.",
            asked->runs, asked->common.seed, of_steps->name);
    lab_rows(of->page, chance_columns);
    begin_progress(&of->moving, asked->formats.count * asked->runs);
    for (size_t f = 0; f < asked->formats.count; f++) {
        const stochastic_walks walks = { .format = &asked->formats.rows[f],
                                         .of_steps = of_steps,
                                         .start = of->start,
                                         .step = of->step,
                                         .count = of->count,
                                         .runs = asked->runs,
                                         .seed = asked->common.seed };
        chances found = try_chances(&walks, &of->moving);
        print_chances(of, walks.format, &found);
    }
    lab_flush(of->page);
}

/* ---- the experiment ---- */

static bool read_task(task *made, char **operands)
{
    fpfmt_ratio step, count;
    uint64_t runs = made->asked->runs;
    if (!read_finite(&made->start, &made->exact, operands[0], "START") ||
        !read_finite(&made->step, &step, operands[1], "STEP") ||
        !read_whole(&made->count, operands[2], "COUNT", 1, MOST_STEPS))
        return false;
    if (made->step.kind == FPFMT_KIND_ZERO) {
        complain("STEP must not be 0");
        return false;
    }
    if (runs > 0 && runs * made->count > MOST_STEPS) {
        complain("--stochastic %" PRIu64 " with %" PRIu64 " steps are more than %d roundings", runs,
                 made->count, MOST_STEPS);
        return false;
    }
    made->start_text = operands[0];
    made->step_text = operands[1];
    fpfmt_ratio_from(&count, fpfmt_from_u64(made->count));
    if (!fpfmt_ratio_multiply(&step, &step, &count) ||
        !fpfmt_ratio_add(&made->exact, &made->exact, &step)) {
        complain("START and STEP take too many digits");
        return false;
    }
    return true;
}

static void introduce(const task *of)
{
    number exact;
    show_ratio(exact, &of->exact, SHOWN_DIGITS, LEAD_NONE);
    lab_say(of->page,
            "A weight of %s takes %" PRIu64 " step%s of %s, and is rounded after each. Exactly, it "
            "would end at %s. The step is rounded to the format, too.",
            of->start_text, of->count, of->count == 1 ? "" : "s", of->step_text, exact);
    lab_gap(of->page);
}

/* The table; walked has room for a walk in each format. */
static void print_table(task *of, walk *walked)
{
    const update_settings *asked = of->asked;
    char way[FPFMT_NAME_SIZE + 8];
    lab_rows(of->page, columns);
    for (size_t f = 0; f < asked->formats.count; f++) {
        walked[f] =
            take_steps(&asked->formats.rows[f], of->start, of->step, of->count, &of->moving);
        print_weight(of, &walked[f], &asked->formats.rows[f], "plain");
    }
    if (*asked->master.name != '\0') {
        walk kept = take_steps(&asked->master, of->start, of->step, of->count, &of->moving);
        snprintf(way, sizeof way, "master %s", asked->master.name);
        for (size_t f = 0; f < asked->formats.count; f++)
            print_weight(of, &kept, &asked->formats.rows[f], way);
    }
    lab_flush(of->page);
}

static void run(void *settings, lab_page *page, char **operands, size_t count)
{
    update_settings *asked = settings;
    task *given = allocate(1, sizeof *given);
    char called[80];
    bool has_master = *asked->master.name != '\0';
    (void)count;
    if (asked->formats.count == 0)
        read_formats(&asked->formats, "fp32,bf16,fp16,tf32");
    given->asked = asked;
    given->page = page;
    if (!read_task(given, operands))
        return;
    walk *walked = allocate(asked->formats.count, sizeof *walked);
    introduce(given);
    print_table(given, walked);
    lab_gap(page);
    snprintf(called, sizeof called, "a step of %s",
             quoted(given->step_text, strlen(given->step_text)));
    for (size_t f = 0; f < asked->formats.count; f++)
        if (walked[f].stalled > 0)
            explain_stall(page, &walked[f], called);
    if (has_master)
        lab_say(page, "With a master copy, the steps add up in %s, and the weight is its rounding.",
                asked->master.name);
    draw(given, walked);
    if (asked->runs > 0)
        show_chances(given, has_master ? &asked->master : fpfmt_named("fp32"));
}

const experiment update_experiment = {
    .name = "update",
    .usage = "START STEP COUNT",
    .summary = "lost updates: many small steps on a weight, and two ways to keep them",
    .example = "fplab update 1.0 1e-3 1000 --as fp32,bf16,fp16,tf32 --master fp32",
    .options = options,
    .size = sizeof(update_settings),
    .least = 3,
    .most = 3,
    .run = run,
};
