/* aligned.c - groups aligned to their largest exponent, as tensor and matrix cores sum them up
 * SPDX-License-Identifier: MIT
 *
 * The model of Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores",
 * PeerJ Computer Science 7, 2021, and of later measurements: products are exact and not normalised;
 * they and the sum so far are shifted to the largest exponent among them and cut below a number of
 * fraction bits; the integers are summed exactly, and that sum is rounded or cut to the output.
 *
 * The sum so far may also join late, when the products are summed up, as in AMD's CDNA3: Khattak,
 * Mikaitis and Graziani, "Accurate Models of AMD Matrix Cores", arXiv 2609.14845; Xie and others,
 * MMA-Sim, arXiv 2511.10909. The products are cut toward zero as above; the two sums that meet then
 * are cut downward, in two's complement. */

#include "aligned.h"

#include "encode.h"
#include "reserved.h"

/* A value rounded to a format toward zero or to nearest even; past the largest value it is infinite
 * in either mode, as engines have it, where IEEE 754-2019 7.4 stops at the largest toward zero. */
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

/* A group's sum, in units of 2^unit, in the output format, or in one with fewer fraction bits where
 * the engine keeps fewer (nv-ada and wgmma of FP8: 13). */
static fpfmt_value group_value(const fpfmt_accumulator *how, const fpfmt_format *to, int64_t sum,
                               int32_t unit)
{
    fpfmt_value value = fpfmt_from_i64(sum);
    value.exponent += unit;
    fpfmt_format kept = *to;
    if (how->kept_bits != 0 && how->kept_bits < to->fraction_bits)
        kept.fraction_bits = how->kept_bits;
    return engine_value(&kept, value, how->nearest);
}

/* The one NaN of tensor cores has all payload bits set. That of CDNA3 is said to be negative, and
 * no more: here it is the canonical one with a sign. */
static fpfmt_value engine_nan(const fpfmt_accumulator *how)
{
    if (how->late_bits != 0)
        return (fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN, .negative = true };
    return (
        fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN, .significand = UINT64_MAX, .payload_bits = 64 };
}

/* A group that has an infinite or NaN term, or follows such a sum: infinities of one sign stay; of
 * both signs, with 0 x infinity or with NaN it is NaN. Finite terms do not matter. */
static fpfmt_value special_value(const fpfmt_dot_task *it, fpfmt_value sum, const size_t *index,
                                 size_t n)
{
    static const fpfmt_policy none = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    for (size_t k = 0; k < n; k++) {
        fpfmt_value term = fpfmt_special_term(it, at(&it->a, index[k]), at(&it->b, index[k]));
        sum = fpfmt_value_is_finite(sum) ? (fpfmt_value_is_finite(term) ? sum : term)
              : fpfmt_value_is_finite(term)
                  ? sum
                  : fpfmt_exact(FPFMT_OPERATION_ADD, sum, term, zero_value, &none, NULL);
    }
    return fpfmt_value_is_nan(sum) ? engine_nan(it->how) : sum;
}

/* x * 2^up, rounded down. What moves to the left has room there. */
static int64_t moved(int64_t x, int64_t up)
{
    if (up >= 0)
        return x * (INT64_C(1) << up);
    int down = up < -63 ? 63 : (int)-up;
    return x < 0 ? ~(~x >> down) : x >> down;
}

/* A total in units of 2^unit, cut downward to total_bits below its own exponent, which for
 * subnormal totals stays at the smallest normal's, and rounded. */
static fpfmt_value total_value(const fpfmt_dot_task *it, int64_t total, int32_t unit)
{
    int32_t exponent = unit + bit_length((uint64_t)(total < 0 ? -total : total)) - 1;
    int32_t emin = shape_emin(it->to);
    int32_t drop = (exponent > emin ? exponent : emin) - it->how->total_bits - unit;
    if (it->how->total_bits != 0 && drop > 0) {
        total = moved(total, -drop);
        unit += drop;
    }
    return group_value(it->how, it->to, total, unit);
}

/* The start added late to a sum of products in units of 2^(largest - fraction_bits). The larger of
 * their exponents, of which that of a start 0 is the smallest normal's, counts: under a larger
 * start the products' sum keeps late_bits, as does the start itself; else the start keeps
 * fraction_bits. A sum stays below 2^(7 + fraction_bits), and under a larger start moves by less
 * than late_bits - fraction_bits to the left: below 2^47. largest is INT32_MIN without products. */
static fpfmt_value add_start(const fpfmt_dot_task *it, int64_t sum, int32_t largest,
                             fpfmt_value start)
{
    const fpfmt_accumulator *how = it->how;
    int32_t e = shape_emin(it->to);
    int64_t own = fpfmt_value_is_zero(start) ? 0 : (int64_t)factor(it->to, start, &e);
    bool under = e > largest;
    int32_t unit = under ? e - how->late_bits : largest - how->fraction_bits;
    int64_t total = sum == 0 ? 0 : moved(sum, (int64_t)largest - how->fraction_bits - unit);
    if (how->start_reach == 0 || (int64_t)largest - e <= how->start_reach)
        total += moved(start.negative ? -own : own, (int64_t)e - it->to->fraction_bits - unit);
    return total_value(it, total, unit);
}

/* The indices of the elements of group number part of the block that begins at i; returns how many.
 * Where groups are interleaved a block has 32 elements, and of each four of them the first two are
 * part 0 and the others part 1; where parities are apart, a block is a group of two parts. */
static size_t elements_of(const fpfmt_accumulator *how, size_t i, size_t end, size_t part,
                          size_t index[GROUP_ELEMENTS])
{
    size_t n = 0;
    if (how->parities) {
        for (size_t k = part; k < how->group && i + k < end; k += 2)
            index[n++] = i + k;
        return n;
    }
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

/* One group and the sum so far, in the output format; group is filled in, for those who want to see
 * it. A group of zeros alone is +0. */
static fpfmt_value aligned_group(const fpfmt_dot_task *it, fpfmt_alignment *group, fpfmt_value sum,
                                 const size_t *index, size_t n)
{
    fpfmt_fill_group(it, group, sum, index, n);
    if (group->special)
        return special_value(it, sum, index, n);
    if (it->how->late_bits != 0)
        return add_start(it, group->sum, group->largest, sum);
    if (group->largest == INT32_MIN)
        return zero_value;
    return group_value(it->how, it->to, group->sum, group->largest - it->how->fraction_bits);
}

/* A group whose even and odd elements are aligned apart: the sum of smaller exponent is cut
 * downward to the units of the other, and then the start is added. */
static fpfmt_value group_of_parities(const fpfmt_dot_task *it, fpfmt_value sum, size_t i,
                                     size_t end)
{
    size_t index[2][GROUP_ELEMENTS], n[2];
    fpfmt_alignment part[2];
    for (size_t k = 0; k < 2; k++) {
        n[k] = elements_of(it->how, i, end, k, index[k]);
        fpfmt_fill_group(it, &part[k], zero_value, index[k], n[k]);
    }
    if (!fpfmt_value_is_finite(sum) || part[0].special || part[1].special)
        return special_value(it, special_value(it, sum, index[0], n[0]), index[1], n[1]);
    int32_t largest = part[0].largest > part[1].largest ? part[0].largest : part[1].largest;
    int64_t both = 0;
    for (size_t k = 0; k < 2; k++)
        both += moved(part[k].sum, (int64_t)part[k].largest - largest);
    return add_start(it, both, largest, sum);
}

/* The sum of two groups that were summed up apart: one addition to nearest even. */
static fpfmt_value added(const fpfmt_dot_task *it, fpfmt_value sum, fpfmt_value part)
{
    sum = fpfmt_exact(FPFMT_OPERATION_ADD, sum, part, zero_value, NULL, NULL);
    return fpfmt_value_is_nan(sum)      ? engine_nan(it->how)
           : fpfmt_value_is_finite(sum) ? engine_value(it->to, sum, true)
                                        : sum;
}

/* A block is a group, or the 32 elements whose groups are interleaved or summed up apart, from 0,
 * and then added to the sum. */
fpfmt_value fpfmt_aligned(fpfmt_dot_task *it, fpfmt_value sum, size_t i, size_t end)
{
    bool apart = it->how->apart;
    size_t index[GROUP_ELEMENTS], block = apart || it->how->interleaved ? 32 : it->how->group;
    fpfmt_alignment group;
    for (; i < end; i += block) {
        size_t stop = end - i < block ? end : i + block;
        if (it->how->parities) {
            sum = group_of_parities(it, sum, i, stop);
            continue;
        }
        fpfmt_value part = apart ? zero_value : sum;
        for (size_t k = 0; k * it->how->group < block; k++) {
            size_t n = elements_of(it->how, i, stop, k, index);
            part = aligned_group(it, &group, part, index, n);
        }
        sum = apart ? added(it, sum, part) : part;
    }
    return sum;
}

bool fpfmt_align(const fpfmt_format *to, const fpfmt_accumulator *how, fpfmt_alignment *group,
                 uint64_t start, fpfmt_series a, fpfmt_series b, size_t n)
{
    size_t index[GROUP_ELEMENTS];
    fpfmt_dot_task it = { .how = how, .to = to, .inner = to, .a = a, .b = b };
    if (fpfmt_accumulator_defect(how) != NULL || how->method != FPFMT_ACCUMULATE_ALIGNED ||
        to == NULL || n == 0 || !is_vacant(&a.reserved) || !is_vacant(&b.reserved) ||
        fpfmt_scales_defect(how, &a, &b) != NULL)
        return false;
    if (how->scales_late)
        it.a.scales.codes = it.b.scales.codes = NULL;
    memset(group->reserved, 0, sizeof group->reserved);
    n = how->promote != 0 && n > how->promote ? how->promote : n;
    n = elements_of(how, 0, n, 0, index);
    bool anew = how->apart || how->late_bits != 0 || how->promote != 0;
    fpfmt_value sum = anew ? zero_value : fpfmt_decode(to, start);
    group->code = fpfmt_encode(to, aligned_group(&it, group, sum, index, n), NULL, NULL);
    return true;
}
