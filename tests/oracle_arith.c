/* oracle_arith.c - exact operations by MPFR: correctly rounded to more bits than any format has
 * SPDX-License-Identifier: MIT
 *
 * MPFR's zeros, infinities, signs and divisions by zero are those of IEEE 754-2019; what is not is
 * written here: NaN operands, 1/sqrt(-0), and what IEEE P3109 decides otherwise. */

#include "oracle_arith.h"

enum { EXACT_BITS = 256, JAMMED_BITS = 320, OPERAND_BITS = 192 };

/* The operands with their signs, and the result. */
static mpfr_t x[OPERANDS], computed;

static int add(mpfr_rnd_t direction)
{
    return mpfr_add(computed, x[0], x[1], direction);
}

static int subtract(mpfr_rnd_t direction)
{
    return mpfr_sub(computed, x[0], x[1], direction);
}

static int multiply(mpfr_rnd_t direction)
{
    return mpfr_mul(computed, x[0], x[1], direction);
}

static int divide(mpfr_rnd_t direction)
{
    return mpfr_div(computed, x[0], x[1], direction);
}

static int remainder_of(mpfr_rnd_t direction)
{
    return mpfr_remainder(computed, x[0], x[1], direction);
}

static int hypotenuse(mpfr_rnd_t direction)
{
    return mpfr_hypot(computed, x[0], x[1], direction);
}

static int square_root(mpfr_rnd_t direction)
{
    return mpfr_sqrt(computed, x[0], direction);
}

static int reciprocal(mpfr_rnd_t direction)
{
    return mpfr_ui_div(computed, 1, x[0], direction);
}

static int reciprocal_root(mpfr_rnd_t direction)
{
    return mpfr_zero_p(x[0]) ? reciprocal(direction) : mpfr_rec_sqrt(computed, x[0], direction);
}

static int multiply_add(mpfr_rnd_t direction)
{
    return mpfr_fma(computed, x[0], x[1], x[2], direction);
}

static int add_three(mpfr_rnd_t direction)
{
    const mpfr_ptr terms[OPERANDS] = { x[0], x[1], x[2] };
    return mpfr_sum(computed, terms, OPERANDS, direction);
}

static const struct {
    int (*compute)(mpfr_rnd_t direction);
    unsigned operands;
} operations[] = {
    [FPFMT_OPERATION_ADD] = { add, 2 },
    [FPFMT_OPERATION_SUBTRACT] = { subtract, 2 },
    [FPFMT_OPERATION_MULTIPLY] = { multiply, 2 },
    [FPFMT_OPERATION_DIVIDE] = { divide, 2 },
    [FPFMT_OPERATION_REMAINDER] = { remainder_of, 2 },
    [FPFMT_OPERATION_HYPOT] = { hypotenuse, 2 },
    [FPFMT_OPERATION_SQRT] = { square_root, 1 },
    [FPFMT_OPERATION_RECIP] = { reciprocal, 1 },
    [FPFMT_OPERATION_RSQRT] = { reciprocal_root, 1 },
    [FPFMT_OPERATION_FMA] = { multiply_add, 3 },
    [FPFMT_OPERATION_FAA] = { add_three, 3 },
};

unsigned oracle_operands(int operation)
{
    return operations[operation].operands;
}

static void start(void)
{
    static bool ready;
    if (ready)
        return;
    mpfr_inits2(OPERAND_BITS, x[0], x[1], x[2], (mpfr_ptr)NULL);
    mpfr_init2(computed, EXACT_BITS);
    ready = true;
}

static bool is_nan(const oracle_number *number)
{
    return number->kind == FPFMT_KIND_QUIET_NAN || number->kind == FPFMT_KIND_SIGNALING_NAN;
}

static void set_operand(mpfr_t to, const oracle_number *number, const fpfmt_policy *policy)
{
    int sign = number->negative ? -1 : 1;
    bool flushed = number->kind == FPFMT_KIND_SUBNORMAL &&
                   (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS) != 0;
    if (is_nan(number))
        mpfr_set_nan(to);
    else if (number->kind == FPFMT_KIND_INFINITE)
        mpfr_set_inf(to, sign);
    else if (number->kind == FPFMT_KIND_ZERO || flushed)
        mpfr_set_zero(to, sign);
    else
        mpfr_setsign(to, number->magnitude, number->negative, MPFR_RNDN);
}

/* The number that was computed, a little away from zero if bits were cut off. */
static void state(oracle_number *result, int ternary)
{
    result->negative = mpfr_signbit(computed) != 0;
    result->payload = result->payload_bits = 0;
    result->kind = mpfr_zero_p(computed)  ? FPFMT_KIND_ZERO
                   : mpfr_inf_p(computed) ? FPFMT_KIND_INFINITE
                                          : FPFMT_KIND_NORMAL;
    if (result->kind != FPFMT_KIND_NORMAL)
        return;
    mpfr_set_prec(result->magnitude, JAMMED_BITS);
    mpfr_abs(result->magnitude, computed, MPFR_RNDN);
    if (ternary != 0)
        mpfr_nextabove(result->magnitude);
}

/* A NaN of the operands, quieted, or for NULL the one of an invalid operation. */
static void state_nan(oracle_number *result, const oracle_number *nan)
{
    result->kind = FPFMT_KIND_QUIET_NAN;
    result->negative = nan != NULL && nan->negative;
    result->payload = nan == NULL ? 0 : nan->payload;
    result->payload_bits = nan == NULL ? 0 : nan->payload_bits;
}

/* 6.2.3: the first NaN, quieted. 7.2: signaling NaN is invalid, and 0 x Inf beside any NaN. 9.2.1:
 * hypot of infinity and a quiet NaN is infinite. */
static void operate_on_nan(oracle_number *result, int operation, unsigned count,
                           const oracle_number *const operand[], const fpfmt_policy *policy,
                           unsigned *flags)
{
    const oracle_number *nan = NULL;
    bool infinite = false, signaling = false;
    for (unsigned i = 0; i < count; i++) {
        if (is_nan(operand[i]) && nan == NULL)
            nan = operand[i];
        infinite |= operand[i]->kind == FPFMT_KIND_INFINITE;
        signaling |= operand[i]->kind == FPFMT_KIND_SIGNALING_NAN;
    }
    if (signaling || (operation == FPFMT_OPERATION_FMA && !mpfr_nan_p(x[0]) && !mpfr_nan_p(x[1]) &&
                      (mpfr_mul(computed, x[0], x[1], MPFR_RNDZ), mpfr_nan_p(computed))))
        *flags |= FPFMT_FLAG_INVALID;
    state_nan(result, nan);
    if (operation == FPFMT_OPERATION_HYPOT && infinite && !signaling &&
        policy->specials == FPFMT_SPECIALS_IEEE) {
        result->kind = FPFMT_KIND_INFINITE;
        result->negative = false;
    }
}

/* P3109: Divide(x, 0) is NaN for every x, so are Recip(0) and RSqrt(0). */
static bool divides_by_zero(int operation)
{
    switch (operation) {
    case FPFMT_OPERATION_DIVIDE: return mpfr_zero_p(x[1]) && !mpfr_zero_p(x[0]);
    case FPFMT_OPERATION_RECIP:
    case FPFMT_OPERATION_RSQRT: return mpfr_zero_p(x[0]);
    default: return false;
    }
}

void oracle_operate(oracle_number *result, int operation,
                    const oracle_number *const operand[OPERANDS], const fpfmt_policy *policy,
                    unsigned *flags)
{
    unsigned count = operations[operation].operands;
    bool nan = false;
    start();
    for (unsigned i = 0; i < count; i++) {
        set_operand(x[i], operand[i], policy);
        nan |= is_nan(operand[i]);
    }
    if (nan) {
        operate_on_nan(result, operation, count, operand, policy, flags);
        return;
    }
    if (policy->specials == FPFMT_SPECIALS_P3109 && divides_by_zero(operation)) {
        *flags |= FPFMT_FLAG_DIVIDE_BY_ZERO;
        state_nan(result, NULL);
        return;
    }
    mpfr_clear_flags();
    int ternary = operations[operation].compute(MPFR_RNDZ);
    if (mpfr_zero_p(computed) && policy->rounding == FPFMT_ROUND_DOWNWARD)
        operations[operation].compute(MPFR_RNDD);
    if (mpfr_divby0_p())
        *flags |= FPFMT_FLAG_DIVIDE_BY_ZERO;
    if (mpfr_nan_p(computed)) {
        *flags |= FPFMT_FLAG_INVALID;
        state_nan(result, NULL);
        return;
    }
    state(result, ternary);
}

static int round_whole(const fpfmt_policy *policy)
{
    int ternary;
    switch (policy->rounding) {
    case FPFMT_ROUND_NEAREST_EVEN: return mpfr_rint(computed, x[0], MPFR_RNDN);
    case FPFMT_ROUND_NEAREST_AWAY: return mpfr_round(computed, x[0]);
    case FPFMT_ROUND_NEAREST_ZERO:
        mpfr_abs(x[1], x[0], MPFR_RNDN);
        mpfr_sub_d(computed, x[1], 0.5, MPFR_RNDN);
        mpfr_ceil(computed, computed);
        mpfr_setsign(computed, computed, mpfr_signbit(x[0]), MPFR_RNDN);
        return mpfr_cmp(computed, x[0]);
    case FPFMT_ROUND_TOWARD_ZERO: return mpfr_trunc(computed, x[0]);
    case FPFMT_ROUND_AWAY_FROM_ZERO: return mpfr_rint(computed, x[0], MPFR_RNDA);
    case FPFMT_ROUND_UPWARD: return mpfr_ceil(computed, x[0]);
    case FPFMT_ROUND_DOWNWARD: return mpfr_floor(computed, x[0]);
    default:
        ternary = mpfr_trunc(computed, x[0]);
        mpfr_div_2ui(x[1], computed, 1, MPFR_RNDN);
        return ternary != 0 && mpfr_integer_p(x[1]) ? mpfr_rint(computed, x[0], MPFR_RNDA)
                                                    : ternary;
    }
}

void oracle_to_integral(oracle_number *result, const oracle_format *format,
                        const oracle_number *number, const fpfmt_policy *policy, unsigned *flags)
{
    start();
    set_operand(x[0], number, policy);
    result->kind = number->kind;
    result->negative = number->negative;
    result->payload = number->payload;
    result->payload_bits = number->payload_bits;
    if (!mpfr_regular_p(x[0])) {
        result->kind = mpfr_zero_p(x[0]) ? FPFMT_KIND_ZERO : number->kind;
        return;
    }
    long exponent = (long)mpfr_get_exp(x[0]) - 1;
    long step = (exponent < format->emin ? format->emin : exponent) - (format->precision - 1);
    if (format->kind == ORACLE_INTEGER)
        step = format->emin;
    if (step >= 0) {
        mpfr_set_prec(result->magnitude, JAMMED_BITS);
        mpfr_abs(result->magnitude, x[0], MPFR_RNDN);
        return;
    }
    if (round_whole(policy) != 0)
        *flags |= FPFMT_FLAG_INEXACT;
    state(result, 0);
}
