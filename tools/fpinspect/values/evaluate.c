/* evaluate.c - the exact result of an expression
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "kit/memory.h"
#include "values/expression.h"

/* An operand as it enters; it was read once already. */
static void load(quantity *x, const expression *of, const token *from, const fpfmt_policy *policy)
{
    enum { CONSTANT_BITS = 1000 };
    const char *text = of->text + from->start;
    fpfmt_value value = from->value;
    bool flush = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS;
    if (flush && value.kind == FPFMT_KIND_SUBNORMAL)
        value.kind = FPFMT_KIND_ZERO;
    set_quantity(x, value);
    x->typed = from->kind == TOKEN_VALUE;
    x->p3109 = from->p3109;
    x->of = from->has_format ? &from->format : NULL;
    if (from->kind == TOKEN_NUMBER)
        fpfmt_parse_ratio(&x->ratio, text, from->length, NULL);
    if (from->kind != TOKEN_CONSTANT)
        return;
    text = constant_digits(text, from->length);
    fpfmt_parse_ratio(&x->ratio, text, strlen(text), NULL);
    x->error = fpfmt_ratio_value(&x->ratio).exponent - CONSTANT_BITS;
}

static void negate(quantity *x)
{
    x->special.negative = is_special(x) && !x->special.negative;
    x->ratio.negative = !x->ratio.negative;
}

const char *evaluate(quantity *result, const expression *of, size_t first, size_t end,
                     const fpfmt_policy *policy, events *raised)
{
    quantity *stack = NULL;
    size_t room = 0, count = 0;
    const char *why = NULL;
    for (size_t i = first; i < end && why == NULL; i++) {
        const token *here = &of->tokens[i];
        switch (here->kind) {
        case TOKEN_NEGATE: negate(&stack[count - 1]); break;
        case TOKEN_POWER:
            why = apply_power(&stack[count - 1], here->exponent, policy, raised);
            break;
        case TOKEN_OPERATION:
            count -= here->what->operands - 1;
            why = apply(here->what, &stack[count - 1], policy, raised);
            break;
        default:
            if (count == room)
                stack = more(stack, room++, sizeof *stack);
            load(&stack[count++], of, here, policy);
            break;
        }
    }
    if (why == NULL)
        *result = stack[0];
    release(stack);
    return why;
}

size_t end_of_operand(const expression *of, size_t first)
{
    size_t end = first + 1;
    bool number = of->tokens[first].kind == TOKEN_NUMBER;
    while (end < of->count && (of->tokens[end].kind == TOKEN_NEGATE ||
                               (number && of->tokens[end].kind == TOKEN_POWER)))
        end++;
    return end;
}

enum { MOST_FACTORS = 32 };

const char *stepwise_defect(const expression *of)
{
    for (size_t i = 0; i < of->count;) {
        const token *here = &of->tokens[i];
        if (here->kind == TOKEN_POWER &&
            (here->exponent > MOST_FACTORS || here->exponent < -MOST_FACTORS))
            return "--stepwise takes a power for multiplications, 32 factors at the most";
        i = here->kind < TOKEN_NEGATE ? end_of_operand(of, i) : i + 1;
    }
    return NULL;
}
