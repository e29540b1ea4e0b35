/* aligned.h - a group of an aligned accumulator while its terms are made
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_ALIGNED_H
#define FPFMT_ALIGNED_H

#include "accumulate.h"

/* Of a group, where some are joined; else there are no more of them than terms. */
enum { GROUP_ELEMENTS = 2 * FPFMT_GROUP_MAX };

/* A finite factor that is not zero, as the hardware sees it: its significand as an integer of
 * fraction_bits + 1 bits, and its exponent, which for subnormals stays at the smallest normal's. A
 * product of factors then has an exponent that the significands did not change. */
static inline uint64_t factor(const fpfmt_format *format, fpfmt_value value, int32_t *exponent)
{
    int emin = shape_emin(format);
    *exponent = value.exponent > emin ? value.exponent : emin;
    return shift_right(value.significand, 63 - format->fraction_bits + *exponent - value.exponent);
}

/* Fraction bits of a series' significands; one that stands for ones has none. */
static inline int points_of(const fpfmt_series *series)
{
    return series->codes == NULL ? 0 : series->format->fraction_bits;
}

/* log2 of what the elements of a series are below. */
static inline int bound_of(const fpfmt_series *series)
{
    return series->codes == NULL ? 1 : shape_emax(series->format) + 1;
}

/* log2 of the step of a series' format, of which its finite elements are whole multiples. */
static inline int step_of(const fpfmt_series *series)
{
    return series->codes == NULL ? 0 : shape_emin(series->format) - series->format->fraction_bits;
}

/* The product of two elements by their scales, of which an infinity or NaN counts alone: what is
 * finite is 0. */
fpfmt_value fpfmt_special_term(const fpfmt_dot_task *it, fpfmt_value a, fpfmt_value b);

/* Fills in a group: the sum so far, which is term 0 unless it is added late, and the products of n
 * elements with these indices. Nothing is aligned where a term is special or all are zero. */
void fpfmt_fill_group(const fpfmt_dot_task *it, fpfmt_alignment *group, fpfmt_value sum,
                      const size_t *index, size_t n);

#endif
