/* report.c - what a cast did: for people and programs, and against limits
 * SPDX-License-Identifier: MIT */

#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#include "kit/loss_cells.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/table.h"
#include "kit/text.h"
#include "report/rows.h"

/* ---- limits ---- */

bool fails(const cast_plan *plan)
{
    fpfmt_stats *all = allocate(1, sizeof *all);
    bool past = false;
    add_all(all, plan);
    for (size_t i = 0; i < plan->asked->limit_count; i++) {
        const fail_limit *limit = &plan->asked->limits[i];
        past |= is_past_limit(limit, count_outcome(all, limit->outcome), count_regular(all),
                              "what was cast");
    }
    release(all);
    if (past) {
        note("%s: nothing is written", quoted(plan->asked->out, strlen(plan->asked->out)));
        fail_condition();
    }
    return past;
}

/* ---- tensor by tensor ---- */

static void draw_losses(const fpfmt_stats *stats)
{
    double sqnr = 0;
    uint64_t of = count_regular(stats);
    cell_share(stats->underflow, of, STYLE_LOST);
    cell_share(stats->subnormal, of, STYLE_WARN);
    cell_share(stats->overflow + stats->saturated, of, STYLE_LOST);
    cell_share(stats->invalid, stats->count, STYLE_LOST);
    cell_relative(stats);
    bool known = decibels(&sqnr, fpfmt_stats_signal(stats), fpfmt_stats_noise(stats));
    cell_about(known, sqnr, "dB");
}

static void draw_tensor(const char *of_file, const cast *of)
{
    report_row *row = allocate(1, sizeof *row);
    make_row(row, of);
    char *name = as_line(*row->tensor == '\0' ? of_file : row->tensor);
    table_cell(STYLE_NAME, name);
    release(name);
    table_cell(STYLE_PLAIN, row->from);
    if (is_converted(of)) {
        table_cell(STYLE_PLAIN, row->to);
        draw_losses(of->stats);
    } else {
        table_cell(STYLE_DIM, row->deed);
    }
    table_row();
    release(row);
}

static void draw_table(const cast_plan *plan)
{
    /* drop: which columns a narrow screen goes without, the first of them first. */
    static const struct {
        const char *head;
        int drop;
    } columns[] = { { "tensor", 0 },  { "from", 4 },      { "to", 0 },
                    { "→ 0", 0 },     { "subnormal", 3 }, { "overflow", 0 },
                    { "invalid", 1 }, { "worst rel", 2 }, { "SQNR ≈", 0 } };
    enum { COLUMNS = sizeof columns / sizeof columns[0], NAMES = 3 };
    fpfmt_stats *all = allocate(1, sizeof *all);
    table_begin(0);
    for (int i = 0; i < COLUMNS; i++) {
        table_align(i, i < NAMES ? ALIGN_LEFT : ALIGN_RIGHT);
        if (columns[i].drop > 0)
            table_drop(i, columns[i].drop);
        table_cell(STYLE_DIM, columns[i].head);
    }
    table_row();
    for (size_t i = 0; i < plan->count; i++)
        draw_tensor(plan->in->path, &plan->casts[i]);
    add_all(all, plan);
    table_cell(STYLE_DIM, "in all");
    table_cell(STYLE_PLAIN, "");
    table_cell(STYLE_PLAIN, "");
    draw_losses(all);
    table_row();
    table_flush();
    out_line();
    release(all);
}

/* ---- all of it in some lines ---- */

/* Casts that people take for the same: of one target, or kept for one reason. */
static bool is_alike(const cast *a, const cast *b)
{
    if (is_converted(a) != is_converted(b))
        return false;
    if (is_converted(a))
        return strcmp(a->to->name, b->to->name) == 0;
    return a->does == b->does &&
           (a->why == b->why || (a->why != NULL && b->why != NULL && strcmp(a->why, b->why) == 0));
}

/* The group that begins with this cast, unless an earlier one has it. */
static void draw_group(const cast_plan *plan, size_t first)
{
    const cast *it = &plan->casts[first];
    char count[40], flags[FLAGS_SIZE];
    unsigned all = 0;
    size_t n = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (!is_alike(it, &plan->casts[i]))
            continue;
        if (i < first)
            return;
        n++;
        all |= plan->casts[i].flags;
    }
    name_flags(flags, all, ", ");
    print_text(count, sizeof count, "%zu tensor%s", n, n == 1 ? "" : "s");
    table_cell(STYLE_NAME, is_converted(it)        ? it->to->name
                           : it->does == DEED_COPY ? "kept"
                                                   : "left out");
    table_cell(STYLE_PLAIN, count);
    table_cell(STYLE_PLAIN, !is_converted(it) ? it->does == DEED_LEAVE_OUT ? "scales, multiplied in"
                                                : it->why == NULL          ? ""
                                                                           : it->why
                            : *flags == '\0'  ? "exact"
                                              : flags);
    table_row();
}

void draw_report(const cast_plan *plan, bool all, bool written)
{
    report_row *total = allocate(1, sizeof *total);
    if (all)
        draw_table(plan);
    make_total(total, plan);
    char *name = as_line(plan->asked->out);
    out(STYLE_NAME, name);
    release(name);
    outf(STYLE_PLAIN, "   %" PRIu64 " bytes of tensors%s", total->bytes,
         written ? "" : "; nothing is written");
    out_line();
    table_begin(2);
    table_align(1, ALIGN_RIGHT);
    for (deed what = DEED_CONVERT; what < DEEDS; what++)
        for (size_t i = 0; i < plan->count; i++)
            if (plan->casts[i].does == what)
                draw_group(plan, i);
    table_flush();
    release(total);
}

/* ---- for programs ---- */

void print_report(const cast_plan *plan, form how, bool written)
{
    const field *fields[sizeof(report_row) / sizeof(void *)];
    size_t count = 0;
    records made;
    report_row *row = allocate(1, sizeof *row);
    for (; report_fields[count].name != NULL; count++)
        fields[count] = &report_fields[count];
    records_open(&made, how, "fpcast/1");
    records_about(&made, "written", written ? plan->asked->out : NULL);
    records_begin(&made, "tensors", fields, count);
    for (size_t i = 0; i < plan->count; i++) {
        make_row(row, &plan->casts[i]);
        records_row(&made, row);
    }
    make_total(row, plan);
    records_row(&made, row);
    records_close(&made);
    release(row);
}
