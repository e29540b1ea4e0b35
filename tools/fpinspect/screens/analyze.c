/* analyze.c - whether a chain of conversions can ever differ from the direct one
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>

#include "facts/analysis.h"
#include "kit/number.h"
#include "kit/out.h"
#include "screens/view.h"

static void tell_result(const char *name, const coded *result)
{
    number value;
    char code[24];
    show_value(value, result->format, fpfmt_decode(result->format, result->code), false, LEAD_NONE);
    outf(STYLE_PLAIN, "  %-6s  %s  %.60s", name, show_code(code, result->format, result->code),
         value);
    out_line();
}

static void tell_difference(const analysis *made)
{
    number exact;
    char code[24];
    const fpfmt_format *source = made->smallest.format;
    show_value(exact, source, fpfmt_decode(source, made->smallest.code), false, LEAD_NONE);
    out(STYLE_LOST, "can differ");
    out_line();
    outf(STYLE_PLAIN, "  the smallest value of %s for which it does is %s:%s, %.40s", source->name,
         source->name, show_code(code, source, made->smallest.code), exact);
    out_line();
    tell_result("chain", &made->chained);
    tell_result("direct", &made->direct);
    outf(STYLE_DIM, "  See %s", made->command);
    out_line();
}

static void tell_agreement(const analysis *made)
{
    out(STYLE_GOOD, "never differs");
    outf(STYLE_PLAIN,
         made->every_code ? "   all %" PRIu64 " codes tried"
                          : "   %" PRIu64 " values tried, at every boundary",
         made->tried);
    out_line();
    if (made->reason != NULL)
        out_wrapped(2, made->reason);
}

void draw_analyses(const request *chosen, const fact_list *facts)
{
    const analysis *rows = facts->rows;
    for (size_t i = 0; i < facts->count; i++) {
        outf(STYLE_NAME, "%s", chosen->via[0].format.name);
        for (size_t k = 1; k < chosen->via_count; k++)
            outf(STYLE_PLAIN, " → %s", chosen->via[k].format.name);
        outf(STYLE_NAME, " → %s   ", rows[i].target);
        if (rows[i].differs)
            tell_difference(&rows[i]);
        else
            tell_agreement(&rows[i]);
    }
}
