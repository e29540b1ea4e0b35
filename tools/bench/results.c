/* results.c - lines for people and for programs, and what falls short
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <math.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/run.h"

void print_heading(bool tsv)
{
    FILE *to = this_run()->out;
    if (tsv)
        fputs("operation\tformat\tmode\tset\tsize\tdata\tns_per_element\telements_per_s"
              "\tratio_to_limit\tratio_to_memcpy\n",
              to);
    else
        fprintf(to, "\n%-19s %-10s %-7s %-8s %-6s %-7s %9s %7s %6s %7s\n", "operation", "format",
                "mode", "set", "size", "data", "ns/el", "Gel/s", "/limit", "/memcpy");
}

static void print_ratio(FILE *to, double ratio, int width, const char *after)
{
    if (isnan(ratio))
        fprintf(to, "%*s%s", width, "-", after);
    else
        fprintf(to, "%*.3f%s", width, ratio, after);
}

void print_result(const result *it, bool tsv)
{
    FILE *to = this_run()->out;
    if (tsv) {
        fprintf(to, "%s\t%s\t%s\t%s\t%s\t%s\t%.5g\t%.5g\t%.4g\t%.4g\n", it->operation, it->format,
                it->mode, it->set, it->size, it->data, it->ns, 1e9 / it->ns, it->to_limit,
                it->to_memcpy);
    } else {
        fprintf(to, "%-19s %-10s %-7s %-8s %-6s %-7s %9.4f %7.3f ", it->operation, it->format,
                it->mode, it->set, it->size, it->data, it->ns, 1 / it->ns);
        print_ratio(to, it->to_limit, 6, " ");
        print_ratio(to, it->to_memcpy, 7, "\n");
    }
    fflush(to);
}

void keep_result(result_list *all, const result *it)
{
    all->rows = more(all->rows, all->count, sizeof *all->rows);
    all->rows[all->count++] = *it;
}

/* The result of another operation or on other data, all else being equal; NULL without it. */
static const result *other(const result_list *all, const result *of, const char *operation,
                           const char *data)
{
    for (size_t i = 0; i < all->count; i++) {
        const result *it = &all->rows[i];
        if (strcmp(it->operation, operation) == 0 && strcmp(it->format, of->format) == 0 &&
            strcmp(it->mode, of->mode) == 0 && strcmp(it->set, of->set) == 0 &&
            strcmp(it->size, of->size) == 0 && strcmp(it->data, data) == 0)
            return it;
    }
    return NULL;
}

static double call_ns(const result *it)
{
    return it->ns * (double)size_named(it->size)->elements;
}

/* Of short calls the time as a whole says more than that of an element. */
static void print_calls(FILE *out, const result_list *all)
{
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        const result *it = &all->rows[i];
        if (call_ns(it) > 0 && !any)
            fputs("\nns a call:\n", out);
        any |= call_ns(it) > 0;
        if (call_ns(it) > 0)
            fprintf(out, "  %-19s %-10s %-7s %-8s %3s %9.1f\n", it->operation, it->format, it->mode,
                    it->set, it->size, call_ns(it));
    }
}

typedef struct {
    FILE *out;
    size_t judged, short_of;
} judgement;

static void judge(judgement *all, const result *of, bool falls_short, const char *how)
{
    all->judged++;
    if (!falls_short)
        return;
    if (all->short_of++ == 0)
        fputs("\nfalls short:\n", all->out);
    fprintf(all->out, "  %s %s %s %s %s: %s\n", of->operation, of->format, of->mode, of->set,
            of->size, how);
}

static void judge_alone(judgement *all, const result *it)
{
    char how[100];
    double ratio = smaller_ratio(it), least = ratio_bar(it), rate = 1e9 / it->ns;
    if (least > 0) {
        if (isnan(it->to_memcpy))
            snprintf(how, sizeof how, "%.3f of the limit, not %.2f", it->to_limit, least);
        else
            snprintf(how, sizeof how, "%.3f of the limit, %.3f of memcpy, not %.2f", it->to_limit,
                     it->to_memcpy, least);
        judge(all, it, ratio < least, how);
    }
    if (rate_bar(it) > 0) {
        snprintf(how, sizeof how, "%.3g elements/s, not %.3g", rate, rate_bar(it));
        judge(all, it, rate < rate_bar(it), how);
    }
}

static void judge_against_others(judgement *all, const result_list *kept, const result *it)
{
    char how[100];
    const result *weights = other(kept, it, it->operation, "weights");
    const result *plan = other(kept, it, "encode_f32", it->data);
    if (it->ours && weights != NULL && weights != it) {
        snprintf(how, sizeof how, "%.2f times as long as on weights, not within %.2f",
                 it->ns / weights->ns, DATA_BAR);
        judge(all, it, fabs(it->ns / weights->ns - 1) > DATA_BAR, how);
    }
    if (strcmp(it->operation, ONE_SHOT) == 0 && plan != NULL) {
        snprintf(how, sizeof how, "%.1f ns more than with a plan, not %.0f",
                 call_ns(it) - call_ns(plan), ONE_SHOT_BAR);
        judge(all, it, call_ns(it) - call_ns(plan) > ONE_SHOT_BAR, how);
    }
}

double smaller_ratio(const result *it)
{
    return fmin(it->to_limit, it->to_memcpy);
}

void judge_results(FILE *out, const result_list *kept)
{
    judgement all = { out, 0, 0 };
    print_calls(out, kept);
    for (size_t i = 0; i < kept->count; i++) {
        judge_alone(&all, &kept->rows[i]);
        judge_against_others(&all, kept, &kept->rows[i]);
    }
    fprintf(out, "\n%zu of %zu bars reached\n", all.judged - all.short_of, all.judged);
}
