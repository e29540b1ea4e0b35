/* random.h - (seed, index) to random bits: Philox4x32-10, Salmon et al., SC 2011
 * SPDX-License-Identifier: MIT
 *
 * Counter based: the bits of element i depend on nothing but the seed and i, so that neither the
 * order nor the number of threads can change them. */

#ifndef FPFMT_RANDOM_H
#define FPFMT_RANDOM_H

#include <stdint.h>

/* One of ten rounds: two products of 32 x 32 bits, whose halves change places and are mixed with
 * the other words and the key. */
static inline void philox_round(uint32_t counter[4], const uint32_t key[2])
{
    uint64_t even = UINT64_C(0xD2511F53) * counter[0], odd = UINT64_C(0xCD9E8D57) * counter[2];
    uint32_t first = (uint32_t)(odd >> 32) ^ counter[1] ^ key[0];
    uint32_t third = (uint32_t)(even >> 32) ^ counter[3] ^ key[1];
    counter[0] = first;
    counter[1] = (uint32_t)odd;
    counter[2] = third;
    counter[3] = (uint32_t)even;
}

/* Replaces the counter by its four random words. The known answers of the authors' library hold
 * this to the paper in tests/test_random.c: a counter and a key of zeros give 6627e8d5 e169c58d
 * bc57ac4c 9b00dbd8. */
static inline void philox(uint32_t counter[4], uint64_t seed)
{
    uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    for (int i = 0; i < 10; i++) {
        philox_round(counter, key);
        key[0] += 0x9E3779B9; /* the golden ratio less 1, and sqrt(3) - 1, times 2^32 */
        key[1] += 0xBB67AE85;
    }
}

/* 32 bits for element index: word index mod 4 of counter {index / 4, 0, 0}, where index / 4 is of
 * two words. Four elements share a block, which kernels make once for all four: draw.h. The third
 * word of the counter is 0 here and 1 below, so that an element's 32 bits and its 64 are of
 * different blocks.
 */
static inline uint32_t random_32(uint64_t seed, uint64_t index)
{
    uint32_t counter[4] = { (uint32_t)(index / 4), (uint32_t)(index / 4 >> 32), 0, 0 };
    philox(counter, seed);
    return counter[index % 4];
}

/* 64 bits: words 2 (index mod 2), the low half, and the next of counter {index / 2, 1, 0}. */
static inline uint64_t random_64(uint64_t seed, uint64_t index)
{
    uint32_t counter[4] = { (uint32_t)(index / 2), (uint32_t)(index / 2 >> 32), 1, 0 };
    philox(counter, seed);
    unsigned low = 2 * (unsigned)(index % 2);
    return (uint64_t)counter[low + 1] << 32 | counter[low];
}

#endif
