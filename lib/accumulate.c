/* accumulate.c - sums of products, each step as an accumulator makes it
 * SPDX-License-Identifier: MIT
 *
 * An accumulator's kind is a function that takes the sum so far and the elements from i to before
 * end, and returns the sum. Each rounding of a call goes through rounded or step, which draw the
 * next random bits for it, so that the order of roundings is part of what fpfmt_dot promises. */

#include "accumulate.h"

#include "encode.h"
#include "refuse.h"
#include "reserved.h"
#include "sums.h"
#include "wide.h"

/* A value rounded to a format: one rounding of the call, with random bits of its own. */
static fpfmt_value rounded(fpfmt_dot_task *it, const fpfmt_format *format, fpfmt_value value)
{
    uint64_t code = fpfmt_encode(format, value, &it->policy, &it->flags);
    it->policy.first++;
    return fpfmt_decode(format, code);
}

/* ---- sums whose steps are operations in one format ---- */

/* An operation rounded to the format of the sum. */
static fpfmt_value step(fpfmt_dot_task *it, fpfmt_operation operation, fpfmt_value a, fpfmt_value b,
                        fpfmt_value c)
{
    uint64_t code = fpfmt_operate(it->inner, operation, a, b, c, &it->policy, &it->flags);
    it->policy.first++;
    return fpfmt_decode(it->inner, code);
}

static fpfmt_value add(fpfmt_dot_task *it, fpfmt_value a, fpfmt_value b)
{
    return step(it, FPFMT_OPERATION_ADD, a, b, zero_value);
}

static fpfmt_value fuse(fpfmt_dot_task *it, fpfmt_value a, fpfmt_value b, fpfmt_value c)
{
    return step(it, FPFMT_OPERATION_FMA, a, b, c);
}

static fpfmt_value product(fpfmt_dot_task *it, size_t i)
{
    return step(it, FPFMT_OPERATION_MULTIPLY, at(&it->a, i), at(&it->b, i), zero_value);
}

static fpfmt_value by_fma(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i++)
        sum = fuse(it, at(&it->a, i), at(&it->b, i), sum);
    return sum;
}

static fpfmt_value by_multiply_add(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i++)
        sum = add(it, sum, product(it, i));
    return sum;
}

/* The products of n elements, 1 at least, summed up by halves, of which the first has n / 2. The
 * recursion is as deep as n has bits, 64 at most. */
static fpfmt_value halves(fpfmt_dot_task *it, size_t i, size_t n)
{
    if (n == 1)
        return product(it, i);
    fpfmt_value first = halves(it, i, n / 2);
    return add(it, first, halves(it, i + n / 2, n - n / 2));
}

static fpfmt_value by_pairs(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    return i == end ? sum : add(it, sum, halves(it, i, end - i));
}

/* Kahan, "Pracniques: Further remarks on reducing truncation errors", CACM 8, 1965: what an
 * addition lost is found by taking the old sum from the new one, and is taken from the next
 * product. Four roundings an element, besides that of the product. */
static fpfmt_value by_compensation(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    fpfmt_value lost = zero_value;
    for (; i < end; i++) {
        fpfmt_value more = step(it, FPFMT_OPERATION_SUBTRACT, product(it, i), lost, zero_value);
        fpfmt_value next = add(it, sum, more);
        fpfmt_value came = step(it, FPFMT_OPERATION_SUBTRACT, next, sum, zero_value);
        lost = step(it, FPFMT_OPERATION_SUBTRACT, came, more, zero_value);
        sum = next;
    }
    return sum;
}

/* ---- the exact sum ---- */

/* A value of a format, not zero, as put_product wants it: an odd significand, which has no more
 * bits than the format's precision, so that its exponent is that of its last bit. A bit of any
 * value of any format weighs 2^SUM_UNIT at least. */
static number number_of(fpfmt_value value)
{
    int zeros = 0;
    while (zeros < 63 && !(value.significand >> zeros & 1))
        zeros++;
    return (number){ .significand = value.significand >> zeros,
                     .exponent = value.exponent - 63 + zeros,
                     .negative = value.negative };
}

/* A sum in two's complement as a value, cut to 64 bits; sum becomes its magnitude. An exact zero is
 * -0 where the mode rounds down, IEEE 754-2019 6.3. */
static fpfmt_value value_of_sum(uint64_t sum[FPFMT_SUM_LIMBS], bool downward)
{
    bool negative = sum[FPFMT_SUM_LIMBS - 1] >> 63;
    uint64_t carry = negative;
    for (size_t i = 0; negative && i < FPFMT_SUM_LIMBS; i++) {
        sum[i] = ~sum[i] + carry;
        carry &= sum[i] == 0;
    }
    fpfmt_value value = read_sum(sum);
    value.negative = fpfmt_value_is_zero(value) ? downward : negative;
    return value;
}

/* All products and the sum, exactly, and one rounding. Finite products that are not zero go into
 * limbs, and the sum as a product with one; negative ones are subtracted, so that limbs are two's
 * complement. Zeros, infinities and NaN are summed up as values, in order, which settles the sign
 * of a zero sum, 7.2 d and the payload of a NaN; and if that is not zero, it is the result whatever
 * the limbs hold. */
static fpfmt_value exactly(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    uint64_t limbs[FPFMT_SUM_LIMBS] = { 0 };
    const fpfmt_value one = fpfmt_from_i64(1);
    fpfmt_value special = zero_value;
    bool flush = it->policy.subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS, any = false, first = true;
    for (size_t next = i; next <= end; next++) {
        fpfmt_value a = next == end ? sum : at(&it->a, next),
                    b = next == end ? one : at(&it->b, next);
        a = flush && a.kind == FPFMT_KIND_SUBNORMAL ? (fpfmt_value){ .negative = a.negative } : a;
        b = flush && b.kind == FPFMT_KIND_SUBNORMAL ? (fpfmt_value){ .negative = b.negative } : b;
        bool finite = (a.kind == FPFMT_KIND_NORMAL || a.kind == FPFMT_KIND_SUBNORMAL) &&
                      (b.kind == FPFMT_KIND_NORMAL || b.kind == FPFMT_KIND_SUBNORMAL);
        any |= finite;
        if (finite) {
            put_product(a.negative != b.negative ? subtract_words : add_words, limbs, number_of(a),
                        number_of(b), 0);
            continue;
        }
        fpfmt_value term =
            fpfmt_exact(FPFMT_OPERATION_MULTIPLY, a, b, one, &it->policy, &it->flags);
        special =
            first ? term
                  : fpfmt_exact(FPFMT_OPERATION_ADD, special, term, one, &it->policy, &it->flags);
        first = false;
    }
    if (any && fpfmt_value_is_zero(special))
        special = value_of_sum(limbs, fpfmt_mode_of(it->policy.rounding)->negative_zero);
    return rounded(it, it->to, special);
}

/* ---- instructions of x86 and Arm ---- */

/* An element of a pair or group; zero past the end. */
static fpfmt_value padded(const fpfmt_series *series, size_t i, size_t end)
{
    return i < end ? at(series, i) : zero_value;
}

/* An fma as x86 has it: what is invalid gives the "QNaN floating-point indefinite", Intel SDM
 * volume 1, 4.8.3.7, whose sign is set. */
static fpfmt_value x86_fma(fpfmt_dot_task *it, fpfmt_value a, fpfmt_value b, fpfmt_value c)
{
    fpfmt_value result = fuse(it, a, b, c);
    if (fpfmt_value_is_nan(result) && !fpfmt_value_is_nan(a) && !fpfmt_value_is_nan(b) &&
        !fpfmt_value_is_nan(c))
        result.negative = true;
    return result;
}

/* Intel SDM volume 2, VDPBF16PS: of each pair the upper element goes first, each by an fma that
 * rounds to nearest even and flushes subnormals. */
static fpfmt_value odd_first(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i += 2) {
        sum = x86_fma(it, padded(&it->a, i + 1, end), padded(&it->b, i + 1, end), sum);
        sum = x86_fma(it, at(&it->a, i), at(&it->b, i), sum);
    }
    return sum;
}

/* The sum as the last addition of TDPFP16PS takes it: where the flags of the row keep subnormal
 * inputs, which are binary16, the sum in binary32 is flushed all the same. */
static fpfmt_value flushed(const fpfmt_dot_task *it, fpfmt_value value)
{
    bool kept = !(it->how->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS);
    return kept && value.kind == FPFMT_KIND_SUBNORMAL ? (fpfmt_value){ .negative = value.negative }
                                                      : value;
}

/* Intel SDM volume 2, TDPBF16PS and TDPFP16PS: of a group, which is a row of a tile, even and odd
 * elements are chained by fma from zero; both chains are added, and then that and the sum. An
 * addition here is an fma with one, for x86's NaN. */
static fpfmt_value two_chains(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    const fpfmt_value one = fpfmt_from_i64(1);
    for (; i < end; i += it->how->group) {
        fpfmt_value chain[2] = { zero_value, zero_value };
        for (size_t k = i; k < i + it->how->group && k < end; k++)
            chain[(k - i) % 2] = x86_fma(it, at(&it->a, k), at(&it->b, k), chain[(k - i) % 2]);
        fpfmt_value both = x86_fma(it, chain[0], one, chain[1]);
        sum = x86_fma(it, flushed(it, sum), one, both);
    }
    return sum;
}

/* A product or a sum rounded to odd, as Arm's BFDOT does it: an overflow is infinite, where
 * rounding to odd would stay at the largest value if that is odd. */
static fpfmt_value to_odd(fpfmt_dot_task *it, fpfmt_operation operation, fpfmt_value a,
                          fpfmt_value b)
{
    unsigned flags = 0;
    uint64_t code = fpfmt_operate(it->inner, operation, a, b, zero_value, &it->policy, &flags);
    fpfmt_value result = fpfmt_decode(it->inner, code);
    if (flags & FPFMT_FLAG_OVERFLOW)
        return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = result.negative };
    return result;
}

/* Arm ARM, shared pseudocode, BFDotAdd: two products, their sum, and that and the sum so far, each
 * rounded to odd and flushed. Past the end an element is zero. */
static fpfmt_value pairs_to_odd(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i += 2) {
        fpfmt_value x = to_odd(it, FPFMT_OPERATION_MULTIPLY, at(&it->a, i), at(&it->b, i));
        fpfmt_value y = to_odd(it, FPFMT_OPERATION_MULTIPLY, padded(&it->a, i + 1, end),
                               padded(&it->b, i + 1, end));
        sum = to_odd(it, FPFMT_OPERATION_ADD, sum, to_odd(it, FPFMT_OPERATION_ADD, x, y));
    }
    return sum;
}

/* a[i] x b[i] + a[i + 1] x b[i + 1], rounded once, as BFDOT with extended behaviours has it.
 * Products are exact and so is their sum, up to a tail. With a term that is infinite or NaN one
 * exact product and an fma settle what comes out. */
static fpfmt_value fused_pair(fpfmt_dot_task *it, size_t i, size_t end)
{
    fpfmt_value a = at(&it->a, i), b = at(&it->b, i), c = padded(&it->a, i + 1, end);
    fpfmt_value d = padded(&it->b, i + 1, end);
    if (fpfmt_value_is_finite(a) && fpfmt_value_is_finite(b) && fpfmt_value_is_finite(c) &&
        fpfmt_value_is_finite(d)) {
        wide x = wide_product(a, b), y = wide_product(c, d), both = wide_sum(&x, &y);
        fpfmt_value sum = wide_value(&both);
        if (fpfmt_value_is_zero(sum))
            sum.negative = x.negative && y.negative;
        return rounded(it, it->inner, sum);
    }
    fpfmt_value other = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, c, d, c, &it->policy, &it->flags);
    return fuse(it, a, b, other);
}

static fpfmt_value pairs_fused(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i += 2)
        sum = add(it, sum, fused_pair(it, i, end));
    return sum;
}

/* The matrix cores of CDNA2, as the model of MMA-Sim has them, arXiv 2511.10909. */
static fpfmt_value group_tree(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i += it->how->group) {
        fpfmt_value part[4];
        for (size_t k = 0; k < it->how->group; k++)
            part[k] = step(it, FPFMT_OPERATION_MULTIPLY, padded(&it->a, i + k, end),
                           padded(&it->b, i + k, end), zero_value);
        for (size_t n = it->how->group / 2; n > 0; n /= 2)
            for (size_t k = 0; k < n; k++)
                part[k] = add(it, part[2 * k], part[2 * k + 1]);
        sum = add(it, sum, part[0]);
    }
    return sum;
}

/* ---- all of them ---- */

/* By FPFMT_ACCUMULATE_...: sum and elements i to end. */
static fpfmt_value (*const ways[FPFMT_ACCUMULATE_COUNT])(fpfmt_dot_task *it, fpfmt_value sum,
                                                         size_t i, size_t end) = {
    [FPFMT_ACCUMULATE_EXACT] = exactly,
    [FPFMT_ACCUMULATE_FMA] = by_fma,
    [FPFMT_ACCUMULATE_MULTIPLY_ADD] = by_multiply_add,
    [FPFMT_ACCUMULATE_PAIRWISE] = by_pairs,
    [FPFMT_ACCUMULATE_KAHAN] = by_compensation,
    [FPFMT_ACCUMULATE_ALIGNED] = fpfmt_aligned,
    [FPFMT_ACCUMULATE_ODD_FIRST] = odd_first,
    [FPFMT_ACCUMULATE_TWO_CHAINS] = two_chains,
    [FPFMT_ACCUMULATE_PAIR_TO_ODD] = pairs_to_odd,
    [FPFMT_ACCUMULATE_PAIR_FUSED] = pairs_fused,
    [FPFMT_ACCUMULATE_GROUP_TREE] = group_tree,
};

/* The policy that a call rounds with: the caller's in the reference models, which are operations of
 * a program; in an engine's model the one that its hardware fixes. */
static fpfmt_policy policy_of(const fpfmt_accumulator *how, const fpfmt_policy *policy)
{
    if (!fpfmt_accumulator_is_engine(how))
        return *fpfmt_or_default(policy);
    bool arm = how->method == FPFMT_ACCUMULATE_PAIR_TO_ODD;
    return (fpfmt_policy){
        .rounding = arm ? FPFMT_ROUND_TO_ODD : FPFMT_ROUND_NEAREST_EVEN,
        .subnormal = how->subnormal,
        .nan = arm || how->method == FPFMT_ACCUMULATE_PAIR_FUSED ? FPFMT_NAN_CANONICAL
                                                                 : FPFMT_NAN_QUIET,
        .tininess = arm ? FPFMT_TININESS_BEFORE_ROUNDING : FPFMT_TININESS_AFTER_ROUNDING,
    };
}

/* Sums of how->promote elements, each from zero, added to one in the output format to nearest even:
 * what programs do to limit the error of an accumulator that keeps few bits. */
static fpfmt_value promoted(fpfmt_dot_task *it, fpfmt_value sum, size_t n)
{
    const fpfmt_series a = it->a, b = it->b;
    const bool late = it->how->scales_late;
    size_t most = it->how->promote;
    for (size_t i = 0; i < n; i += most) {
        size_t end = n - i < most ? n : i + most;
        if (late)
            it->a.scales.codes = it->b.scales.codes = NULL;
        fpfmt_value part = ways[it->how->method](it, zero_value, i, end);
        if (late) {
            uint64_t scale =
                fpfmt_multiply(it->to, scale_at(&a, i), scale_at(&b, i), NULL, &it->flags);
            sum = fpfmt_decode(it->to, fpfmt_fma(it->to, fpfmt_decode(it->to, scale), part, sum,
                                                 NULL, &it->flags));
        } else {
            sum = fpfmt_decode(it->to, fpfmt_add(it->to, sum, part, NULL, &it->flags));
        }
    }
    return sum;
}

/* The start is a code of the output format; where the sum has a format of its own for all elements,
 * it moves there first and back at the end, each a rounding of the call. An engine's flags are not
 * told, as nobody knows them. */
uint64_t fpfmt_dot(const fpfmt_format *to, const fpfmt_accumulator *how, uint64_t start,
                   fpfmt_series a, fpfmt_series b, size_t n, const fpfmt_policy *policy,
                   unsigned *flags)
{
    if (to == NULL) {
        refuse("a sum has no format");
        return 0;
    }
    const char *defect = fpfmt_scales_defect(how, &a, &b);
    if (!is_vacant(&a.reserved) || !is_vacant(&b.reserved))
        defect = "the reserved room of a series is not zero";
    if (defect != NULL) {
        refuse(defect);
        return shape_nan(to);
    }
    fpfmt_dot_task it = {
        .how = how, .to = to, .inner = how->inner != NULL ? how->inner : to, .a = a, .b = b
    };
    if (n == 0)
        return start & low_bits(shape_width(to));
    it.policy = policy_of(how, policy);
    fpfmt_value sum = fpfmt_decode(to, start);
    bool leaves = how->inner != NULL && how->promote == 0;
    if (leaves)
        sum = rounded(&it, how->inner, sum);
    sum = how->promote != 0 ? promoted(&it, sum, n) : ways[how->method](&it, sum, 0, n);
    if (leaves)
        sum = rounded(&it, to, sum);
    if (flags != NULL && !fpfmt_accumulator_is_engine(how))
        *flags |= it.flags;
    return fpfmt_encode(to, sum, NULL, NULL);
}

uint64_t fpfmt_sum(const fpfmt_format *to, const fpfmt_accumulator *how, uint64_t start,
                   fpfmt_series a, size_t n, const fpfmt_policy *policy, unsigned *flags)
{
    return fpfmt_dot(to, how, start, a, (fpfmt_series){ .codes = NULL }, n, policy, flags);
}
