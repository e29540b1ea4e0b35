/* bits.h - integer helpers that C11 lacks
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_BITS_H
#define FPFMT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n low bits set; n from 0 to 64. */
static inline uint64_t low_bits(int n)
{
    return n <= 0 ? 0 : UINT64_MAX >> (64 - n);
}

/* The number of bits of x: 0 for 0, 64 for UINT64_MAX. */
static inline int bit_length(uint64_t x)
{
#if defined __GNUC__
    return x == 0 ? 0 : 64 - __builtin_clzll(x);
#else
    int n = 0;
    for (int step = 32; step > 0; step /= 2)
        if (x >> step != 0) {
            n += step;
            x >>= step;
        }
    return n + (x != 0);
#endif
}

/* x / 2^n rounded down, for any n from 0 up. */
static inline uint64_t shift_right(uint64_t x, int n)
{
    return n > 63 ? 0 : x >> n;
}

#endif
