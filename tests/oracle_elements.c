/* oracle_elements.c - the elements of blocks: formats and code books, in every rounding mode
 * SPDX-License-Identifier: MIT */

#include "oracle_blocks.h"

#include <math.h>
#include <string.h>

#include "samples.h"

/* A difference of doubles has up to 2100 bits. */
enum { BITS = ORACLE_NUMBER_BITS, WIDE = 2200 };

/* The number as fpfmt.h states one: 64 bits and what lies below. */
static fpfmt_value value_of(const oracle_number *number)
{
    fpfmt_value value = { .kind = number->kind, .negative = number->negative };
    if (number->kind == FPFMT_KIND_NORMAL || number->kind == FPFMT_KIND_SUBNORMAL) {
        value = oracle_value(number->magnitude);
        value.negative = number->negative;
        value.inexact = oracle_remainder(number->magnitude);
    }
    return value;
}

static bool is_nan_kind(const oracle_number *number)
{
    return number->kind == FPFMT_KIND_QUIET_NAN || number->kind == FPFMT_KIND_SIGNALING_NAN;
}

/* ---- books ---- */

static size_t nearest_entry(const oracle_book *book, const mpfr_t x)
{
    size_t entry = 0;
    for (size_t i = 0; i + 1 < book->count; i++) {
        int at = mpfr_cmp_d(x, (double)book->thresholds[i]);
        entry += at > 0 || (at == 0 && book->on_takes_upper);
    }
    return entry;
}

/* Does the mode leave the entry nearer to zero, by the distance from it in units of the gap? */
static bool leaves(const mpq_t distance, const fpfmt_policy *policy)
{
    uint64_t random = fpfmt_random_bits(policy->first, policy);
    int bits = policy->rounding == FPFMT_ROUND_STOCHASTIC ? 64 : policy->random_bits;
    if (policy->rounding == FPFMT_ROUND_STOCHASTIC_EQUAL)
        return random == 1;
    mpq_t scaled;
    mpz_t chance, rest;
    mpq_init(scaled);
    mpz_inits(chance, rest, NULL);
    mpq_mul_2exp(scaled, distance, (mp_bitcnt_t)bits);
    mpz_fdiv_qr(chance, rest, mpq_numref(scaled), mpq_denref(scaled));
    mpz_mul_ui(rest, rest, 2);
    int half = mpz_cmp(rest, mpq_denref(scaled));
    bool odd = mpz_odd_p(chance);
    if (policy->rounding == FPFMT_ROUND_STOCHASTIC_B && half >= 0)
        mpz_add_ui(chance, chance, 1);
    if (policy->rounding == FPFMT_ROUND_STOCHASTIC_C && (half > 0 || (half == 0 && odd)))
        mpz_add_ui(chance, chance, 1);
    mpz_set_ui(rest, (unsigned long)(random >> 32));
    mpz_mul_2exp(rest, rest, 32);
    mpz_add_ui(rest, rest, (unsigned long)(random & UINT32_MAX));
    mpz_add(chance, chance, rest);
    bool away = mpz_sizeinbase(chance, 2) > (size_t)bits;
    mpq_clear(scaled);
    mpz_clears(chance, rest, NULL);
    return away;
}

/* (x - from) / (to - from). */
static void set_distance(mpq_t distance, const mpfr_t x, float from, float to)
{
    mpq_t gap, start;
    mpq_inits(gap, start, NULL);
    mpfr_get_q(distance, x);
    mpq_set_d(start, (double)from);
    mpq_sub(distance, distance, start);
    mpq_set_d(gap, (double)to);
    mpq_sub(gap, gap, start);
    mpq_div(distance, distance, gap);
    mpq_clears(gap, start, NULL);
}

/* The entry of a value between entries lower and lower + 1, in a mode that is not to nearest. */
static size_t directed_entry(const oracle_book *book, size_t lower, const mpfr_t x,
                             const fpfmt_policy *policy)
{
    bool falls = book->values[lower] < 0;
    size_t inner = falls ? lower + 1 : lower, outer = falls ? lower : lower + 1;
    mpq_t distance;
    switch (policy->rounding) {
    case FPFMT_ROUND_TOWARD_ZERO: return inner;
    case FPFMT_ROUND_AWAY_FROM_ZERO: return outer;
    case FPFMT_ROUND_UPWARD: return lower + 1;
    case FPFMT_ROUND_DOWNWARD: return lower;
    case FPFMT_ROUND_TO_ODD: return lower % 2 == 1 ? lower : lower + 1;
    default: break;
    }
    mpq_init(distance);
    set_distance(distance, x, book->values[inner], book->values[outer]);
    bool away = leaves(distance, policy);
    mpq_clear(distance);
    return away ? outer : inner;
}

static size_t entry_of(const oracle_book *book, const mpfr_t x, const fpfmt_policy *policy)
{
    size_t last = book->count - 1, lower = 0;
    if (policy->rounding <= FPFMT_ROUND_NEAREST_ZERO)
        return nearest_entry(book, x);
    if (mpfr_cmp_d(x, (double)book->values[0]) <= 0)
        return 0;
    if (mpfr_cmp_d(x, (double)book->values[last]) >= 0)
        return last;
    while (mpfr_cmp_d(x, (double)book->values[lower + 1]) >= 0)
        lower++;
    return mpfr_cmp_d(x, (double)book->values[lower]) == 0 ? lower
                                                           : directed_entry(book, lower, x, policy);
}

static uint64_t encode_by_book(const oracle_book *book, const oracle_number *number,
                               const fpfmt_policy *policy, unsigned *flags)
{
    fpfmt_policy mirrored = *policy;
    bool negative = book->has_sign && number->negative && number->kind != FPFMT_KIND_ZERO;
    mpfr_t x;
    if (is_nan_kind(number)) {
        *flags |= FPFMT_FLAG_INVALID;
        return book->codes[0];
    }
    mpfr_init2(x, BITS);
    oracle_as_mpfr(x, number);
    if (negative) {
        mpfr_neg(x, x, MPFR_RNDN);
        if (policy->rounding == FPFMT_ROUND_UPWARD)
            mirrored.rounding = FPFMT_ROUND_DOWNWARD;
        if (policy->rounding == FPFMT_ROUND_DOWNWARD)
            mirrored.rounding = FPFMT_ROUND_UPWARD;
    }
    size_t entry = entry_of(book, x, &mirrored);
    if (mpfr_cmp_d(x, (double)book->values[0]) < 0 ||
        mpfr_cmp_d(x, (double)book->values[book->count - 1]) > 0)
        *flags |= FPFMT_FLAG_OVERFLOW;
    if (mpfr_cmp_d(x, (double)book->values[entry]) != 0) {
        *flags |= FPFMT_FLAG_INEXACT;
        *flags |= book->values[entry] == 0 ? FPFMT_FLAG_UNDERFLOW : 0u;
    }
    mpfr_clear(x);
    return book->codes[entry] | (negative ? 1u << (book->width - 1) : 0);
}

/* ---- elements ---- */

/* Modes by chance are the library's own, of the exact value: oracle.h knows none. */
static uint64_t encode_element(const oracle_block *block, const oracle_number *x,
                               const fpfmt_policy *given, unsigned *flags)
{
    fpfmt_policy policy = *given;
    fpfmt_format format;
    policy.subnormal &= FPFMT_SUBNORMAL_FLUSH_RESULTS; /* a scaled value is no input */
    if (block->book != NULL)
        return encode_by_book(block->book, x, &policy, flags);
    if (policy.overflow == FPFMT_OVERFLOW_SPEC)
        policy.overflow =
            block->element->kind == ORACLE_INTEGER ? FPFMT_OVERFLOW_SYMMETRIC : FPFMT_OVERFLOW_MAX;
    if (policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT)
        return oracle_encode(block->element, x, &policy, flags);
    if (fpfmt_find(&format, block->element->name) != FPFMT_FOUND)
        return UINT64_MAX;
    fpfmt_value value = value_of(x);
    if (is_nan_kind(x)) {
        value.significand = x->payload;
        value.payload_bits = x->payload_bits;
    }
    return fpfmt_encode_random(&format, value, fpfmt_random_bits(policy.first, &policy), &policy,
                               flags);
}

/* The value by the scale. A NaN keeps its sign, and its payload where nothing is computed. */
static void set_scaled(oracle_number *scaled, const oracle_recipe *recipe,
                       const oracle_scale *scale, const oracle_number *value)
{
    mpfr_t x;
    if (is_nan_kind(value)) {
        scaled->kind = FPFMT_KIND_QUIET_NAN;
        scaled->negative = value->negative;
        return;
    }
    mpfr_init2(x, BITS);
    oracle_as_mpfr(x, value);
    if (recipe->flush && mpfr_regular_p(x) && mpfr_get_exp(x) - 1 < -126)
        mpfr_set_zero(x, mpfr_sgn(x));
    if (recipe->step != 'x')
        oracle_round_32(x, x);
    bool negative = mpfr_signbit(x) != 0;
    if (recipe->step == '*')
        oracle_multiply_32(x, x, scale->factor);
    else if (recipe->step == '/')
        oracle_divide_32(x, x, scale->factor);
    else if (mpfr_zero_p(scale->factor))
        mpfr_set_zero(x, negative ? -1 : 1);
    else
        oracle_divide(x, x, scale->factor);
    oracle_set_mpfr(scaled, x);
    mpfr_clear(x);
}

void oracle_held(mpfr_t held, const oracle_block *block, uint64_t code, const mpfr_t stored)
{
    oracle_number number;
    if (block->book != NULL) {
        const oracle_book *book = block->book;
        unsigned sign = book->has_sign ? 1u << (book->width - 1) : 0;
        double value = 0;
        for (size_t i = 0; i < book->count; i++)
            if (book->codes[i] == (code & ~(uint64_t)sign))
                value = (double)book->values[i];
        mpfr_set_d(held, code & sign ? -value : value, MPFR_RNDN);
    } else {
        oracle_start(&number);
        oracle_decode(block->element, code, &number);
        oracle_as_mpfr(held, &number);
        oracle_stop(&number);
    }
    mpfr_mul(held, held, stored, MPFR_RNDN);
}

/* Does 0 underflow? Not in fixed point, as in plain formats of it, and not where a negative value
 * ends there because an unsigned format has nothing below. */
static bool underflows(const oracle_block *block, const oracle_number *x, unsigned flags)
{
    if (block->book != NULL)
        return true;
    bool clipped = !block->element->is_signed && x->negative && x->kind != FPFMT_KIND_ZERO &&
                   !(flags & FPFMT_FLAG_UNDERFLOW);
    return block->element->kind != ORACLE_INTEGER && !clipped;
}

static unsigned raised(const oracle_block *block, const oracle_scale *scale,
                       const oracle_number *value, const oracle_number *scaled, uint64_t code,
                       unsigned flags)
{
    mpfr_t x, held;
    unsigned result = flags & FPFMT_FLAG_INVALID;
    if (value->kind == FPFMT_KIND_SIGNALING_NAN)
        return FPFMT_FLAG_INVALID;
    if (is_nan_kind(value) || result != 0)
        return result;
    mpfr_inits2(BITS, x, held, (mpfr_ptr)NULL);
    oracle_as_mpfr(x, value);
    oracle_held(held, block, code, scale->stored);
    if (mpfr_nan_p(held))
        result = FPFMT_FLAG_INVALID;
    else if (mpfr_equal_p(x, held))
        result = 0;
    else {
        result = flags | FPFMT_FLAG_INEXACT;
        if (mpfr_zero_p(held) && underflows(block, scaled, flags))
            result |= FPFMT_FLAG_UNDERFLOW;
    }
    mpfr_clears(x, held, (mpfr_ptr)NULL);
    return result;
}

uint64_t oracle_block_element(const oracle_block *block, const oracle_recipe *recipe,
                              const oracle_scale *scale, const oracle_number *value,
                              const fpfmt_policy *policy, unsigned *flags)
{
    oracle_number scaled;
    uint64_t code = 0;
    unsigned of_rounding = 0;
    oracle_start(&scaled);
    if (!scale->is_zero && !scale->is_nan)
        set_scaled(&scaled, recipe, scale, value);
    if (!scale->is_nan)
        code = encode_element(block, &scaled, policy, &of_rounding);
    if (flags != NULL)
        *flags |= raised(block, scale, value, scale->is_nan ? value : &scaled, code, of_rounding);
    oracle_stop(&scaled);
    return code;
}

void oracle_square_error(mpz_t square, const mpfr_t x, const mpfr_t y)
{
    mpfr_t difference;
    mpfr_init2(difference, WIDE);
    mpfr_sub(difference, x, y, MPFR_RNDN);
    mpfr_mul_2ui(difference, difference, 1074, MPFR_RNDN);
    mpfr_get_z(square, difference, MPFR_RNDN);
    mpz_mul(square, square, square);
    mpfr_clear(difference);
}
