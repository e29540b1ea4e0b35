/* arith.c - exact operations, cut to 64 bits for the one rounding that follows
 * SPDX-License-Identifier: MIT
 *
 * Nothing here rounds. Each operation gives a value whose 64 significant bits are those of the
 * exact result, and which is inexact if anything lay below them: with that fpfmt_encode rounds as
 * it would round the exact result, in any format, as none has more than 53 bits, and in any mode
 * without chance; a chance is read from the 64 bits. */

#include <fpfmt.h>

#include "bits.h"
#include "encode.h"
#include "refuse.h"
#include "shape.h"
#include "wide.h"

/* What an operation may have to know of the policy, and the flags that it raises itself: invalid
 * and divide by zero. The others are the rounding's. */
typedef struct {
    bool downward; /* the mode rounds down: exact zero sums are then negative */
    bool p3109;    /* division by zero gives NaN, and infinity does not win over NaN in hypot */
    unsigned flags;
} context;

static fpfmt_value zero(bool negative)
{
    return (fpfmt_value){ .kind = FPFMT_KIND_ZERO, .negative = negative };
}

static fpfmt_value infinity(bool negative)
{
    return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = negative };
}

/* An invalid operation, IEEE 754-2019 7.2: a quiet NaN. */
static fpfmt_value no_value(context *in)
{
    in->flags |= FPFMT_FLAG_INVALID;
    return (fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN };
}

/* An exact infinite result of finite operands, IEEE 754-2019 7.3; P3109 has NaN there. */
static fpfmt_value by_zero(bool negative, context *in)
{
    in->flags |= FPFMT_FLAG_DIVIDE_BY_ZERO;
    return in->p3109 ? (fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN } : infinity(negative);
}

static fpfmt_value negated(fpfmt_value value)
{
    value.negative = !value.negative;
    return value;
}

/* A sum with an infinite term, where other and another are its other terms (one of two twice):
 * infinities of both signs make it invalid, IEEE 754-2019 7.2 d. */
static fpfmt_value infinite_sum(fpfmt_value term, fpfmt_value other, fpfmt_value another,
                                context *in)
{
    bool clash = (fpfmt_value_is_infinite(other) && other.negative != term.negative) ||
                 (fpfmt_value_is_infinite(another) && another.negative != term.negative);
    return clash ? no_value(in) : infinity(term.negative);
}

/* A finite sum; same: all its terms have one sign, which a zero sum then keeps. An exact zero of
 * terms of both signs is +0, or -0 rounded down, IEEE 754-2019 6.3. */
static fpfmt_value finished_sum(const wide *sum, bool same, const context *in)
{
    if (wide_is_zero(sum) && !same)
        return zero(in->downward);
    return wide_value(sum);
}

/* The sum of two terms, neither of them zero: wide_sum in two limbs, which are enough for terms of
 * 64 bits, as addition is the commonest operation. The larger term starts one bit below the top,
 * for a carry, so that the smaller is shifted by the distance of their exponents and 1. Where bits
 * of it are lost that is more than 64, and a subtraction takes no more than one bit from the
 * larger. */
static fpfmt_value sum_of_two(fpfmt_value a, fpfmt_value b, const context *in)
{
    /* Which one is larger is as good as random, and a branch would be mispredicted half the time:
     * swap is a mask, under which exclusive or exchanges the terms and negates the distance. */
    uint64_t swap = 0 - (uint64_t)((a.exponent < b.exponent) |
                                   ((a.exponent == b.exponent) & (a.significand < b.significand)));
    uint64_t other = (a.significand ^ b.significand) & swap;
    uint64_t larger = a.significand ^ other, term = b.significand ^ other, lost = 0;
    int64_t difference = (int64_t)a.exponent - b.exponent;
    int64_t distance = (difference ^ (int64_t)swap) - (int64_t)swap + 1;
    int64_t exponent = a.exponent - (difference & (int64_t)swap);
    bool negative = a.negative ^ ((a.negative ^ b.negative) & swap);
    uint64_t high = larger >> 1, low = larger << 63;
    uint64_t term_high = 0, term_low = 0;
    if (distance < 64) {
        term_high = term >> distance;
        term_low = term << (64 - distance);
    } else {
        term_low = shift_right(term, distance > 127 ? 64 : (int)distance - 64);
        lost = distance > 127 ? term : term << 1 << (127 - distance);
    }
    /* To subtract is to add the complement and 1, less that 1 if something was lost: see wide_sum.
     */
    uint64_t flip = 0 - (uint64_t)(a.negative != b.negative), carry = flip & (lost == 0);
    low = add_carrying(low, term_low ^ flip, &carry);
    high = high + (term_high ^ flip) + carry;
    if ((high | low) == 0)
        return zero(in->downward);
    int zeros = 64 - bit_length(high == 0 ? low : high);
    int up = zeros + (high == 0 ? 64 : 0);
    high = high == 0 ? low << zeros : high << zeros | low >> 1 >> (63 - zeros);
    low = up > 63 ? 0 : low << zeros;
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .negative = negative,
                          .inexact = tail_of(low, lost),
                          .exponent = wide_clamp(exponent + 1 - up),
                          .significand = high };
}

/* The operations, each of as many operands as its row in operations says, none of them NaN. */

static fpfmt_value exact_add(const fpfmt_value *x, context *in)
{
    if (fpfmt_value_is_infinite(x[0]) || fpfmt_value_is_infinite(x[1]))
        return infinite_sum(x[!fpfmt_value_is_infinite(x[0])], x[1], x[1], in);
    if (!fpfmt_value_is_zero(x[0]) && !fpfmt_value_is_zero(x[1]))
        return sum_of_two(x[0], x[1], in);
    wide a = wide_from(x[0]), b = wide_from(x[1]), sum = wide_sum(&a, &b);
    return finished_sum(&sum, x[0].negative == x[1].negative, in);
}

static fpfmt_value exact_subtract(const fpfmt_value *x, context *in)
{
    return exact_add((fpfmt_value[]){ x[0], negated(x[1]) }, in);
}

/* 0 x infinity is invalid whatever is added, and a NaN there too: see of_nan. */
static fpfmt_value exact_fma(const fpfmt_value *x, context *in)
{
    bool negative = x[0].negative != x[1].negative;
    if (fpfmt_value_is_infinite(x[0]) || fpfmt_value_is_infinite(x[1]))
        return fpfmt_value_is_zero(x[0]) || fpfmt_value_is_zero(x[1])
                   ? no_value(in)
                   : infinite_sum(infinity(negative), x[2], x[2], in);
    if (fpfmt_value_is_infinite(x[2]))
        return x[2];
    wide product = wide_product(x[0], x[1]), c = wide_from(x[2]), sum = wide_sum(&product, &c);
    return finished_sum(&sum, negative == x[2].negative, in);
}

/* Of three terms the two largest are summed first, exactly, if they lie within REACH: two terms of
 * 64 bits whose exponents differ by 126 take 190 bits and one for a carry, as many as a wide sum
 * has. The third may be lost below it only where it lies far below. Where the largest is out of
 * reach of the second, it cannot be cancelled by the others: these are summed first, cut if need
 * be, and only add their tail to it. */
static fpfmt_value exact_faa(const fpfmt_value *x, context *in)
{
    enum { REACH = 126 };
    for (int i = 0; i < 3; i++)
        if (fpfmt_value_is_infinite(x[i]))
            return infinite_sum(x[i], x[(i + 1) % 3], x[(i + 2) % 3], in);
    wide term[3] = { wide_from(x[0]), wide_from(x[1]), wide_from(x[2]) }, sum;
    for (int i = 0; i < 3; i++) /* the largest first */
        if (wide_less(&term[i % 2], &term[i % 2 + 1])) {
            wide larger = term[i % 2 + 1];
            term[i % 2 + 1] = term[i % 2];
            term[i % 2] = larger;
        }
    bool near = term[0].exponent - term[1].exponent <= REACH;
    sum = near ? wide_sum(&term[0], &term[1]) : wide_sum(&term[1], &term[2]);
    sum = wide_sum(&term[near ? 2 : 0], &sum);
    return finished_sum(&sum, x[0].negative == x[1].negative && x[1].negative == x[2].negative, in);
}

static fpfmt_value exact_multiply(const fpfmt_value *x, context *in)
{
    bool negative = x[0].negative != x[1].negative;
    if (fpfmt_value_is_infinite(x[0]) || fpfmt_value_is_infinite(x[1]))
        return fpfmt_value_is_zero(x[0]) || fpfmt_value_is_zero(x[1]) ? no_value(in)
                                                                      : infinity(negative);
    wide product = wide_product(x[0], x[1]);
    return wide_value(&product);
}

static fpfmt_value exact_divide(const fpfmt_value *x, context *in)
{
    bool negative = x[0].negative != x[1].negative;
    if (fpfmt_value_is_infinite(x[0]) && fpfmt_value_is_zero(x[1]) && in->p3109)
        return by_zero(negative, in);
    if (fpfmt_value_is_infinite(x[0]))
        return fpfmt_value_is_infinite(x[1]) ? no_value(in) : infinity(negative);
    if (fpfmt_value_is_infinite(x[1]))
        return zero(negative);
    if (fpfmt_value_is_zero(x[1]))
        return fpfmt_value_is_zero(x[0]) ? no_value(in) : by_zero(negative, in);
    wide quotient = wide_quotient(x[0], x[1]);
    return wide_value(&quotient);
}

static fpfmt_value exact_recip(const fpfmt_value *x, context *in)
{
    return exact_divide((fpfmt_value[]){ fpfmt_from_i64(1), x[0] }, in);
}

static fpfmt_value exact_sqrt(const fpfmt_value *x, context *in)
{
    if (fpfmt_value_is_zero(x[0]))
        return x[0];
    if (x[0].negative)
        return no_value(in);
    wide radicand = wide_from(x[0]);
    return fpfmt_value_is_infinite(x[0]) ? x[0] : wide_root(&radicand);
}

static fpfmt_value exact_rsqrt(const fpfmt_value *x, context *in)
{
    if (fpfmt_value_is_zero(x[0]))
        return by_zero(x[0].negative, in);
    if (x[0].negative)
        return no_value(in);
    if (fpfmt_value_is_infinite(x[0]))
        return zero(false);
    wide radicand = wide_quotient(fpfmt_from_i64(1), x[0]);
    return wide_root(&radicand);
}

static fpfmt_value exact_hypot(const fpfmt_value *x, context *in)
{
    (void)in;
    if (fpfmt_value_is_infinite(x[0]) || fpfmt_value_is_infinite(x[1]))
        return infinity(false);
    wide a = wide_product(x[0], x[0]), b = wide_product(x[1], x[1]), sum = wide_sum(&a, &b);
    return wide_is_zero(&sum) ? zero(false) : wide_root(&sum);
}

/* IEEE 754-2019 5.3.1: x - y n, where n is the integer nearest to x / y, the even one of two;
 * exact. |x| is taken as an integer, in units of the last bit of y's significand, and reduced
 * modulo y, which is x - y n for the n below; then y is taken once more if that leaves less, or as
 * much and n is odd. If |x| is less than half of |y|, x itself is the result. */
static fpfmt_value exact_remainder(const fpfmt_value *x, context *in)
{
    int64_t distance = (int64_t)x[0].exponent - x[1].exponent;
    if (fpfmt_value_is_infinite(x[0]) || fpfmt_value_is_zero(x[1]))
        return no_value(in);
    if (fpfmt_value_is_infinite(x[1]) || fpfmt_value_is_zero(x[0]) || distance < -1)
        return x[0];
    fpfmt_value magnitude = x[0], other = x[1];
    magnitude.negative = false;
    other.negative = true;
    bool odd = false;
    if (distance >= 0) {
        /* All but the last bit of the quotient, then that one, which tells whether n is odd. Twice
         * before may leave 64 bits, so that it is compared and reduced without being formed. */
        uint64_t modulus = other.significand, rest = magnitude.significand;
        if (distance == 0) {
            odd = rest >= modulus;
            rest -= odd ? modulus : 0;
        } else {
            uint64_t before = shifted_modulo(rest, distance - 1, modulus);
            odd = before >= modulus - before;
            rest = odd ? before - (modulus - before) : before << 1;
        }
        int bits = bit_length(rest);
        if (rest == 0)
            return zero(x[0].negative);
        magnitude.exponent = other.exponent - (64 - bits);
        magnitude.significand = rest << (64 - bits);
    }
    wide whole = wide_from(magnitude), divisor = wide_from(other);
    wide less = wide_sum(&whole, &divisor);
    less.negative = false;
    bool nearer = wide_less(&less, &whole) || (odd && !wide_less(&whole, &less));
    fpfmt_value result = wide_value(nearer ? &less : &whole);
    result.negative = x[0].negative != nearer;
    return result;
}

/* What each operation is, and how many operands it takes. Rows by FPFMT_OPERATION_... */
static const struct {
    fpfmt_value (*exact)(const fpfmt_value *operands, context *in);
    uint8_t operands;
} operations[FPFMT_OPERATION_COUNT] = {
    [FPFMT_OPERATION_ADD] = { exact_add, 2 },
    [FPFMT_OPERATION_SUBTRACT] = { exact_subtract, 2 },
    [FPFMT_OPERATION_MULTIPLY] = { exact_multiply, 2 },
    [FPFMT_OPERATION_DIVIDE] = { exact_divide, 2 },
    [FPFMT_OPERATION_REMAINDER] = { exact_remainder, 2 },
    [FPFMT_OPERATION_HYPOT] = { exact_hypot, 2 },
    [FPFMT_OPERATION_SQRT] = { exact_sqrt, 1 },
    [FPFMT_OPERATION_RECIP] = { exact_recip, 1 },
    [FPFMT_OPERATION_RSQRT] = { exact_rsqrt, 1 },
    [FPFMT_OPERATION_FMA] = { exact_fma, 3 },
    [FPFMT_OPERATION_FAA] = { exact_faa, 3 },
};

unsigned fpfmt_operands(fpfmt_operation operation)
{
    return (unsigned)operation < FPFMT_OPERATION_COUNT ? operations[operation].operands : 0;
}

/* The result where an operand is NaN: the first one, quiet, IEEE 754-2019 6.2.3; invalid if any of
 * them signals. FMA raises invalid for 0 x infinity even if the third operand is a quiet NaN,
 * where 7.2 c leaves the choice. hypot of an infinity and a quiet NaN is infinite, 9.2.1, but not
 * for P3109. */
static fpfmt_value of_nan(fpfmt_operation operation, const fpfmt_value *x, unsigned count,
                          context *in)
{
    fpfmt_value first = { .kind = FPFMT_KIND_ZERO };
    bool infinite = false;
    for (unsigned i = count; i-- > 0;) {
        infinite |= fpfmt_value_is_infinite(x[i]);
        if (x[i].kind == FPFMT_KIND_SIGNALING_NAN)
            in->flags |= FPFMT_FLAG_INVALID;
        if (fpfmt_value_is_nan(x[i]))
            first = x[i];
    }
    if (operation == FPFMT_OPERATION_FMA &&
        ((fpfmt_value_is_infinite(x[0]) && fpfmt_value_is_zero(x[1])) ||
         (fpfmt_value_is_zero(x[0]) && fpfmt_value_is_infinite(x[1]))))
        in->flags |= FPFMT_FLAG_INVALID;
    if (operation == FPFMT_OPERATION_HYPOT && infinite && !in->p3109 &&
        !(in->flags & FPFMT_FLAG_INVALID))
        return infinity(false);
    first.kind = FPFMT_KIND_QUIET_NAN;
    return first;
}

/* The exact result of an operation that there is; x, the operands, is changed: subnormal ones are
 * flushed if the policy says so. Operands that were cut are refused in a checking build; elsewhere
 * they are taken for what is left of them, and the result is inexact. flags is not NULL. */
FORCE_INLINE fpfmt_value exact(fpfmt_operation operation, fpfmt_value *x,
                               const fpfmt_policy *policy, unsigned *flags)
{
    unsigned count = operations[operation].operands;
    bool nan = false, cut = false, flush = policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS;
    context in = { .downward = fpfmt_mode_of(policy->rounding)->negative_zero,
                   .p3109 = policy->specials == FPFMT_SPECIALS_P3109 };
    for (unsigned i = 0; i < count; i++) {
        nan |= fpfmt_value_is_nan(x[i]);
        cut |= x[i].inexact != 0;
        if (flush && x[i].kind == FPFMT_KIND_SUBNORMAL)
            x[i] = zero(x[i].negative);
    }
    if (cut) {
        refuse("an operand is not exact");
        for (unsigned i = 0; i < count; i++)
            x[i].inexact = FPFMT_REMAINDER_NONE;
    }
    fpfmt_value result =
        nan ? of_nan(operation, x, count, &in) : operations[operation].exact(x, &in);
    if (cut && !fpfmt_value_is_zero(result) && !fpfmt_value_is_infinite(result) &&
        !fpfmt_value_is_nan(result))
        result.inexact |= FPFMT_REMAINDER_BELOW_HALF; /* as any tail: there is something */
    *flags |= in.flags;
    return result;
}

fpfmt_value fpfmt_exact(fpfmt_operation operation, fpfmt_value a, fpfmt_value b, fpfmt_value c,
                        const fpfmt_policy *policy, unsigned *flags)
{
    unsigned raised = 0;
    if (fpfmt_operands(operation) == 0) {
        refuse("there is no such operation");
        return (fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN };
    }
    fpfmt_value result =
        exact(operation, (fpfmt_value[]){ a, b, c }, fpfmt_or_default(policy), &raised);
    if (flags != NULL)
        *flags |= raised;
    return result;
}

/* An operation, and its one rounding. An infinity that a division by zero gave is exact: where the
 * format has none, encoding it would raise overflow and inexact, which IEEE 754-2019 7.3 does not.
 * Inlined into the calls of single operations, which leaves of exact what that operation needs. */
FORCE_INLINE uint64_t operate(const fpfmt_format *to, fpfmt_operation operation, fpfmt_value *x,
                              const fpfmt_policy *policy, unsigned *flags)
{
    unsigned raised = 0, rounded = 0;
    fpfmt_value result = exact(operation, x, fpfmt_or_default(policy), &raised);
    uint64_t code = fpfmt_encode(to, result, policy, &rounded);
    if (flags != NULL)
        *flags |= raised & FPFMT_FLAG_DIVIDE_BY_ZERO ? raised : raised | rounded;
    return code;
}

uint64_t fpfmt_operate(const fpfmt_format *to, fpfmt_operation operation, fpfmt_value a,
                       fpfmt_value b, fpfmt_value c, const fpfmt_policy *policy, unsigned *flags)
{
    if (fpfmt_operands(operation) == 0) {
        refuse("there is no such operation");
        return fpfmt_encode(to, (fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN }, policy, flags);
    }
    return operate(to, operation, (fpfmt_value[]){ a, b, c }, policy, flags);
}

uint64_t fpfmt_add(const fpfmt_format *to, fpfmt_value a, fpfmt_value b, const fpfmt_policy *policy,
                   unsigned *flags)
{
    return operate(to, FPFMT_OPERATION_ADD, (fpfmt_value[]){ a, b }, policy, flags);
}

uint64_t fpfmt_subtract(const fpfmt_format *to, fpfmt_value a, fpfmt_value b,
                        const fpfmt_policy *policy, unsigned *flags)
{
    return operate(to, FPFMT_OPERATION_SUBTRACT, (fpfmt_value[]){ a, b }, policy, flags);
}

uint64_t fpfmt_multiply(const fpfmt_format *to, fpfmt_value a, fpfmt_value b,
                        const fpfmt_policy *policy, unsigned *flags)
{
    return operate(to, FPFMT_OPERATION_MULTIPLY, (fpfmt_value[]){ a, b }, policy, flags);
}

uint64_t fpfmt_divide(const fpfmt_format *to, fpfmt_value a, fpfmt_value b,
                      const fpfmt_policy *policy, unsigned *flags)
{
    return operate(to, FPFMT_OPERATION_DIVIDE, (fpfmt_value[]){ a, b }, policy, flags);
}

uint64_t fpfmt_sqrt(const fpfmt_format *to, fpfmt_value a, const fpfmt_policy *policy,
                    unsigned *flags)
{
    return operate(to, FPFMT_OPERATION_SQRT, &a, policy, flags);
}

uint64_t fpfmt_fma(const fpfmt_format *to, fpfmt_value a, fpfmt_value b, fpfmt_value c,
                   const fpfmt_policy *policy, unsigned *flags)
{
    return operate(to, FPFMT_OPERATION_FMA, (fpfmt_value[]){ a, b, c }, policy, flags);
}

/* IEEE 754-2019 5.9, with inexact as roundToIntegralExact has it. Where the format's own steps at
 * the value are finer than 1, the value is rounded to a multiple of 1, which the format holds or
 * overflows past, and then encoded as it is; elsewhere the format has only integers there, and
 * encoding rounds once. From 2^63 on the 64 bits of a value are integers whatever the format. */
uint64_t fpfmt_round_to_integral(const fpfmt_format *to, fpfmt_value value,
                                 const fpfmt_policy *policy, unsigned *flags)
{
    unsigned raised = 0;
    bool flush = fpfmt_or_default(policy)->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS;
    if (value.kind == FPFMT_KIND_SUBNORMAL && flush)
        value = zero(value.negative);
    bool rounds = value.kind == FPFMT_KIND_SUBNORMAL || value.kind == FPFMT_KIND_NORMAL;
    if (rounds && value.exponent < 63 && fpfmt_quantum(to, value) < 0) {
        fpfmt_cut cut = fpfmt_cut_at(value, 0);
        fpfmt_rule rule = fpfmt_rule_of(policy);
        cut.away = fpfmt_rounds_away(&rule, value.negative, cut.kept & 1, &cut);
        raised = cut.remainder == FPFMT_REMAINDER_NONE ? 0 : FPFMT_FLAG_INEXACT;
        bool negative = value.negative;
        value = fpfmt_from_u64(cut.kept + cut.away);
        value.negative = negative;
    }
    uint64_t code = fpfmt_encode(to, value, policy, &raised);
    if (flags != NULL)
        *flags |= raised;
    return code;
}
