/* tallies.h - what tallies of floats tell, into statistics
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_TALLIES_H
#define FPFMT_LIB_TALLIES_H

#include "ranges.h"

/* The ranges of a tally of numbers 2^by times those that the reading, of binary32, is of. */
fpfmt_ranges fpfmt_ranges_of(const fpfmt_reading *it, int by);

/* The bins of floats' exponents into the sums, and away; before they hold more than TALLY_TERMS
 * squares together. */
void fpfmt_empty_bins(fpfmt_stats *stats, fpfmt_bins bins[TALLY_SUMS]);

/* The plain ones of n pairs that were tallied, with zeros behind them up to the next multiple of 8;
 * the first has this index. */
void fpfmt_take_tally(fpfmt_stats *stats, const fpfmt_tally *tally, const uint32_t *x, size_t n,
                      uint64_t first);

/* The first pair from i on that was not plain, n if there is none; its user takes it one by one. */
size_t fpfmt_next_left(const fpfmt_tally *tally, size_t i, size_t n);

#endif
