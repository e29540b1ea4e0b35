/* bits.h - integer helpers that C11 lacks
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_BITS_H
#define FPFMT_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* For functions that are worth a copy of their code in every caller: because the caller's constants
 * make most of it go away, or because a call would cost as much as what it does. */
#if defined __GNUC__
#define FORCE_INLINE static inline __attribute__((always_inline))
#else
#define FORCE_INLINE static inline
#endif

/* n low bits set; n from 0 to 64. */
static inline uint64_t low_bits(int n)
{
    return n > 63 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
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

/* What is left of a number below its first bits, as two bits that are FPFMT_REMAINDER_...: is the
 * next bit set, and is anything after it? next: the 64 bits that follow; more: not 0 if there is
 * something below these. */
static inline uint8_t tail_of(uint64_t next, uint64_t more)
{
    return (uint8_t)(next >> 63 << 1 | ((next << 1 | more) != 0));
}

/* The high half of a * b; *low is the other. Of halves, a = a1:a0 and b = b1:b0, each sum stays
 * below 2^64: a product of halves is at most (2^32 - 1)^2, which leaves room for two halves more.
 * C11 has no 128-bit integers to do it with. */
static inline uint64_t multiply_wide(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low_product = a0 * b0, cross = a1 * b0 + (low_product >> 32);
    uint64_t middle = a0 * b1 + (uint32_t)cross;
    *low = middle << 32 | (uint32_t)low_product;
    return a1 * b1 + (cross >> 32) + (middle >> 32);
}

/* One digit of 32 bits of rest:next / divisor, where *rest < divisor; *rest becomes what is left.
 * This is step D3 of Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, for a divisor of
 * two digits whose top bit is set: the guess from its upper digit alone is right or at most 2 too
 * large. The lower digit corrects it, until the remainder of the guess, left, has more than one
 * digit. */
static inline uint64_t divide_step(uint64_t *rest, uint32_t next, uint64_t divisor)
{
    uint64_t upper = divisor >> 32, lower = (uint32_t)divisor;
    uint64_t guess = *rest / upper, left = *rest % upper;
    while (guess >> 32 != 0 || guess * lower > (left << 32 | next)) {
        guess--;
        left += upper;
        if (left >> 32 != 0)
            break;
    }
    *rest = (*rest << 32 | next) - guess * divisor;
    return guess;
}

/* high:low / divisor; *left is the remainder. high < divisor, so that the quotient fits into 64
 * bits, and the divisor's top bit is set. */
static inline uint64_t divide_wide(uint64_t high, uint64_t low, uint64_t divisor, uint64_t *left)
{
    uint64_t upper = divide_step(&high, (uint32_t)(low >> 32), divisor);
    uint64_t lower = divide_step(&high, (uint32_t)low, divisor);
    *left = high;
    return upper << 32 | lower;
}

/* a * b modulo a modulus whose top bit is set; one of a and b is below the modulus, so that the
 * high half of the product is. */
static inline uint64_t multiply_modulo(uint64_t a, uint64_t b, uint64_t modulus)
{
    uint64_t low, high = multiply_wide(a, b, &low), rest;
    divide_wide(high, low, modulus, &rest);
    return rest;
}

/* x * 2^n modulo a modulus whose top bit is set, for n from 0 up: 2^n by squaring, from the top bit
 * of n down, takes as many steps as n has bits. */
static inline uint64_t shifted_modulo(uint64_t x, int64_t n, uint64_t modulus)
{
    uint64_t power = 1;
    for (int bit = bit_length((uint64_t)n) - 1; bit >= 0; bit--) {
        power = multiply_modulo(power, power, modulus);
        if (n >> bit & 1)
            power = multiply_modulo(power, 2, modulus);
    }
    return multiply_modulo(x % modulus, power, modulus);
}

/* The number that 1, 2, 4 or 8 bytes at any address hold in the host's order. */
static inline uint64_t fpfmt_load(const void *from, size_t bytes)
{
    uint8_t narrow;
    uint16_t half;
    uint32_t whole;
    uint64_t wide;
    switch (bytes) {
    case 1: return memcpy(&narrow, from, sizeof narrow), narrow;
    case 2: return memcpy(&half, from, sizeof half), half;
    case 4: return memcpy(&whole, from, sizeof whole), whole;
    default: return memcpy(&wide, from, sizeof wide), wide;
    }
}

/* The low 1, 2, 4 or 8 bytes of code to any address, in the host's order. */
static inline void fpfmt_store(void *to, uint64_t code, size_t bytes)
{
    uint8_t narrow = (uint8_t)code;
    uint16_t half = (uint16_t)code;
    uint32_t whole = (uint32_t)code;
    switch (bytes) {
    case 1: memcpy(to, &narrow, sizeof narrow); break;
    case 2: memcpy(to, &half, sizeof half); break;
    case 4: memcpy(to, &whole, sizeof whole); break;
    default: memcpy(to, &code, sizeof code);
    }
}

#endif
