/* block_steps.c - how the scale of a block came about: each step with its number, for any recipe
 * SPDX-License-Identifier: MIT
 *
 * The library says what came out: the code of the scale, what it stands for, and the factor. What
 * lies between is computed here in the recipe's order, each operation in binary32 where it has it
 * so; tests hold that the last step is what the library says. */

#include "facts/block_steps.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/text.h"

static scale_step *add_step(scale_steps *made, const char *step)
{
    scale_step *row = &made->rows[made->count++];
    memset(row, 0, sizeof *row);
    print_text(row->step, sizeof row->step, "%s", step);
    return row;
}

static void set_ratio(scale_step *row)
{
    if (row->value.exists)
        fpfmt_print_ratio(row->text, sizeof row->text, &row->value.ratio);
}

static scale_step *add_value(scale_steps *made, const char *step, fpfmt_value value)
{
    scale_step *row = add_step(made, step);
    row->value.exists = fpfmt_ratio_from(&row->value.ratio, value);
    fpfmt_print_exact(row->text, sizeof row->text, value);
    return row;
}

static fpfmt_value in_binary32(fpfmt_operation what, fpfmt_value a, fpfmt_value b)
{
    const fpfmt_format *single = fpfmt_named("fp32");
    return fpfmt_decode(single, fpfmt_operate(single, what, a, b, b, NULL, NULL));
}

/* One operation in binary32, and the step that shows it. */
static fpfmt_value add_operation(scale_steps *made, const char *step, fpfmt_operation what,
                                 fpfmt_value a, fpfmt_value b)
{
    fpfmt_value value = in_binary32(what, a, b);
    add_value(made, step, value);
    return value;
}

/* "460 / 448" behind the last step, from the two numbers that it works with. */
static void name_numbers(scale_steps *made, fpfmt_value a, const char *sign, fpfmt_value b)
{
    number left, right;
    scale_step *row = &made->rows[made->count - 1];
    const fpfmt_format *single = fpfmt_named("fp32");
    if (a.inexact)
        return;
    show_value(left, single, a, false, LEAD_NONE);
    show_value(right, single, b, false, LEAD_NONE);
    print_text(row->numbers, sizeof row->numbers, "%.30s %s %.30s", left, sign, right);
}

static fpfmt_value magnitude_of(fpfmt_value value)
{
    value.negative = false;
    return value;
}

void list_tensor_steps(scale_steps *made, const quantization *how)
{
    fpfmt_value decode = fpfmt_from_f32(how->tensor_scale.decode);
    fpfmt_value encode = fpfmt_from_f32(how->tensor_scale.encode);
    fpfmt_value amax = how->tensor_amax;
    fpfmt_value bound = fpfmt_from_f32(how->recipe.tensor_bound);
    const fpfmt_format *scale = &how->block->scale;
    if (!how->has_tensor_scale)
        return;
    if (how->chosen->tensor_scale != NULL || fpfmt_value_is_zero(amax)) {
        add_value(made,
                  how->chosen->tensor_scale != NULL ? "tensor scale, as given"
                                                    : "tensor scale, where all amax is 0",
                  decode);
        return;
    }
    if (fpfmt_value_is_zero(bound))
        bound = fpfmt_decode(scale, fpfmt_measure(scale).max);
    number m, limit, all;
    show_value(m, &how->block->element, magnitude_of(fpfmt_block_largest(how->block)), false,
               LEAD_NONE);
    show_value(limit, scale, bound, false, LEAD_NONE);
    show_value(all, fpfmt_named("fp32"), amax, false, LEAD_NONE);
    if (how->recipe.rule == FPFMT_SCALE_ENGINE) {
        scale_step *row = add_value(made, "S = M x largest scale / amax of the tensor", encode);
        print_text(row->numbers, sizeof row->numbers, "%.20s x %.20s / %.30s", m, limit, all);
        add_value(made, "tensor scale = 1 / S", decode);
    } else {
        scale_step *row =
            add_value(made, "tensor scale = amax of the tensor / (M x largest scale)", decode);
        if (how->recipe.tensor_bound != 0)
            print_text(row->step, sizeof row->step,
                       "tensor scale = amax of the tensor / (M x %.20s)", limit);
        print_text(row->numbers, sizeof row->numbers, "%.30s / (%.20s x %.20s)", all, m, limit);
    }
}

/* amax / (M x tensor scale), exactly; of the rule that has two, times of / M for the M of each. */
static void add_quotient(scale_steps *made, const quantization *how, const block_facts *block,
                         fpfmt_value m)
{
    fpfmt_ratio *ratios = allocate(2, sizeof *ratios);
    number of, amax, shared;
    char step[80];
    bool whole = how->has_tensor_scale, two = how->recipe.rule == FPFMT_SCALE_BEST_OF_TWO;
    fpfmt_value scale = fpfmt_from_f32(how->tensor_scale.decode);
    show_value(of, &how->block->element, m, false, LEAD_NONE);
    print_text(step, sizeof step, "amax / %s%s%s", whole ? "(" : "", two ? of : "M",
               whole ? " x tensor scale)" : "");
    scale_step *row = add_step(made, step);
    bool good = amax_of(&row->value.ratio, how, block) && fpfmt_ratio_from(&ratios[0], m);
    if (good)
        show_ratio(amax, &row->value.ratio, 9, LEAD_NONE);
    if (good && whole)
        good = fpfmt_ratio_from(&ratios[1], scale) &&
               fpfmt_ratio_multiply(&ratios[0], &ratios[0], &ratios[1]);
    row->value.exists =
        good && fpfmt_ratio_divide(&row->value.ratio, &row->value.ratio, &ratios[0]);
    if (good && whole) {
        show_value(shared, fpfmt_named("fp32"), scale, false, LEAD_NONE);
        print_text(row->numbers, sizeof row->numbers, "%.20s / (%.10s x %.25s)", amax, of, shared);
    } else if (good) {
        print_text(row->numbers, sizeof row->numbers, "%.30s / %.20s", amax, of);
    }
    set_ratio(row);
    release(ratios);
}

/* amax / M in binary32, up to a power of two for one of the rules; and the inverse of that. */
static void add_float(scale_steps *made, const quantization *how, const block_facts *block,
                      fpfmt_value amax, fpfmt_value m)
{
    fpfmt_value least = fpfmt_from_f32(how->recipe.least), scale;
    const char *step = "amax / M";
    if (m.negative) {
        step = "extreme / M";
        amax = block->scale.extreme;
    } else if (fpfmt_compare_quiet(amax, least, NULL) == FPFMT_LESS) {
        amax = least;
        add_value(made, "amax raised to the least", least);
    }
    scale = add_operation(made, step, FPFMT_OPERATION_DIVIDE, amax, m);
    name_numbers(made, amax, "/", m);
    if (how->recipe.rule == FPFMT_SCALE_FLOAT_POWER && block->scale.has_exponent) {
        scale = (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                               .exponent = block->scale.exponent,
                               .significand = UINT64_C(1) << 63 };
        add_value(made, "up to a power of two", scale);
    }
    if (block->scale.step == FPFMT_STEP_PRODUCT)
        add_value(made, "factor = 1 / that", block->scale.factor);
}

static void add_engine(scale_steps *made, const quantization *how, const block_facts *block,
                       fpfmt_value amax, fpfmt_value m)
{
    const fpfmt_value one = fpfmt_from_i64(1);
    fpfmt_value s = one;
    if (how->has_tensor_scale) {
        s = fpfmt_from_f32(how->tensor_scale.encode);
        if (fpfmt_value_is_zero(s))
            s = add_operation(made, "S = 1 / tensor scale", FPFMT_OPERATION_DIVIDE, one,
                              fpfmt_from_f32(how->tensor_scale.decode));
    }
    fpfmt_value inverse = in_binary32(FPFMT_OPERATION_DIVIDE, one, m);
    fpfmt_value per = add_operation(made, "S x 1/M", FPFMT_OPERATION_MULTIPLY, s, inverse);
    name_numbers(made, s, "x", inverse);
    fpfmt_value product = add_operation(made, "amax x that", FPFMT_OPERATION_MULTIPLY, amax, per);
    name_numbers(made, amax, "x", per);
    if (fpfmt_value_is_infinite(product))
        add_step(made, "the largest of binary32 for that");
    add_value(made, "scale", fpfmt_decode(&how->block->scale, block->scale.code));
    add_value(made, "factor = 1 / (scale x 1/S)", block->scale.factor);
}

static void add_torchao(scale_steps *made, const quantization *how, const block_facts *block,
                        fpfmt_value amax, fpfmt_value m)
{
    fpfmt_value shared = fpfmt_from_i64(1), least = fpfmt_from_f32(how->recipe.least_scale);
    fpfmt_value quotient = add_operation(made, "amax / M", FPFMT_OPERATION_DIVIDE, amax, m);
    name_numbers(made, amax, "/", m);
    if (how->has_tensor_scale)
        shared = fpfmt_from_f32(how->tensor_scale.decode);
    quotient = add_operation(made, "that / tensor scale", FPFMT_OPERATION_DIVIDE, quotient, shared);
    if (fpfmt_compare_quiet(quotient, least, NULL) == FPFMT_LESS)
        add_value(made, "raised to the least", least);
    add_value(made, "scale", fpfmt_decode(&how->block->scale, block->scale.code));
    add_value(made, "factor = (1 / tensor scale) / scale", block->scale.factor);
}

const char *special_of(const quantization *how, const block_facts *block)
{
    const fpfmt_block_scale *scale = &block->scale;
    if (how->recipe.nan == FPFMT_BLOCK_NAN_SCALE)
        for (size_t i = block->first; i < block->first + block->count; i++)
            if (fpfmt_value_is_nan(how->of->values[i]))
                return "nan";
    return fpfmt_value_is_infinite(scale->extreme) ? "inf"
           : fpfmt_value_is_zero(scale->extreme)   ? "zero"
           : scale->is_nan                         ? "range"
                                                   : NULL;
}

void list_block_steps(scale_steps *made, const quantization *how, const block_facts *block)
{
    fpfmt_value scale = fpfmt_decode(&how->block->scale, block->scale.code);
    if (special_of(how, block) != NULL) {
        add_value(made, "scale", scale);
        return;
    }
    fpfmt_value largest = fpfmt_block_largest(how->block), m = magnitude_of(largest);
    fpfmt_value amax = magnitude_of(block->scale.extreme);
    switch ((fpfmt_scale_rule)how->recipe.rule) {
    case FPFMT_SCALE_FLOOR:
    case FPFMT_SCALE_CEIL:
    case FPFMT_SCALE_EVEN: break; /* the exponent is all there is */
    case FPFMT_SCALE_BEST_OF_TWO:
        add_quotient(made, how, block, m);
        add_quotient(made, how, block, fpfmt_from_i64(4));
        break;
    case FPFMT_SCALE_QUOTIENT: add_quotient(made, how, block, m); break;
    case FPFMT_SCALE_FLOAT:
    case FPFMT_SCALE_FLOAT_POWER: add_float(made, how, block, amax, largest); break;
    case FPFMT_SCALE_INVERSE:
        add_value(made, "factor = M / amax", block->scale.factor);
        name_numbers(made, m, "/", amax);
        add_operation(made, "1 / factor", FPFMT_OPERATION_DIVIDE, fpfmt_from_i64(1),
                      block->scale.factor);
        break;
    case FPFMT_SCALE_ENGINE: add_engine(made, how, block, amax, m); break;
    case FPFMT_SCALE_TORCHAO: add_torchao(made, how, block, amax, m); break;
    }
    if (how->recipe.rule < FPFMT_SCALE_ENGINE)
        add_value(made, "scale", scale);
}

/* ---- for programs ---- */

const field scale_step_fields[] = {
    FIELD("step", FIELD_STRING, scale_step, step),
    FIELD("value", FIELD_STRING, scale_step, text),
    { .name = NULL },
};

const field block_explanation_fields[] = {
    FIELD("amax", FIELD_DECIMAL, block_explanation, amax),
    FIELD("amax_of", FIELD_COUNT, block_explanation, amax_of),
    FIELD("tensor_amax", FIELD_DECIMAL, block_explanation, tensor_amax),
    FIELD("largest", FIELD_VALUE, block_explanation, largest),
    FIELD("emax", FIELD_INTEGER, block_explanation, emax),
    FIELD("exponent", FIELD_INTEGER, block_explanation, exponent),
    FIELD("rule", FIELD_TEXT, block_explanation, rule),
    FIELD("special", FIELD_TEXT, block_explanation, special),
    FIELD("factor", FIELD_MAYBE, block_explanation, factor),
    FIELD("clipped", FIELD_BOOL, block_explanation, clipped),
    { .name = "steps",
      .kind = FIELD_LIST,
      .offset = offsetof(block_explanation, steps),
      .of = scale_step_fields,
      .size = sizeof(scale_step),
      .line = true },
    { .name = NULL },
};

void explain_block(block_explanation *made, const quantization *how, const block_facts *block)
{
    const fpfmt_block_scale *scale = &block->scale;
    scale_steps *steps = allocate(1, sizeof *steps);
    *made = (block_explanation){ .amax_of = block->extreme_at,
                                 .largest = fpfmt_block_largest(how->block),
                                 .rule = how->recipe.summary,
                                 .special = special_of(how, block),
                                 .exponent = scale->has_exponent ? scale->exponent : NO_INTEGER,
                                 .emax = scale->has_exponent ? scale->emax : NO_INTEGER };
    made->amax.exists = amax_of(&made->amax.ratio, how, block);
    made->tensor_amax.exists = how->has_tensor_scale && how->chosen->tensor_scale == NULL &&
                               fpfmt_ratio_from(&made->tensor_amax.ratio, how->tensor_amax);
    made->factor = (maybe_value){ !scale->is_nan, scale->factor };
    list_tensor_steps(steps, how);
    list_block_steps(steps, how, block);
    made->steps = (fact_list){ steps->rows, steps->count };
}
