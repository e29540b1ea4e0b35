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
    { JOB_LIST_FORMATS, "list-formats", 1 << OUTPUT_SCREEN, 0 },
    { JOB_LIST_POLICIES, "list-policies", 1 << OUTPUT_SCREEN, 0 },
};

static bool keeps_to_limits(const options *chosen)
{
    if (chosen->several_jobs) {
        complain(
            "only one of --compare, --table, --info, --diff, --plot, --analyze and the lists at a time");
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

/* What --stepwise does not go with: an expression is rounded in the target, as it is written. */
static bool keeps_to_steps(const options *chosen)
{
    const struct {
        bool chosen;
        const char *why;
    } others[] = {
        { chosen->has_from,
          "--stepwise takes expressions, and with --from each value is raw bits" },
        { chosen->via_count > 0,
          "--stepwise rounds operations and --via rounds conversions: one of them at a time" },
        { chosen->output == OUTPUT_QUIET,
          "--quiet prints one number; for that of --stepwise too, write "
          "--print=exact,stepwise-exact" },
    };
    for (size_t i = 0; chosen->stepwise && i < sizeof others / sizeof others[0]; i++)
        if (others[i].chosen) {
            complain("%s", others[i].why);
            return false;
        }
    return true;
}

bool go_together(const options *chosen)
{
    return keeps_to_limits(chosen) && keeps_to_steps(chosen);
}
