/* operations.c - the table of operations, and what they give: infinity and NaN by the library
 * SPDX-License-Identifier: MIT */

#include "values/operations.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "values/whole.h"

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
