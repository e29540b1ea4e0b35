/* errors.h - what a finite number loses that became another one: in sums, and the largest
 * SPDX-License-Identifier: MIT
 *
 * For statistics (stats.c). Numbers are those of binary64: 53 bits at most, or fewer. */

#ifndef FPFMT_LIB_ERRORS_H
#define FPFMT_LIB_ERRORS_H

#include "sums.h"

enum {
    /* Places that a significand of 53 bits may be shifted up by to be subtracted from another: two
     * of 63 bits have a sum below 2^64, also where signs differ and it is a sum. */
    NEAR = 10,
    /* Relative errors enter their sum as integers of 24 bits times a power of two. Two numbers of
     * binary64 differ by 2^-53 of either of them or more, so that the last of 24 bits weighs 2^-76
     * or more, and twice RELATIVE_UNIT is below its square. From 2^RELATIVE_MOST on an error
     * counts as that: squares of 2^64 such errors are less than 2^160, which the sum has room for.
     */
    RELATIVE_BITS = 24,
    RELATIVE_UNIT = -80,
    RELATIVE_MOST = 48,
    RELATIVE_LIMBS = sizeof((fpfmt_stats *)NULL)->relative_squares / sizeof(uint64_t)
};

/* |x - y|: the first 64 bits, normalised, and cut tells of the rest; the next 64 of them; and
 * whether there is anything below these. */
typedef struct {
    number error;
    uint64_t next;
    bool more;
} difference;

static inline difference difference_of(uint64_t high, uint64_t low, bool more, int exponent)
{
    return (difference){ .error = first_bits(high, low, more, exponent),
                         .next = low << (64 - bit_length(high)),
                         .more = more };
}

/* |x - y|, neither of them 0. The one of the smaller exponent is shifted to where the other is,
 * into 128 bits; what falls off below takes one from their last bit if the magnitudes are
 * subtracted. Where they are added and carry, both end in zeros, as they have 53 bits at most. */
static inline difference distance(number x, number y)
{
    number large = normal(x), small = normal(y);
    if (large.exponent < small.exponent) {
        large = small;
        small = normal(x);
    }
    int shift = large.exponent - small.exponent, exponent = large.exponent - 64;
    /* large is high:0 and small part:low, in units of 2^exponent, and cut says that some of small
     * is below. */
    uint64_t high = large.significand, part = shift_right(small.significand, shift), low;
    bool cut = false;
    if (shift < 64) {
        low = small.significand << 1 << (63 - shift);
    } else {
        low = shift_right(small.significand, shift - 64);
        cut = (small.significand & low_bits(shift < 128 ? shift - 64 : 64)) != 0;
    }
    if (x.negative == y.negative) {
        low += cut;
        return difference_of(high - part - (low != 0), 0 - low, cut, exponent);
    }
    high += part;
    if (high >= part)
        return difference_of(high, low, cut, exponent);
    return difference_of(high >> 1 | UINT64_C(1) << 63, high << 63 | low >> 1, cut, exponent + 1);
}

/* |x - y|, and its square into the sum: exactly, at once if the difference has no more than 64
 * bits, which a rounding nearly always leaves; else as x^2 + y^2 less or more 2 x y. Zero takes the
 * other's exponent. */
static inline difference add_noise(uint64_t noise[FPFMT_SUM_LIMBS], number x, number y)
{
    if (x.significand == 0 || y.significand == 0) {
        x.exponent = x.significand == 0 ? y.exponent : x.exponent;
        y.exponent = x.exponent;
    }
    int shift = x.exponent - y.exponent;
    if (shift < -NEAR || shift > NEAR) {
        put_product(add_words, noise, x, x, 0);
        put_product(add_words, noise, y, y, 0);
        put_product(x.negative == y.negative ? subtract_words : add_words, noise, x, y, 1);
        return distance(x, y);
    }
    uint64_t a = x.significand << (shift > 0 ? shift : 0);
    uint64_t b = y.significand << (shift < 0 ? -shift : 0);
    number error = { .significand = x.negative != y.negative ? a + b
                                    : a > b                  ? a - b
                                                             : b - a,
                     .exponent = shift > 0 ? y.exponent : x.exponent };
    put_product(add_words, noise, error, error, 0);
    return (difference){ .error = error.significand == 0 ? error : normal(error) };
}

/* Is this error the larger one, or of two alike the first one? */
static inline bool is_worse(const fpfmt_value *best, uint64_t best_index, fpfmt_value error,
                            uint64_t index)
{
    bool larger = error.significand > best->significand;
    if (error.exponent != best->exponent && best->significand != 0 && error.significand != 0)
        larger = error.exponent > best->exponent;
    else if (error.significand == best->significand)
        larger = index < best_index;
    return larger;
}

/* The larger error, and of two alike the first one. */
static inline void keep_larger(fpfmt_value *best, uint64_t *best_index, fpfmt_value error,
                               uint64_t index)
{
    if (!is_worse(best, *best_index, error, index))
        return;
    *best = error;
    *best_index = index;
}

/* Is error / |x|, cut to 64 bits, larger than best, or as large if a tie is enough? Both normal. No
 * division: it is asked for each element, and divides only those that win. shift brings both sides
 * to one scale; where it is above 64 or below 63 their binades tell. */
static inline bool beats(number error, number x, const fpfmt_value *best, bool tie)
{
    /* error >= best * |x|, with one in the last place of best more where a tie is not enough. The
     * products of significands have up to 128 bits; error's is shifted up to where they are. */
    int shift = error.exponent - x.exponent - (best->exponent - 63);
    uint64_t product[2];
    if (best->significand == 0 || shift > 64)
        return true;
    if (shift < 63)
        return false;
    product[1] = multiply_wide(best->significand, x.significand, &product[0]);
    product[0] += tie ? 0 : x.significand;
    product[1] += !tie && product[0] < x.significand;
    uint64_t high = error.significand >> (64 - shift), low = error.significand << 1 << (shift - 1);
    return high > product[1] || (high == product[1] && low >= product[0]);
}

/* error / |x|, cut to 64 bits, both normal: by long division, seldom. */
static fpfmt_value quotient(number error, number x)
{
    uint64_t rest = error.significand, bits = rest >= x.significand;
    int exponent = error.exponent - x.exponent - (bits == 0);
    rest -= bits ? x.significand : 0;
    while (bits >> 63 == 0) {
        bool goes = rest >> 63 || rest << 1 >= x.significand;
        rest = (rest << 1) - (goes ? x.significand : 0);
        bits = bits << 1 | goes;
    }
    bool goes = rest >= x.significand - rest;
    rest -= goes ? x.significand - rest : 0;
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .inexact = tail_of((uint64_t)goes << 63, rest | error.cut),
                          .exponent = exponent,
                          .significand = bits };
}

/* The larger relative error, both numbers normal. */
static inline void keep_relative(fpfmt_stats *stats, number error, number x, uint64_t index)
{
    if (beats(error, x, &stats->relative, index < stats->relative_index))
        keep_larger(&stats->relative, &stats->relative_index, quotient(error, x), index);
}

/* |x - y| / |x|, both normal, to 24 bits and to nearest, ties to even, and its square into the sum.
 * The quotient of 32 bits that one step of a long division gives has its top bit set; what is left,
 * and all below, breaks its tie. */
static inline void add_relative(uint64_t sum[RELATIVE_LIMBS], difference apart, number x)
{
    uint64_t rest = apart.error.significand, next = apart.next;
    bool more = apart.more, over = rest >= x.significand;
    int exponent = apart.error.exponent - x.exponent - RELATIVE_BITS + over;
    /* A bit falls off only of numbers that differ by 2^64 or more, and are not near a tie. */
    if (over) {
        next = next >> 1 | rest << 63;
        rest >>= 1;
    }
    uint64_t bits = divide_step(&rest, (uint32_t)(next >> 32), x.significand);
    unsigned cut = (unsigned)bits & 0xFF;
    more |= rest != 0 || (uint32_t)next != 0;
    number error = { .significand = bits >> 8, .exponent = exponent };
    error.significand += cut > 0x80 || (cut == 0x80 && (more || (bits & 0x100) != 0));
    if (exponent + RELATIVE_BITS > RELATIVE_MOST)
        error = (number){ .significand = 1, .exponent = RELATIVE_MOST };
    put_at(add_words, sum, RELATIVE_LIMBS, (unsigned)(2 * (error.exponent - RELATIVE_UNIT)),
           error.significand * error.significand, 0);
}

/* A finite number x that became y, another one: its errors. Relative to zero there is none. */
static inline void add_error(fpfmt_stats *stats, number x, number y, uint64_t index)
{
    difference apart = add_noise(stats->noise, x, y);
    if (apart.error.significand == 0)
        return;
    keep_larger(&stats->absolute, &stats->absolute_index, value_of(apart.error), index);
    if (x.significand == 0)
        return;
    x = normal(x);
    add_relative(stats->relative_squares, apart, x);
    keep_relative(stats, apart.error, x, index);
}

#endif
