/* draw.h - the random bits of a tile of elements
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_DRAW_H
#define FPFMT_DRAW_H

#include "kernel.h"
#include "random.h"

enum { TILE = 256 }; /* elements: a multiple of what any set does at a time */

/* Blocks hold the words of four elements, or with word_2 of two; past the last index comes 0. */
static inline uint64_t last_block(uint32_t word_2)
{
    return UINT64_MAX >> (2 - word_2);
}

/* Words of count Philox blocks {block + i, word_2, 0}, four each; room for BLOCKS_MORE is left. */
typedef void fpfmt_philox(uint64_t seed, uint32_t word_2, uint64_t block, size_t count,
                          uint32_t *words);
enum { BLOCKS_MORE = 32 };

static inline void scalar_philox(uint64_t seed, uint32_t word_2, uint64_t block, size_t count,
                                 uint32_t *words)
{
    for (size_t i = 0; i < count; i++, words += 4) {
        uint64_t number = (block + i) & last_block(word_2);
        words[0] = (uint32_t)number;
        words[1] = (uint32_t)(number >> 32);
        words[2] = word_2;
        words[3] = 0;
        philox(words, seed);
    }
}

/* 64 bits per element that carry with the first 64 of the rest where the mode goes away. Where the
 * rest is rounded to N bits, half a unit of them is added to R; with ties to even, what lies on a
 * tie does not go if R is odd. */
static inline void draw_64(const fpfmt_encoder *k, const fpfmt_draw *draw, uint64_t index,
                           size_t count, fpfmt_philox *generate, uint64_t random[TILE])
{
    uint32_t words[2 * TILE + 4 * BLOCKS_MORE];
    int shift = 64 - k->random_bits;
    bool narrow = k->policy_bits;
    if (narrow)
        generate(draw->policy->seed, 0, index / 4, (index % 4 + count + 3) / 4, words);
    else
        generate(draw->policy->seed, 1, index / 2, (index % 2 + count + 1) / 2, words);
    for (size_t i = 0; i < count; i++) {
        size_t at = narrow ? index % 4 + i : 2 * (index % 2 + i);
        uint64_t low = narrow ? 0 : words[at], high = words[narrow ? at : at + 1];
        uint64_t all = high << 32 | low, top = all >> (shift & 63) << (shift & 63);
        uint64_t half = UINT64_C(1) << ((shift - 1) & 63);
        switch (k->chance) {
        case CHANCE_TIES_UP: random[i] = top + half; break;
        case CHANCE_TIES_EVEN: random[i] = top + half - (top >> (shift & 63) & 1); break;
        case CHANCE_EQUAL: random[i] = 0 - (all >> 63); break;
        default: random[i] = top; break;
        }
    }
}

#endif
