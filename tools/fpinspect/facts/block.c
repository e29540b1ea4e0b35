/* block.c - values in a block format: scales, elements and what they hold
 * SPDX-License-Identifier: MIT */

#include "facts/block.h"

#include <string.h>

#include "kit/blocks.h"
#include "kit/memory.h"
#include "kit/say.h"

/* --tensor-scale, or the scale of a tensor whose largest magnitude is that of these values. */
static bool choose_tensor_scale(quantization *how)
{
    const char *text = how->chosen->tensor_scale;
    if (text == NULL && how->block->levels == 1)
        return true;
    if (text != NULL) {
        fpfmt_value value;
        size_t length = strlen(text);
        bool read = length > 0 && fpfmt_parse(&value, text, length, NULL) == length;
        how->tensor_scale.decode = read ? fpfmt_to_f32(value, NULL, NULL) : 0;
        value = fpfmt_from_f32(how->tensor_scale.decode);
        if (!fpfmt_value_is_finite(value) || fpfmt_value_is_zero(value) || value.negative) {
            complain("--tensor-scale takes a positive number of fp32, not '%s'",
                     quoted(text, length));
            return false;
        }
        if (how->block->levels == 1) {
            complain("%s has no scale of the tensor, as --tensor-scale gives it", how->block->name);
            return false;
        }
        return how->has_tensor_scale = true;
    }
    fpfmt_value amax = how->of->extreme;
    amax.negative = false;
    const fpfmt_policy stays = { .overflow = FPFMT_OVERFLOW_MAX };
    float largest = fpfmt_to_f32(amax, &stays, NULL);
    how->tensor_amax = fpfmt_from_f32(largest);
    how->has_tensor_scale =
        fpfmt_scale_tensor(&how->tensor_scale, how->block, &how->recipe, largest);
    return true;
}

bool plan_quantization(quantization *how, const request *chosen, const tensor *of,
                       const fpfmt_block *block, const char *recipe, const policy_choice *column)
{
    *how = (quantization){ .chosen = chosen, .of = of, .block = block, .column = column };
    if (!find_recipe(&how->recipe, block, recipe))
        return false;
    bool given = column->rounding >= 0 || chosen->policies.list != NULL;
    how->policy = column_policy(chosen, column, &block->element);
    if (!given)
        how->policy.rounding = how->recipe.rounding;
    return choose_tensor_scale(how);
}

static size_t block_size_of(const quantization *how)
{
    return how->block->size < how->of->count ? how->block->size : how->of->count;
}

size_t blocks_of(const quantization *how)
{
    return fpfmt_block_count(how->block, how->of->count);
}

bool is_gap(const tensor *of, size_t index)
{
    return of->texts[index] == NULL;
}

static bool is_larger(fpfmt_value a, fpfmt_value b)
{
    a.negative = b.negative = false;
    return fpfmt_compare_quiet(a, b, NULL) == FPFMT_GREATER || fpfmt_value_is_nan(b);
}

void make_block(block_facts *made, const quantization *how, size_t which)
{
    size_t size = block_size_of(how), first = which * size;
    *made = (block_facts){ .number = which, .first = first };
    made->count = how->of->count - first < size ? how->of->count - first : size;
    const fpfmt_value *values = how->of->values + first;
    fpfmt_scale_block(how->block, &how->recipe, &made->scale, values, made->count,
                      how->has_tensor_scale ? &how->tensor_scale : NULL);
    /* The first of the largest: no other is larger, as floats where the recipe computes in them. */
    for (size_t i = first; i < first + made->count; i++) {
        if (is_gap(how->of, i))
            continue;
        if (made->read++ == 0 || is_larger(how->of->values[i], how->of->values[made->extreme_at]))
            made->extreme_at = i;
    }
}

bool amax_of(fpfmt_ratio *amax, const quantization *how, const block_facts *block)
{
    const fpfmt_format *from = how->chosen->has_from ? &how->chosen->from : NULL;
    const char *text = how->of->texts[block->extreme_at];
    fpfmt_value extreme = block->scale.extreme;
    input *in = allocate(1, sizeof *in);
    bool exact = how->recipe.step == FPFMT_STEP_EXACT && fpfmt_value_is_finite(extreme) &&
                 read_input(in, from, false, text, strlen(text), "");
    if (exact)
        settle_input(in, &how->policy);
    exact = exact && input_ratio(in);
    if (exact)
        *amax = in->ratio;
    release_input(in);
    release(in);
    if (!exact && !fpfmt_ratio_from(amax, extreme))
        return false;
    amax->negative = false;
    return true;
}

static bool ratio_of(maybe_ratio *made, fpfmt_value value)
{
    return made->exists = fpfmt_value_is_finite(value) && fpfmt_ratio_from(&made->ratio, value);
}

/* The exact value of an input's text; false if it has none, as infinities, or too many digits. */
static bool read_exactly(input *in, const quantization *how, size_t index)
{
    const char *text = how->of->texts[index];
    const fpfmt_format *from = how->chosen->has_from ? &how->chosen->from : NULL;
    if (!read_input(in, from, false, text, strlen(text), ""))
        return false;
    settle_input(in, &how->policy);
    return input_ratio(in);
}

/* Errors against the exact input, of which nothing may have been cut. */
static void measure_element(element_facts *made, const input *in)
{
    maybe_ratio held;
    if (in->cut || !ratio_of(&held, made->held))
        return;
    made->error.exists = fpfmt_ratio_subtract(&made->error.ratio, &held.ratio, &in->ratio);
    if (made->error.exists && !fpfmt_ratio_is_zero(&in->ratio))
        made->relative.exists =
            fpfmt_ratio_divide(&made->relative.ratio, &made->error.ratio, &in->ratio);
    if (made->relative.exists)
        made->relative.ratio.negative = made->error.ratio.negative != in->ratio.negative &&
                                        !fpfmt_ratio_is_zero(&made->error.ratio);
}

/* The value by its scale: exactly, as a ratio, where the recipe divides exactly; else as rounded.
 * Of an input that was cut people see digits of the quotient, and programs, whose numbers are
 * exact, see none. */
static void measure_scaled(element_facts *made, const block_facts *block, const input *in,
                           bool has_input)
{
    fpfmt_ratio factor;
    bool divided = block->scale.step == FPFMT_STEP_EXACT && has_input &&
                   ratio_of(&made->quotient, block->scale.factor) &&
                   !fpfmt_ratio_is_zero(&made->quotient.ratio);
    if (divided) {
        factor = made->quotient.ratio;
        made->quotient.exists = fpfmt_ratio_divide(&made->quotient.ratio, &in->ratio, &factor);
    } else {
        ratio_of(&made->quotient, made->scaled_value.value);
    }
    made->scaled.exists = made->quotient.exists && !(divided && in->cut);
    if (made->scaled.exists)
        made->scaled.ratio = made->quotient.ratio;
}

void make_element(element_facts *made, const quantization *how, const block_facts *block,
                  size_t index, input *in)
{
    fpfmt_value value = how->of->values[index];
    fpfmt_policy policy = how->policy;
    policy.first += index;
    *made = (element_facts){ .input = how->of->texts[index],
                             .index = index,
                             .block = block->number,
                             .format = how->block->name,
                             .recipe = how->recipe.name,
                             .scale = { &how->block->scale, block->scale.code } };
    uint64_t code =
        fpfmt_block_encode(how->block, &how->recipe, &block->scale, value, &policy, &made->flags);
    made->element = (coded){ &how->block->element, code };
    made->held = fpfmt_block_decode(how->block, code, block->scale.stored);
    made->scaled_value =
        (maybe_value){ true, fpfmt_block_scaled(&how->recipe, &block->scale, value) };
    made->status =
        fpfmt_outcome_of(&how->block->element, made->scaled_value.value, made->held, made->flags);
    made->tensor_scale.exists = how->has_tensor_scale;
    made->tensor_scale.value = fpfmt_from_f32(how->tensor_scale.decode);
    bool has_input = read_exactly(in, how, index);
    if (has_input)
        measure_element(made, in);
    measure_scaled(made, block, in, has_input);
}

void describe_element(char text[64], const quantization *how, const element_facts *made)
{
    report of = { .format = &how->block->element,
                  .code = made->element.code,
                  .policy = how->policy,
                  .flags = made->flags,
                  .from = made->scaled_value.value,
                  .stored = made->held,
                  .status = made->status };
    if (how->block->book != NULL)
        of.policy.rounding = FPFMT_ROUND_TO_ODD; /* a book's thresholds have no ties to tell */
    describe_status(text, &of);
}
