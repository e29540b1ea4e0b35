/* accumulate.c - sums of products, each step as an accumulator makes it
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "bits.h"
#include "encode.h"
#include "refuse.h"
#include "shape.h"
#include "sums.h"
#include "wide.h"

/* A dot product underway. */
typedef struct {
    const fpfmt_accumulator *how;
    const fpfmt_format *to, *inner; /* inner: of the sum */
    fpfmt_series a, b;
    fpfmt_policy policy; /* first counts the roundings */
    unsigned flags;
} task;

static const fpfmt_value zero_value = { .kind = FPFMT_KIND_ZERO };

static fpfmt_value at(const fpfmt_series *series, size_t i)
{
    if (series->codes == NULL)
        return fpfmt_from_i64(1);
    int width = shape_width(series->format);
    size_t bytes = width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
    const unsigned char *codes = series->codes;
    return fpfmt_decode(
        series->format,
        fpfmt_load(codes + (ptrdiff_t)i * series->stride * (ptrdiff_t)bytes, bytes));
}

/* One rounding of the call: each has random bits of its own. */
static fpfmt_value rounded(task *it, const fpfmt_format *format, fpfmt_value value)
{
    uint64_t code = fpfmt_encode(format, value, &it->policy, &it->flags);
    it->policy.first++;
    return fpfmt_decode(format, code);
}

/* ---- sums whose steps are operations in one format ---- */

/* An operation rounded to the format of the sum. */
static fpfmt_value step(task *it, int operation, fpfmt_value a, fpfmt_value b, fpfmt_value c)
{
    uint64_t code = fpfmt_operate(it->inner, operation, a, b, c, &it->policy, &it->flags);
    it->policy.first++;
    return fpfmt_decode(it->inner, code);
}

static fpfmt_value add(task *it, fpfmt_value a, fpfmt_value b)
{
    return step(it, FPFMT_OPERATION_ADD, a, b, zero_value);
}

static fpfmt_value fuse(task *it, fpfmt_value a, fpfmt_value b, fpfmt_value c)
{
    return step(it, FPFMT_OPERATION_FMA, a, b, c);
}

static fpfmt_value product(task *it, size_t i)
{
    return step(it, FPFMT_OPERATION_MULTIPLY, at(&it->a, i), at(&it->b, i), zero_value);
}

static fpfmt_value by_fma(task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i++)
        sum = fuse(it, at(&it->a, i), at(&it->b, i), sum);
    return sum;
}

static fpfmt_value by_multiply_add(task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i++)
        sum = add(it, sum, product(it, i));
    return sum;
}

/* As deep as n has bits. */
static fpfmt_value halves(task *it, size_t i, size_t n)
{
    if (n == 1)
        return product(it, i);
    fpfmt_value first = halves(it, i, n / 2);
    return add(it, first, halves(it, i + n / 2, n - n / 2));
}

static fpfmt_value by_pairs(task *it, fpfmt_value sum, size_t i, size_t end)
{
    return i == end ? sum : add(it, sum, halves(it, i, end - i));
}

/* Kahan, "Pracniques: Further remarks on reducing truncation errors", CACM 8, 1965. */
static fpfmt_value by_compensation(task *it, fpfmt_value sum, size_t i, size_t end)
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

/* A finite value of a format, in units of what SUM_UNIT allows. */
static number number_of(fpfmt_value value)
{
    int zeros = 0;
    while (zeros < 63 && !(value.significand >> zeros & 1))
        zeros++;
    return (number){ .significand = value.significand >> zeros,
                     .exponent = value.exponent - 63 + zeros,
                     .negative = value.negative };
}

/* The sum in two's complement, cut to 64 bits. */
static fpfmt_value value_of_sum(uint64_t sum[FPFMT_SUM_LIMBS], bool downward)
{
    bool negative = sum[FPFMT_SUM_LIMBS - 1] >> 63;
    uint64_t carry = negative;
    for (size_t i = 0; negative && i < FPFMT_SUM_LIMBS; i++) {
        sum[i] = ~sum[i] + carry;
        carry &= sum[i] == 0;
    }
    fpfmt_value value = read_sum(sum);
    value.negative = value.kind == FPFMT_KIND_ZERO ? downward : negative;
    return value;
}

/* Terms that are zero, infinite or NaN join by themselves. */
static fpfmt_value exactly(task *it, fpfmt_value sum, size_t i, size_t end)
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
    if (any && special.kind == FPFMT_KIND_ZERO)
        special = value_of_sum(limbs, it->policy.rounding == FPFMT_ROUND_DOWNWARD);
    return rounded(it, it->to, special);
}

/* ---- instructions of x86 and Arm ---- */

/* An element of a pair or group; zero past the end. */
static fpfmt_value padded(const fpfmt_series *series, size_t i, size_t end)
{
    return i < end ? at(series, i) : zero_value;
}

static bool is_nan(fpfmt_value value)
{
    return value.kind >= FPFMT_KIND_QUIET_NAN;
}

/* What has no value is a negative NaN on x86. */
static fpfmt_value x86_fma(task *it, fpfmt_value a, fpfmt_value b, fpfmt_value c)
{
    fpfmt_value result = fuse(it, a, b, c);
    if (is_nan(result) && !is_nan(a) && !is_nan(b) && !is_nan(c))
        result.negative = true;
    return result;
}

/* Intel SDM, VDPBF16PS. */
static fpfmt_value odd_first(task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i += 2) {
        sum = x86_fma(it, padded(&it->a, i + 1, end), padded(&it->b, i + 1, end), sum);
        sum = x86_fma(it, at(&it->a, i), at(&it->b, i), sum);
    }
    return sum;
}

/* Where inputs are not flushed, the sum is all the same. */
static fpfmt_value flushed(const task *it, fpfmt_value value)
{
    bool kept = !(it->how->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS);
    return kept && value.kind == FPFMT_KIND_SUBNORMAL ? (fpfmt_value){ .negative = value.negative }
                                                      : value;
}

/* Intel SDM, TDPBF16PS and TDPFP16PS. */
static fpfmt_value two_chains(task *it, fpfmt_value sum, size_t i, size_t end)
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

/* Arm rounds to odd past the largest value, but then to infinity. */
static fpfmt_value to_odd(task *it, int operation, fpfmt_value a, fpfmt_value b)
{
    unsigned flags = 0;
    uint64_t code = fpfmt_operate(it->inner, operation, a, b, zero_value, &it->policy, &flags);
    fpfmt_value result = fpfmt_decode(it->inner, code);
    if (flags & FPFMT_FLAG_OVERFLOW)
        return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = result.negative };
    return result;
}

/* Arm ARM, BFDotAdd. */
static fpfmt_value pairs_to_odd(task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i += 2) {
        fpfmt_value x = to_odd(it, FPFMT_OPERATION_MULTIPLY, at(&it->a, i), at(&it->b, i));
        fpfmt_value y = to_odd(it, FPFMT_OPERATION_MULTIPLY, padded(&it->a, i + 1, end),
                               padded(&it->b, i + 1, end));
        sum = to_odd(it, FPFMT_OPERATION_ADD, sum, to_odd(it, FPFMT_OPERATION_ADD, x, y));
    }
    return sum;
}

static bool is_finite(fpfmt_value value)
{
    return value.kind < FPFMT_KIND_INFINITE;
}

/* a[i] x b[i] + a[i + 1] x b[i + 1], rounded once. */
static fpfmt_value fused_pair(task *it, size_t i, size_t end)
{
    fpfmt_value a = at(&it->a, i), b = at(&it->b, i), c = padded(&it->a, i + 1, end);
    fpfmt_value d = padded(&it->b, i + 1, end);
    if (is_finite(a) && is_finite(b) && is_finite(c) && is_finite(d)) {
        wide x = wide_product(a, b), y = wide_product(c, d), both = wide_sum(&x, &y);
        fpfmt_value sum = wide_value(&both);
        if (sum.kind == FPFMT_KIND_ZERO)
            sum.negative = x.negative && y.negative;
        return rounded(it, it->inner, sum);
    }
    fpfmt_value other = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, c, d, c, &it->policy, &it->flags);
    return fuse(it, a, b, other);
}

static fpfmt_value pairs_fused(task *it, fpfmt_value sum, size_t i, size_t end)
{
    for (; i < end; i += 2)
        sum = add(it, sum, fused_pair(it, i, end));
    return sum;
}

/* ---- NVIDIA's tensor cores ---- */

/* A finite factor that is not zero: its significand as an integer, and its exponent, which stays at
 * the smallest normal's. */
static uint64_t factor(const fpfmt_format *format, fpfmt_value value, int32_t *exponent)
{
    int emin = shape_emin(format);
    *exponent = value.exponent > emin ? value.exponent : emin;
    return shift_right(value.significand, 63 - format->fraction_bits + *exponent - value.exponent);
}

static int points_of(const fpfmt_series *series)
{
    return series->codes == NULL ? 0 : series->format->fraction_bits;
}

/* The value's part in the group: 0 for zero, and what is not finite is told apart. */
static void place_term(fpfmt_alignment *group, uint64_t significand, int point, int32_t exponent,
                       bool negative)
{
    size_t i = group->count++;
    group->term[i].kept = group->term[i].lost = 0;
    group->term[i].negative = negative;
    group->term[i].point = (uint8_t)point;
    group->term[i].exponent = exponent;
    group->term[i].significand = significand;
    if (significand != 0 && exponent > group->largest)
        group->largest = exponent;
}

/* Every aligned term is cut toward zero, and the integers are summed. */
static void align_terms(fpfmt_alignment *group, int fraction_bits)
{
    for (size_t i = 0; i < group->count; i++) {
        uint64_t significand = group->term[i].significand;
        int64_t up = (int64_t)fraction_bits - group->term[i].point + group->term[i].exponent -
                     group->largest;
        int down = up >= 0 || significand == 0 ? 0 : up < -64 ? 64 : (int)-up;
        group->term[i].kept = significand == 0 ? 0
                              : up >= 0        ? significand << up
                                               : shift_right(significand, down);
        group->term[i].lost = significand & low_bits(down);
        int64_t kept = (int64_t)group->term[i].kept;
        group->sum += group->term[i].negative ? -kept : kept;
    }
}

/* Rounded to a format toward zero or to nearest even; past the largest value it is infinite. */
static fpfmt_value engine_value(const fpfmt_format *format, fpfmt_value value, bool nearest)
{
    const fpfmt_policy policy = { .rounding = nearest ? FPFMT_ROUND_NEAREST_EVEN
                                                      : FPFMT_ROUND_TOWARD_ZERO };
    unsigned flags = 0;
    uint64_t code = fpfmt_encode(format, value, &policy, &flags);
    if (flags & FPFMT_FLAG_OVERFLOW)
        return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = value.negative };
    return fpfmt_decode(format, code);
}

static fpfmt_value group_value(const fpfmt_accumulator *how, const fpfmt_format *to,
                               const fpfmt_alignment *group)
{
    fpfmt_value value = fpfmt_from_i64(group->sum);
    value.exponent += group->largest - how->fraction_bits;
    fpfmt_format kept = *to;
    if (how->kept_bits != 0 && how->kept_bits < to->fraction_bits)
        kept.fraction_bits = how->kept_bits;
    return engine_value(&kept, value, how->nearest);
}

/* The one NaN of tensor cores has all payload bits set. */
static fpfmt_value engine_nan(void)
{
    return (
        fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN, .significand = UINT64_MAX, .payload_bits = 64 };
}

/* Infinities of one sign stay; of both, and 0 x Inf, it is NaN. */
static fpfmt_value special_value(const task *it, fpfmt_value sum, const size_t *index, size_t n)
{
    static const fpfmt_policy none = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    for (size_t k = 0; k < n; k++) {
        fpfmt_value a = at(&it->a, index[k]), b = at(&it->b, index[k]), c = zero_value;
        fpfmt_value term = is_finite(a) && is_finite(b)
                               ? zero_value
                               : fpfmt_exact(FPFMT_OPERATION_MULTIPLY, a, b, c, &none, NULL);
        sum = is_finite(sum)    ? (is_finite(term) ? sum : term)
              : is_finite(term) ? sum
                                : fpfmt_exact(FPFMT_OPERATION_ADD, sum, term, c, &none, NULL);
    }
    return is_nan(sum) ? engine_nan() : sum;
}

/* Do the significands of products fit? They are below 4. */
static bool fits(const task *it)
{
    return points_of(&it->a) + points_of(&it->b) <= 62;
}

/* The sum and the elements of a group. */
static fpfmt_value aligned_group(const task *it, fpfmt_alignment *group, fpfmt_value sum,
                                 const size_t *index, size_t n)
{
    int points = points_of(&it->a) + points_of(&it->b);
    int32_t e, f;
    group->count = 0;
    group->largest = INT32_MIN;
    group->sum = 0;
    group->special = !is_finite(sum);
    bool there = !group->special && sum.kind != FPFMT_KIND_ZERO;
    uint64_t significand = there ? factor(it->to, sum, &e) : 0;
    place_term(group, significand, it->to->fraction_bits, there ? e : 0, sum.negative);
    for (size_t k = 0; k < n; k++) {
        fpfmt_value a = at(&it->a, index[k]), b = at(&it->b, index[k]);
        group->special |= !is_finite(a) || !is_finite(b);
        there =
            is_finite(a) && is_finite(b) && a.kind != FPFMT_KIND_ZERO && b.kind != FPFMT_KIND_ZERO;
        significand = 0;
        e = f = 0;
        if (there) {
            significand = it->a.codes == NULL ? 1 : factor(it->a.format, a, &e);
            significand *= it->b.codes == NULL ? 1 : factor(it->b.format, b, &f);
        }
        place_term(group, significand, points, e + f, a.negative != b.negative);
    }
    if (group->special)
        return special_value(it, sum, index, n);
    if (group->largest == INT32_MIN)
        return zero_value;
    align_terms(group, it->how->fraction_bits);
    return group_value(it->how, it->to, group);
}

/* Sums of groups are added to nearest even. */
static fpfmt_value added(const fpfmt_format *to, fpfmt_value sum, fpfmt_value part)
{
    sum = fpfmt_exact(FPFMT_OPERATION_ADD, sum, part, zero_value, NULL, NULL);
    return is_nan(sum) ? engine_nan() : is_finite(sum) ? engine_value(to, sum, true) : sum;
}

/* The indices of the elements of group number part of a block. */
static size_t elements_of(const fpfmt_accumulator *how, size_t i, size_t end, size_t part,
                          size_t index[FPFMT_GROUP])
{
    size_t n = 0;
    if (!how->interleaved) {
        for (size_t k = i + part * how->group; k < end && n < how->group; k++)
            index[n++] = k;
        return n;
    }
    for (size_t k = 0; k < 32 && i + k < end; k++)
        if (k % 4 / 2 == part)
            index[n++] = i + k;
    return n;
}

static fpfmt_value aligned(task *it, fpfmt_value sum, size_t i, size_t end)
{
    bool apart = it->how->apart;
    size_t index[FPFMT_GROUP], block = apart || it->how->interleaved ? 32 : it->how->group;
    fpfmt_alignment group;
    for (; i < end; i += block) {
        size_t stop = end - i < block ? end : i + block;
        fpfmt_value part = apart ? zero_value : sum;
        for (size_t k = 0; k * it->how->group < block; k++) {
            size_t n = elements_of(it->how, i, stop, k, index);
            part = aligned_group(it, &group, part, index, n);
        }
        sum = apart ? added(it->to, sum, part) : part;
    }
    return sum;
}

/* ---- all of them ---- */

/* By FPFMT_ACCUMULATE_...: sum and elements i to end. */
static fpfmt_value (*const ways[FPFMT_ACCUMULATE_END])(task *it, fpfmt_value sum, size_t i,
                                                       size_t end) = {
    [FPFMT_ACCUMULATE_EXACT] = exactly,
    [FPFMT_ACCUMULATE_FMA] = by_fma,
    [FPFMT_ACCUMULATE_MULTIPLY_ADD] = by_multiply_add,
    [FPFMT_ACCUMULATE_PAIRWISE] = by_pairs,
    [FPFMT_ACCUMULATE_KAHAN] = by_compensation,
    [FPFMT_ACCUMULATE_ALIGNED] = aligned,
    [FPFMT_ACCUMULATE_ODD_FIRST] = odd_first,
    [FPFMT_ACCUMULATE_TWO_CHAINS] = two_chains,
    [FPFMT_ACCUMULATE_PAIR_TO_ODD] = pairs_to_odd,
    [FPFMT_ACCUMULATE_PAIR_FUSED] = pairs_fused,
};

/* The policy of an engine is its own. */
static fpfmt_policy policy_of(const fpfmt_accumulator *how, const fpfmt_policy *policy)
{
    if (how->how < FPFMT_ACCUMULATE_ALIGNED)
        return *fpfmt_or_default(policy);
    bool arm = how->how == FPFMT_ACCUMULATE_PAIR_TO_ODD;
    return (fpfmt_policy){
        .rounding = arm ? FPFMT_ROUND_TO_ODD : FPFMT_ROUND_NEAREST_EVEN,
        .subnormal = how->subnormal,
        .nan =
            arm || how->how == FPFMT_ACCUMULATE_PAIR_FUSED ? FPFMT_NAN_CANONICAL : FPFMT_NAN_QUIET,
        .tininess = arm ? FPFMT_TININESS_BEFORE_ROUNDING : FPFMT_TININESS_AFTER_ROUNDING,
    };
}

/* The sum moves to the output format every so many elements. */
static fpfmt_value promoted(task *it, fpfmt_value sum, size_t n)
{
    size_t most = it->how->promote;
    for (size_t i = 0; i < n; i += most) {
        size_t end = n - i < most ? n : i + most;
        fpfmt_value part = ways[it->how->how](it, zero_value, i, end);
        sum = fpfmt_decode(it->to, fpfmt_add(it->to, sum, part, NULL, &it->flags));
    }
    return sum;
}

uint64_t fpfmt_dot(const fpfmt_accumulator *how, const fpfmt_format *to, uint64_t start,
                   fpfmt_series a, fpfmt_series b, size_t n, const fpfmt_policy *policy,
                   unsigned *flags)
{
    task it = {
        .how = how, .to = to, .inner = how->inner != NULL ? how->inner : to, .a = a, .b = b
    };
    if (fpfmt_accumulator_defect(how) != NULL) {
        refuse("an accumulator has a defect");
        return shape_nan(to);
    }
    if (how->how == FPFMT_ACCUMULATE_ALIGNED && !fits(&it)) {
        refuse("products to be aligned have more than 62 fraction bits");
        return shape_nan(to);
    }
    if (n == 0)
        return start & low_bits(shape_width(to));
    it.policy = policy_of(how, policy);
    fpfmt_value sum = fpfmt_decode(to, start);
    bool leaves = how->inner != NULL && how->promote == 0;
    if (leaves)
        sum = rounded(&it, how->inner, sum);
    sum = how->promote != 0 ? promoted(&it, sum, n) : ways[how->how](&it, sum, 0, n);
    if (leaves)
        sum = rounded(&it, to, sum);
    if (flags != NULL && how->how < FPFMT_ACCUMULATE_ALIGNED)
        *flags |= it.flags;
    return fpfmt_encode(to, sum, NULL, NULL);
}

uint64_t fpfmt_sum(const fpfmt_accumulator *how, const fpfmt_format *to, uint64_t start,
                   fpfmt_series a, size_t n, const fpfmt_policy *policy, unsigned *flags)
{
    return fpfmt_dot(how, to, start, a, (fpfmt_series){ .codes = NULL }, n, policy, flags);
}

bool fpfmt_align(fpfmt_alignment *group, const fpfmt_accumulator *how, const fpfmt_format *to,
                 uint64_t start, fpfmt_series a, fpfmt_series b, size_t n)
{
    size_t index[FPFMT_GROUP];
    task it = { .how = how, .to = to, .inner = to, .a = a, .b = b };
    if (how->how != FPFMT_ACCUMULATE_ALIGNED || fpfmt_accumulator_defect(how) != NULL ||
        !fits(&it) || n == 0)
        return false;
    n = how->promote != 0 && n > how->promote ? how->promote : n;
    n = elements_of(how, 0, n, 0, index);
    bool anew = how->apart || how->promote != 0;
    fpfmt_value sum = anew ? zero_value : fpfmt_decode(to, start);
    group->code = fpfmt_encode(to, aligned_group(&it, group, sum, index, n), NULL, NULL);
    return true;
}
