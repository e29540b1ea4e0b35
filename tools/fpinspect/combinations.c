/* combinations.c - which options go together
 * SPDX-License-Identifier: MIT */

#include "combinations.h"

#include <string.h>

#include "say.h"

/* What jobs other than inspecting values can print, and how many values they take. */
static const struct {
    job_kind job;
    const char *option;
    unsigned outputs; /* bits 1 << OUTPUT_... */
    size_t operands;
} job_limits[] = {
    { JOB_COMPARE, "compare", 1 << OUTPUT_SCREEN, 1 },
    { JOB_TABLE, "table", 1 << OUTPUT_SCREEN | 1 << OUTPUT_TSV | 1 << OUTPUT_CSV | 1 << OUTPUT_JSON,
      0 },
    { JOB_INFO, "info", 1 << OUTPUT_SCREEN, 0 },
    { JOB_DIFF, "diff", 1 << OUTPUT_SCREEN, 0 },
    { JOB_ANALYZE, "analyze", 1 << OUTPUT_SCREEN, 0 },
    { JOB_PLOT, "plot", 1 << OUTPUT_SCREEN | 1 << OUTPUT_TSV, 0 },
    { JOB_DOT, "dot",
      1 << OUTPUT_SCREEN | 1 << OUTPUT_QUIET | 1 << OUTPUT_PLAIN | 1 << OUTPUT_TSV |
          1 << OUTPUT_CSV | 1 << OUTPUT_JSON | 1 << OUTPUT_JSONL,
      0 },
    { JOB_LIST_FORMATS, "list-formats", 1 << OUTPUT_SCREEN, 0 },
    { JOB_LIST_POLICIES, "list-policies", 1 << OUTPUT_SCREEN, 0 },
    { JOB_LIST_ACCUMULATORS, "list-accumulators",
      1 << OUTPUT_SCREEN | 1 << OUTPUT_PLAIN | 1 << OUTPUT_TSV | 1 << OUTPUT_CSV |
          1 << OUTPUT_JSON | 1 << OUTPUT_JSONL,
      0 },
};

static bool keeps_to_limits(const options *chosen)
{
    if (chosen->several_jobs) {
        complain(
            "only one of --compare, --table, --info, --diff, --plot, --analyze, --dot and the lists at a time");
        return false;
    }
    for (size_t i = 0; i < sizeof job_limits / sizeof job_limits[0]; i++) {
        if (job_limits[i].job != chosen->job)
            continue;
        if ((job_limits[i].outputs & 1u << chosen->output) == 0)
            complain("--%s does not print in the form that was asked for", job_limits[i].option);
        else if (chosen->operand_count > job_limits[i].operands)
            complain("--%s takes %s, so that '%s' is one too many", job_limits[i].option,
                     job_limits[i].operands == 0 ? "no value" : "one value",
                     quoted(chosen->operands[job_limits[i].operands],
                            strlen(chosen->operands[job_limits[i].operands])));
        else
            return true;
        return false;
    }
    return true;
}

typedef struct {
    bool chosen;
    const char *why;
} conflict;

static bool none_of(const conflict *those, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (those[i].chosen) {
            complain("%s", those[i].why);
            return false;
        }
    return true;
}

/* What --dot needs, and what it does not go with. */
static bool keeps_to_sums(const options *chosen)
{
    const conflict without[] = {
        { chosen->accumulators != NULL, "--accumulate is for --dot, which names two files" },
        { chosen->start != NULL, "--init is for --dot, which names two files" },
    };
    const conflict with[] = {
        { !chosen->has_from, "--dot needs the format of its inputs, as --from e4m3" },
        { chosen->column_count > 1, "--dot takes one way of rounding, not a list" },
        { chosen->via_count > 0, "--dot rounds as its accumulators do: it takes no --via" },
        { chosen->stepwise,
          "--stepwise is for expressions; --dot shows accumulators side by side" },
        { chosen->neighbors > 0, "--dot shows no neighbours" },
        { chosen->field_count > 0, "--dot has fields of its own: it takes no --print" },
        { (chosen->fail_flags | chosen->fail_statuses) != 0,
          "--dot tells results and not flags: it takes no --fail-on" },
        { chosen->explain && chosen->output != OUTPUT_SCREEN,
          "--explain draws a screen, and --dot was asked for another form" },
    };
    return chosen->job == JOB_DOT ? none_of(with, sizeof with / sizeof with[0])
                                  : none_of(without, sizeof without / sizeof without[0]);
}

/* What --stepwise does not go with: an expression is rounded in the target, as it is written. */
static bool keeps_to_steps(const options *chosen)
{
    const conflict others[] = {
        { chosen->has_from,
          "--stepwise takes expressions, and with --from each value is raw bits" },
        { chosen->via_count > 0,
          "--stepwise rounds operations and --via rounds conversions: one of them at a time" },
        { chosen->output == OUTPUT_QUIET,
          "--quiet prints one number; for that of --stepwise too, write "
          "--print=exact,stepwise-exact" },
    };
    return !chosen->stepwise || none_of(others, sizeof others / sizeof others[0]);
}

bool go_together(const options *chosen)
{
    return keeps_to_limits(chosen) && keeps_to_sums(chosen) && keeps_to_steps(chosen);
}
