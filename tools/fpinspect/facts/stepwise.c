/* stepwise.c - an expression as a program computes it in one format, rounded at every step
 * SPDX-License-Identifier: MIT */

#include "facts/stepwise.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/text.h"

/* Columns for the text of a step, fewer where codes and values are long; then of its operands. */
enum { ROOM = 29, LESS_ROOM = 21, PLAIN_OPERAND = 9 };

/* What is on the stack: a value of the format, and where it is written. */
typedef struct {
    uint64_t code;
    fpfmt_value stored;
    const char *text;
    int length;
    bool result; /* of an operation */
} item;

typedef struct {
    const fpfmt_format *format;
    fpfmt_policy policy;
    void (*visit)(const step *, void *);
    void *context;
    unsigned *flags;
    int room;
    step last;
} walk;

/* A step that is text, from these values; what it becomes is the new item. */
static void finish(walk *now, item *made, step *here, const quantity *exact)
{
    here->text = made->text;
    here->length = made->length;
    here->exact = exact;
    here->format = now->format;
    here->policy = now->policy;
    here->stored = fpfmt_decode(now->format, here->code);
    made->code = here->code;
    made->stored = here->stored;
    *now->flags |= here->flags;
    if (now->visit != NULL)
        now->visit(here, now->context);
    now->last = *here;
    now->policy.seed++; /* so that no step draws the bits of another */
}

/* An operand as written, or … for a result or what is long. */
static void brief_operand(char text[ROOM], const item *from, int most)
{
    if (from->result || from->length > most)
        strcpy(text, "…");
    else
        print_text(text, ROOM, "%.*s", from->length, from->text);
}

/* The text of a step where there is room for it; else its start and its end. */
static bool brief_text(const walk *now, step *here, const item *from)
{
    enum { PART = 10 };
    bool fits = from->length <= now->room;
    if (fits)
        print_text(here->brief, sizeof here->brief, "%.*s", from->length, from->text);
    else
        print_text(here->brief, sizeof here->brief, "%.*s…%.*s", PART, from->text, PART,
                   from->text + from->length - PART);
    return fits;
}

static void brief_operation(const walk *now, step *here, const item *whole, const operation *what,
                            const item *operands)
{
    char text[MOST_OPERANDS][ROOM] = { "" };
    bool function = what->name[1] != '\0';
    int most = function ? now->room / (int)what->operands - 4 : PLAIN_OPERAND;
    if (brief_text(now, here, whole))
        return;
    for (unsigned i = 0; i < what->operands; i++)
        brief_operand(text[i], &operands[i], most);
    if (function)
        print_text(here->brief, sizeof here->brief, "%.8s(%.20s%s%.10s%s%.10s)", what->name,
                   text[0], what->operands > 1 ? ", " : "", text[1], what->operands > 2 ? ", " : "",
                   text[2]);
    else
        print_text(here->brief, sizeof here->brief, "%.12s %s %.12s", text[0], what->name, text[1]);
}

/* What is done to operands, rounded; the result takes the place of the first one. */
static void operate(walk *now, item *operands, const operation *what, step *here)
{
    quantity exact[MOST_OPERANDS];
    fpfmt_value values[MOST_OPERANDS] = { { .kind = FPFMT_KIND_ZERO } };
    bool flush = now->policy.subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS;
    events raised = { 0 };
    for (unsigned i = 0; i < what->operands; i++) {
        values[i] = operands[i].stored;
        if (flush && values[i].kind == FPFMT_KIND_SUBNORMAL)
            values[i].kind = FPFMT_KIND_ZERO;
        set_quantity(&exact[i], values[i]);
        exact[i].typed = true;
        exact[i].of = now->format;
    }
    here->code = apply_rounded(what, values, now->format, &now->policy, &here->flags);
    const char *why = apply(what, exact, &now->policy, &raised);
    operands->result = true;
    finish(now, operands, here, why == NULL ? exact : NULL);
}

/* b^n as b * b * b..., and 1 over that if n is negative. */
static void multiply(walk *now, item *base, const token *power)
{
    item pair[2];
    int64_t n = power->exponent, count = n < 0 ? -n : n;
    const item bare = { .code = base->code,
                        .stored = base->stored,
                        .text = base->text,
                        .length = (int)power->base_length,
                        .result = base->result };
    pair[0] = bare;
    for (int k = 2; k <= count; k++) {
        step here = { .factors = k };
        pair[1] = bare;
        if (bare.length > now->room - 3)
            print_text(here.brief, sizeof here.brief, "…^%d", k);
        else
            print_text(here.brief, sizeof here.brief, "%.*s^%d", bare.length, bare.text, k);
        operate(now, pair, find_operation("*", 1), &here);
    }
    base->stored = pair[0].stored;
    base->code = pair[0].code;
    base->result = pair[0].result;
    if (n > 0)
        return;
    step here = { .code = 0 };
    pair[1] = *base;
    pair[0] = *base;
    pair[0].stored = fpfmt_from_i64(1);
    brief_text(now, &here, base);
    if (n < 0) {
        operate(now, pair, find_operation("/", 1), &here);
    } else {
        quantity one;
        set_quantity(&one, fpfmt_from_i64(1));
        here.code = fpfmt_encode(now->format, pair[0].stored, &now->policy, &here.flags);
        finish(now, pair, &here, &one);
    }
    *base = pair[0];
}

/* A number enters. */
static void enter(walk *now, item *made, const expression *of, size_t first, size_t end)
{
    quantity exact;
    step here = { .code = 0 };
    events raised = { 0 };
    const token *whole = &of->tokens[end - 1];
    *made = (item){ .text = of->text + whole->start, .length = (int)whole->length };
    brief_text(now, &here, made);
    if (evaluate(&exact, of, first, end, &now->policy, &raised) != NULL)
        return; /* it was evaluated once already */
    here.flags = raised.flags;
    here.code = fpfmt_encode(now->format, value_of(&exact), &now->policy, &here.flags);
    finish(now, made, &here, &exact);
}

static void negate(walk *now, item *made)
{
    quantity exact;
    step here = { .code = 0 };
    fpfmt_value value = made->stored;
    value.negative = !value.negative;
    set_quantity(&exact, value);
    if (!brief_text(now, &here, made))
        strcpy(here.brief, "-…");
    here.code = fpfmt_negate(now->format, made->code);
    made->result = true;
    finish(now, made, &here, &exact);
}

/* What is done to the items on top of the stack, whose new item stands for here. */
static void reduce(walk *now, item *stack, size_t *count, const expression *of, const token *here)
{
    unsigned operands = here->kind == TOKEN_OPERATION ? here->what->operands : 1;
    *count -= operands - 1;
    item *top = &stack[*count - 1];
    const item whole = { .text = of->text + here->start, .length = (int)here->length };
    step taken = { .code = 0 };
    if (here->kind == TOKEN_OPERATION)
        brief_operation(now, &taken, &whole, here->what, top);
    top->text = whole.text;
    top->length = whole.length;
    if (here->kind == TOKEN_OPERATION)
        operate(now, top, here->what, &taken);
    else if (here->kind == TOKEN_POWER)
        multiply(now, top, here);
    else
        negate(now, top);
}

step take_steps(const expression *of, const fpfmt_format *format, const fpfmt_policy *policy,
                void (*visit)(const step *here, void *context), void *context, unsigned *flags)
{
    bool wide = fpfmt_measure(format).width > 32;
    walk now = { .format = format,
                 .policy = *policy,
                 .visit = visit,
                 .context = context,
                 .flags = flags,
                 .room = wide ? LESS_ROOM : ROOM - 1 };
    item *stack = NULL;
    size_t room = 0, count = 0;
    if (is_p3109(format))
        now.policy.specials = FPFMT_SPECIALS_P3109;
    for (size_t i = 0; i < of->count;) {
        if (of->tokens[i].kind >= TOKEN_NEGATE) {
            reduce(&now, stack, &count, of, &of->tokens[i++]);
            continue;
        }
        if (count == room)
            stack = more(stack, room++, sizeof *stack);
        size_t end = end_of_operand(of, i);
        enter(&now, &stack[count++], of, i, end);
        i = end;
    }
    release(stack);
    return now.last;
}

void compute_stepwise(report *made)
{
    fpfmt_ratio stored, unit;
    if (made->stepwise_done)
        return;
    made->stepwise_done = true;
    made->stepwise.flags = 0;
    step last = take_steps(&made->in->formula, made->format, &made->policy, NULL, NULL,
                           &made->stepwise.flags);
    made->stepwise.result = (coded){ made->format, last.code };
    made->stepwise.ulps.exists =
        input_ratio(made->in) && fpfmt_ratio_from(&stored, last.stored) &&
        fpfmt_ratio_subtract(&made->stepwise.ulps.ratio, &stored, &made->in->ratio) &&
        fpfmt_ratio_from(&unit, fpfmt_ulp(made->format, made->in->value)) &&
        fpfmt_ratio_divide(&made->stepwise.ulps.ratio, &made->stepwise.ulps.ratio, &unit);
}

/* What programs see of a step. */
typedef struct {
    const char *step;
    coded result;
    unsigned flags;
} step_facts;

static const field step_fields[] = {
    FIELD("step", FIELD_TEXT, step_facts, step),
    FIELD("code", FIELD_CODE, step_facts, result),
    FIELD("exact", FIELD_EXACT, step_facts, result),
    FIELD("flags", FIELD_FLAGS, step_facts, flags),
    { .name = NULL },
};

const field stepwise_fields[] = {
    FIELD("code", FIELD_CODE, stepwise_facts, result),
    FIELD("exact", FIELD_EXACT, stepwise_facts, result),
    FIELD("ulps", FIELD_DECIMAL, stepwise_facts, ulps),
    FIELD("flags", FIELD_FLAGS, stepwise_facts, flags),
    { .name = "steps",
      .kind = FIELD_LIST,
      .offset = offsetof(stepwise_facts, steps),
      .of = step_fields,
      .size = sizeof(step_facts),
      .line = true },
    { .name = NULL },
};

/* An operand that was multiplied n times is written as a power. */
static void list_step(const step *here, void *context)
{
    enum { POWER = 24 };
    fact_list *list = context;
    step_facts *rows = more((void *)list->rows, list->count, sizeof *rows);
    size_t room = (size_t)here->length + POWER;
    char *text = allocate(room, 1);
    print_text(text, room, here->factors > 0 ? "%.*s^%d" : "%.*s", here->length, here->text,
               here->factors);
    rows[list->count++] = (step_facts){ text, { here->format, here->code }, here->flags };
    list->rows = rows;
}

void list_steps(report *made)
{
    unsigned flags = 0;
    compute_stepwise(made);
    made->stepwise.steps = (fact_list){ .rows = NULL };
    take_steps(&made->in->formula, made->format, &made->policy, list_step, &made->stepwise.steps,
               &flags);
}

void release_steps(report *made)
{
    step_facts *rows = (step_facts *)made->stepwise.steps.rows;
    for (size_t i = 0; i < made->stepwise.steps.count; i++)
        release((char *)rows[i].step);
    release(rows);
    made->stepwise.steps = (fact_list){ .rows = NULL };
}
