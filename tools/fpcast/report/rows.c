/* rows.c - what a cast did to a tensor, and to all of them
 * SPDX-License-Identifier: MIT */

#include "report/rows.h"

#include <inttypes.h>

#include "kit/memory.h"
#include "kit/text.h"

/* Names are those that a scan has for the same. */
const field report_fields[] = {
    FIELD("tensor", FIELD_TEXT, report_row, tensor),
    FIELD("from", FIELD_TEXT, report_row, from),
    FIELD("to", FIELD_TEXT, report_row, to),
    FIELD("deed", FIELD_TEXT, report_row, deed),
    FIELD("why", FIELD_TEXT, report_row, why),
    FIELD("count", FIELD_COUNT, report_row, elements),
    FIELD("bytes", FIELD_COUNT, report_row, bytes),
    FIELD("flags", FIELD_FLAGS, report_row, flags),
    FIELD("exact", FIELD_STRING, report_row, exact),
    FIELD("inexact", FIELD_STRING, report_row, inexact),
    FIELD("subnormal", FIELD_STRING, report_row, subnormal),
    FIELD("underflow", FIELD_STRING, report_row, underflow),
    FIELD("overflow", FIELD_STRING, report_row, overflow),
    FIELD("saturated", FIELD_STRING, report_row, saturated),
    FIELD("invalid", FIELD_STRING, report_row, invalid),
    FIELD("absolute", FIELD_STRING, report_row, absolute),
    FIELD("relative", FIELD_STRING, report_row, relative),
    FIELD("sqnr_db", FIELD_STRING, report_row, sqnr),
    { .name = NULL },
};

static void show_count(count_text text, uint64_t count)
{
    print_text(text, COUNT_ROOM, "%" PRIu64, count);
}

static void show_stats(report_row *made, const fpfmt_stats *stats)
{
    double sqnr = 0;
    bool known = decibels(&sqnr, fpfmt_stats_signal(stats), fpfmt_stats_noise(stats));
    show_count(made->exact, stats->exact);
    show_count(made->inexact, stats->inexact);
    show_count(made->subnormal, stats->subnormal);
    show_count(made->underflow, stats->underflow);
    show_count(made->overflow, stats->overflow);
    show_count(made->saturated, stats->saturated);
    show_count(made->invalid, stats->invalid);
    spell_error(made->absolute, stats->absolute);
    spell_error(made->relative, stats->relative);
    spell_about(made->sqnr, known, sqnr);
}

static const char *type_of(const file_tensor *of)
{
    return of->block != NULL         ? of->block->name
           : of->scheme.rule != NULL ? of->scheme.rule
           : of->format != NULL      ? of->format->name
                                     : of->type;
}

void make_row(report_row *made, const cast *of)
{
    static const char *const deeds[] = { [DEED_COPY] = "kept",
                                         [DEED_CONVERT] = "converted",
                                         [DEED_QUANTIZE] = "quantised",
                                         [DEED_LEAVE_OUT] = "left out" };
    *made = (report_row){ .tensor = of->from->name,
                          .from = type_of(of->from),
                          .to = of->does == DEED_LEAVE_OUT ? NULL
                                : of->to != NULL           ? of->to->name
                                                           : type_of(of->from),
                          .deed = deeds[of->does],
                          .why = of->why,
                          .elements = of->from->count,
                          .flags = of->flags };
    for (int part = 0; part < of->part_count; part++)
        made->bytes += of->parts[part].bytes;
    if (of->stats != NULL)
        show_stats(made, of->stats);
}

uint64_t count_regular(const fpfmt_stats *stats)
{
    return stats->count - (stats->finite - stats->nonzero);
}

bool is_converted(const cast *of)
{
    return of->does == DEED_CONVERT || of->does == DEED_QUANTIZE;
}

void add_all(fpfmt_stats *all, const cast_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        if (is_converted(&plan->casts[i]) && plan->casts[i].stats != NULL)
            fpfmt_stats_add(all, plan->casts[i].stats);
}

void make_total(report_row *made, const cast_plan *plan)
{
    fpfmt_stats *all = allocate(1, sizeof *all);
    *made = (report_row){ .deed = "in all" };
    for (size_t i = 0; i < plan->count; i++) {
        const cast *of = &plan->casts[i];
        for (int part = 0; part < of->part_count; part++)
            made->bytes += of->parts[part].bytes;
        if (!is_converted(of))
            continue;
        made->elements += of->from->count;
        made->flags |= of->flags;
    }
    add_all(all, plan);
    if (plan->asked->counts)
        show_stats(made, all);
    release(all);
}
