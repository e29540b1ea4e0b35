/* blocks.h - what the files of block formats share
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_BLOCKS_H
#define FPFMT_LIB_BLOCKS_H

#include <fpfmt.h>

#include "bits.h"
#include "reserved.h"

static inline void raise_if(unsigned *flags, unsigned flag, bool condition)
{
    if (flags != NULL && condition)
        *flags |= flag;
}

/* The code of the entry that a value goes to, and what that raises: inexact where the entry is
 * another value, underflow where it is 0, overflow past the ends; invalid for NaN, which becomes
 * the first entry, as comparisons with every threshold fail. */
uint64_t fpfmt_book_encode(const fpfmt_book *book, fpfmt_value value, const fpfmt_policy *policy,
                           unsigned *flags);

/* Which rule of soundness a book breaks, as a sentence; NULL if it is sound. */
const char *fpfmt_book_defect(const fpfmt_book *book);

/* Value a operation b as the arithmetic of binary32 gives it, to nearest even. */
fpfmt_value fpfmt_in_binary32(fpfmt_operation operation, fpfmt_value a, fpfmt_value b);

/* The value as a binary32, rounded to nearest even. */
fpfmt_value fpfmt_as_binary32(fpfmt_value value);

/* a / b and a x b, exactly but for what is past 64 bits, which is told as cut. */
fpfmt_value fpfmt_exact_quotient(fpfmt_value a, fpfmt_value b);
fpfmt_value fpfmt_exact_product(fpfmt_value a, fpfmt_value b);

/* A value as the recipe sees it: of those that compute in binary32 rounded to it, and flushed where
 * the recipe flushes. */
fpfmt_value fpfmt_as_seen(const fpfmt_recipe *recipe, fpfmt_value value);

/* What a block's values tell of its scale, one value after the other. */
typedef struct {
    fpfmt_value extreme; /* the first of the largest magnitude, infinite ones included */
    bool any, nan;       /* whether there was one that is no NaN, and one that is */
} fpfmt_seen;
void fpfmt_see(fpfmt_seen *seen, const fpfmt_recipe *recipe, fpfmt_value value);

/* The scale of a block of which this was seen; second asks BEST_OF_TWO for its other one. */
fpfmt_block_scale fpfmt_make_scale(const fpfmt_block *block, const fpfmt_recipe *recipe,
                                   const fpfmt_seen *seen, const fpfmt_tensor_scale *tensor,
                                   bool second);

/* Is every product of values of n formats a binary64? */
bool fpfmt_product_is_binary64(const fpfmt_format *const *parts, int n);

/* The policy that elements are rounded under, given that of the blocks. */
fpfmt_policy fpfmt_element_policy(const fpfmt_block *block, const fpfmt_policy *policy);

/* Adds a value x that became y, both binary64 if they are finite, to statistics; index is its
 * place. */
void fpfmt_stats_count(fpfmt_stats *stats, fpfmt_value x, fpfmt_value y, fpfmt_outcome outcome,
                       uint64_t index);

/* Is the sum of squared errors of a the smaller one? Exactly: of long blocks, sums may differ below
 * the 64 bits that fpfmt_stats_noise gives. */
bool fpfmt_stats_less_noise(const fpfmt_stats *a, const fpfmt_stats *b);

#endif
