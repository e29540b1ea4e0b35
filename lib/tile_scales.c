/* tile_scales.c - scales of many blocks of floats at once
 * SPDX-License-Identifier: MIT
 *
 * Scales that are powers of two follow from bits; others by the recipe's binary32 operations, on as
 * many blocks at a time as a tile has. The bits are those of scale.c. */

#include "tile_scales.h"

/* ---- scales that are powers of two ---- */

/* Which number, added to amax's bits before the fraction is dropped, rounds it to the binade that
 * the rule says: nothing down, all ones up, half of an element's last bit to even, and for amax / M
 * what carries where the fraction is larger than that of M. Of elements as precise as a float the
 * half bit lies below every float. */
static uint32_t addend_of(const fast_call *it)
{
    const uint32_t ones = (UINT32_C(1) << FRACTION) - 1;
    switch (it->plan->recipe.rule) {
    case FPFMT_SCALE_CEIL: return ones;
    case FPFMT_SCALE_EVEN:
        return it->precision > FRACTION ? 0 : UINT32_C(1) << (FRACTION - it->precision);
    case FPFMT_SCALE_QUOTIENT: return ones - (bits_of(it->largest) & ones);
    default: return 0;
    }
}

/* A scale of 2^-127, code 0, is the smallest. Below 2^-126 bits do not count binades; but then the
 * scale is the smallest anyhow, unless emax is less than 1. */
static bool set_powers(const fast_call *it, tile *at, uint8_t *codes)
{
    const uint32_t least = it->emax < 1 ? UINT32_C(1) << FRACTION : 0, add = it->addend;
    const uint8_t zero = it->plan->recipe.zero;
    const bool told = zero == FPFMT_BLOCK_ZERO_ONE || zero == FPFMT_BLOCK_ZERO_ZEROS;
    bool slow = false;
    for (size_t b = 0; b < at->blocks; b++) {
        uint32_t amax = at->amax[b];
        int code = (int)((amax + add) >> FRACTION) - it->emax;
        slow |= (amax >= INFINITE_BITS) | (code > 2 * EXPONENT_ONE) | (amax < least) |
                ((amax == 0) & told);
        code = amax == 0 || code < 0 ? 0 : code;
        codes[b] = (uint8_t)code;
        /* 2^(127 - code); that of the largest scale is subnormal. */
        uint32_t inverse = (uint32_t)(2 * EXPONENT_ONE - code) << FRACTION;
        at->factor[b] = float_of(inverse == 0 ? UINT32_C(1) << (FRACTION - 1) : inverse);
    }
    return slow;
}

/* ---- scales by operations in binary32 ---- */

/* Infinity becomes the largest binary32. */
static void clamp(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = bits_of(x[i]) == INFINITE_BITS ? float_of(LARGEST_BITS) : x[i];
}

static void raise_to(float *x, float least, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = bits_of(x[i]) < bits_of(least) ? least : x[i];
}

/* INVERSE: M / amax, or what is given, is the factor already, and its inverse is stored. True where
 * that is past the largest scale, to which INVERSE does not clamp. */
static bool set_inverses(const fast_call *it, tile *at, float *quotient)
{
    const fpfmt_operation divide = FPFMT_OPERATION_DIVIDE;
    float constant[BLOCKS] = { 0 };
    bool slow = false;
    fill(constant, it->largest, at->blocks);
    operate(it, divide, at->factor, constant, quotient, at->blocks);
    clamp(at->factor, at->blocks);
    if (it->given != 0)
        fill(at->factor, it->given, at->blocks);
    fill(constant, 1, at->blocks);
    operate(it, divide, quotient, constant, at->factor, at->blocks);
    for (size_t b = 0; b < at->blocks; b++)
        slow |= bits_of(quotient[b]) > bits_of(it->top);
    return slow;
}

/* Of other rules: amax by M, and by the scale of the tensor. */
static void set_quotients(const fast_call *it, float *quotient, size_t n)
{
    const fpfmt_recipe *recipe = &it->plan->recipe;
    float constant[BLOCKS] = { 0 };
    if (recipe->rule == FPFMT_SCALE_ENGINE) {
        fill(constant, it->per, n);
        operate(it, FPFMT_OPERATION_MULTIPLY, quotient, quotient, constant, n);
        clamp(quotient, n);
        return;
    }
    if (recipe->rule == FPFMT_SCALE_FLOAT)
        raise_to(quotient, recipe->least, n);
    fill(constant, it->largest, n);
    operate(it, FPFMT_OPERATION_DIVIDE, quotient, quotient, constant, n);
    if (recipe->rule == FPFMT_SCALE_TORCHAO) {
        fill(constant, it->per, n);
        operate(it, FPFMT_OPERATION_DIVIDE, quotient, quotient, constant, n);
        raise_to(quotient, recipe->least_scale, n);
    }
}

/* What values are multiplied with, or divided by, once scales are stored. */
static void set_factors(const fast_call *it, tile *at, const float *quotient, float *stored)
{
    const fpfmt_recipe *recipe = &it->plan->recipe;
    float constant[BLOCKS] = { 0 };
    size_t n = at->blocks;
    fill(constant, it->back, n);
    if (recipe->rule == FPFMT_SCALE_ENGINE) {
        operate(it, FPFMT_OPERATION_MULTIPLY, stored, stored, constant, n);
        fill(constant, 1, n);
        operate(it, FPFMT_OPERATION_DIVIDE, at->factor, constant, stored, n);
        clamp(at->factor, n);
    } else if (recipe->step == FPFMT_STEP_QUOTIENT) {
        memcpy(at->factor, quotient, n * sizeof *quotient);
    } else {
        operate(it, FPFMT_OPERATION_DIVIDE, at->factor, constant,
                recipe->rule == FPFMT_SCALE_FLOAT ? quotient : stored, n);
    }
}

/* The recipes of scale.c, on arrays of blocks: quotients to be stored, their codes, the factors.
 * Tells whether there is a block that the reference has to do. */
static bool set_floats(const fast_call *it, tile *at, void *scales)
{
    const fpfmt_recipe *recipe = &it->plan->recipe;
    bool inverse = recipe->rule == FPFMT_SCALE_INVERSE, slow = false;
    float quotient[BLOCKS], stored[BLOCKS];
    size_t n = at->blocks;
    memcpy(quotient, at->amax, n * sizeof *quotient);
    if (inverse)
        slow = set_inverses(it, at, quotient);
    else
        set_quotients(it, quotient, n);
    fpfmt_plan_encode_f32(&it->plan->scales, scales, quotient, n, 0, NULL);
    fpfmt_plan_decode_f32(&it->plan->scales, stored, scales, n, NULL);
    for (size_t b = 0; b < n; b++) {
        slow |= bits_of(stored[b]) >= INFINITE_BITS;
        at->any_zero |= bits_of(stored[b]) == 0;
    }
    if (!inverse)
        set_factors(it, at, quotient, stored);
    for (size_t b = 0; b < n; b++)
        slow |= at->amax[b] >= INFINITE_BITS || bits_of(at->factor[b]) >= INFINITE_BITS ||
                bits_of(at->factor[b]) == 0 ||
                (at->amax[b] == 0 && recipe->zero != FPFMT_BLOCK_ZERO_RULE);
    return slow;
}

bool fpfmt_scale_tile(const fast_call *it, tile *at, const float *values, void *scales)
{
    it->plan->elements.set->amax(at->amax, values, at->blocks, at->size);
    return it->plan->recipe.step == FPFMT_STEP_EXACT ? set_powers(it, at, scales)
                                                     : set_floats(it, at, scales);
}

/* The constants that a recipe's operations take, each rounded as scale.c rounds it. */
fast_call fpfmt_fast_call(const fpfmt_block_plan *plan, const fpfmt_tensor_scale *tensor,
                          uint64_t first, unsigned *flags)
{
    const fpfmt_operation divide = FPFMT_OPERATION_DIVIDE;
    const fpfmt_value one = fpfmt_from_i64(1), largest = fpfmt_block_largest(&plan->block);
    fpfmt_value decode = one, encode = one, per = one, back = one;
    fast_call it = { .plan = plan, .tensor = tensor, .first = first, .flags = flags };
    bool heeds = plan->block.levels == 2 || plan->recipe.rule == FPFMT_SCALE_INVERSE;
    if (tensor != NULL && heeds) {
        decode = fpfmt_from_f32(tensor->decode);
        encode = fpfmt_from_f32(tensor->encode);
        encode = fpfmt_value_is_zero(encode) ? fpfmt_in_binary32(divide, one, decode) : encode;
    }
    if (plan->recipe.rule == FPFMT_SCALE_ENGINE) {
        per = fpfmt_in_binary32(FPFMT_OPERATION_MULTIPLY, encode,
                                fpfmt_in_binary32(divide, one, largest));
        back = fpfmt_in_binary32(divide, one, encode);
    } else if (plan->recipe.rule == FPFMT_SCALE_TORCHAO) {
        per = decode;
        back = fpfmt_in_binary32(divide, one, decode);
    }
    if (tensor != NULL && heeds)
        it.given = fpfmt_to_f32(encode, NULL, NULL);
    fpfmt_value top = fpfmt_decode(&plan->block.scale, fpfmt_measure(&plan->block.scale).max);
    it.top = fpfmt_to_f32(top, NULL, NULL);
    it.largest = fpfmt_to_f32(largest, NULL, NULL);
    it.per = fpfmt_to_f32(per, NULL, NULL);
    it.back = fpfmt_to_f32(back, NULL, NULL);
    it.emax = largest.exponent;
    it.precision = fpfmt_measure(&plan->block.element).precision;
    it.addend = addend_of(&it);
    return it;
}
