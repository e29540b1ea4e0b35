/* report.c - one value in one format under one policy: everything a screen or a field may need
 * SPDX-License-Identifier: MIT */

#include "report.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

static bool is_zero(fpfmt_value value)
{
    return value.kind == FPFMT_KIND_ZERO;
}

static status_kind status_of(unsigned flags, fpfmt_value stored, const fpfmt_format *format)
{
    bool finite = stored.kind < FPFMT_KIND_INFINITE;
    if (flags & FPFMT_FLAG_INVALID)
        return STATUS_INVALID;
    if (flags & FPFMT_FLAG_OVERFLOW)
        return finite ? STATUS_SATURATED : STATUS_OVERFLOW;
    if (!(flags & FPFMT_FLAG_INEXACT))
        return STATUS_EXACT;
    if (is_zero(stored)) /* without underflow, a negative value was cut off at 0 */
        return flags & FPFMT_FLAG_UNDERFLOW ? STATUS_UNDERFLOW : STATUS_SATURATED;
    bool tiny = (flags & FPFMT_FLAG_UNDERFLOW) && fpfmt_measure(format).has_subnormals;
    return tiny ? STATUS_SUBNORMAL : STATUS_INEXACT;
}

fpfmt_policy step_policy(const options *chosen, const policy_choice *column, size_t index,
                         uint64_t element)
{
    const via_step *step = &chosen->via[index];
    fpfmt_policy policy = column_policy(chosen, column, &step->format);
    if (step->rounding >= 0) {
        policy.rounding = (uint8_t)step->rounding;
        policy.random_bits = (uint8_t)step->random_bits;
    }
    policy.seed += index + 1; /* so that no step draws the bits of another */
    policy.first = element;
    return policy;
}

fpfmt_value through_steps(const options *chosen, const policy_choice *column, fpfmt_value value,
                          uint64_t element, size_t steps, unsigned *flags)
{
    for (size_t i = 0; i < steps; i++) {
        const fpfmt_format *format = &chosen->via[i].format;
        fpfmt_policy policy = step_policy(chosen, column, i, element);
        value = fpfmt_decode(format, fpfmt_encode(format, value, &policy, flags));
    }
    return value;
}

static void convert(report *made, const options *chosen, input *in, const fpfmt_format *format,
                    const policy_choice *column, size_t steps)
{
    made->in = in;
    made->format = format;
    made->column = column;
    made->policy = column_policy(chosen, column, format);
    made->policy.first = in->index;
    made->flags = 0;
    fpfmt_value value = through_steps(chosen, column, in->value, in->index, steps, &made->flags);
    made->from = value;
    made->code = fpfmt_encode(format, value, &made->policy, &made->flags);
    made->stored = fpfmt_decode(format, made->code);
    made->status = status_of(made->flags, made->stored, format);
    made->measured = false;
}

void make_report(report *made, const options *chosen, input *in, const fpfmt_format *format,
                 const policy_choice *column)
{
    convert(made, chosen, in, format, column, chosen->via_count);
}

void make_direct(report *made, const options *chosen, input *in, const fpfmt_format *format,
                 const policy_choice *column)
{
    convert(made, chosen, in, format, column, 0);
}

void measure_error(report *made)
{
    fpfmt_ratio stored, step;
    if (made->measured)
        return;
    made->measured = true;
    made->has_error = input_ratio(made->in) && fpfmt_ratio_from(&stored, made->stored) &&
                      fpfmt_ratio_subtract(&made->error, &stored, &made->in->ratio);
    made->has_relative =
        made->has_error && fpfmt_ratio_divide(&made->relative, &made->error, &made->in->ratio);
    made->has_ulps = made->has_error &&
                     fpfmt_ratio_from(&step, fpfmt_ulp(made->format, made->in->value)) &&
                     fpfmt_ratio_divide(&made->ulps, &made->error, &step);
    if (made->has_error && fpfmt_ratio_is_zero(&made->error))
        made->error.negative = made->relative.negative = made->ulps.negative = false;
}

bool meets_condition(const report *made, const options *chosen)
{
    return (made->flags & chosen->fail_flags) != 0 ||
           (chosen->fail_statuses & 1u << made->status) != 0;
}

const char *class_name(fpfmt_value value)
{
    static const char *const names[] = {
        [FPFMT_KIND_ZERO] = "zero",     [FPFMT_KIND_SUBNORMAL] = "subnormal",
        [FPFMT_KIND_NORMAL] = "normal", [FPFMT_KIND_INFINITE] = "inf",
        [FPFMT_KIND_QUIET_NAN] = "nan", [FPFMT_KIND_SIGNALING_NAN] = "nan",
    };
    return names[value.kind];
}

void describe_status(char text[64], const report *made)
{
    static const char *const ties[] = { [FPFMT_ROUND_NEAREST_EVEN] = "even",
                                        [FPFMT_ROUND_NEAREST_AWAY] = "away from zero",
                                        [FPFMT_ROUND_NEAREST_ZERO] = "toward zero" };
    strcpy(text, word_for(&status_words, made->status));
    if (made->status == STATUS_UNDERFLOW)
        strcat(text, made->stored.negative ? " → -0" : " → 0");
    if (made->flags & FPFMT_FLAG_OVERFLOW || !(made->flags & FPFMT_FLAG_INEXACT) ||
        made->policy.rounding > FPFMT_ROUND_NEAREST_ZERO)
        return;
    fpfmt_explanation told = fpfmt_explain(made->format, made->from, &made->policy);
    bool larger = made->format->tie == FPFMT_TIE_LARGER && told.kept != 0;
    if (told.remainder == FPFMT_REMAINDER_HALF && !(told.range == FPFMT_RANGE_SPECIAL))
        sprintf(text + strlen(text), ", tie → %s",
                larger && made->policy.rounding == FPFMT_ROUND_NEAREST_EVEN
                    ? "larger"
                    : ties[made->policy.rounding]);
}

bool chance_of(fpfmt_ratio *chance, report *made, const fpfmt_explanation *told)
{
    fpfmt_ratio unit;
    fpfmt_value quantum = fpfmt_from_i64(1);
    bool few = made->policy.rounding > FPFMT_ROUND_STOCHASTIC;
    if (!few && made->format->exponent_zero == FPFMT_EXPONENT_ZERO_SUBNORMALS)
        return remainder_of(chance, made, told);
    quantum.exponent = told->chance_bits;
    return fpfmt_ratio_from(chance, fpfmt_from_u64(told->chance)) &&
           fpfmt_ratio_from(&unit, quantum) && fpfmt_ratio_divide(chance, chance, &unit);
}

bool remainder_of(fpfmt_ratio *remainder, report *made, const fpfmt_explanation *told)
{
    fpfmt_ratio whole, unit;
    fpfmt_value quantum = fpfmt_from_i64(1);
    quantum.exponent = told->quantum;
    if (!input_ratio(made->in) || !fpfmt_ratio_from(&whole, fpfmt_from_u64(told->kept)) ||
        !fpfmt_ratio_from(&unit, quantum) ||
        !fpfmt_ratio_divide(remainder, &made->in->ratio, &unit))
        return false;
    remainder->negative = false;
    return fpfmt_ratio_subtract(remainder, remainder, &whole);
}
