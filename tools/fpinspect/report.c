/* report.c - one value in one format under one policy: everything a screen or a field may need
 * SPDX-License-Identifier: MIT */

#include "report.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

static status_kind status_of(unsigned flags, fpfmt_value from, fpfmt_value stored,
                             const fpfmt_format *format)
{
    bool finite = stored.kind < FPFMT_KIND_INFINITE, tiny = (flags & FPFMT_FLAG_UNDERFLOW) != 0;
    bool clipped = from.negative && format->sign_bits == 0 && !tiny;
    if (flags & FPFMT_FLAG_INVALID)
        return STATUS_INVALID;
    if (flags & FPFMT_FLAG_DIVIDE_BY_ZERO && from.kind >= FPFMT_KIND_INFINITE)
        return STATUS_DIVIDE_BY_ZERO;
    if (flags & FPFMT_FLAG_OVERFLOW)
        return finite ? STATUS_SATURATED : STATUS_OVERFLOW;
    if (!(flags & FPFMT_FLAG_INEXACT))
        return STATUS_EXACT;
    if (fpfmt_value_is_zero(stored))
        return clipped ? STATUS_SATURATED : STATUS_UNDERFLOW;
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
                          uint64_t element, size_t first, size_t end, unsigned *flags)
{
    for (size_t i = first; i < end; i++) {
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
    fpfmt_policy first = steps > 0 ? step_policy(chosen, column, 0, in->index) : made->policy;
    const fpfmt_format *entry = steps > 0 ? &chosen->via[0].format : format;
    settle_input(in, &first);
    made->code = encode_input(in, entry, &first, &made->flags);
    made->from = in->value;
    if (steps > 0) {
        made->from = through_steps(chosen, column, fpfmt_decode(entry, made->code), in->index, 1,
                                   steps, &made->flags);
        made->code = fpfmt_encode(format, made->from, &made->policy, &made->flags);
    }
    made->stored = fpfmt_decode(format, made->code);
    made->status = status_of(made->flags, made->from, made->stored, format);
    made->measured = made->stepwise_done = false;
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
    strcpy(text, word_for(&status_words, (int)made->status));
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
    bool gap = told->range == FPFMT_RANGE_BELOW &&
               made->format->exponent_zero != FPFMT_EXPONENT_ZERO_SUBNORMALS;
    /* The distance is read from 64 significant bits; where these leave few, what was read counts.
     */
    bool precise = !told->value.inexact || told->quantum - told->value.exponent + 63 >= 32;
    if (!few && !gap && precise)
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

static void rule_gives(char *text, size_t size, const report *made)
{
    static number stored;
    show_value(stored, made->format, made->stored, false, LEAD_NONE);
    snprintf(text, size, "overflow, and rule %s gives %.40s",
             word_for(&overflow_words, made->policy.overflow), stored);
}

bool reason_of(char text[REASON_SIZE], const report *made)
{
    static number max;
    char rule[100];
    fpfmt_value from = made->from;
    fpfmt_limits limits = fpfmt_measure(made->format);
    bool refused = from.negative && made->format->sign_bits == 0 && made->status != STATUS_EXACT;
    text[0] = '\0';
    rule_gives(rule, sizeof rule, made);
    if (*made->in->raised.remark != '\0' && made->in->value.kind >= FPFMT_KIND_INFINITE)
        snprintf(text, REASON_SIZE, "%s%s", made->in->raised.remark,
                 made->in->value.kind == FPFMT_KIND_INFINITE && !limits.has_infinity
                     ? "; the format has none"
                     : "");
    else if (from.kind >= FPFMT_KIND_QUIET_NAN && !limits.has_nan)
        snprintf(text, REASON_SIZE, "the format has no NaN: %s stands for it, with invalid raised",
                 fpfmt_value_is_zero(made->stored) ? "zero of the opposite sign"
                                                   : "the largest finite value");
    else if (refused && made->status == STATUS_INVALID)
        snprintf(text, REASON_SIZE, "the format has no sign: a negative value is invalid");
    else if (refused && made->status == STATUS_SATURATED)
        snprintf(text, REASON_SIZE, "the format has no sign: 0 is the nearest it has");
    else if (!limits.has_zero &&
             (fpfmt_value_is_zero(from) || (made->flags & FPFMT_FLAG_UNDERFLOW)))
        snprintf(text, REASON_SIZE, "the format has no zero: its smallest value stands for it");
    else if (from.kind == FPFMT_KIND_INFINITE && made->flags != 0)
        snprintf(text, REASON_SIZE, "%s: %s",
                 limits.has_infinity ? "infinity is to saturate" : "the format has no infinity",
                 rule);
    else if (made->flags & FPFMT_FLAG_OVERFLOW) {
        show_value(max, made->format, fpfmt_decode(made->format, limits.max), false, LEAD_NONE);
        snprintf(text, REASON_SIZE, "it rounds past the largest value, %.40s: %s", max, rule);
    }
    return text[0] != '\0';
}
