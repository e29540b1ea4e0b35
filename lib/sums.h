/* sums.h - exact sums of products of floats and doubles, in fixed point
 * SPDX-License-Identifier: MIT
 *
 * Finite numbers of a carrier are multiples of 2^-1074 below 2^1024, and their products multiples
 * of 2^-2148 below 2^2048: 4196 bits, in which each product has its place, bit for bit, as in
 * Kulisch's long accumulator. The bits above, up to FPFMT_SUM_LIMBS limbs, are room for carries of
 * more products than an array can have elements. */

#ifndef FPFMT_LIB_SUMS_H
#define FPFMT_LIB_SUMS_H

#include <fpfmt.h>

#include "bits.h"

/* log2 of what every finite number is a multiple of. */
enum { SUM_UNIT = -1074 };

/* (-1)^negative * significand * 2^exponent; cut: and more below, FPFMT_REMAINDER_.... The
 * significand is an integer of any length up to 64 bits, and not always normalised. */
typedef struct {
    uint64_t significand;
    int exponent;
    bool negative;
    uint8_t cut;
} number;

/* With the top bit of the significand set, which is not 0. */
static inline number normal(number a)
{
    int up = 64 - bit_length(a.significand);
    a.significand <<= up;
    a.exponent -= up;
    return a;
}

/* A magnitude that is not zero as a positive value. */
static inline fpfmt_value value_of(number a)
{
    a = normal(a);
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .inexact = a.cut,
                          .exponent = a.exponent + 63,
                          .significand = a.significand };
}

/* The first 64 bits of two words, the higher one not 0; the lower one is in units of 2^exponent.
 * cut: there was something below the two already. */
static inline number first_bits(uint64_t high, uint64_t low, bool cut, int exponent)
{
    number it = { .significand = high, .exponent = exponent + 64 };
    int up = 64 - bit_length(high);
    it = normal(it);
    it.significand |= shift_right(low, 64 - up);
    it.cut = tail_of(low << up, cut);
    return it;
}

/* sum += words, modulo the room that sum has, in words of 64 bits, the lowest first; n <= room. A
 * carry runs on through the room there is. */
static inline void add_words(uint64_t *sum, size_t room, const uint64_t *words, size_t n)
{
    uint64_t carry = 0;
    size_t i = 0;
    for (; i < n; i++) {
        uint64_t limb = sum[i] + carry;
        carry = limb < carry;
        sum[i] = limb + words[i];
        carry += sum[i] < limb;
    }
    for (; carry && i < room; i++)
        carry = ++sum[i] == 0;
}

/* sum -= words, in the same way; below zero the sum is in two's complement. */
static inline void subtract_words(uint64_t *sum, size_t room, const uint64_t *words, size_t n)
{
    uint64_t borrow = 0;
    size_t i = 0;
    for (; i < n; i++) {
        uint64_t limb = sum[i] - borrow;
        borrow = limb > sum[i];
        borrow += limb < words[i];
        sum[i] = limb - words[i];
    }
    for (; borrow && i < room; i++)
        borrow = sum[i]-- == 0;
}

/* add_words or subtract_words. */
typedef void fpfmt_combine(uint64_t *sum, size_t room, const uint64_t *words, size_t n);

/* high:low * 2^place into a sum of so much room: up to 128 bits, which shifted to their place take
 * three words; of these, the ones above the room are 0. */
static inline void put_at(fpfmt_combine *into, uint64_t *sum, size_t room, unsigned place,
                          uint64_t low, uint64_t high)
{
    unsigned up = place % 64;
    uint64_t words[] = { low << up, high << up | low >> 1 >> (63 - up), high >> 1 >> (63 - up) };
    room -= place / 64;
    into(sum + place / 64, room, words, room < 3 ? room : 3);
}

/* |a * b| * 2^scale into a sum. The last bit of a product of two finite numbers weighs 2^(2
 * SUM_UNIT) or more, so that its place is not negative; a scale of 1 or 2 leaves it there. */
static inline void put_product(fpfmt_combine *into, uint64_t sum[FPFMT_SUM_LIMBS], number a,
                               number b, int scale)
{
    uint64_t low, high = multiply_wide(a.significand, b.significand, &low);
    put_at(into, sum, FPFMT_SUM_LIMBS, (unsigned)(a.exponent + b.exponent + scale - 2 * SUM_UNIT),
           low, high);
}

/* A sum of so many limbs, in units of 2^unit, that is not negative, as a value cut to 64 bits. */
static inline fpfmt_value read_limbs(const uint64_t *sum, size_t limbs, int unit)
{
    size_t top = limbs - 1;
    bool cut = false;
    while (top > 0 && sum[top] == 0)
        top--;
    if (sum[top] == 0)
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO };
    for (size_t i = 0; i + 1 < top; i++)
        cut |= sum[i] != 0;
    return value_of(
        first_bits(sum[top], top > 0 ? sum[top - 1] : 0, cut, 64 * (int)top - 64 + unit));
}

static inline fpfmt_value read_sum(const uint64_t sum[FPFMT_SUM_LIMBS])
{
    return read_limbs(sum, FPFMT_SUM_LIMBS, 2 * SUM_UNIT);
}

#endif
