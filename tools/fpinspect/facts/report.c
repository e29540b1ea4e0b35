/* report.c - one value in one format under one policy: everything a screen or a field may need
 * SPDX-License-Identifier: MIT */

#include "facts/report.h"

#include <string.h>

#include "kit/number.h"
#include "kit/text.h"

fpfmt_policy step_policy(const request *chosen, const policy_choice *column, size_t index,
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

fpfmt_value through_steps(const request *chosen, const policy_choice *column, fpfmt_value value,
                          uint64_t element, size_t first, size_t end, unsigned *flags)
{
    for (size_t i = first; i < end; i++) {
        const fpfmt_format *format = &chosen->via[i].format;
        fpfmt_policy policy = step_policy(chosen, column, i, element);
        value = fpfmt_decode(format, fpfmt_encode(format, value, &policy, flags));
    }
    return value;
}

static void convert(report *made, const request *chosen, input *in, const fpfmt_format *format,
                    const policy_choice *column, size_t steps)
{
    made->in = in;
    made->text = in->text;
    made->format = format;
    made->column = column;
    made->policy_name = column->row->name;
    made->policy = column_policy(chosen, column, format);
    made->overflow = made->policy.overflow;
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
    made->status = fpfmt_outcome_of(format, made->from, made->stored, made->flags);
    made->measured = made->stepwise_done = made->explained = false;
    made->error.exists = made->relative.exists = made->ulps.exists = false;
    made->has_below = made->has_above = false;
}

void make_report(report *made, const request *chosen, input *in, const fpfmt_format *format,
                 const policy_choice *column)
{
    convert(made, chosen, in, format, column, chosen->via_count);
}

void make_direct(report *made, const request *chosen, input *in, const fpfmt_format *format,
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
    made->error.exists = input_ratio(made->in) && fpfmt_ratio_from(&stored, made->stored) &&
                         fpfmt_ratio_subtract(&made->error.ratio, &stored, &made->in->ratio);
    made->relative.exists =
        made->error.exists &&
        fpfmt_ratio_divide(&made->relative.ratio, &made->error.ratio, &made->in->ratio);
    made->ulps.exists = made->error.exists &&
                        fpfmt_ratio_from(&step, fpfmt_ulp(made->format, made->in->value)) &&
                        fpfmt_ratio_divide(&made->ulps.ratio, &made->error.ratio, &step);
    if (made->error.exists && fpfmt_ratio_is_zero(&made->error.ratio))
        made->error.ratio.negative = made->relative.ratio.negative = made->ulps.ratio.negative =
            false;
}

bool meets_condition(const report *made, const request *chosen)
{
    return (made->flags & chosen->fail_flags) != 0 ||
           (chosen->fail_statuses & 1u << made->status) != 0;
}

void describe_status(char text[64], const report *made)
{
    static const char *const ties[] = { [FPFMT_ROUND_NEAREST_EVEN] = "even",
                                        [FPFMT_ROUND_NEAREST_AWAY] = "away from zero",
                                        [FPFMT_ROUND_NEAREST_ZERO] = "toward zero" };
    strcpy(text, word_for(&status_words, (unsigned)made->status));
    if (made->status == FPFMT_OUTCOME_UNDERFLOW)
        strcat(text, made->stored.negative ? " → -0" : " → 0");
    if (made->flags & FPFMT_FLAG_OVERFLOW || !(made->flags & FPFMT_FLAG_INEXACT) ||
        made->policy.rounding > FPFMT_ROUND_NEAREST_ZERO)
        return;
    fpfmt_explanation told = fpfmt_explain(made->format, made->from, &made->policy);
    bool larger = made->format->tie == FPFMT_TIE_LARGER && told.kept != 0;
    if (told.remainder == FPFMT_REMAINDER_HALF && !(told.range == FPFMT_RANGE_SPECIAL))
        append_text(text, 64, ", tie → %s",
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
    if (told->value.exponent > told->quantum + 63) /* more whole steps than kept counts */
        return false;
    if (!input_ratio(made->in) || !fpfmt_ratio_from(&whole, fpfmt_from_u64(told->kept)) ||
        !fpfmt_ratio_from(&unit, quantum) ||
        !fpfmt_ratio_divide(remainder, &made->in->ratio, &unit))
        return false;
    remainder->negative = false;
    return fpfmt_ratio_subtract(remainder, remainder, &whole);
}

static void rule_gives(char *text, size_t size, const report *made)
{
    number stored;
    show_value(stored, made->format, made->stored, false, LEAD_NONE);
    const fpfmt_word *rule = fpfmt_word_for(FPFMT_WORDS_OVERFLOW, made->policy.overflow);
    print_text(text, size, "overflow, and rule %s (%s) gives %.40s", rule->name, rule->summary,
               stored);
}

bool reason_of(char text[REASON_SIZE], const report *made)
{
    number max;
    char rule[160];
    fpfmt_value from = made->from;
    fpfmt_limits limits = fpfmt_measure(made->format);
    bool refused =
        from.negative && made->format->sign_bits == 0 && made->status != FPFMT_OUTCOME_EXACT;
    text[0] = '\0';
    rule_gives(rule, sizeof rule, made);
    if (*made->in->raised.remark != '\0' && made->in->value.kind >= FPFMT_KIND_INFINITE)
        print_text(text, REASON_SIZE, "%s%s", made->in->raised.remark,
                   made->in->value.kind == FPFMT_KIND_INFINITE && !limits.has_infinity
                       ? "; the format has none"
                       : "");
    else if (from.kind >= FPFMT_KIND_QUIET_NAN && !limits.has_nan)
        print_text(text, REASON_SIZE,
                   "the format has no NaN: %s stands for it, with invalid raised",
                   fpfmt_value_is_zero(made->stored) ? "zero of the opposite sign"
                                                     : "the largest finite value");
    else if (made->status == FPFMT_OUTCOME_INVALID && made->format->exponent_bits == 0 &&
             made->policy.overflow == FPFMT_OVERFLOW_INVALID)
        print_text(text, REASON_SIZE,
                   "out of the range of an integer: the nearest end stands for it, with invalid "
                   "raised");
    else if (refused && made->status == FPFMT_OUTCOME_INVALID)
        print_text(text, REASON_SIZE, "the format has no sign: a negative value is invalid");
    else if (refused && made->status == FPFMT_OUTCOME_SATURATED)
        print_text(text, REASON_SIZE, "the format has no sign: 0 is the nearest it has");
    else if (!limits.has_zero &&
             (fpfmt_value_is_zero(from) || (made->flags & FPFMT_FLAG_UNDERFLOW)))
        print_text(text, REASON_SIZE, "the format has no zero: its smallest value stands for it");
    else if (from.kind == FPFMT_KIND_INFINITE && made->flags != 0)
        print_text(text, REASON_SIZE, "%s: %s",
                   limits.has_infinity ? "infinity is to saturate" : "the format has no infinity",
                   rule);
    else if (made->flags & FPFMT_FLAG_OVERFLOW) {
        show_value(max, made->format, fpfmt_decode(made->format, limits.max), false, LEAD_NONE);
        print_text(text, REASON_SIZE, "it rounds past the largest value, %.40s: %s", max, rule);
    }
    return text[0] != '\0';
}
