/* operands.c - which formats and scales an accumulator takes
 * SPDX-License-Identifier: MIT */

#include "aligned.h"
#include "blocks.h"

/* Does the format have scales that are powers of two alone? */
static bool has_powers_only(const fpfmt_format *format)
{
    return format->exponent_bits != 0 && format->fraction_bits == 0;
}

/* Codes of a series and its scales: that formats are sound, and products binary64. */
static const char *series_defect(const fpfmt_series *series)
{
    const fpfmt_scales *scales = &series->scales;
    if (scales->codes == NULL)
        return NULL;
    if (series->codes == NULL)
        return "ones have no scales";
    if (scales->size == 0)
        return "no elements share a scale";
    if (fpfmt_defect(scales->format) != NULL || fpfmt_defect(series->format) != NULL)
        return "the format of elements or of scales has a defect";
    const fpfmt_format *parts[2] = { series->format, scales->format };
    return fpfmt_product_is_binary64(parts, 2) ? NULL
                                               : "not every element by its scale is a binary64";
}

/* Bits of the significands of a series' scales, where they are factors of terms. */
static int scale_bits(const fpfmt_accumulator *how, const fpfmt_series *series)
{
    return series->scales.codes == NULL || how->scales_late
               ? 0
               : series->scales.format->fraction_bits + 1;
}

/* Whether joined products fit: an element is a whole number of its format's steps, so that a sum of
 * products, times the significands of both scales, has to stay within 62 bits; and so has, in units
 * of 2^-fraction_bits, the sum of a group, of products below 2^bound with scales below 2 each. */
static bool fits_joined(const fpfmt_accumulator *how, const fpfmt_series *a, const fpfmt_series *b)
{
    int bound = bound_of(a) + bound_of(b), steps = bound - step_of(a) - step_of(b);
    return steps + bit_length(how->joined - 1u) + scale_bits(how, a) + scale_bits(how, b) <= 62 &&
           bound + bit_length(how->group - 1u) + 2 + how->fraction_bits <= 62;
}

/* Why an aligned accumulator's integers do not hold the terms: significands of products are below
 * 4, which is two bits more than their fraction bits, in 64. */
static const char *width_defect(const fpfmt_accumulator *how, const fpfmt_series *a,
                                const fpfmt_series *b)
{
    if (how->method != FPFMT_ACCUMULATE_ALIGNED)
        return NULL;
    if (how->joined > 1)
        return fits_joined(how, a, b) ? NULL
                                      : "joined products and their scales do not fit into 62 bits";
    return points_of(a) + points_of(b) <= 62
               ? NULL
               : "products to be aligned have more than 62 fraction bits";
}

/* Why the accumulator does not take the scales of a series. */
static const char *scale_defect(const fpfmt_accumulator *how, const fpfmt_series *series)
{
    const fpfmt_scales *scales = &series->scales;
    const char *defect = series_defect(series);
    if (scales->codes == NULL || defect != NULL)
        return defect;
    if (how->scales_late)
        return scales->size % how->promote == 0 ? NULL : "a promoted sum crosses a scale";
    if (how->joined > 1)
        return scales->size % how->joined == 0 && how->promote % how->joined == 0
                   ? NULL
                   : "joined products do not share a scale";
    return how->method != FPFMT_ACCUMULATE_ALIGNED || has_powers_only(scales->format)
               ? NULL
               : "the accumulator takes scales that are powers of two, as e8m0";
}

const char *fpfmt_scales_defect(const fpfmt_accumulator *how, const fpfmt_series *a,
                                const fpfmt_series *b)
{
    if (fpfmt_accumulator_defect(how) != NULL)
        return fpfmt_accumulator_defect(how);
    if (a == NULL || b == NULL)
        return "there is no operand";
    if (!has_format(a) || !has_format(b))
        return "an operand has no format";
    const char *defect = scale_defect(how, a);
    if (defect == NULL)
        defect = scale_defect(how, b);
    return defect != NULL ? defect : width_defect(how, a, b);
}
