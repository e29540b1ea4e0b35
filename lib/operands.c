/* operands.c - which formats and scales an accumulator takes
 * SPDX-License-Identifier: MIT */

#include "aligned.h"
#include "blocks.h"

/* Significands of products are below 4: two bits more than their fraction bits, in 64. Where
 * products are joined the sum of a group, of up to 2^6 of them with scales below 4, is to stay
 * below 2^62 in units of 2^-fraction_bits; and their steps below 2^62. */
bool fpfmt_can_align(const fpfmt_dot_task *it)
{
    if (it->how->joined > 1)
        return bound_of(&it->a) + bound_of(&it->b) + 6 + 2 + it->how->fraction_bits <= 62 &&
               bound_of(&it->a) + bound_of(&it->b) + points_of(&it->a) + points_of(&it->b) <= 30;
    return points_of(&it->a) + points_of(&it->b) <= 62;
}

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

const char *fpfmt_scales_defect(const fpfmt_accumulator *how, const fpfmt_series *a,
                                const fpfmt_series *b)
{
    const fpfmt_series *both[2] = { a, b };
    for (int i = 0; i < 2; i++) {
        const fpfmt_scales *scales = &both[i]->scales;
        if (series_defect(both[i]) != NULL)
            return series_defect(both[i]);
        if (scales->codes == NULL)
            continue;
        if (how->scales_late && how->promote != 0) {
            if (scales->size % how->promote != 0)
                return "a promoted sum crosses a scale";
        } else if (how->joined > 1) {
            if (scales->size % how->joined != 0)
                return "joined products do not share a scale";
        } else if (how->method == FPFMT_ACCUMULATE_ALIGNED && !has_powers_only(scales->format)) {
            return "the accumulator takes scales that are powers of two, as e8m0";
        }
    }
    return NULL;
}
