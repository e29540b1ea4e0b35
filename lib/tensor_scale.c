/* tensor_scale.c - scales of whole tensors: of this one, or as those before it were
 * SPDX-License-Identifier: MIT */

#include "blocks.h"
#include "carrier.h"

static const fpfmt_format *binary32(void)
{
    return fpfmt_carriers[CARRIER_32];
}

/* a / b in binary32, no more than the largest. */
static fpfmt_value quotient(fpfmt_value a, fpfmt_value b)
{
    fpfmt_value largest = fpfmt_decode(binary32(), fpfmt_measure(binary32()).max);
    fpfmt_value it = fpfmt_in_binary32(FPFMT_OPERATION_DIVIDE, a, b);
    return fpfmt_compare_quiet(it, largest, NULL) == FPFMT_GREATER ? largest : it;
}

static bool is_zero_or_infinite(fpfmt_value value)
{
    return fpfmt_value_is_zero(value) || !fpfmt_value_is_finite(value);
}

/* M x the largest scale: what the largest block of a tensor may hold at a tensor's scale of 1. */
static fpfmt_value largest_of(const fpfmt_block *block, const fpfmt_recipe *recipe)
{
    fpfmt_value element = fpfmt_block_largest(block), bound = fpfmt_from_f32(recipe->tensor_bound);
    if (fpfmt_value_is_zero(bound))
        bound = fpfmt_decode(&block->scale, fpfmt_measure(&block->scale).max);
    element.negative = false;
    return fpfmt_as_binary32(fpfmt_exact_product(element, bound));
}

/* TransformerEngine rounds the inverse, largest / amax, and its inverse again; others round amax /
 * largest, and where they multiply with its inverse round that again. */
bool fpfmt_scale_tensor(fpfmt_tensor_scale *scale, const fpfmt_block *block,
                        const fpfmt_recipe *recipe, float amax)
{
    const fpfmt_value one = fpfmt_from_i64(1);
    fpfmt_value from = fpfmt_from_f32(amax), largest, decode, encode;
    if (fpfmt_block_defect(block) != NULL || fpfmt_recipe_defect(block, recipe) != NULL ||
        block->levels != 2 || !fpfmt_value_is_finite(from) ||
        (from.negative && !fpfmt_value_is_zero(from)))
        return false;
    largest = largest_of(block, recipe);
    if (recipe->rule == FPFMT_SCALE_ENGINE) {
        encode = quotient(largest, from);
        decode =
            is_zero_or_infinite(from) || fpfmt_value_is_zero(encode) ? one : quotient(one, encode);
    } else {
        decode = fpfmt_in_binary32(FPFMT_OPERATION_DIVIDE, from, largest);
        encode = quotient(one, decode);
    }
    if (fpfmt_value_is_zero(from) || is_zero_or_infinite(decode) || is_zero_or_infinite(encode))
        decode = encode = one;
    scale->decode = fpfmt_to_f32(decode, NULL, NULL);
    scale->encode = fpfmt_to_f32(encode, NULL, NULL);
    return true;
}

/* The value that the next scale follows from: the latest, or the largest; NaN if there is one. */
static fpfmt_value largest_in(const fpfmt_amax_history *it)
{
    fpfmt_value largest = fpfmt_from_f32(it->history[0]);
    for (size_t i = 1; i < it->length && !it->latest; i++) {
        fpfmt_value next = fpfmt_from_f32(it->history[i]);
        if (fpfmt_compare_quiet(next, largest, NULL) != FPFMT_LESS)
            largest = fpfmt_value_is_nan(largest) ? largest : next;
    }
    return largest;
}

bool fpfmt_delay_scale(fpfmt_amax_history *it, const fpfmt_format *element, float amax)
{
    const fpfmt_value one = fpfmt_from_i64(1);
    if (it == NULL || it->history == NULL || it->length == 0 || it->margin > 127 ||
        fpfmt_defect(element) != NULL)
        return false;
    memmove(it->history + 1, it->history, (it->length - 1) * sizeof *it->history);
    it->history[0] = amax;
    if (fpfmt_value_is_zero(fpfmt_from_f32(it->scale.decode)))
        it->scale = (fpfmt_tensor_scale){ 1, 1 };
    fpfmt_value largest = largest_in(it);
    if (is_zero_or_infinite(largest) || largest.negative)
        return true;
    fpfmt_value margin = { .kind = FPFMT_KIND_NORMAL,
                           .exponent = it->margin,
                           .significand = UINT64_C(1) << 63 };
    fpfmt_value encode = quotient(fpfmt_decode(element, fpfmt_measure(element).max), largest);
    encode = quotient(encode, margin);
    it->scale.encode = fpfmt_to_f32(encode, NULL, NULL);
    it->scale.decode = fpfmt_to_f32(quotient(one, encode), NULL, NULL);
    return true;
}
