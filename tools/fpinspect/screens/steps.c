/* steps.c - an expression rounded at every step, beside its one rounding
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "facts/stepwise.h"
#include "kit/number.h"
#include "screens/screen.h"

/* stored - exact, in steps of the format at exact; false where one of them is no number. */
static bool off_by(fpfmt_ratio *ulps, const fpfmt_format *format, fpfmt_value stored,
                   const quantity *exact)
{
    fpfmt_ratio unit;
    return exact != NULL && !is_special(exact) && fpfmt_ratio_from(ulps, stored) &&
           fpfmt_ratio_subtract(ulps, ulps, &exact->ratio) &&
           fpfmt_ratio_from(&unit, fpfmt_ulp(format, value_of(exact))) &&
           fpfmt_ratio_divide(ulps, ulps, &unit);
}

/* What happened beside plain rounding: flags but inexact, and ties. */
static void note_of(char text[FLAGS_SIZE], const step *here)
{
    static const char *const ties[] = { [FPFMT_ROUND_NEAREST_EVEN] = "tie → even",
                                        [FPFMT_ROUND_NEAREST_AWAY] = "tie → away",
                                        [FPFMT_ROUND_NEAREST_ZERO] = "tie → zero" };
    bool nearest = here->policy.rounding <= FPFMT_ROUND_NEAREST_ZERO;
    bool room = out_width() >= 90 || fpfmt_measure(here->format).width <= 32;
    text[0] = '\0';
    name_flags(text, here->flags & ~(unsigned)FPFMT_FLAG_INEXACT, ", ");
    if (*text != '\0' || here->exact == NULL || !nearest || here->flags == 0)
        return;
    fpfmt_explanation told = fpfmt_explain(here->format, value_of(here->exact), &here->policy);
    if (told.remainder == FPFMT_REMAINDER_HALF && told.range != FPFMT_RANGE_SPECIAL)
        strcpy(text, room ? ties[here->policy.rounding] : "tie");
}

static void row(const char *name, const step *here, bool known, const fpfmt_ratio *ulps,
                const char *note)
{
    number stored, error;
    char code[24];
    show_value(stored, here->format, here->stored, false, LEAD_HANG);
    strcpy(error, "");
    if (known && fpfmt_ratio_is_zero(ulps))
        strcpy(error, " exact");
    else if (known)
        show_ulps(error, ulps, LEAD_HANG_SIGN);
    table_cell(STYLE_NAME, name);
    table_cell(STYLE_PLAIN, show_code(code, here->format, here->code));
    table_cell(STYLE_PLAIN, stored);
    table_cell(known && fpfmt_ratio_is_zero(ulps) ? STYLE_DIM : STYLE_PLAIN, error);
    table_cell(STYLE_DIM, note);
    table_row();
}

static void show_step(const step *here, void *context)
{
    char note[FLAGS_SIZE];
    fpfmt_ratio ulps;
    (void)context;
    note_of(note, here);
    row(here->brief, here, off_by(&ulps, here->format, here->stored, here->exact), &ulps, note);
}

/* How many steps of the format the stepwise result is above the other; false if that says little.
 */
static bool gap_between(fpfmt_ratio *ulps, const report *made)
{
    fpfmt_ratio one, unit;
    return made->in->value.kind != FPFMT_KIND_ZERO &&
           fpfmt_ratio_from(ulps, fpfmt_decode(made->format, made->stepwise.result.code)) &&
           fpfmt_ratio_from(&one, made->stored) && fpfmt_ratio_subtract(ulps, ulps, &one) &&
           fpfmt_ratio_from(&unit, fpfmt_ulp(made->format, made->in->value)) &&
           fpfmt_ratio_divide(ulps, ulps, &unit) && !fpfmt_ratio_is_zero(ulps);
}

static void headline(const report *made)
{
    number each, other;
    fpfmt_ratio gap;
    bool same = made->code == made->stepwise.result.code;
    out(STYLE_INPUT, input_name(made->in));
    out(STYLE_PLAIN, " → ");
    out(STYLE_NAME, made->format->name);
    out(STYLE_PLAIN, "   ");
    if (same) {
        out(STYLE_GOOD, "stepwise is the same as one rounding");
    } else if (gap_between(&gap, made)) {
        bool below = gap.negative;
        gap.negative = false;
        show_ulps(each, &gap, LEAD_NONE);
        outf(STYLE_LOST, "stepwise is %.40s %s one rounding", each, below ? "below" : "above");
    } else {
        show_value(each, made->format, fpfmt_decode(made->format, made->stepwise.result.code),
                   false, LEAD_NONE);
        show_value(other, made->format, made->stored, false, LEAD_NONE);
        outf(STYLE_LOST, "stepwise gives %.40s, one rounding %.40s", each, other);
    }
    show_mode(&made->policy);
    out_line();
    out_line();
}

/* How far both results are from the exact one. */
static void compare(const report *made)
{
    number each[2];
    char text[200];
    fpfmt_ratio gap;
    const fpfmt_ratio *ulps[] = { &made->stepwise.ulps.ratio, &made->ulps.ratio };
    if (!made->stepwise.ulps.exists || !made->ulps.exists || !gap_between(&gap, made))
        return;
    for (int i = 0; i < 2; i++)
        if (fpfmt_ratio_is_zero(ulps[i]))
            strcpy(each[i], "exact");
        else
            show_ulps(each[i], ulps[i], LEAD_SIGN);
    snprintf(text, sizeof text, "Off the exact result: stepwise %.40s, one rounding %.40s.",
             each[0], each[1]);
    out_line();
    out_wrapped(2, text);
}

void screen_stepwise(report *made)
{
    unsigned flags = 0;
    char note[FLAGS_SIZE];
    quantity exact;
    measure_error(made);
    compute_stepwise(made);
    headline(made);
    enum { CODE = 1 };
    table_begin(2);
    table_drop(CODE, 1);
    const char *const names[] = { "step", "code", " stored", " this step" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_cell(STYLE_DIM, names[i]);
    table_row();
    take_steps(&made->in->formula, made->format, &made->policy, show_step, NULL, &flags);
    exact = (quantity){ .special = made->in->value, .error = NO_ERROR };
    if (input_ratio(made->in)) {
        exact.special.kind = FPFMT_KIND_ZERO;
        exact.ratio = made->in->ratio;
    }
    step fused = { .exact = &exact,
                   .format = made->format,
                   .policy = made->policy,
                   .code = made->code,
                   .stored = made->stored,
                   .flags = made->flags };
    note_of(note, &fused);
    row("one rounding", &fused, made->ulps.exists, &made->ulps.ratio, note);
    table_flush();
    compare(made);
}
