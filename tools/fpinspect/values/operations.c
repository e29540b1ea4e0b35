/* operations.c - the operations that expressions have, exactly; infinity and NaN by the library
 * SPDX-License-Identifier: MIT */

#include "values/operations.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/number.h"

static const char too_large[] = "it is too large to evaluate exactly";

bool is_special(const quantity *x)
{
    return x->special.kind != FPFMT_KIND_ZERO;
}

static bool is_zero(const quantity *x)
{
    return fpfmt_ratio_is_zero(&x->ratio);
}

/* ---- how far off a result is, after a cut ---- */

static int exponent_of(const quantity *x)
{
    return fpfmt_ratio_value(&x->ratio).exponent;
}

static int larger_of(int a, int b)
{
    return a > b ? a : b;
}

/* log2 of a product of bounds; what is nothing stays nothing. */
static int times(int a, int b)
{
    return a == NO_ERROR || b == NO_ERROR ? NO_ERROR : a + b;
}

/* |x| is below 2^size. */
static int size_of(const quantity *x)
{
    return is_zero(x) ? x->error : larger_of(exponent_of(x) + 1, x->error);
}

bool is_well_known(const quantity *x)
{
    enum { ENOUGH = 72 };
    return is_special(x) || x->error == NO_ERROR ||
           (!is_zero(x) && exponent_of(x) - x->error >= ENOUGH);
}

/* ---- the operations on ratios ---- */

static bool sum(quantity *x, const quantity *y)
{
    x->error = times(larger_of(x->error, y->error), 1);
    return fpfmt_ratio_add(&x->ratio, &x->ratio, &y->ratio);
}

static bool product(quantity *x, const quantity *y)
{
    if (x->error != NO_ERROR || y->error != NO_ERROR)
        x->error = times(larger_of(times(x->error, size_of(y)), times(y->error, size_of(x))), 1);
    return fpfmt_ratio_multiply(&x->ratio, &x->ratio, &y->ratio);
}

static bool quotient(quantity *x, const quantity *y)
{
    if (!fpfmt_ratio_divide(&x->ratio, &x->ratio, &y->ratio))
        return false;
    if (x->error != NO_ERROR || y->error != NO_ERROR) {
        int scale = -exponent_of(y);
        x->error = times(x->error, scale);
        x->error = times(larger_of(x->error, times(size_of(x), times(y->error, scale))), 2);
    }
    return true;
}

static bool exact_add(quantity *x)
{
    return sum(&x[0], &x[1]);
}

static bool exact_subtract(quantity *x)
{
    x[1].ratio.negative = !x[1].ratio.negative;
    return sum(&x[0], &x[1]);
}

static bool exact_multiply(quantity *x)
{
    return product(&x[0], &x[1]);
}

static bool exact_divide(quantity *x)
{
    return quotient(&x[0], &x[1]);
}

static bool exact_fma(quantity *x)
{
    return product(&x[0], &x[1]) && sum(&x[0], &x[2]);
}

static bool exact_sqrt(quantity *x)
{
    enum { KEPT = 1000 };
    bool square, zero = is_zero(x);
    if (!fpfmt_ratio_sqrt(&x->ratio, &x->ratio, &square))
        return false;
    int exponent = zero ? 0 : exponent_of(x);
    x->error = times(x->error, -exponent);
    if (!square)
        x->error = larger_of(x->error, exponent - KEPT) + 1;
    return true;
}

/* The integer part of x / y for integers x >= y > 0, or its first 64 bits; *odd is changed if that
 * is odd. */
static bool whole_quotient(fpfmt_ratio *whole, const fpfmt_ratio *x, const fpfmt_ratio *y,
                           bool *odd)
{
    if (!fpfmt_ratio_divide(whole, x, y))
        return false;
    fpfmt_value value = fpfmt_ratio_value(whole);
    value.inexact = false;
    if (value.exponent < 63)
        value.significand &= UINT64_MAX << (63 - value.exponent);
    if (value.exponent <= 63)
        *odd ^= value.significand >> (63 - value.exponent) & 1;
    return fpfmt_ratio_from(whole, value);
}

/* |x| modulo |y| in integers, over their common denominator; then the nearer to 0 of that and what
 * lies y below it. */
static bool nearest_remainder(fpfmt_ratio *x, const fpfmt_ratio *y)
{
    fpfmt_ratio rest, step, part, common;
    const fpfmt_natural one = { .length = 1, .limb = { 1 } };
    bool negative = x->negative, odd = false;
    common = (fpfmt_ratio){ .numerator = x->denominator, .denominator = one };
    part = (fpfmt_ratio){ .numerator = y->denominator, .denominator = one };
    rest = (fpfmt_ratio){ .numerator = x->numerator, .denominator = one };
    step = (fpfmt_ratio){ .numerator = y->numerator, .denominator = one };
    if (!fpfmt_ratio_multiply(&rest, &rest, &part) ||
        !fpfmt_ratio_multiply(&step, &step, &common) ||
        !fpfmt_ratio_multiply(&common, &common, &part))
        return false;
    for (;;) {
        if (!fpfmt_ratio_subtract(&part, &rest, &step))
            return false;
        if (part.negative)
            break;
        if (!whole_quotient(&part, &rest, &step, &odd) ||
            !fpfmt_ratio_multiply(&part, &part, &step) ||
            !fpfmt_ratio_subtract(&rest, &rest, &part))
            return false;
    }
    fpfmt_ratio_add(&part, &part, &rest); /* twice the rest less a step */
    if (!fpfmt_ratio_is_zero(&part) ? !part.negative : odd)
        fpfmt_ratio_subtract(&rest, &rest, &step);
    rest.negative ^= negative;
    return fpfmt_ratio_divide(x, &rest, &common);
}

static bool exact_rem(quantity *x)
{
    if (x[0].error != NO_ERROR || x[1].error != NO_ERROR) {
        int quotient_size = larger_of(times(size_of(&x[0]), -exponent_of(&x[1])), 0) + 1;
        x[0].error = times(larger_of(x[0].error, times(x[1].error, quotient_size)), 1);
    }
    return nearest_remainder(&x[0].ratio, &x[1].ratio);
}

static bool take_one(quantity *x, bool the_larger)
{
    fpfmt_ratio difference;
    if (!fpfmt_ratio_subtract(&difference, &x[0].ratio, &x[1].ratio))
        return false;
    if (!fpfmt_ratio_is_zero(&difference) && difference.negative == the_larger)
        x[0] = x[1];
    return true;
}

static bool exact_min(quantity *x)
{
    return take_one(x, false);
}

static bool exact_max(quantity *x)
{
    return take_one(x, true);
}

bool set_quantity(quantity *x, fpfmt_value value)
{
    bool special = value.kind >= FPFMT_KIND_INFINITE;
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    x->special = special ? value : zero;
    x->error = NO_ERROR;
    x->typed = special;
    x->p3109 = false;
    x->of = NULL;
    return fpfmt_ratio_from(&x->ratio, special ? zero : value);
}

fpfmt_value value_of(const quantity *x)
{
    if (is_special(x))
        return x->special;
    fpfmt_value value = fpfmt_ratio_value(&x->ratio);
    value.inexact |= x->error != NO_ERROR;
    return value;
}

/* ---- functions that tell infinity and NaN by themselves ---- */

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
static const char *whole_abs(quantity *x, const fpfmt_policy *policy, unsigned *flags)
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

static const char *whole_floor(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_FLOOR, flags);
}

static const char *whole_ceil(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_CEILING, flags);
}

static const char *whole_trunc(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_ZERO, flags);
}

static const char *whole_round(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    (void)policy;
    return to_integral(x, TO_NEAREST_AWAY, flags);
}

/* x[0] * 2^x[1]. */
static const char *whole_scalb(quantity *x, const fpfmt_policy *policy, unsigned *flags)
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
    x->error = times(x->error, (int)n);
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

static const char *whole_nextup(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    return step_from(x, policy, flags, fpfmt_next_up);
}

static const char *whole_nextdown(quantity *x, const fpfmt_policy *policy, unsigned *flags)
{
    return step_from(x, policy, flags, fpfmt_next_down);
}

#define WHOLE(called, count, function)                                                             \
    {                                                                                              \
        .name = called, .operands = count, .whole = function                                       \
    }

static const operation operations[] = {
    { "+", 2, false, FPFMT_OPERATION_ADD, exact_add, NULL, NULL },
    { "-", 2, false, FPFMT_OPERATION_SUBTRACT, exact_subtract, NULL, NULL },
    { "*", 2, false, FPFMT_OPERATION_MULTIPLY, exact_multiply, NULL, NULL },
    { "/", 2, false, FPFMT_OPERATION_DIVIDE, exact_divide, "it divides by zero", NULL },
    { "sqrt", 1, false, FPFMT_OPERATION_SQRT, exact_sqrt,
      "it takes the square root of a negative number", NULL },
    { "fma", 3, false, FPFMT_OPERATION_FMA, exact_fma, NULL, NULL },
    { "rem", 2, false, FPFMT_OPERATION_REMAINDER, exact_rem, "it takes a remainder by zero", NULL },
    { "min", 2, true, 0, exact_min, NULL, NULL },
    { "max", 2, true, FPFMT_SELECT_MAXIMUM, exact_max, NULL, NULL },
    WHOLE("abs", 1, whole_abs),
    WHOLE("floor", 1, whole_floor),
    WHOLE("ceil", 1, whole_ceil),
    WHOLE("trunc", 1, whole_trunc),
    WHOLE("round", 1, whole_round),
    WHOLE("scalb", 2, whole_scalb),
    WHOLE("nextup", 1, whole_nextup),
    WHOLE("nextdown", 1, whole_nextdown),
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

const operation *find_operation(const char *name, size_t length)
{
    for (size_t i = 0; i < OPERATIONS; i++)
        if (strlen(operations[i].name) == length && memcmp(operations[i].name, name, length) == 0)
            return &operations[i];
    return NULL;
}

const operation *function_at(size_t index)
{
    for (size_t i = 0; i < OPERATIONS; i++)
        if (isalpha((unsigned char)*operations[i].name) && index-- == 0)
            return &operations[i];
    return NULL;
}

/* ---- with infinity and NaN ---- */

/* Whether there is a result, and which sign a zero has, depends on nothing of a number but its sign
 * and whether it is 0: for that 1 stands in for it. */
static fpfmt_value stand_in(const quantity *x)
{
    if (is_special(x))
        return x->special;
    fpfmt_value value = fpfmt_from_i64(!is_zero(x));
    value.negative = x->ratio.negative;
    return value;
}

static void operand_text(char text[32], const quantity *x)
{
    number shown;
    static const char *const names[] = { [FPFMT_KIND_INFINITE] = "Inf",
                                         [FPFMT_KIND_QUIET_NAN] = "NaN",
                                         [FPFMT_KIND_SIGNALING_NAN] = "sNaN" };
    if (!is_special(x))
        show_ratio(shown, &x->ratio, 4, LEAD_NONE);
    else
        snprintf(shown, sizeof shown, "%s%s", x->special.negative ? "-" : "",
                 names[x->special.kind]);
    snprintf(text, 32, "%.30s", shown);
}

/* What is said of the first operation that raised something. */
static void remark(events *raised, const operation *what, const quantity *x, fpfmt_value result,
                   unsigned flags)
{
    char text[MOST_OPERANDS][32] = { "" }, shown[128];
    bool nan = false;
    if (flags == 0 || *raised->remark != '\0')
        return;
    for (unsigned i = 0; i < what->operands; i++) {
        operand_text(text[i], &x[i]);
        nan |= x[i].special.kind >= FPFMT_KIND_QUIET_NAN;
    }
    if (isalpha((unsigned char)*what->name))
        snprintf(shown, sizeof shown, "%s(%s%s%s%s%s)", what->name, text[0],
                 what->operands > 1 ? ", " : "", text[1], what->operands > 2 ? ", " : "", text[2]);
    else
        snprintf(shown, sizeof shown, "%s %s %s", text[0], what->name, text[1]);
    if (flags & FPFMT_FLAG_DIVIDE_BY_ZERO)
        snprintf(raised->remark, REMARK_SIZE, "%s is %s, with divide-by-zero raised", shown,
                 result.kind == FPFMT_KIND_INFINITE ? "an exact infinity" : "NaN in IEEE P3109");
    else
        snprintf(raised->remark, REMARK_SIZE, "%s %s, with invalid raised", shown,
                 nan ? "is NaN" : "has no value: it is NaN");
}

static const char *apply_whole(const operation *what, quantity *x, const fpfmt_policy *policy,
                               events *raised)
{
    quantity given[MOST_OPERANDS];
    unsigned flags = 0;
    memcpy(given, x, what->operands * sizeof *x);
    const char *why = what->whole(x, policy, &flags);
    if (why == NULL)
        remark(raised, what, given, value_of(x), flags);
    raised->flags |= flags;
    return why;
}

const char *apply(const operation *what, quantity *x, const fpfmt_policy *policy, events *raised)
{
    fpfmt_value stands[MOST_OPERANDS] = { { .kind = FPFMT_KIND_ZERO } };
    fpfmt_policy here = { .rounding = policy->rounding, .specials = policy->specials };
    bool typed = false, p3109 = false, special = false;
    unsigned flags = 0, finite = 0;
    if (what->whole != NULL)
        return apply_whole(what, x, policy, raised);
    for (unsigned i = 0; i < what->operands; i++) {
        stands[i] = stand_in(&x[i]);
        typed |= x[i].typed;
        p3109 |= x[i].p3109;
        special |= is_special(&x[i]);
        finite = is_special(&x[i]) ? finite : i;
    }
    if (p3109)
        here.specials = FPFMT_SPECIALS_P3109;
    fpfmt_value said = what->selects
                           ? fpfmt_select((unsigned)what->operation, stands[0], stands[1], &flags)
                           : fpfmt_exact((fpfmt_operation)what->operation, stands[0], stands[1],
                                         stands[2], &here, &flags);
    if (said.kind >= FPFMT_KIND_INFINITE) {
        if (!typed)
            return what->refusal;
        remark(raised, what, x, said, flags);
        raised->flags |= flags;
        set_quantity(&x[0], said);
    } else if (special) { /* a finite result beside infinity is zero, or the other operand */
        if (said.kind == FPFMT_KIND_ZERO)
            set_quantity(&x[0], said);
        else if (finite != 0)
            x[0] = x[finite];
    } else {
        if (!what->exact(x))
            return too_large;
        if (is_zero(&x[0]))
            x[0].ratio.negative = said.negative;
    }
    x[0].typed = typed;
    x[0].p3109 = p3109;
    x[0].of = NULL;
    return NULL;
}

/* x^n where that is infinite, NaN or a division by zero: what counts is whether n is odd. */
static const char *special_power(quantity *x, int64_t n, const fpfmt_policy *policy, events *raised)
{
    quantity pair[2];
    const char *why = NULL;
    pair[0] = pair[1] = *x;
    if (n % 2 == 0)
        why = apply(find_operation("*", 1), pair, policy, raised);
    if (why == NULL && n < 0) {
        pair[1] = pair[0];
        set_quantity(&pair[0], fpfmt_from_i64(1));
        why = apply(find_operation("/", 1), pair, policy, raised);
    }
    *x = pair[0];
    return why;
}

const char *apply_power(quantity *x, int64_t n, const fpfmt_policy *policy, events *raised)
{
    bool typed = x->typed, p3109 = x->p3109;
    int bits = 0, old = 0;
    x->of = NULL;
    if (n == 0) {
        set_quantity(x, fpfmt_from_i64(1));
        x->typed = typed;
        x->p3109 = p3109;
        return NULL;
    }
    if (is_special(x) || (is_zero(x) && n < 0))
        return special_power(x, n, policy, raised);
    for (uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n; rest != 0; rest >>= 1)
        bits++;
    if (x->error != NO_ERROR)
        old = size_of(x);
    if (!fpfmt_ratio_power(&x->ratio, &x->ratio, n))
        return too_large;
    if (x->error != NO_ERROR) /* the relative error, n times */
        x->error += size_of(x) - old + bits + 1;
    return NULL;
}

uint64_t apply_rounded(const operation *what, const fpfmt_value *x, const fpfmt_format *format,
                       const fpfmt_policy *policy, unsigned *flags)
{
    quantity stands[MOST_OPERANDS];
    for (unsigned i = 0; what->whole != NULL && i < what->operands; i++) {
        set_quantity(&stands[i], x[i]);
        stands[i].of = format;
    }
    if (what->whole != NULL) {
        const fpfmt_value nan = { .kind = FPFMT_KIND_QUIET_NAN };
        bool done = what->whole(stands, policy, flags) == NULL;
        return fpfmt_encode(format, done ? value_of(stands) : nan, policy, flags);
    }
    if (what->selects)
        return fpfmt_encode(format, fpfmt_select((unsigned)what->operation, x[0], x[1], flags),
                            policy, flags);
    return fpfmt_operate(format, (fpfmt_operation)what->operation, x[0], x[1], x[2], policy, flags);
}
