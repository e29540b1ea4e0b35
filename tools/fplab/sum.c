/* sum.c - the same number added up many times over, by several accumulators
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fpinspect/number.h"
#include "figures.h"
#include "summing.h"
#include "walk.h"

static lab_formats formats;
static fpfmt_format to;
static const char *accumulators = "sequential,pairwise,kahan,exact";

static const lab_option own_options[] = {
    { "as", "FORMATS", "formats of the number; fp16,bf16,fp32 without it", LAB_FORMATS, &formats, 0,
      0 },
    { "accumulate", "NAMES", "sequential,pairwise,kahan,exact without it", LAB_TEXT, &accumulators,
      0, 0 },
    { "to", "FORMAT", "of the sums; that of the number without it", LAB_FORMAT, &to, 0, 0 },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};

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

/* What was asked for. */
typedef struct {
    fpfmt_value term;
    fpfmt_ratio exact; /* the term as typed, count times */
    uint64_t count;
    const char *text;
} task;

enum { FORMATS_SIZE = 2 * FPFMT_NAME_SIZE + 8 };

/* The format of the number, and of its sums if that is another: "fp16 in fp32". Returns text. */
static char *write_formats(char text[FORMATS_SIZE], const fpfmt_format *format,
                           const fpfmt_format *sums)
{
    bool same = strcmp(format->name, sums->name) == 0;
    snprintf(text, FORMATS_SIZE, "%s%s%s", format->name, same ? "" : " in ",
             same ? "" : sums->name);
    return text;
}

/* The sequential sums, for the picture and the reasons below the table. */
static struct {
    walk way;
    char name[FORMATS_SIZE];
} walks[MOST_PATHS];
static size_t walk_count;

/* The sum of an accumulator; all elements are the one code. */
static uint64_t add_up(const task *asked, const summation *by, const fpfmt_format *format)
{
    uint64_t one[1];
    lab_store(one, 0, format, fpfmt_encode(format, asked->term, NULL, NULL));
    const fpfmt_series same = { .format = format, .codes = one, .stride = 0 };
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    return fpfmt_sum(&by->to, &by->how, fpfmt_encode(&by->to, zero, NULL, NULL), same,
                     (size_t)asked->count, NULL, NULL);
}

/* Sums in the format of the number itself are walks with steps of it. */
static const walk *walk_of(const task *asked, const summation *by, const fpfmt_format *format)
{
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    static walk made;
    if (!is_sequential(by))
        return NULL;
    made = take_steps(&by->to, zero, in_format(format, asked->term), asked->count);
    if (walk_count < MOST_PATHS) {
        write_formats(walks[walk_count].name, format, &by->to);
        walks[walk_count++].way = made;
    }
    return &made;
}

/* All additions counted, which people read as this. */
static void cell_all(uint64_t additions)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, additions);
    lab_cell(text, "never");
}

static void print_sum(const task *asked, const summation *by, const fpfmt_format *format)
{
    static number exact;
    char formats_shown[FORMATS_SIZE];
    uint64_t code = add_up(asked, by, format);
    const walk *way = walk_of(asked, by, format);
    fpfmt_print_exact(exact, sizeof exact, fpfmt_decode(&by->to, code));
    lab_cell(by->name, NULL);
    lab_cell(exact, NULL);
    lab_cell(format->name, write_formats(formats_shown, format, &by->to));
    lab_cell(by->to.name, NULL);
    cell_code(&by->to, code);
    cell_value(&by->to, code);
    cell_relative(fpfmt_decode(&by->to, code), &asked->exact);
    if (way == NULL)
        lab_cell("-", "");
    else if (way->stalled > 0)
        cell_count(way->moved);
    else
        cell_all(way->moved);
    lab_end_row();
}

static bool read_task(task *asked, char **argv)
{
    fpfmt_ratio count;
    if (!lab_number(&asked->term, &asked->exact, argv[0], "X") ||
        !lab_count(&asked->count, argv[1], "COUNT", 1, MOST_STEPS))
        return false;
    asked->text = argv[0];
    fpfmt_ratio_from(&count, fpfmt_from_u64(asked->count));
    if (!fpfmt_ratio_multiply(&asked->exact, &asked->exact, &count)) {
        complain("X takes too many digits");
        return false;
    }
    return true;
}

static void explain(const task *asked)
{
    const char *names[MOST_PATHS];
    path ways[MOST_PATHS];
    char caption[100], called[80];
    snprintf(called, sizeof called, "one more %s", asked->text);
    bool any = false;
    for (size_t w = 0; w < walk_count; w++) {
        names[w] = walks[w].name;
        ways[w] = walks[w].way.way;
        if (walks[w].way.stalled == 0)
            continue;
        if (!any)
            lab_gap();
        any = true;
        explain_stall(&walks[w].way, called);
    }
    snprintf(caption, sizeof caption, "Drawn: the sequential sum after 0 to %" PRIu64 " additions.",
             asked->count);
    draw_paths(ways, names, walk_count, caption);
}

static void run(int argc, char **argv)
{
    static task asked;
    static summation ways[MOST_SUMMATIONS];
    static number exact;
    const fpfmt_format *common = *to.name != '\0' ? &to : NULL;
    (void)argc;
    if (formats.count == 0)
        lab_read_formats(&formats, "fp16,bf16,fp32");
    if (!read_task(&asked, argv))
        return;
    for (size_t f = 0; f < formats.count; f++)
        if (read_summations(ways, accumulators, &formats.rows[f], common, true) == 0)
            return;
    show_ratio(exact, &asked.exact, SHOWN_DIGITS, LEAD_NONE);
    lab_say("The sum of %" PRIu64 " times %s. Exactly, it is %s. The number is rounded to its "
            "format first, and then added up.",
            asked.count, asked.text, exact);
    lab_gap();
    lab_rows(columns);
    for (size_t f = 0; f < formats.count; f++) {
        size_t count = read_summations(ways, accumulators, &formats.rows[f], common, true);
        for (size_t i = 0; i < count; i++)
            print_sum(&asked, &ways[i], &formats.rows[f]);
    }
    lab_flush();
    explain(&asked);
}

const experiment sum_experiment = {
    .name = "sum",
    .usage = "X COUNT",
    .summary = "one number added up many times over, by several accumulators",
    .example = "fplab sum 0.1 10000 --as fp16,bf16,fp32 --accumulate sequential,pairwise,kahan",
    .options = own_options,
    .least = 2,
    .most = 2,
    .run = run,
};
