/* block_loss.c - what a block lost: what was clipped, what became of it, and how large errors are
 * SPDX-License-Identifier: MIT */

#include "facts/block.h"
#include "kit/number.h"

/* The outermost elements. Blocks clamp two's complement to as much below zero as above. */
static void reach_of(fpfmt_value *least, fpfmt_value *largest, const fpfmt_block *block)
{
    const fpfmt_book *book = block->book;
    fpfmt_limits limits = fpfmt_measure(&block->element);
    bool mirrored = block->element.exponent_bits == 0 && block->element.sign_bits > 0;
    if (book != NULL) {
        *largest = fpfmt_from_f32(book->values[book->count - 1]);
        *least = fpfmt_from_f32(book->values[0]);
        mirrored = book->has_sign;
    } else {
        *largest = fpfmt_decode(&block->element, limits.max);
        *least = fpfmt_decode(&block->element, limits.lowest);
    }
    if (mirrored) {
        *least = *largest;
        least->negative = true;
    }
}

bool is_clipped(const quantization *how, fpfmt_value scaled, fpfmt_value *bound)
{
    fpfmt_value least, largest;
    reach_of(&least, &largest, how->block);
    bool above = fpfmt_compare_quiet(scaled, largest, NULL) == FPFMT_GREATER;
    if (bound != NULL)
        *bound = above ? largest : least;
    return above || fpfmt_compare_quiet(scaled, least, NULL) == FPFMT_LESS;
}

/* 2^exponent by halves and doubles, 0 where it is too small to matter beside 1. */
static double small_power(int64_t exponent)
{
    return exponent < -1000 ? 0
                            : fpfmt_to_f64((fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                                          .exponent = (int32_t)exponent,
                                                          .significand = UINT64_C(1) << 63 },
                                           NULL, NULL);
}

/* The square of a finite value. The exponent is that of the largest so far, beside which no square
 * that becomes 0 would count. */
static void add_square(squares *to, fpfmt_value value)
{
    if (fpfmt_value_is_zero(value))
        return;
    if (to->sum == 0 || value.exponent > to->exponent) {
        to->sum *= to->sum == 0 ? 0 : small_power(2 * ((int64_t)to->exponent - value.exponent));
        to->exponent = value.exponent;
    }
    double power = small_power((int64_t)value.exponent - to->exponent);
    value.exponent = 0;
    double root = fpfmt_to_f64(value, NULL, NULL) * power;
    to->sum += root * root;
}

/* One value, and what the block holds in its place. Of magnitudes that are too small to be kept
 * errors are too, and of too large ones they are not known. */
static void count_loss(block_loss *made, fpfmt_value value, fpfmt_value held)
{
    if (fpfmt_value_is_nan(value)) {
        made->from_nan += !fpfmt_value_is_nan(held);
    } else if (fpfmt_value_is_nan(held)) {
        made->to_nan++;
    } else if (fpfmt_value_is_finite(value) && fpfmt_value_is_infinite(held)) {
        made->to_infinite++;
    } else if (is_clamped(value)) {
        made->measured += value.exponent < 0;
    } else if (fpfmt_value_is_finite(value)) {
        value.inexact = 0; /* what was cut is below the digits that are shown */
        made->measured++;
        add_square(&made->signal, value);
        add_square(&made->noise,
                   fpfmt_exact(FPFMT_OPERATION_SUBTRACT, value, held, held, NULL, NULL));
    }
}

block_loss loss_of(const quantization *how, const block_facts *block)
{
    block_loss made = { .count = block->read };
    for (size_t i = block->first; i < block->first + block->count; i++) {
        if (is_gap(how->of, i))
            continue;
        fpfmt_policy policy = how->policy;
        policy.first += i;
        fpfmt_value value = how->of->values[i];
        uint64_t code =
            fpfmt_block_encode(how->block, &how->recipe, &block->scale, value, &policy, NULL);
        fpfmt_value held = fpfmt_block_decode(how->block, code, block->scale.stored);
        fpfmt_value scaled = fpfmt_block_scaled(&how->recipe, &block->scale, value);
        made.clipped += !block->scale.is_nan && is_clipped(how, scaled, NULL);
        made.changed +=
            !fpfmt_value_is_nan(value) && fpfmt_compare_quiet(value, held, NULL) != FPFMT_EQUAL;
        count_loss(&made, value, held);
    }
    return made;
}
