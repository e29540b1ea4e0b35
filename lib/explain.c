/* explain.c - one rounding, told as numbers and enumerators
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "encode.h"
#include "shape.h"

/* FPFMT_RANGE_..., of the value alone, whatever becomes of it. In fixed point there are no
 * subnormals to tell from normal numbers, but below a step there is nothing. */
static uint8_t range_of(const fpfmt_format *format, fpfmt_value value)
{
    int emin = shape_emin(format);
    if (fpfmt_value_is_zero(value) || !fpfmt_value_is_finite(value))
        return FPFMT_RANGE_SPECIAL;
    /* Two's complement has one more negative value, in a binade of its own. */
    bool lowest = value.negative && is_fixed_point(format) && format->sign_bits != 0;
    if (value.exponent > shape_emax(format) + lowest)
        return FPFMT_RANGE_ABOVE;
    if (fpfmt_in_gap(format, value))
        return FPFMT_RANGE_BELOW;
    if (value.exponent >= emin)
        return FPFMT_RANGE_NORMAL;
    bool none = value.exponent < emin - format->fraction_bits;
    if (is_fixed_point(format))
        return none ? FPFMT_RANGE_BELOW : FPFMT_RANGE_NORMAL;
    return none ? FPFMT_RANGE_BELOW : FPFMT_RANGE_SUBNORMAL;
}

/* A value past the largest binade, where the steps go on as if the exponent had no bound. Those of
 * fixed point stay as they are, so that there may be more of them than 64 bits count: then kept is
 * the largest count, and what was cut off the value before is all that is told to lie below a step.
 */
static fpfmt_cut cut_beyond(fpfmt_value value, int quantum)
{
    fpfmt_cut cut;
    if (value.exponent <= quantum + 63)
        return fpfmt_cut_at(value, quantum);
    value.exponent = quantum + 63;
    value.inexact = value.inexact ? FPFMT_REMAINDER_BELOW_HALF : FPFMT_REMAINDER_NONE;
    cut = fpfmt_cut_at(value, quantum);
    cut.kept = UINT64_MAX;
    return cut;
}

/* The results of staying at the lower neighbour and of leaving it, and the chance of leaving: the
 * policy's own where its mode is stochastic, else the distance. */
static void tell_chance(fpfmt_explanation *told, const fpfmt_format *format, fpfmt_policy policy,
                        const fpfmt_cut *cut)
{
    fpfmt_policy always = policy;
    if (!fpfmt_mode_has_chance(fpfmt_mode_of(policy.rounding)))
        policy.rounding = FPFMT_ROUND_STOCHASTIC;
    fpfmt_rule rule = fpfmt_rule_with(&policy, 0);
    told->chance = fpfmt_chance(&rule, cut);
    told->chance_bits = rule.bits;
    /* With one random bit and equal chances, 0 never goes and 1 always does. */
    always.rounding = FPFMT_ROUND_STOCHASTIC_EQUAL;
    told->toward = fpfmt_encode_random(format, told->value, 0, &always, NULL);
    told->from_zero = fpfmt_encode_random(format, told->value, 1, &always, NULL);
}

/* The rounding is done step by step beside fpfmt_encode, by the same two functions, and told; and
 * done again in every mode. */
fpfmt_explanation fpfmt_explain(const fpfmt_format *format, fpfmt_value value,
                                const fpfmt_policy *policy)
{
    fpfmt_policy each = policy == NULL ? (fpfmt_policy){ .rounding = 0 } : *policy;
    fpfmt_explanation told = { .value = value,
                               .range = range_of(format, value),
                               .emin = fpfmt_measure(format).emin };
    fpfmt_cut cut = { .kept = 0 };
    fpfmt_rule rule = fpfmt_rule_of(&each);
    told.code = fpfmt_encode(format, value, policy, &told.flags);
    if (told.range != FPFMT_RANGE_SPECIAL) {
        told.quantum = fpfmt_quantum(format, value);
        if (!fpfmt_is_beyond(format, value)) {
            fpfmt_round_magnitude(format, value, &rule, &cut);
        } else {
            cut = cut_beyond(value, told.quantum);
            cut.away = fpfmt_rounds_away(&rule, value.negative, cut.kept & 1, &cut);
        }
        told.kept = cut.kept;
        told.guard = cut.guard;
        told.round = cut.round;
        told.sticky = cut.sticky;
        told.remainder = cut.remainder;
        told.away = cut.away;
    }
    tell_chance(&told, format, each, &cut);
    for (unsigned i = 0; i < FPFMT_ROUND_DETERMINISTIC_COUNT; i++) {
        each.rounding = (uint8_t)i;
        told.otherwise[i] = fpfmt_encode(format, value, &each, NULL);
    }
    return told;
}
