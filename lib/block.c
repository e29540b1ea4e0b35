/* block.c - the elements of a block, given its scale
 * SPDX-License-Identifier: MIT
 *
 * Everything is exact or is rounded by fpfmt_encode. */

#include "blocks.h"
#include "carrier.h"
#include "encode.h"
#include "shape.h"

static const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };

fpfmt_value fpfmt_as_binary32(fpfmt_value value)
{
    const fpfmt_format *binary32 = fpfmt_carriers[CARRIER_32];
    return fpfmt_decode(binary32, fpfmt_encode(binary32, value, NULL, NULL));
}

fpfmt_value fpfmt_in_binary32(fpfmt_operation operation, fpfmt_value a, fpfmt_value b)
{
    const fpfmt_format *binary32 = fpfmt_carriers[CARRIER_32];
    return fpfmt_decode(binary32, fpfmt_operate(binary32, operation, a, b, zero, NULL, NULL));
}

/* Values that were cut, as decimals are, count as what was kept of them, and the result as cut too:
 * its one rounding then sees that there is more. */
static fpfmt_value exactly(fpfmt_operation operation, fpfmt_value a, fpfmt_value b)
{
    bool cut = a.inexact != 0 || b.inexact != 0;
    a.inexact = b.inexact = FPFMT_REMAINDER_NONE;
    fpfmt_value result = fpfmt_exact(operation, a, b, zero, NULL, NULL);
    bool regular = fpfmt_value_is_finite(result) && !fpfmt_value_is_zero(result);
    if (cut && regular && result.inexact == FPFMT_REMAINDER_NONE)
        result.inexact = FPFMT_REMAINDER_BELOW_HALF;
    return result;
}

fpfmt_value fpfmt_exact_quotient(fpfmt_value a, fpfmt_value b)
{
    return exactly(FPFMT_OPERATION_DIVIDE, a, b);
}

fpfmt_value fpfmt_exact_product(fpfmt_value a, fpfmt_value b)
{
    return exactly(FPFMT_OPERATION_MULTIPLY, a, b);
}

static fpfmt_value magnitude_of(fpfmt_value value)
{
    value.negative = false;
    return value;
}

fpfmt_value fpfmt_block_largest(const fpfmt_block *block)
{
    if (block->book == NULL)
        return fpfmt_decode(&block->element, fpfmt_measure(&block->element).max);
    fpfmt_value first = fpfmt_from_f32(block->book->values[0]);
    fpfmt_value last = fpfmt_from_f32(block->book->values[block->book->count - 1]);
    bool first_is_larger =
        fpfmt_compare_quiet(magnitude_of(first), magnitude_of(last), NULL) == FPFMT_GREATER;
    return first_is_larger ? first : last;
}

/* Values below 2^-126, if the recipe has it so, count as zeros of their sign. */
static fpfmt_value flushed(const fpfmt_recipe *recipe, fpfmt_value value)
{
    bool tiny = fpfmt_value_is_finite(value) && !fpfmt_value_is_zero(value) &&
                value.exponent < shape_emin(fpfmt_carriers[CARRIER_32]);
    if (tiny && recipe->subnormal == FPFMT_BLOCK_SUBNORMAL_FLUSH)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO, .negative = value.negative };
    return value;
}

fpfmt_value fpfmt_as_seen(const fpfmt_recipe *recipe, fpfmt_value value)
{
    value = flushed(recipe, value);
    return recipe->step == FPFMT_STEP_EXACT ? value : fpfmt_as_binary32(value);
}

fpfmt_value fpfmt_block_scaled(const fpfmt_recipe *recipe, const fpfmt_block_scale *scale,
                               fpfmt_value value)
{
    if (scale->is_zero)
        return zero;
    value = fpfmt_as_seen(recipe, value);
    switch ((fpfmt_scale_step)scale->step) {
    case FPFMT_STEP_PRODUCT:
        return fpfmt_in_binary32(FPFMT_OPERATION_MULTIPLY, value, scale->factor);
    case FPFMT_STEP_QUOTIENT:
        return fpfmt_in_binary32(FPFMT_OPERATION_DIVIDE, value, scale->factor);
    case FPFMT_STEP_EXACT: break;
    }
    if (fpfmt_value_is_zero(scale->factor) && !fpfmt_value_is_nan(value))
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO, .negative = value.negative };
    return fpfmt_exact_quotient(value, scale->factor);
}

/* Blocks clamp, unless a policy says otherwise; two's complement then has no more below zero than
 * above. A scaled value is no input, so that which inputs are flushed is for the recipe to say. */
fpfmt_policy fpfmt_element_policy(const fpfmt_block *block, const fpfmt_policy *policy)
{
    fpfmt_policy it = *policy;
    if (it.overflow == FPFMT_OVERFLOW_SPEC)
        it.overflow =
            block->element.exponent_bits == 0 ? FPFMT_OVERFLOW_SYMMETRIC : FPFMT_OVERFLOW_MAX;
    it.subnormal &= FPFMT_SUBNORMAL_FLUSH_RESULTS;
    return it;
}

fpfmt_value fpfmt_block_decode(const fpfmt_block *block, uint64_t code, fpfmt_value stored)
{
    fpfmt_value element = block->book != NULL ? fpfmt_book_decode(block->book, code)
                                              : fpfmt_decode(&block->element, code);
    return fpfmt_exact_product(element, stored);
}

/* Is an element of 0 all that is left of a value that was not? In fixed point nothing underflows,
 * as in plain formats of it; nor does a negative value that an unsigned format clips to 0, and not
 * for its size. */
static bool underflows(const fpfmt_block *block, fpfmt_value scaled, unsigned flags)
{
    if (block->book != NULL)
        return true;
    bool clipped = block->element.sign_bits == 0 && scaled.negative &&
                   !fpfmt_value_is_zero(scaled) && !(flags & FPFMT_FLAG_UNDERFLOW);
    return !is_fixed_point(&block->element) && !clipped;
}

/* What an element raises, given what the rounding of the scaled value did: nothing if the block
 * holds the value, and else inexact too. */
static unsigned raised_by(const fpfmt_block *block, const fpfmt_block_scale *scale,
                          fpfmt_value value, fpfmt_value scaled, uint64_t code, unsigned flags)
{
    fpfmt_value held = fpfmt_block_decode(block, code, scale->stored);
    if (value.kind == FPFMT_KIND_SIGNALING_NAN)
        return FPFMT_FLAG_INVALID;
    if (fpfmt_value_is_nan(value) || (flags & FPFMT_FLAG_INVALID))
        return flags & FPFMT_FLAG_INVALID;
    if (fpfmt_value_is_nan(held))
        return FPFMT_FLAG_INVALID;
    if (fpfmt_compare_quiet(value, held, NULL) == FPFMT_EQUAL)
        return 0;
    if (fpfmt_value_is_zero(held) && underflows(block, scaled, flags))
        flags |= FPFMT_FLAG_UNDERFLOW;
    return flags | FPFMT_FLAG_INEXACT;
}

uint64_t fpfmt_block_encode(const fpfmt_block *block, const fpfmt_recipe *recipe,
                            const fpfmt_block_scale *scale, fpfmt_value value,
                            const fpfmt_policy *policy, unsigned *flags)
{
    const fpfmt_policy standard = { .rounding = recipe->rounding };
    fpfmt_policy elements = fpfmt_element_policy(block, policy != NULL ? policy : &standard);
    fpfmt_value x = scale->is_nan ? value : fpfmt_block_scaled(recipe, scale, value);
    uint64_t code = 0;
    unsigned raised = 0;
    if (!scale->is_nan)
        code = block->book != NULL ? fpfmt_book_encode(block->book, x, &elements, &raised)
                                   : fpfmt_encode(&block->element, x, &elements, &raised);
    if (flags != NULL)
        *flags |= raised_by(block, scale, value, x, code, raised);
    return code;
}
