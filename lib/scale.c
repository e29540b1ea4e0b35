/* scale.c - the scale of a block, by a recipe
 * SPDX-License-Identifier: MIT
 *
 * Exponents are integers, and no logarithm is taken: that of a number just below a power of two
 * rounds up in floating point. Where a maker's bits depend on the order of its binary32 operations,
 * each of them is one rounding to that format here. */

#include "blocks.h"
#include "carrier.h"
#include "encode.h"
#include "shape.h"

static fpfmt_value magnitude_of(fpfmt_value value)
{
    value.negative = false;
    return value;
}

static fpfmt_value power_of_two(int exponent)
{
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .exponent = exponent,
                          .significand = UINT64_C(1) << 63 };
}

/* 1 / x in binary32. */
static fpfmt_value inverse(fpfmt_value x)
{
    return fpfmt_in_binary32(FPFMT_OPERATION_DIVIDE, fpfmt_from_i64(1), x);
}

/* The smaller of x and the largest binary32, which processors' minimum gives for NaN too. */
static fpfmt_value at_most_largest(fpfmt_value x)
{
    fpfmt_value largest =
        fpfmt_decode(fpfmt_carriers[CARRIER_32], fpfmt_measure(fpfmt_carriers[CARRIER_32]).max);
    return fpfmt_compare_quiet(x, largest, NULL) == FPFMT_LESS ? x : largest;
}

void fpfmt_see(fpfmt_seen *seen, const fpfmt_recipe *recipe, fpfmt_value value)
{
    value = fpfmt_as_seen(recipe, value);
    if (fpfmt_value_is_nan(value)) {
        seen->nan = true;
        return;
    }
    if (!seen->any || fpfmt_compare_quiet(magnitude_of(value), magnitude_of(seen->extreme), NULL) ==
                          FPFMT_GREATER)
        seen->extreme = value;
    seen->any = true;
}

/* A scale's code without sign that is not past the largest; and 0, where the format has none, is
 * the smallest. */
static uint64_t scale_code(const fpfmt_block *block, fpfmt_value value, uint8_t rounding)
{
    fpfmt_policy policy = { .rounding = rounding, .overflow = FPFMT_OVERFLOW_MAX };
    return fpfmt_encode(&block->scale, value, &policy, NULL);
}

static fpfmt_value largest_scale(const fpfmt_block *block)
{
    return fpfmt_decode(&block->scale, fpfmt_measure(&block->scale).max);
}

/* The tensor's scale, and its inverse as its maker rounds it. */
typedef struct {
    fpfmt_value decode, encode;
} tensor_values;

/* Of a block format with one level decode is 1, as its scale alone is stored. */
static tensor_values tensor_of(const fpfmt_block *block, const fpfmt_tensor_scale *tensor)
{
    tensor_values it = { fpfmt_from_i64(1), fpfmt_from_i64(1) };
    if (tensor == NULL)
        return it;
    if (block->levels == 2)
        it.decode = fpfmt_from_f32(tensor->decode);
    it.encode = fpfmt_from_f32(tensor->encode);
    if (fpfmt_value_is_zero(it.encode))
        it.encode = inverse(fpfmt_from_f32(tensor->decode));
    return it;
}

/* What a rule works with. */
typedef struct {
    const fpfmt_block *block;
    const fpfmt_recipe *recipe;
    tensor_values tensor;
    bool is_given; /* there is a tensor's scale */
    fpfmt_value amax, extreme, largest;
    bool second;
} making;

fpfmt_value fpfmt_block_stored(const fpfmt_block *block, uint64_t code,
                               const fpfmt_tensor_scale *tensor)
{
    return fpfmt_exact_product(fpfmt_decode(&block->scale, code), tensor_of(block, tensor).decode);
}

/* log2 of the largest element's binade: emax. */
static int largest_binade(const making *it)
{
    return it->largest.exponent;
}

/* The scale 2^(exponent - emax), clamped to the smallest one above 0; past its largest value it is
 * for the recipe's option to say. */
static void set_power(fpfmt_block_scale *scale, const making *it, int exponent)
{
    scale->has_exponent = true;
    scale->emax = largest_binade(it);
    scale->exponent = exponent - scale->emax;
    fpfmt_value power = power_of_two(scale->exponent);
    scale->is_nan = fpfmt_compare_quiet(power, largest_scale(it->block), NULL) == FPFMT_GREATER &&
                    it->recipe->infinite == FPFMT_BLOCK_INFINITE_NAN;
    scale->code = scale_code(it->block, power, FPFMT_ROUND_NEAREST_EVEN);
    if (fpfmt_value_is_zero(fpfmt_decode(&it->block->scale, scale->code)))
        scale->code = fpfmt_measure(&it->block->scale).min_positive;
}

/* amax by the tensor's scale. What is cut of the quotient is below every bit that is looked at. */
static fpfmt_value relative_amax(const making *it)
{
    return fpfmt_exact_quotient(it->amax, it->tensor.decode);
}

static void floor_rule(fpfmt_block_scale *scale, const making *it)
{
    set_power(scale, it, relative_amax(it).exponent);
}

static void ceil_rule(fpfmt_block_scale *scale, const making *it)
{
    fpfmt_value amax = relative_amax(it);
    set_power(scale, it, amax.exponent + (amax.significand << 1 != 0 || amax.inexact));
}

/* Half of the last bit of an element is added to amax; a carry out of the top bit takes it to the
 * next binade. */
static void even_rule(fpfmt_block_scale *scale, const making *it)
{
    int bits = fpfmt_measure(&it->block->element).precision;
    uint64_t half = bits < 64 ? UINT64_C(1) << (63 - bits) : 0;
    fpfmt_value amax = relative_amax(it);
    bool carries = amax.significand + half < amax.significand;
    set_power(scale, it, amax.exponent + carries);
}

/* amax / (M x tensor scale), or 3/2 of that, rounded once: both sides of the division are exact. */
static void quotient_rule(fpfmt_block_scale *scale, const making *it)
{
    fpfmt_value per = fpfmt_exact_product(magnitude_of(it->largest), it->tensor.decode);
    fpfmt_value amax = it->amax, top = largest_scale(it->block);
    if (it->second) {
        amax = fpfmt_exact_product(amax, fpfmt_from_i64(3));
        per = fpfmt_exact_product(per, fpfmt_from_i64(2));
    }
    fpfmt_value quotient = fpfmt_exact_quotient(amax, per);
    scale->is_nan = fpfmt_compare_quiet(quotient, top, NULL) == FPFMT_GREATER &&
                    it->recipe->infinite == FPFMT_BLOCK_INFINITE_NAN;
    scale->code = scale_code(it->block, quotient, it->recipe->scale_rounding);
}

/* amax / M in binary32; where M has one sign only, the extreme value / M, so that it becomes M. In
 * a block of zeros the extreme is +0 whatever their signs, as makers start from it. */
static fpfmt_value float_quotient(const making *it)
{
    fpfmt_value least = fpfmt_from_f32(it->recipe->least), dividend = it->amax;
    if (it->largest.negative)
        dividend = fpfmt_value_is_zero(it->amax) ? it->amax : it->extreme;
    else if (fpfmt_compare_quiet(dividend, least, NULL) == FPFMT_LESS)
        dividend = least;
    return fpfmt_in_binary32(FPFMT_OPERATION_DIVIDE, dividend, it->largest);
}

static void set_float(fpfmt_block_scale *scale, const making *it, fpfmt_value value)
{
    const fpfmt_policy policy = { .rounding = it->recipe->scale_rounding };
    scale->code = fpfmt_encode(&it->block->scale, value, &policy, NULL);
    scale->factor = it->recipe->step == FPFMT_STEP_PRODUCT ? inverse(value) : value;
}

static void float_rule(fpfmt_block_scale *scale, const making *it)
{
    set_float(scale, it, float_quotient(it));
}

static void float_power_rule(fpfmt_block_scale *scale, const making *it)
{
    fpfmt_value value = float_quotient(it);
    if (fpfmt_value_is_finite(value) && !fpfmt_value_is_zero(value)) {
        scale->has_exponent = true;
        scale->exponent = value.exponent + (value.significand << 1 != 0);
        value = power_of_two(scale->exponent);
    }
    set_float(scale, it, value);
}

/* The factor is given, or M / amax, no more than the largest binary32, and 1 where amax is 0 or
 * infinite. */
static void inverse_rule(fpfmt_block_scale *scale, const making *it)
{
    fpfmt_value factor = it->tensor.encode;
    if (!it->is_given) {
        bool usable = fpfmt_value_is_finite(it->amax) && !fpfmt_value_is_zero(it->amax);
        factor = fpfmt_in_binary32(FPFMT_OPERATION_DIVIDE, magnitude_of(it->largest), it->amax);
        factor = usable ? at_most_largest(factor) : fpfmt_from_i64(1);
    }
    scale->code = fpfmt_encode(&it->block->scale, inverse(factor), NULL, NULL);
    scale->factor = factor;
}

/* TransformerEngine: S is the tensor's encode. amax x (S x 1/M), the scale from it, and 1 / (scale
 * x 1/S) as the factor, each no more than the largest binary32. */
static void engine_rule(fpfmt_block_scale *scale, const making *it)
{
    const fpfmt_operation multiply = FPFMT_OPERATION_MULTIPLY;
    fpfmt_value s = it->tensor.encode;
    fpfmt_value per = fpfmt_in_binary32(multiply, s, inverse(magnitude_of(it->largest)));
    fpfmt_value quotient = at_most_largest(fpfmt_in_binary32(multiply, it->amax, per));
    scale->code = scale_code(it->block, quotient, it->recipe->scale_rounding);
    fpfmt_value stored = fpfmt_decode(&it->block->scale, scale->code);
    scale->factor = at_most_largest(inverse(fpfmt_in_binary32(multiply, stored, inverse(s))));
}

/* torchao: (amax / M) / tensor scale, raised to the least, and (1 / tensor scale) / scale as the
 * factor. */
static void torchao_rule(fpfmt_block_scale *scale, const making *it)
{
    const fpfmt_operation divide = FPFMT_OPERATION_DIVIDE;
    fpfmt_value quotient = fpfmt_in_binary32(divide, it->amax, magnitude_of(it->largest));
    fpfmt_value least = fpfmt_from_f32(it->recipe->least_scale);
    quotient = fpfmt_in_binary32(divide, quotient, it->tensor.decode);
    if (fpfmt_compare_quiet(quotient, least, NULL) == FPFMT_LESS)
        quotient = least;
    scale->code = scale_code(it->block, quotient, it->recipe->scale_rounding);
    fpfmt_value stored = fpfmt_decode(&it->block->scale, scale->code);
    scale->factor = fpfmt_in_binary32(divide, inverse(it->tensor.decode), stored);
}

static void (*const rules[])(fpfmt_block_scale *, const making *) = {
    [FPFMT_SCALE_FLOOR] = floor_rule,
    [FPFMT_SCALE_CEIL] = ceil_rule,
    [FPFMT_SCALE_EVEN] = even_rule,
    [FPFMT_SCALE_QUOTIENT] = quotient_rule,
    [FPFMT_SCALE_BEST_OF_TWO] = quotient_rule,
    [FPFMT_SCALE_FLOAT] = float_rule,
    [FPFMT_SCALE_FLOAT_POWER] = float_power_rule,
    [FPFMT_SCALE_INVERSE] = inverse_rule,
    [FPFMT_SCALE_ENGINE] = engine_rule,
    [FPFMT_SCALE_TORCHAO] = torchao_rule,
};
_Static_assert(sizeof rules / sizeof rules[0] == FPFMT_SCALE_COUNT, "give the new rule its code");

/* A scale that no rule makes: what elements are divided by follows from its code. */
static void set_code(fpfmt_block_scale *scale, const making *it, uint64_t code)
{
    fpfmt_value value = fpfmt_decode(&it->block->scale, code);
    fpfmt_value stored = fpfmt_exact_product(value, it->tensor.decode);
    scale->code = code;
    scale->factor = it->recipe->step == FPFMT_STEP_PRODUCT ? inverse(stored) : stored;
}

/* Whether an option of the recipe settles the block, without its rule. */
static bool is_special(fpfmt_block_scale *scale, const making *it, bool nan)
{
    const fpfmt_recipe *recipe = it->recipe;
    fpfmt_limits limits = fpfmt_measure(&it->block->scale);
    bool infinite = fpfmt_value_is_infinite(it->amax);
    scale->is_nan = (nan && recipe->nan == FPFMT_BLOCK_NAN_SCALE) ||
                    (infinite && recipe->infinite == FPFMT_BLOCK_INFINITE_NAN);
    if (scale->is_nan)
        return true;
    if (infinite &&
        (recipe->infinite == FPFMT_BLOCK_INFINITE_MAX || recipe->rule <= FPFMT_SCALE_EVEN)) {
        set_code(scale, it, limits.max);
        return true;
    }
    if (!fpfmt_value_is_zero(it->amax))
        return false;
    scale->is_zero = recipe->zero == FPFMT_BLOCK_ZERO_ZEROS;
    bool least = recipe->zero == FPFMT_BLOCK_ZERO_LEAST || recipe->rule <= FPFMT_SCALE_EVEN;
    if (recipe->zero == FPFMT_BLOCK_ZERO_ONE)
        set_code(scale, it, scale_code(it->block, fpfmt_from_i64(1), FPFMT_ROUND_NEAREST_EVEN));
    else if (least)
        set_code(scale, it, limits.min_positive);
    return recipe->zero == FPFMT_BLOCK_ZERO_ONE || least;
}

fpfmt_block_scale fpfmt_make_scale(const fpfmt_block *block, const fpfmt_recipe *recipe,
                                   const fpfmt_seen *seen, const fpfmt_tensor_scale *tensor,
                                   bool second)
{
    fpfmt_block_scale scale = { .extreme = seen->extreme, .step = recipe->step };
    /* With one level of scales it is the factor of INVERSE, and nothing to other rules. */
    bool heeds = block->levels == 2 || recipe->rule == FPFMT_SCALE_INVERSE;
    const fpfmt_tensor_scale *given = heeds ? tensor : NULL;
    making it = { .block = block,
                  .recipe = recipe,
                  .tensor = tensor_of(block, given),
                  .is_given = given != NULL,
                  .amax = magnitude_of(seen->extreme),
                  .extreme = seen->extreme,
                  .largest = fpfmt_block_largest(block),
                  .second = second };
    if (!is_special(&scale, &it, seen->nan))
        rules[recipe->rule](&scale, &it);
    if (scale.is_nan) {
        fpfmt_limits limits = fpfmt_measure(&block->scale);
        scale.is_nan = limits.has_nan;
        set_code(&scale, &it, limits.has_nan ? limits.nan : limits.max);
    }
    scale.stored = fpfmt_exact_product(fpfmt_decode(&block->scale, scale.code), it.tensor.decode);
    if (recipe->step == FPFMT_STEP_EXACT)
        scale.factor = scale.stored;
    return scale;
}
