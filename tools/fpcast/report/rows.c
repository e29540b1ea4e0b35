/* rows.c - what a cast did to a tensor, and to all of them
 * SPDX-License-Identifier: MIT */

#include "report/rows.h"

#include <inttypes.h>
#include <math.h>

#include "kit/memory.h"
#include "kit/text.h"

const field report_fields[] = {
    FIELD("tensor", FIELD_TEXT, report_row, tensor),
    FIELD("from", FIELD_TEXT, report_row, from),
    FIELD("to", FIELD_TEXT, report_row, to),
    FIELD("deed", FIELD_TEXT, report_row, deed),
    FIELD("why", FIELD_TEXT, report_row, why),
    FIELD("elements", FIELD_COUNT, report_row, elements),
    FIELD("bytes", FIELD_COUNT, report_row, bytes),
    FIELD("flags", FIELD_FLAGS, report_row, flags),
    FIELD("changed", FIELD_STRING, report_row, changed),
    FIELD("zero", FIELD_STRING, report_row, zero),
    FIELD("subnormal", FIELD_STRING, report_row, subnormal),
    FIELD("overflow", FIELD_STRING, report_row, overflow),
    FIELD("saturated", FIELD_STRING, report_row, saturated),
    FIELD("invalid", FIELD_STRING, report_row, invalid),
    FIELD("relative_error", FIELD_STRING, report_row, relative),
    FIELD("sqnr_db", FIELD_STRING, report_row, sqnr),
    { .name = NULL },
};

uint64_t raised(const fpfmt_stats *stats, unsigned flag)
{
    switch (flag) {
    case FPFMT_FLAG_INEXACT: return stats->count - stats->exact - stats->invalid;
    case FPFMT_FLAG_UNDERFLOW: return stats->subnormal + stats->underflow;
    case FPFMT_FLAG_OVERFLOW: return stats->overflow + stats->saturated;
    case FPFMT_FLAG_INVALID: return stats->invalid;
    default: return 0;
    }
}

/* log10 of a value past 0, whatever its exponent. */
static double log10_of(fpfmt_value value)
{
    return value.exponent * log10(2.0) + log10(ldexp((double)value.significand, -63));
}

static void show_count(count_text text, uint64_t count)
{
    print_text(text, COUNT_ROOM, "%" PRIu64, count);
}

static void show_stats(report_row *made, const fpfmt_stats *stats)
{
    fpfmt_value signal = fpfmt_stats_signal(stats), noise = fpfmt_stats_noise(stats);
    show_count(made->changed, stats->count - stats->exact);
    show_count(made->zero, stats->underflow);
    show_count(made->subnormal, stats->subnormal);
    show_count(made->overflow, stats->overflow);
    show_count(made->saturated, stats->saturated);
    show_count(made->invalid, stats->invalid);
    print_text(made->relative, COUNT_ROOM, "%.6g", fpfmt_to_f64(stats->relative, NULL, NULL));
    if (fpfmt_value_is_zero(noise))
        print_text(made->sqnr, COUNT_ROOM, "inf");
    else if (!fpfmt_value_is_zero(signal))
        print_text(made->sqnr, COUNT_ROOM, "%.2f", 10 * (log10_of(signal) - log10_of(noise)));
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

void make_total(report_row *made, const cast_plan *plan)
{
    fpfmt_stats *all = allocate(1, sizeof *all);
    *made = (report_row){ .tensor = NULL, .deed = "in all" };
    for (size_t i = 0; i < plan->count; i++) {
        const cast *of = &plan->casts[i];
        for (int part = 0; part < of->part_count; part++)
            made->bytes += of->parts[part].bytes;
        if (of->does == DEED_COPY || of->does == DEED_LEAVE_OUT)
            continue;
        made->elements += of->from->count;
        made->flags |= of->flags;
        if (of->stats != NULL)
            fpfmt_stats_add(all, of->stats);
    }
    if (plan->asked->counts)
        show_stats(made, all);
    release(all);
}
