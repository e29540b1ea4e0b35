/* chain.c - a conversion in several steps beside the direct one
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "screens/screen.h"

/* One step: from a value to a code of a format. */
typedef struct {
    const char *name;
    const fpfmt_format *format;
    fpfmt_policy policy;
    fpfmt_value from, stored;
    uint64_t code;
    unsigned flags;
} conversion;

/* NULL or the step before it: what it converts, else the input. */
static conversion convert(const char *name, const fpfmt_format *format, fpfmt_policy policy,
                          input *in, const conversion *before)
{
    conversion made = { .name = name, .format = format, .policy = policy };
    if (before == NULL) {
        settle_input(in, &policy);
        made.from = in->value;
        made.code = encode_input(in, format, &policy, &made.flags);
    } else {
        made.from = before->stored;
        made.code = fpfmt_encode(format, made.from, &policy, &made.flags);
    }
    made.stored = fpfmt_decode(format, made.code);
    return made;
}

/* stored - reference, over a scale; false where one of them is no number. */
static bool relative_to(fpfmt_ratio *result, fpfmt_value stored, const fpfmt_ratio *reference,
                        const fpfmt_ratio *scale)
{
    fpfmt_ratio value;
    return fpfmt_ratio_from(&value, stored) && fpfmt_ratio_subtract(result, &value, reference) &&
           fpfmt_ratio_divide(result, result, scale);
}

static const char *note_of(const conversion *step, const fpfmt_ratio *error, bool known)
{
    fpfmt_explanation told = fpfmt_explain(step->format, step->from, &step->policy);
    if (step->flags & FPFMT_FLAG_INVALID)
        return "invalid";
    if (step->flags & FPFMT_FLAG_DIVIDE_BY_ZERO)
        return "divide by zero";
    if (step->flags & FPFMT_FLAG_OVERFLOW)
        return "overflow";
    if (!(step->flags & FPFMT_FLAG_INEXACT))
        return "exact";
    if (step->stored.kind == FPFMT_KIND_ZERO)
        return "underflow → 0";
    if (told.remainder == FPFMT_REMAINDER_HALF && step->policy.rounding == FPFMT_ROUND_NEAREST_EVEN)
        return "tie → even";
    return !known ? "inexact" : error->negative ? "rounded down" : "rounded up";
}

static void row(const conversion *step, input *in, const char *remark)
{
    number stored, ulps, percent;
    fpfmt_ratio before, unit, error;
    char code[24];
    bool first = step->from.significand == in->value.significand &&
                 step->from.exponent == in->value.exponent;
    bool known = first ? input_ratio(in) : fpfmt_ratio_from(&before, step->from);
    if (known && first)
        before = in->ratio;
    known = known && fpfmt_ratio_from(&unit, fpfmt_ulp(step->format, step->from)) &&
            relative_to(&error, step->stored, &before, &unit);
    strcpy(ulps, "");
    strcpy(percent, "");
    if (known)
        show_ulps(ulps, &error, LEAD_HANG_SIGN);
    const char *note = remark != NULL ? remark : note_of(step, &error, known);
    if (input_ratio(in) && relative_to(&unit, step->stored, &in->ratio, &in->ratio))
        show_percent(percent, &unit, LEAD_HANG_SIGN);
    show_value(stored, step->format, step->stored, false, LEAD_HANG);
    table_cell(STYLE_NAME, step->name);
    table_cell(STYLE_PLAIN, show_code(code, step->format, step->code));
    table_cell(STYLE_PLAIN, stored);
    table_cell(STYLE_PLAIN, ulps);
    table_cell(STYLE_PLAIN, percent);
    table_cell(STYLE_DIM, note);
    table_row();
}

static void headline(const report *made, const request *chosen, bool differs, uint64_t ulps)
{
    char text[80];
    out(STYLE_INPUT, input_name(made->in));
    for (size_t i = 0; i < chosen->via_count; i++)
        outf(STYLE_PLAIN, " → %s", chosen->via[i].format.name);
    out(STYLE_PLAIN, " → ");
    out(STYLE_NAME, made->format->name);
    if (!differs)
        strcpy(text, "the same as the direct result");
    else if (ulps != 0)
        snprintf(text, sizeof text, "double rounding: %" PRIu64 " ulp away from the direct result",
                 ulps);
    else
        strcpy(text, "differs from the direct result");
    outf(differs ? STYLE_LOST : STYLE_GOOD, "   %s", text);
    out_line();
    out_line();
}

/* How many codes apart, for numbers of the same sign; 0 if that says nothing. */
static uint64_t distance(const fpfmt_format *format, uint64_t a, uint64_t b)
{
    if (!fpfmt_is_finite(format, a) || !fpfmt_is_finite(format, b) ||
        fpfmt_is_negative(format, a) != fpfmt_is_negative(format, b))
        return 0;
    return a > b ? a - b : b - a;
}

static void blame(const conversion *steps, size_t count)
{
    number middle;
    for (size_t i = count - 1; i > 0; i--) {
        fpfmt_explanation told = fpfmt_explain(steps[i].format, steps[i].from, &steps[i].policy);
        if (told.remainder != FPFMT_REMAINDER_HALF || !(steps[i - 1].flags & FPFMT_FLAG_INEXACT))
            continue;
        show_value(middle, steps[i - 1].format, steps[i - 1].stored, false, LEAD_NONE);
        char text[400];
        snprintf(text, sizeof text,
                 "%s moved the value onto the tie at %.40s. Round the inner step to odd: %s:rto",
                 steps[i - 1].name, middle, steps[i - 1].name);
        out_wrapped(2, text);
        return;
    }
    bool rounded = false;
    for (size_t i = 0; i + 1 < count; i++)
        rounded |= steps[i].flags == FPFMT_FLAG_INEXACT ||
                   steps[i].flags == (FPFMT_FLAG_INEXACT | FPFMT_FLAG_UNDERFLOW);
    out_wrapped(
        2,
        rounded
            ? "An inner step moved the value across a boundary of the last one. Round inner steps to odd: FORMAT:rto"
            : "An inner step lost what the last one would have kept: the sign of zero, an infinity, or a value past its largest.");
}

void screen_chain(report *made, const request *chosen)
{
    report direct;
    conversion steps[MOST_STEPS + 1], straight;
    input *in = made->in;
    size_t count = 0;
    for (; count < chosen->via_count; count++) {
        const via_step *step = &chosen->via[count];
        fpfmt_policy policy = step_policy(chosen, made->column, count, in->index);
        steps[count] = convert(step->format.name, &step->format, policy, in,
                               count > 0 ? &steps[count - 1] : NULL);
    }
    steps[count] = convert(made->format->name, made->format, made->policy, in, &steps[count - 1]);
    count++;
    make_direct(&direct, chosen, in, made->format, made->column);
    straight = convert("direct", made->format, made->policy, in, NULL);
    bool differs = direct.code != made->code;
    headline(made, chosen, differs, distance(made->format, made->code, direct.code));

    const char *const names[] = { "step", "code", " stored", " this step", " since input", "note" };
    enum { CODE = 1, SINCE_INPUT = 4 };
    table_begin(2);
    table_drop(SINCE_INPUT, 1);
    table_drop(CODE, 2);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_cell(STYLE_DIM, names[i]);
    table_row();
    for (size_t i = 0; i < count; i++)
        row(&steps[i], in, NULL);
    row(&straight, in, "correctly rounded");
    table_flush();
    if (!differs)
        return;
    out_line();
    blame(steps, count);
}
