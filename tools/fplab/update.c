/* update.c - many small steps on a weight: which are lost, and two ways to keep them
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fpinspect/number.h"
#include "figures.h"
#include "walk.h"

enum { MOST_RUNS = 100000 };

static lab_formats formats;
static fpfmt_format master;
static uint64_t runs;

static const lab_option own_options[] = {
    { "as", "FORMATS", "formats of the weight; fp32,bf16,fp16,tf32 without it", LAB_FORMATS,
      &formats, 0, 0 },
    { "master", "FORMAT", "also keep a master copy of the weight in this format", LAB_FORMAT,
      &master, 0, 0 },
    { "stochastic", "RUNS", "also round stochastically, so many times over", LAB_COUNT, &runs, 1,
      MOST_RUNS },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};

/* What was asked for. */
typedef struct {
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

static void print_weight(const task *asked, const walk *of, const fpfmt_format *stored,
                         const char *way)
{
    uint64_t code = fpfmt_convert(stored, &of->format, of->code, NULL, NULL);
    lab_cell(stored->name, NULL);
    lab_cell(way, NULL);
    cell_code(stored, code);
    cell_value(stored, code);
    cell_relative(fpfmt_decode(stored, code), &asked->exact);
    cell_count(of->moved);
    if (of->stalled > 0)
        cell_count(of->stalled);
    else
        lab_cell("-", "never");
    for (int i = 0; i < 4; i++)
        cell_none();
    lab_end_row();
}

static void draw(const task *asked, const walk *walked)
{
    const char *names[MOST_PATHS];
    path ways[MOST_PATHS];
    char caption[80];
    for (size_t f = 0; f < formats.count && formats.count <= MOST_PATHS; f++) {
        names[f] = walked[f].format.name;
        ways[f] = walked[f].way;
    }
    snprintf(caption, sizeof caption, "Drawn: the weight after 0 to %" PRIu64 " steps.",
             asked->count);
    draw_paths(ways, names, formats.count, caption);
}

/* ---- stochastic rounding ---- */

/* The variance of all steps: of each it is ulp^2 p (1 - p), where p is the part of an ulp that the
 * step is past whole ones, and the ulp that of the exact way. */
static double expected_deviation(const task *asked, const fpfmt_format *format, fpfmt_value step,
                                 fpfmt_value start)
{
    double variance = 0, size = fpfmt_to_f64(step, NULL, NULL),
           at = fpfmt_to_f64(start, NULL, NULL);
    for (uint64_t i = 0; i < asked->count; i++) {
        double ulp = fpfmt_to_f64(fpfmt_ulp(format, fpfmt_from_f64(at)), NULL, NULL);
        double steps = divide64(size < 0 ? -size : size, ulp);
        double p = subtract64(steps, floor64(steps));
        double deviates = multiply64(multiply64(ulp, ulp), multiply64(p, subtract64(1, p)));
        variance = add64(variance, deviates);
        at = add64(at, size);
    }
    return sqrt64(variance);
}

/* Step i of run r has the random bits of index r count + i. */
static uint64_t walk_stochastically(const task *asked, const fpfmt_format *format, fpfmt_value step,
                                    uint64_t run)
{
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = lab_seed };
    uint64_t code = fpfmt_encode(format, asked->start, NULL, NULL);
    for (uint64_t i = 0; i < asked->count; i++) {
        policy.first = run * asked->count + i;
        code = fpfmt_add(format, fpfmt_decode(format, code), step, &policy, NULL);
    }
    return code;
}

static void print_chances(const task *asked, const fpfmt_format *format,
                          const fpfmt_format *of_steps, uint64_t done)
{
    double *ends = lab_allocate(runs, sizeof *ends);
    fpfmt_value step = in_format(of_steps, asked->step), start = in_format(format, asked->start);
    uint64_t first = 0;
    for (uint64_t r = 0; r < runs; r++) {
        uint64_t code = walk_stochastically(asked, format, step, r);
        first = r == 0 ? code : first;
        ends[r] = fpfmt_to_f64(fpfmt_decode(format, code), NULL, NULL);
        lab_progress(done + r + 1, formats.count * runs);
    }
    double mean = mean64(ends, runs);
    lab_cell(format->name, NULL);
    lab_cell("stochastic", NULL);
    cell_code(format, first);
    cell_value(format, first);
    cell_relative(fpfmt_decode(format, first), &asked->exact);
    cell_none();
    cell_none();
    cell_double(mean, 6);
    cell_double(deviation64(ends, runs, mean), 4);
    cell_double(fpfmt_to_f64(fpfmt_exact(FPFMT_OPERATION_FMA, fpfmt_from_u64(asked->count), step,
                                         start, NULL, NULL),
                             NULL, NULL),
                6);
    cell_double(expected_deviation(asked, format, step, start), 4);
    lab_end_row();
    free(ends);
}

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

static void try_chances(const task *asked, const fpfmt_format *of_steps)
{
    lab_flush();
    lab_gap();
    lab_say("Stochastic rounding, %" PRIu64 " runs with seed %" PRIu64 ": the sum of the weight "
            "and a step in %s goes to either neighbour with a chance that makes its mean the sum.",
            runs, lab_seed, of_steps->name);
    lab_rows(chance_columns);
    for (size_t f = 0; f < formats.count; f++)
        print_chances(asked, &formats.rows[f], of_steps, f * runs);
    lab_flush();
}

/* ---- the experiment ---- */

static bool read_task(task *asked, char **argv)
{
    fpfmt_ratio step, count;
    if (!lab_number(&asked->start, &asked->exact, argv[0], "START") ||
        !lab_number(&asked->step, &step, argv[1], "STEP") ||
        !lab_count(&asked->count, argv[2], "COUNT", 1, MOST_STEPS))
        return false;
    if (asked->step.kind == FPFMT_KIND_ZERO) {
        complain("STEP must not be 0");
        return false;
    }
    if (runs > 0 && runs * asked->count > MOST_STEPS) {
        complain("--stochastic %" PRIu64 " with %" PRIu64 " steps are more than %d roundings", runs,
                 asked->count, MOST_STEPS);
        return false;
    }
    asked->start_text = argv[0];
    asked->step_text = argv[1];
    fpfmt_ratio_from(&count, fpfmt_from_u64(asked->count));
    if (!fpfmt_ratio_multiply(&step, &step, &count) ||
        !fpfmt_ratio_add(&asked->exact, &asked->exact, &step)) {
        complain("START and STEP take too many digits");
        return false;
    }
    return true;
}

static void introduce(const task *asked)
{
    static number exact;
    show_ratio(exact, &asked->exact, SHOWN_DIGITS, LEAD_NONE);
    lab_say("A weight of %s takes %" PRIu64 " step%s of %s, and is rounded after each. Exactly, it "
            "would end at %s. The step is rounded to the format, too.",
            asked->start_text, asked->count, asked->count == 1 ? "" : "s", asked->step_text, exact);
    lab_gap();
}

static void run(int argc, char **argv)
{
    static task asked;
    (void)argc;
    if (formats.count == 0)
        lab_read_formats(&formats, "fp32,bf16,fp16,tf32");
    if (!read_task(&asked, argv))
        return;
    bool has_master = *master.name != '\0';
    char way[FPFMT_NAME_SIZE + 8], called[80];
    walk *walked = lab_allocate(formats.count, sizeof *walked), kept;
    snprintf(called, sizeof called, "a step of %s",
             quoted(asked.step_text, strlen(asked.step_text)));
    introduce(&asked);
    lab_rows(columns);
    for (size_t f = 0; f < formats.count; f++) {
        walked[f] = take_steps(&formats.rows[f], asked.start, asked.step, asked.count);
        print_weight(&asked, &walked[f], &formats.rows[f], "plain");
    }
    if (has_master)
        kept = take_steps(&master, asked.start, asked.step, asked.count);
    snprintf(way, sizeof way, "master %s", master.name);
    for (size_t f = 0; f < formats.count && has_master; f++)
        print_weight(&asked, &kept, &formats.rows[f], way);
    lab_flush();
    lab_gap();
    for (size_t f = 0; f < formats.count; f++)
        if (walked[f].stalled > 0)
            explain_stall(&walked[f], called);
    if (has_master)
        lab_say("With a master copy, the steps add up in %s, and the weight is its rounding.",
                master.name);
    draw(&asked, walked);
    if (runs > 0)
        try_chances(&asked, has_master ? &master : fpfmt_named("fp32"));
    free(walked);
}

const experiment update_experiment = {
    .name = "update",
    .usage = "START STEP COUNT",
    .summary = "lost updates: many small steps on a weight, and two ways to keep them",
    .example = "fplab update 1.0 1e-3 1000 --as fp32,bf16,fp16,tf32 --master fp32",
    .options = own_options,
    .least = 3,
    .most = 3,
    .run = run,
};
