/* tallies.c - what tallies of floats tell, into statistics
 * SPDX-License-Identifier: MIT */

#include "tallies.h"

#include "errors.h"

enum { FRACTION = 23, EXPONENT_OF_UNIT = 150 };
static const uint32_t SIGN = UINT32_C(1) << 31, INFINITE = UINT32_C(0xFF) << FRACTION;

/* An end of a range of magnitudes, times 2^by. Where that leaves the floats it lies below or above
 * all that is plain; 0 and infinity stay. */
static uint32_t moved(uint64_t end, int by)
{
    int64_t to = (int64_t)end + (int64_t)by * (INT64_C(1) << FRACTION);
    if (end == 0 || end >= INFINITE)
        return end == 0 ? 0 : INFINITE;
    return to < 0 ? 0 : to > INFINITE ? INFINITE : (uint32_t)to;
}

/* The ends of what is plain leave room for the differences and quotients of floats, down to 2^-25
 * and up to 2^25 of them, to be normal numbers. */
fpfmt_ranges fpfmt_ranges_of(const fpfmt_reading *it, int by)
{
    return (fpfmt_ranges){ .least = UINT32_C(32) << FRACTION,
                           .most = UINT32_C(224) << FRACTION,
                           .smallest = moved(it->smallest, by),
                           .largest = moved(it->largest, by),
                           .tiny = moved(it->tiny, by),
                           .stays = moved(it->stays, by),
                           .beyond = moved(it->beyond, by),
                           .has_sign = it->signed_format };
}

/* The number that the magnitude of a normal float is. */
static number number_in(uint32_t magnitude)
{
    const uint32_t hidden = UINT32_C(1) << FRACTION;
    return (number){ .significand = (magnitude & (hidden - 1)) | hidden,
                     .exponent = (int)(magnitude >> FRACTION) - EXPONENT_OF_UNIT };
}

/* The bins of floats' exponents into the sums, and away. A sum's bins hold integers of squares, in
 * units of 2^(2 * (exponent field - 150)), of which the terms of all turns fit into one word. */
void fpfmt_empty_bins(fpfmt_stats *stats, fpfmt_bins bins[TALLY_SUMS])
{
    uint64_t *const sums[] = { stats->signal, stats->noise, stats->relative_squares };
    const size_t limbs[] = { FPFMT_SUM_LIMBS, FPFMT_SUM_LIMBS, RELATIVE_LIMBS };
    const int units[] = { SUM_UNIT, SUM_UNIT, RELATIVE_UNIT };
    for (int k = 0; k < TALLY_SUMS; k++)
        for (int field = 0; field < 256; field++) {
            const uint64_t *turn = bins[k] + field * TALLY_TURNS;
            uint64_t sum = turn[0] + turn[1] + turn[2] + turn[3];
            if (sum != 0)
                put_at(add_words, sums[k], limbs[k],
                       (unsigned)(2 * (field - EXPONENT_OF_UNIT - units[k])), sum, 0);
        }
    memset(bins, 0, TALLY_SUMS * sizeof *bins);
}

/* The largest errors of a tile's plain pairs. Quotients were rounded to 24 bits, which keeps their
 * order: only those pairs can have the largest one whose rounded one is largest, and only if that
 * is not below the best one so far, cut to 24 bits. None is above a best one of 1 where it rounds
 * to that: two floats have no quotient that near above 1. */
static void take_largest(fpfmt_stats *stats, const fpfmt_tally *tally, const uint32_t *x, size_t n,
                         uint64_t first)
{
    const fpfmt_value *best = &stats->relative;
    uint32_t largest = tally->largest_error, bound = 0, one = 127 << FRACTION;
    size_t i = 0;
    if (largest == 0)
        return;
    fpfmt_value error = value_of(number_in(largest));
    if (is_worse(&stats->absolute, stats->absolute_index, error, first)) {
        while (tally->error[i] != largest)
            i++;
        keep_larger(&stats->absolute, &stats->absolute_index, error, first + i);
    }
    largest = tally->largest_relative;
    if (best->significand != 0 && best->exponent > -127)
        bound = best->exponent > 127 ? UINT32_MAX
                                     : (uint32_t)(best->exponent + 126) * (one / 127) +
                                           (uint32_t)(best->significand >> 40);
    bool is_one = best->significand == UINT64_C(1) << 63 && best->exponent == 0;
    if (largest < bound || (is_one && largest == one && first > stats->relative_index))
        return;
    for (i = 0; i < n; i++)
        if (tally->relative[i] == largest)
            keep_relative(stats, normal(number_in(tally->error[i])),
                          normal(number_in(x[i] & ~SIGN)), first + i);
}

void fpfmt_take_tally(fpfmt_stats *stats, const fpfmt_tally *tally, const uint32_t *x, size_t n,
                      uint64_t first)
{
    uint32_t more = (uint32_t)((0 - n) % 8);
    stats->exact += tally->exact - more;
    stats->underflow += tally->underflow;
    stats->subnormal += tally->subnormal;
    stats->saturated += tally->saturated;
    stats->inexact +=
        tally->plain - tally->exact - tally->underflow - tally->subnormal - tally->saturated;
    stats->finite += tally->plain - more;
    stats->nonzero += tally->plain - tally->zero;
    take_largest(stats, tally, x, n, first);
}

size_t fpfmt_next_left(const fpfmt_tally *tally, size_t i, size_t n)
{
    while (i < n) {
        unsigned left = (tally->is_plain[i / 8] ^ 0xFFu) >> i % 8;
        if (left != 0)
            return i + (size_t)bit_length(left & (0 - left)) - 1;
        i += 8 - i % 8;
    }
    return n;
}
