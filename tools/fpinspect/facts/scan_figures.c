/* scan_figures.c - what follows from the counts of a scan
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "facts/scan.h"
#include "kit/rounding.h"

/* 1.5 x 2^binade, or 2^binade. */
static fpfmt_value value_in(int binade, bool power)
{
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .exponent = binade,
                          .significand = power ? UINT64_C(1) << 63 : UINT64_C(3) << 62 };
}

binade_fate fate_of(const scan_target *target, int binade)
{
    unsigned flags = 0;
    fpfmt_value held =
        fpfmt_decode(&target->format, fpfmt_encode(&target->format, value_in(binade, false),
                                                   &target->policy, &flags));
    if (flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID))
        return HELD_OVER;
    return fpfmt_value_is_zero(held)           ? HELD_ZERO
           : held.kind == FPFMT_KIND_SUBNORMAL ? HELD_SUBNORMAL
                                               : HELD_NORMAL;
}

/* Does a magnitude become 0? */
static bool becomes_zero(const scan_target *target, fpfmt_value value)
{
    uint64_t code = fpfmt_encode(&target->format, value, &target->policy, NULL);
    return fpfmt_value_is_zero(fpfmt_decode(&target->format, code));
}

/* Values that would become 0, times 2^scale. Within a binade, without its power of two, all share
 * their fate: what is cut to 0 is cut below a power of two, or half of one. */
static uint64_t zeros_at(const scan_target *target, const value_counts *values, int scale)
{
    uint64_t zeros = 0;
    for (int i = 0; i < BINADES; i++) {
        int binade = i + BINADE_LEAST + scale;
        if (values->in_binade[i] == 0)
            continue;
        if (becomes_zero(target, value_in(binade, false)))
            zeros += values->in_binade[i] - values->powers[i];
        if (values->powers[i] > 0 && becomes_zero(target, value_in(binade, true)))
            zeros += values->powers[i];
    }
    return zeros;
}

static bool overflows_at(const scan_target *target, const value_counts *values, int scale)
{
    unsigned flags = 0;
    fpfmt_value largest = values->largest;
    largest.exponent += scale;
    fpfmt_encode(&target->format, largest, &target->policy, &flags);
    return (flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID)) != 0;
}

bool best_scale(int *exponent, const scan_target *target, const value_counts *values)
{
    int mode = target->policy.rounding;
    bool by_magnitude =
        mode != FPFMT_ROUND_UPWARD && mode != FPFMT_ROUND_DOWNWARD && !has_chance(mode);
    if (target->block != NULL || !by_magnitude || fpfmt_value_is_zero(values->largest))
        return false;
    int top = (int)fpfmt_measure(&target->format).emax - values->largest.exponent + 1;
    while (overflows_at(target, values, top))
        top--;
    if (top < 0) {
        *exponent = top;
        return true;
    }
    uint64_t fewest = zeros_at(target, values, top);
    int low = 0;
    /* More scale never makes more zeros, so that the smallest one is found by halving. */
    for (int high = top; low < high;) {
        int middle = low + (high - low) / 2;
        if (zeros_at(target, values, middle) == fewest)
            high = middle;
        else
            low = middle + 1;
    }
    *exponent = low;
    return low > 0;
}

bool rms_relative(double *made, const fpfmt_stats *stats, const value_counts *values)
{
    uint64_t of = stats->finite - values->zero;
    if (stats->finite <= values->zero)
        return false;
    *made = sqrt(fpfmt_to_f64(fpfmt_stats_relative(stats), NULL, NULL) / (double)of);
    return true;
}
