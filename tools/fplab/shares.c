/* shares.c - how many of a layer's outputs a format holds whole, found and expected
 * SPDX-License-Identifier: MIT */

#include "shares.h"

#include "figures.h"
#include "normal.h"

/* Half of the smallest value is a tie, which goes to the even neighbour 0. */
landmarks landmarks_of(const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    double least = fpfmt_to_f64(fpfmt_decode(format, limits.min_positive), NULL, NULL);
    return (landmarks){
        .max = fpfmt_to_f64(fpfmt_decode(format, limits.max), NULL, NULL),
        .min_normal = fpfmt_to_f64(fpfmt_decode(format, limits.min_normal), NULL, NULL),
        .zero = divide64(least, 2),
    };
}

shares count_shares(const landmarks *at, const float *values, size_t n)
{
    uint64_t beyond = 0, below = 0, flushed = 0;
    for (size_t i = 0; i < n; i++) {
        double magnitude = values[i] < 0 ? -(double)values[i] : (double)values[i];
        beyond += magnitude > at->max;
        below += magnitude < at->min_normal;
        flushed += magnitude <= at->zero;
    }
    double all = from_count(n);
    return (shares){ divide64(from_count(beyond), all), divide64(from_count(below), all),
                     divide64(from_count(flushed), all) };
}

shares expect_shares(const landmarks *at, double deviation)
{
    return (shares){ normal_beyond(divide64(at->max, deviation)),
                     normal_within(divide64(at->min_normal, deviation)),
                     normal_within(divide64(at->zero, deviation)) };
}
