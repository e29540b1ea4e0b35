/* report.c - what a cast did: counts for people and programs, and conditions on them
 * SPDX-License-Identifier: MIT */

#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/table.h"
#include "kit/text.h"
#include "report/rows.h"

/* ---- conditions ---- */

#define SHARE_OF_ALL UINT64_C(1000000000)

/* More than the share? Both sides are below 2^128. */
static bool is_past(const cast *of, const cast_condition *condition, uint64_t *count)
{
    if (!condition->has_share) {
        *count = 0;
        return (of->flags & condition->flag) != 0;
    }
    *count = raised(of->stats, condition->flag);
    uint64_t whole = of->stats->count / SHARE_OF_ALL, rest = of->stats->count % SHARE_OF_ALL;
    uint64_t allowed = whole * condition->share + rest * condition->share / SHARE_OF_ALL;
    return *count > allowed;
}

bool fails(const cast_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        for (size_t k = 0; k < plan->asked->condition_count; k++) {
            const cast *of = &plan->casts[i];
            const cast_condition *condition = &plan->asked->conditions[k];
            uint64_t count;
            if (of->does == DEED_COPY || of->does == DEED_LEAVE_OUT ||
                !is_past(of, condition, &count))
                continue;
            const char *name = word_for(&flag_words, condition->flag);
            if (condition->has_share)
                note("nothing is written: %s in %" PRIu64 " of the %" PRIu64
                     " elements of tensor '%s'", name, count, of->from->count,
                     quoted(of->from->name, strlen(of->from->name)));
            else
                note("nothing is written: %s in tensor '%s'", name,
                     quoted(of->from->name, strlen(of->from->name)));
            fail_condition();
            return true;
        }
    return false;
}

/* ---- for people ---- */

static void cell(const char *text)
{
    table_cell(STYLE_PLAIN, *text == '\0' ? "-" : text);
}

/* A number as it was rounded for programs, marked. */
static const char *about(char *text, size_t size, const char *rounded)
{
    bool exact = *rounded == '\0' || strcmp(rounded, "0") == 0 || strcmp(rounded, "inf") == 0;
    print_text(text, size, "%s%s", exact ? "" : "≈", rounded);
    return text;
}

static void draw_row(const report_row *row)
{
    char text[40];
    table_cell(STYLE_NAME, row->tensor == NULL     ? "in all"
                           : *row->tensor == '\0' ? "-"
                                                  : quoted(row->tensor, strlen(row->tensor)));
    table_cell(STYLE_PLAIN, row->from == NULL ? "" : row->from);
    table_cell(STYLE_PLAIN, row->to == NULL ? row->tensor == NULL ? "" : row->deed : row->to);
    print_text(text, sizeof text, "%" PRIu64, row->elements);
    cell(text);
    cell(row->zero);
    cell(row->subnormal);
    cell(row->overflow);
    cell(row->saturated);
    cell(about(text, sizeof text, row->relative));
    cell(about(text, sizeof text, row->sqnr));
    table_row();
}

static void draw_table(const cast_plan *plan)
{
    static const char *const heads[] = { "tensor",   "from",      "to",      "elements", "zero",
                                         "subnormal", "overflow", "clamped", "rel. error", "SQNR dB" };
    static const int drops[] = { 0, 5, 0, 1, 0, 3, 0, 4, 2, 0 };
    report_row *row = allocate(1, sizeof *row);
    table_begin(0);
    for (int i = 0; i < (int)(sizeof heads / sizeof heads[0]); i++) {
        table_cell(STYLE_DIM, heads[i]);
        table_align(i, i < 3 ? ALIGN_LEFT : ALIGN_RIGHT);
        table_drop(i, drops[i]);
    }
    table_row();
    for (size_t i = 0; i < plan->count; i++) {
        make_row(row, &plan->casts[i]);
        draw_row(row);
    }
    make_total(row, plan);
    draw_row(row);
    table_flush();
    release(row);
}

static size_t count_deeds(const cast_plan *plan, deed what)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->count; i++)
        n += plan->casts[i].does == what;
    return n;
}

/* Tensors that got a target of this name, what that raised, and no more than once for a name. */
static void draw_target(const cast_plan *plan, size_t first)
{
    const char *name = plan->casts[first].to->name;
    char flags[FLAGS_SIZE];
    unsigned all = 0;
    size_t n = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const cast *of = &plan->casts[i];
        if (of->to == NULL || strcmp(of->to->name, name) != 0)
            continue;
        if (i < first)
            return;
        n++;
        all |= of->flags;
    }
    name_flags(flags, all, ", ");
    outf(STYLE_PLAIN, "%zu to ", n);
    out(STYLE_NAME, name);
    outf(STYLE_PLAIN, ": %s", *flags == '\0' ? "exact" : flags);
    out_line();
}

void draw_report(const cast_plan *plan, bool all)
{
    if (all)
        draw_table(plan);
    size_t kept = count_deeds(plan, DEED_COPY), left = count_deeds(plan, DEED_LEAVE_OUT);
    outf(STYLE_PLAIN, "%zu tensor%s", plan->count, plan->count == 1 ? "" : "s");
    if (kept > 0)
        outf(STYLE_PLAIN, ", %zu kept", kept);
    if (left > 0)
        outf(STYLE_PLAIN, ", %zu left out as scales", left);
    if (plan->asked->dry_run)
        out(STYLE_PLAIN, "; nothing is written");
    out_line();
    for (size_t i = 0; i < plan->count; i++)
        if (plan->casts[i].to != NULL)
            draw_target(plan, i);
}

/* ---- for programs ---- */

void print_report(const cast_plan *plan, form how)
{
    const field *fields[sizeof(report_row) / sizeof(void *)];
    size_t count = 0;
    records made;
    report_row *row = allocate(1, sizeof *row);
    for (; report_fields[count].name != NULL; count++)
        fields[count] = &report_fields[count];
    records_open(&made, how, "fpcast/1");
    records_about(&made, "written", plan->asked->dry_run ? NULL : plan->asked->out);
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
