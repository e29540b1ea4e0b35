/* draw.h - the random bits of a tile of elements
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_DRAW_H
#define FPFMT_DRAW_H

#include "kernel.h"
#include "random.h"

/* Elements of a tile: a multiple of what any set does at a time, which is 64 (four vectors of
 * sixteen floats). The arrays of a tile are to stay in the first cache, and what is done once a
 * tile is to weigh little. Measured on Zen 3 with avx2: 128 takes 4 to 5 % longer for encode_f32 up
 * and by chance, 512 from 1 % less to nothing. ./dev bench --only 'encode_f32 .* (rup|sr) avx2 L2'
 */
enum { TILE = 256 };

/* The last block that holds words of elements: a block has those of four elements, or with word_2
 * of 1 of two, so that the index UINT64_MAX is in this one. Behind it comes block 0, as the index
 * wraps. */
static inline uint64_t last_block(uint32_t word_2)
{
    return UINT64_MAX >> (2 - word_2);
}

/* A generator: the four words each of count blocks of Philox4x32-10 with the counters
 * {low, high, word_2, 0} of block, block + 1 and so on, and the key seed. word_2 is 0 or 1: see
 * random.h for which words are whose. A vector set makes many blocks at a time and may write up to
 * BLOCKS_MORE blocks behind the last one, for which the caller leaves room. */
typedef void fpfmt_philox(uint64_t seed, uint32_t word_2, uint64_t block, size_t count,
                          uint32_t *words);
enum { BLOCKS_MORE = 32 }; /* four vectors of eight counters, the most of any set: see philox.h */

/* The generator in plain C, which every other is held to. */
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

/* For DECIDE_CHANCE_64: of each of count elements from index on, the 64 bits that carry with the
 * first 64 bits of the rest exactly where the mode goes away. With R the element's N bits, and the
 * rest as a fraction of a step, that is by the chance of the mode's row
 *
 *   CHANCE_DISTANCE   R at the top. Where N is 64, that is R itself; else the rest is cut to N bits,
 *                     and its bits below carry with nothing.
 *   CHANCE_TIES_UP    R and half a unit of N bits: the rest is rounded to N bits, ties up.
 *   CHANCE_TIES_EVEN  R and half a unit, less 1 for an odd R: the rest is rounded to N bits, ties to
 *                     even. Let K be the rest cut to N bits. Only where K + R is 2^N - 1 does it
 *                     matter whether K is rounded up, and there K is even if R is odd: a tie must
 *                     stay, which the 1 sees to. If R is even, K is odd, and a tie goes up.
 *   CHANCE_EQUAL      All ones or none: any rest carries with ones, see carries in element.h. */
static inline void draw_64(const fpfmt_encoder *k, const fpfmt_draw *draw, uint64_t index,
                           size_t count, fpfmt_philox *generate, uint64_t random[TILE])
{
    uint32_t words[2 * TILE + 4 * BLOCKS_MORE];
    int shift = 64 - k->random_bits;
    bool narrow = k->policy_bits;
    if (narrow)
        generate(draw->policy->seed, 0, index / 4, ((size_t)(index % 4) + count + 3) / 4, words);
    else
        generate(draw->policy->seed, 1, index / 2, ((size_t)(index % 2) + count + 1) / 2, words);
    for (size_t i = 0; i < count; i++) {
        size_t at = narrow ? index % 4 + i : 2 * (index % 2 + i);
        uint64_t low = narrow ? 0 : words[at], high = words[narrow ? at : at + 1];
        /* Only narrow modes, with N from 1 to 32, use what is shifted by shift or shift - 1; & 63
         * keeps the shifts of the others defined. */
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
