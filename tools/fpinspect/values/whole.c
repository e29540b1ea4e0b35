/* whole.c - functions that tell infinity and NaN by themselves
 * SPDX-License-Identifier: MIT */

#include "values/whole.h"

/* x is infinite or NaN, and passes; a signaling NaN is quieted. */
static bool passes(quantity *x, unsigned *flags)
{
    if (x->special.kind == FPFMT_KIND_SIGNALING_NAN) {
        x->special.kind = FPFMT_KIND_QUIET_NAN;
        *flags |= FPFMT_FLAG_INVALID;
    }
    return is_special(x);
}

/* The sign alone: a NaN keeps all else, and raises nothing. */
const char *whole_abs(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    (void)flags;
    x->special.negative = x->ratio.negative = false;
    return NULL;
}

typedef enum { TO_FLOOR, TO_CEILING, TO_ZERO, TO_NEAREST_AWAY } integral_way;

/* The integer for x, and the rest x - nearest, of at most 1/2. */
static int steps_from_nearest(const fpfmt_ratio *rest, const fpfmt_ratio *twice, bool negative,
                              integral_way how)
{
    bool zero = fpfmt_ratio_is_zero(rest);
    if (how == TO_ZERO)
        how = negative ? TO_CEILING : TO_FLOOR;
    if (how == TO_FLOOR)
        return !zero && rest->negative ? -1 : 0;
    if (how == TO_CEILING)
        return !zero && !rest->negative ? 1 : 0;
    fpfmt_ratio one, off;
    fpfmt_ratio_from(&one, fpfmt_from_i64(1));
    one.negative = rest->negative;
    bool tie = fpfmt_ratio_subtract(&off, twice, &one) && fpfmt_ratio_is_zero(&off);
    return tie && rest->negative == negative ? (negative ? -1 : 1) : 0;
}

/* By the remainder from the nearest integer, which is exact whatever the length of x. */
static const char *to_integral(quantity *x, integral_way how, unsigned *flags)
{
    fpfmt_ratio rest = x->ratio, one, twice, step;
    bool negative = x->ratio.negative;
    if (passes(x, flags))
        return NULL;
    fpfmt_ratio_from(&one, fpfmt_from_i64(1));
    if (is_zero(x))
        return NULL;
    if (!nearest_remainder(&rest, &one) || !fpfmt_ratio_add(&twice, &rest, &rest))
        return too_large;
    if (x->error != NO_ERROR &&
        (fpfmt_ratio_is_zero(&rest) || fpfmt_ratio_value(&rest).exponent <= x->error))
        return "it is too near to an integer to tell on which side of it";
    fpfmt_ratio_from(&step, fpfmt_from_i64(steps_from_nearest(&rest, &twice, negative, how)));
    if (!fpfmt_ratio_subtract(&x->ratio, &x->ratio, &rest) ||
        !fpfmt_ratio_add(&x->ratio, &x->ratio, &step))
        return too_large;
    if (is_zero(x))
        x->ratio.negative = negative;
    x->error = NO_ERROR;
    x->of = NULL;
    return NULL;
}

const char *whole_floor(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_FLOOR, flags);
}

const char *whole_ceil(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_CEILING, flags);
}

const char *whole_trunc(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_ZERO, flags);
}

const char *whole_round(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_NEAREST_AWAY, flags);
}

/* x[0] * 2^x[1]. */
const char *whole_scalb(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    unsigned raised = 0;
    fpfmt_ratio power;
    (void)policy;
    x[0].typed |= x[1].typed;
    x[0].p3109 |= x[1].p3109;
    x[0].of = NULL;
    int64_t n = fpfmt_to_i64(value_of(&x[1]), NULL, &raised);
    if (raised != 0 || is_special(&x[1]))
        return "scalb takes an integer, by which the exponent grows";
    if (passes(x, flags) || is_zero(x))
        return NULL;
    fpfmt_ratio_from(&power, fpfmt_from_i64(2));
    if (!fpfmt_ratio_power(&power, &power, n) ||
        !fpfmt_ratio_multiply(&x->ratio, &x->ratio, &power))
        return too_large;
    x->error = bound_times(x->error, (int)n);
    return NULL;
}

/* The next value of the operand's own format, which it must have. */
static const char *step_from(quantity *x, const fpfmt_policy *policy, unsigned *flags,
                             uint64_t (*next)(const fpfmt_format *, uint64_t, const fpfmt_policy *,
                                              unsigned *))
{
    const fpfmt_format *of = x->of;
    bool p3109 = x->p3109;
    unsigned raised = 0;
    if (of == NULL)
        return "its operand has no format: write a value of one, as fp16:0x3c00 or fp16:max";
    const fpfmt_policy plain = { .nan = FPFMT_NAN_PRESERVE, .specials = policy->specials };
    uint64_t code = fpfmt_encode(of, value_of(x), &plain, &raised);
    if (raised != 0)
        return "its operand is no value of its format";
    const fpfmt_policy here = { .specials = p3109 ? FPFMT_SPECIALS_P3109 : policy->specials };
    set_quantity(x, fpfmt_decode(of, next(of, code, &here, flags)));
    x->typed = true;
    x->p3109 = p3109;
    x->of = of;
    return NULL;
}

const char *whole_nextup(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    return step_from(x, policy, flags, fpfmt_next_up);
}

const char *whole_nextdown(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    return step_from(x, policy, flags, fpfmt_next_down);
}
