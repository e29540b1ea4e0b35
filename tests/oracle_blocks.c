/* oracle_blocks.c - scales by recipes, each operation of binary32 rounded once
 * SPDX-License-Identifier: MIT
 *
 * Sources: OCP MX v1.0 6.3; TransformerEngine core_nvfp4.cuh; torchao mx_tensor.py and
 * nvfp4_tensor.py; DeepSeek-V3 kernel.py and DeepGEMM math.py; ggml-quants.c; kernels.cu of
 * bitsandbytes; Four Over Six. */

#include "oracle_blocks.h"

#include <math.h>

enum { BITS = ORACLE_NUMBER_BITS };

const oracle_recipe oracle_recipes[] = {
    { "ocp-floor", ORACLE_FLOOR, 'x', false, 0, 'l', 's', 'n', false, 0, 0 },
    { "ceil", ORACLE_CEIL, 'x', false, 0, 'l', 's', 'n', false, 0, 0 },
    { "even", ORACLE_EVEN, 'x', false, 0, 'l', 's', 'n', false, 0, 0 },
    { "rceil", ORACLE_QUOTIENT, 'x', true, 0, 'l', 's', 'm', false, 0, 0 },
    { "amax", ORACLE_QUOTIENT, 'x', false, 0, 'r', 's', 'm', false, 0, 0 },
    { "te-nvfp4", ORACLE_ENGINE, '*', false, 0, 'r', 'e', 'r', false, 0, 0 },
    { "torchao-nvfp4", ORACLE_TORCHAO, '*', false, 0, 'r', 's', 'r', false, 0, 0.015625 },
    { "four-over-six", ORACLE_BETTER, 'x', false, 0, 'r', 's', 'm', false, 0, 0 },
    { "deepseek", ORACLE_FLOAT, '/', false, 0, 'r', 's', 'r', false, 1e-4, 0 },
    { "deepgemm", ORACLE_FLOAT, '*', false, 0, 'r', 's', 'r', false, 1e-4, 0 },
    { "deepseek-ue8m0", ORACLE_FLOAT_POWER, '*', false, 0, 'r', 's', 'r', false, 1e-4, 0 },
    { "te-current", ORACLE_INVERSE, '*', false, 0, 'o', 'e', 'r', false, 0, 0 },
    { "ggml", ORACLE_FLOAT, '*', false, FPFMT_ROUND_NEAREST_AWAY, 'z', 's', 'r', false, 0, 0 },
    { "bitsandbytes", ORACLE_FLOAT, '*', false, 0, 'r', 's', 'r', false, 0, 0 },
};
const size_t oracle_recipe_count = sizeof oracle_recipes / sizeof oracle_recipes[0];

/* Binade of a positive number. */
static long log2_of(const mpfr_t x)
{
    return mpfr_get_exp(x) - 1;
}

/* What a rule works with. */
typedef struct {
    const oracle_block *block;
    const oracle_recipe *recipe;
    mpfr_t amax, extreme, largest, decode, encode;
    long emax;
    bool is_given;
} making;

static making it;

/* The value as the recipe sees it. */
static void see(mpfr_t x, const oracle_recipe *recipe, const oracle_number *value)
{
    oracle_as_mpfr(x, value);
    if (recipe->flush && mpfr_regular_p(x) && mpfr_get_exp(x) - 1 < -126)
        mpfr_set_zero(x, mpfr_sgn(x));
    if (recipe->step != 'x')
        oracle_round_32(x, x);
}

static void set_largest(mpfr_t largest, const oracle_block *block)
{
    if (block->book == NULL) {
        oracle_decode_mpfr(largest, block->element, block->element->max);
        return;
    }
    double first = block->book->values[0], last = block->book->values[block->book->count - 1];
    mpfr_set_d(largest, fabs(first) > fabs(last) ? first : last, MPFR_RNDN);
}

/* A scale that the format holds, no more than its largest. */
static void store(oracle_scale *scale, const mpfr_t x, bool up)
{
    const fpfmt_policy policy = { .rounding = up ? FPFMT_ROUND_UPWARD : FPFMT_ROUND_NEAREST_EVEN,
                                  .overflow = FPFMT_OVERFLOW_MAX };
    scale->code = oracle_encode_mpfr(it.block->scale, x, &policy);
}

/* A scale with its quotient past the largest is NaN where the recipe has it so. */
static void store_or_nan(oracle_scale *scale, const mpfr_t x, bool up)
{
    mpfr_t top;
    mpfr_init2(top, BITS);
    oracle_decode_mpfr(top, it.block->scale, it.block->scale->max);
    scale->is_nan = it.recipe->infinite == 'n' && mpfr_greater_p(x, top);
    store(scale, x, up);
    mpfr_clear(top);
}

/* amax by the tensor's scale: its binade, and whether there is more than its power of two. */
static long relative_binade(mpfr_t quotient)
{
    oracle_divide(quotient, it.amax, it.decode);
    return log2_of(quotient);
}

static void by_power(oracle_scale *scale, long exponent)
{
    mpfr_t x;
    mpfr_init2(x, BITS);
    mpfr_set_ui_2exp(x, 1, exponent - it.emax, MPFR_RNDN);
    store_or_nan(scale, x, false);
    if (oracle_has_zero(it.block->scale) && scale->code == 0)
        scale->code = 1;
    mpfr_clear(x);
}

static void by_floor_or_ceil(oracle_scale *scale)
{
    mpfr_t quotient;
    mpfr_init2(quotient, BITS);
    long binade = relative_binade(quotient);
    bool power = mpfr_min_prec(quotient) == 1;
    by_power(scale, binade + (it.recipe->rule == ORACLE_CEIL && !power));
    mpfr_clear(quotient);
}

/* Half up to as many bits as an element has, hidden one included. */
static void by_even(oracle_scale *scale)
{
    mpfr_t x, quotient;
    mpfr_inits2(BITS, x, quotient, (mpfr_ptr)NULL);
    mpfr_set_ui_2exp(x, 1, relative_binade(quotient) - it.block->element->precision, MPFR_RNDN);
    mpfr_add(x, x, quotient, MPFR_RNDZ);
    by_power(scale, log2_of(x));
    mpfr_clears(x, quotient, (mpfr_ptr)NULL);
}

/* times / 2 of amax / (M x decode). */
static void by_quotient(oracle_scale *scale, unsigned long times)
{
    mpfr_t a, b;
    mpfr_inits2(BITS, a, b, (mpfr_ptr)NULL);
    mpfr_mul_ui(a, it.amax, times, MPFR_RNDZ);
    mpfr_mul_ui(b, it.largest, 2, MPFR_RNDZ);
    mpfr_abs(b, b, MPFR_RNDN);
    mpfr_mul(b, b, it.decode, MPFR_RNDZ);
    oracle_divide(a, a, b);
    store_or_nan(scale, a, it.recipe->up);
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

/* With the scale that values are divided by; its code is rounded as its format has it. */
static void by_float(oracle_scale *scale, bool power)
{
    const fpfmt_policy policy = { .rounding = 0 };
    mpfr_t x;
    mpfr_init2(x, BITS);
    mpfr_set_d(x, (double)(float)it.recipe->least, MPFR_RNDN);
    if (mpfr_sgn(it.largest) < 0)
        oracle_divide_32(x, it.extreme, it.largest);
    else
        oracle_divide_32(x, mpfr_less_p(it.amax, x) ? x : it.amax, it.largest);
    if (power && mpfr_regular_p(x)) {
        mpfr_abs(x, x, MPFR_RNDN);
        long exponent = log2_of(x);
        mpfr_t at;
        mpfr_init2(at, BITS);
        mpfr_set_ui_2exp(at, 1, exponent, MPFR_RNDN);
        mpfr_set_ui_2exp(x, 1, exponent + !mpfr_equal_p(x, at), MPFR_RNDN);
        mpfr_clear(at);
    }
    scale->code = oracle_encode_mpfr(it.block->scale, x, &policy);
    if (it.recipe->step == '*')
        oracle_invert_32(scale->factor, x);
    else
        mpfr_set(scale->factor, x, MPFR_RNDN);
    mpfr_clear(x);
}

static void by_inverse(oracle_scale *scale)
{
    const fpfmt_policy policy = { .rounding = 0 };
    mpfr_t x;
    mpfr_init2(x, BITS);
    if (it.is_given)
        mpfr_set(scale->factor, it.encode, MPFR_RNDN);
    else if (!mpfr_regular_p(it.amax))
        mpfr_set_ui(scale->factor, 1, MPFR_RNDN);
    else {
        mpfr_abs(x, it.largest, MPFR_RNDN);
        oracle_divide_32(scale->factor, x, it.amax);
        oracle_cap_32(scale->factor);
    }
    oracle_invert_32(x, scale->factor);
    scale->code = oracle_encode_mpfr(it.block->scale, x, &policy);
    mpfr_clear(x);
}

/* S6 = S x (1/6); s = amax x S6; 1 / (s x (1/S)). */
static void by_engine(oracle_scale *scale)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    mpfr_abs(x, it.largest, MPFR_RNDN);
    oracle_invert_32(x, x);
    oracle_multiply_32(x, it.encode, x);
    oracle_multiply_32(x, it.amax, x);
    oracle_cap_32(x);
    store(scale, x, false);
    oracle_decode_mpfr(x, it.block->scale, scale->code);
    oracle_invert_32(y, it.encode);
    oracle_multiply_32(x, x, y);
    oracle_invert_32(scale->factor, x);
    oracle_cap_32(scale->factor);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* (amax / 6) / p, from 2^-6 up; (1 / p) / s. */
static void by_torchao(oracle_scale *scale)
{
    mpfr_t x;
    mpfr_init2(x, BITS);
    mpfr_abs(x, it.largest, MPFR_RNDN);
    oracle_divide_32(x, it.amax, x);
    oracle_divide_32(x, x, it.decode);
    if (mpfr_cmp_d(x, it.recipe->least_scale) < 0)
        mpfr_set_d(x, it.recipe->least_scale, MPFR_RNDN);
    store(scale, x, false);
    oracle_decode_mpfr(x, it.block->scale, scale->code);
    oracle_invert_32(scale->factor, it.decode);
    oracle_divide_32(scale->factor, scale->factor, x);
    mpfr_clear(x);
}

static void by_rule(oracle_scale *scale)
{
    switch (it.recipe->rule) {
    case ORACLE_FLOOR:
    case ORACLE_CEIL: by_floor_or_ceil(scale); break;
    case ORACLE_EVEN: by_even(scale); break;
    case ORACLE_BETTER:
    case ORACLE_QUOTIENT: by_quotient(scale, 2); break;
    case ORACLE_FLOAT: by_float(scale, false); break;
    case ORACLE_FLOAT_POWER: by_float(scale, true); break;
    case ORACLE_INVERSE: by_inverse(scale); break;
    case ORACLE_ENGINE: by_engine(scale); break;
    case ORACLE_TORCHAO: by_torchao(scale); break;
    }
}

/* stored of the code, and where no rule made the factor that too. */
static void finish(oracle_scale *scale, bool by_option)
{
    oracle_decode_mpfr(scale->stored, it.block->scale, scale->code);
    mpfr_mul(scale->stored, scale->stored, it.decode, MPFR_RNDN);
    if (it.recipe->step == 'x' || (by_option && it.recipe->step == '/'))
        mpfr_set(scale->factor, scale->stored, MPFR_RNDN);
    else if (by_option)
        oracle_invert_32(scale->factor, scale->stored);
}

/* Options first: NaN, infinities and zeros. */
static bool by_option(oracle_scale *scale, bool nan)
{
    const oracle_recipe *recipe = it.recipe;
    const oracle_format *format = it.block->scale;
    bool power = recipe->rule <= ORACLE_EVEN, infinite = mpfr_inf_p(it.amax);
    mpfr_t one;
    scale->is_nan = (nan && recipe->nan == 's') || (infinite && recipe->infinite == 'n');
    scale->is_zero = false;
    if (scale->is_nan)
        return true;
    if (infinite && (power || recipe->infinite == 'm')) {
        scale->code = format->max;
        return true;
    }
    if (!mpfr_zero_p(it.amax))
        return false;
    scale->is_zero = recipe->zero == 'z';
    if (recipe->zero == 'o') {
        mpfr_init2(one, BITS);
        mpfr_set_ui(one, 1, MPFR_RNDN);
        store(scale, one, false);
        mpfr_clear(one);
        return true;
    }
    if (power || recipe->zero == 'l')
        scale->code = oracle_has_zero(format) ? 1 : 0;
    return power || recipe->zero == 'l';
}

void oracle_start_scale(oracle_scale *scale)
{
    mpfr_inits2(BITS, scale->stored, scale->factor, (mpfr_ptr)NULL);
}

/* The amax and the extreme of a block, and whether it has a NaN. */
static bool look_at(const oracle_recipe *recipe, const oracle_number *values, size_t n)
{
    bool nan = false;
    mpfr_t x;
    mpfr_init2(x, BITS);
    mpfr_set_zero(it.amax, 1);
    mpfr_set_zero(it.extreme, 1);
    for (size_t i = 0; i < n; i++) {
        see(x, recipe, &values[i]);
        nan |= mpfr_nan_p(x) != 0;
        if (!mpfr_nan_p(x) && mpfr_cmpabs(x, it.amax) > 0) {
            mpfr_set(it.extreme, x, MPFR_RNDN);
            mpfr_abs(it.amax, x, MPFR_RNDN);
        }
    }
    mpfr_clear(x);
    return nan;
}

static void set_tensor(const oracle_block *block, float decode_factor, float encode_factor)
{
    it.is_given = decode_factor != 0 && (block->has_tensor || it.recipe->rule == ORACLE_INVERSE);
    mpfr_set_d(it.decode, it.is_given && block->has_tensor ? (double)decode_factor : 1, MPFR_RNDN);
    mpfr_set_d(it.encode, it.is_given ? (double)encode_factor : 1, MPFR_RNDN);
    if (it.is_given && encode_factor == 0) {
        mpfr_set_d(it.encode, (double)decode_factor, MPFR_RNDN);
        oracle_invert_32(it.encode, it.encode);
    }
}

static void sum_errors(mpz_t sum, const oracle_scale *scale, const oracle_number *values, size_t n,
                       const fpfmt_policy *policy)
{
    mpz_t square;
    mpfr_t x, y;
    mpz_init(square);
    mpfr_inits2(BITS, x, y, (mpfr_ptr)NULL);
    mpz_set_ui(sum, 0);
    for (size_t i = 0; i < n; i++) {
        fpfmt_policy of_element = *policy;
        of_element.first += i;
        uint64_t code =
            oracle_block_element(it.block, it.recipe, scale, &values[i], &of_element, NULL);
        oracle_held(y, it.block, code, scale->stored);
        oracle_as_mpfr(x, &values[i]);
        if (mpfr_number_p(x) && mpfr_number_p(y)) {
            oracle_square_error(square, x, y);
            mpz_add(sum, sum, square);
        }
    }
    mpz_clear(square);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* 3/2 of the quotient, if that makes the smaller sum. */
static void take_better(oracle_scale *scale, const oracle_number *values, size_t n,
                        const fpfmt_policy *policy)
{
    mpz_t first, second;
    uint64_t code = scale->code;
    bool nan = scale->is_nan;
    mpz_inits(first, second, NULL);
    sum_errors(first, scale, values, n, policy);
    by_quotient(scale, 3);
    finish(scale, false);
    sum_errors(second, scale, values, n, policy);
    if (mpz_cmp(second, first) >= 0) {
        scale->code = code;
        scale->is_nan = nan;
        finish(scale, false);
    }
    mpz_clears(first, second, NULL);
}

void oracle_set_scale(oracle_scale *scale, const oracle_block *block, const oracle_recipe *recipe,
                      const oracle_number *values, size_t n, float decode_factor,
                      float encode_factor, const fpfmt_policy *policy)
{
    static bool ready;
    if (!ready)
        mpfr_inits2(BITS, it.amax, it.extreme, it.largest, it.decode, it.encode, (mpfr_ptr)NULL);
    ready = true;
    it.block = block;
    it.recipe = recipe;
    set_largest(it.largest, block);
    it.emax = mpfr_get_exp(it.largest) - 1;
    set_tensor(block, decode_factor, encode_factor);
    bool nan = look_at(recipe, values, n), settled = by_option(scale, nan);
    if (!settled)
        by_rule(scale);
    if (scale->is_nan) {
        scale->is_nan = block->scale->nan != 0;
        scale->code = scale->is_nan ? block->scale->nan : block->scale->max;
        settled = true;
    }
    finish(scale, settled);
    if (!settled && recipe->rule == ORACLE_BETTER)
        take_better(scale, values, n, policy);
}
