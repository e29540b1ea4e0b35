/* terms.c - the terms of a group: products of elements and scales, as integers that are aligned
 * SPDX-License-Identifier: MIT */

#include "aligned.h"

/* Adds a term to the group: significand * 2^(exponent - point), 0 for zero; what is not finite is
 * told apart. The largest exponent is that of nonzero terms. */
static void place_term(fpfmt_alignment *group, uint64_t significand, int point, int32_t exponent,
                       bool negative)
{
    size_t i = group->count++;
    group->term[i].kept = group->term[i].lost = 0;
    group->term[i].negative = negative;
    group->term[i].point = (int16_t)point;
    group->term[i].exponent = exponent;
    group->term[i].significand = significand;
    if (significand != 0 && exponent > group->largest)
        group->largest = exponent;
}

/* Cuts every term toward zero to units of 2^(largest - fraction_bits), and sums up the integers.
 * Terms are below 4, so that 33 of them, with at most 40 fraction bits, stay below 2^48. up is how
 * far a term moves to the left: what has fewer fraction bits than are kept does move, by no more
 * than 40. */
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

/* A product in a group with something special: what is finite does not matter, and is 0. Where the
 * start is added late a product of 2^(emax + 1) or more, which no normal number of the output
 * format is, counts as infinite, though a sum may get there and come back. */
fpfmt_value fpfmt_special_term(const fpfmt_dot_task *it, fpfmt_value a, fpfmt_value b)
{
    static const fpfmt_policy none = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    bool finite = fpfmt_value_is_finite(a) && fpfmt_value_is_finite(b);
    if (finite && it->how->late_bits == 0)
        return zero_value;
    fpfmt_value term = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, a, b, zero_value, &none, NULL);
    if (!finite)
        return term;
    bool past = !fpfmt_value_is_zero(term) && term.exponent > shape_emax(it->to);
    return past ? (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = term.negative }
                : zero_value;
}

/* The product of elements number k as a term of the group. Scales, powers of two here or 0, add
 * their exponents, and their signs count. */
static void place_product(const fpfmt_dot_task *it, fpfmt_alignment *group, size_t k)
{
    fpfmt_value a = at(&it->a, k), b = at(&it->b, k);
    int32_t e = 0, f = 0;
    uint64_t significand = 0;
    group->special |= !fpfmt_value_is_finite(fpfmt_special_term(it, a, b));
    if (fpfmt_value_is_finite(a) && fpfmt_value_is_finite(b) && !fpfmt_value_is_zero(a) &&
        !fpfmt_value_is_zero(b)) {
        significand = it->a.codes == NULL ? 1 : factor(it->a.format, element_at(&it->a, k), &e);
        significand *= it->b.codes == NULL ? 1 : factor(it->b.format, element_at(&it->b, k), &f);
        e += scale_at(&it->a, k).exponent;
        f += scale_at(&it->b, k).exponent;
    }
    place_term(group, significand, points_of(&it->a) + points_of(&it->b), e + f,
               a.negative != b.negative);
}

/* A finite element in steps of its format, which joined products are sums of. */
static int64_t steps_of(const fpfmt_series *series, size_t k)
{
    fpfmt_value value = element_at(series, k);
    if (series->codes == NULL || fpfmt_value_is_zero(value))
        return series->codes == NULL;
    int32_t e;
    uint64_t significand = factor(series->format, value, &e);
    int64_t steps = (int64_t)(significand << (e - shape_emin(series->format)));
    return value.negative ? -steps : steps;
}

/* A finite scale's significand as an integer with its sign, its exponent, and its fraction bits; 1
 * without scales. */
static int64_t scale_factor(const fpfmt_series *series, size_t k, int32_t *exponent, int *points)
{
    *exponent = *points = 0;
    if (series->scales.codes == NULL)
        return 1;
    const fpfmt_format *format = series->scales.format;
    *points = format->fraction_bits;
    fpfmt_value scale = scale_at(series, k);
    if (fpfmt_value_is_zero(scale))
        return 0;
    int64_t significand = (int64_t)factor(format, scale, exponent);
    return scale.negative ? -significand : significand;
}

/* Products of n elements with these indices, which share their scales, as one term: their exact sum
 * times the significands of both scales, at the exponent of these alone. */
static void place_joined(const fpfmt_dot_task *it, fpfmt_alignment *group, const size_t *index,
                         size_t n)
{
    int64_t sum = 0;
    int32_t e, f;
    int points, more;
    for (size_t k = 0; k < n; k++) {
        fpfmt_value a = at(&it->a, index[k]), b = at(&it->b, index[k]);
        bool special = !fpfmt_value_is_finite(fpfmt_special_term(it, a, b));
        group->special |= special;
        sum += special ? 0 : steps_of(&it->a, index[k]) * steps_of(&it->b, index[k]);
    }
    if (group->special)
        return;
    sum *= scale_factor(&it->a, index[0], &e, &points);
    sum *= scale_factor(&it->b, index[0], &f, &more);
    points += more - step_of(&it->a) - step_of(&it->b);
    place_term(group, (uint64_t)(sum < 0 ? -sum : sum), points, e + f, sum < 0);
}

void fpfmt_fill_group(const fpfmt_dot_task *it, fpfmt_alignment *group, fpfmt_value sum,
                      const size_t *index, size_t n)
{
    int32_t e = 0;
    group->count = 0;
    group->largest = INT32_MIN;
    group->sum = 0;
    group->special = !fpfmt_value_is_finite(sum);
    bool there = !group->special && !fpfmt_value_is_zero(sum) && it->how->late_bits == 0;
    uint64_t significand = there ? factor(it->to, sum, &e) : 0;
    place_term(group, significand, it->to->fraction_bits, e, sum.negative);
    for (size_t k = 0; k < n; k++)
        if (it->how->joined <= 1)
            place_product(it, group, index[k]);
        else if (k % it->how->joined == 0)
            place_joined(it, group, index + k, n - k < it->how->joined ? n - k : it->how->joined);
    if (!group->special && group->largest != INT32_MIN)
        align_terms(group, it->how->fraction_bits);
}
