/* wide.h - exact magnitudes of 192 bits: what a product, a sum or a quotient takes before it is cut
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_WIDE_H
#define FPFMT_WIDE_H

#include <fpfmt.h>

#include "bits.h"

/* (-1)^negative * limb[2]:limb[1]:limb[0] * 2^(exponent - 191), the top bit of limb[2] set unless
 * the magnitude is zero; exponent is then that of the value, as in fpfmt_value, and means nothing
 * for zero. tail: something not zero was cut off below. A product takes 128 bits, and the sum of a
 * product and a value that lie within reach of each other 191; hence three limbs. */
typedef struct {
    uint64_t limb[3];
    int64_t exponent;
    bool negative, tail;
} wide;

static inline bool wide_is_zero(const wide *x)
{
    return x->limb[2] == 0;
}

/* A finite value. */
static inline wide wide_from(fpfmt_value value)
{
    bool zero = fpfmt_value_is_zero(value);
    return (wide){ .limb = { 0, 0, zero ? 0 : value.significand },
                   .exponent = value.exponent,
                   .negative = value.negative };
}

/* An exponent as fpfmt_value holds it. Values of formats lie between 2^-1074 and 2^1024, so that
 * beyond 2^24 every format has long overflowed or underflowed, in any mode; fpfmt_parse clamps
 * there too. */
static inline int32_t wide_clamp(int64_t exponent)
{
    enum { FAR = 1 << 24 };
    return exponent > FAR ? FAR : exponent < -FAR ? -FAR : (int32_t)exponent;
}

/* Cut to 64 bits, with what was lost in inexact: what the one rounding that follows wants. */
static inline fpfmt_value wide_value(const wide *x)
{
    if (wide_is_zero(x))
        return (fpfmt_value){ .kind = FPFMT_KIND_ZERO, .negative = x->negative };
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .negative = x->negative,
                          .inexact = tail_of(x->limb[1], x->limb[0] | x->tail),
                          .exponent = wide_clamp(x->exponent),
                          .significand = x->limb[2] };
}

/* Shifts the limbs of x, not zero, by n bits, from 1 up, and keeps the exponent: the value becomes
 * smaller, and the caller knows by how much. What falls off goes into tail. */
static inline void wide_shift_right(wide *x, int64_t n)
{
    uint64_t high = x->limb[2], middle = x->limb[1], low = x->limb[0], lost = 0;
    if (n >= 192) {
        *x = (wide){ .exponent = x->exponent, .negative = x->negative, .tail = true };
        return;
    }
    for (; n >= 64; n -= 64) {
        lost |= low;
        low = middle;
        middle = high;
        high = 0;
    }
    int left = 63 - (int)n; /* and one more, as a shift by 64 is not defined */
    lost |= low << 1 << left;
    x->limb[0] = low >> n | middle << 1 << left;
    x->limb[1] = middle >> n | high << 1 << left;
    x->limb[2] = high >> n;
    x->tail |= lost != 0;
}

/* Moves the highest bit that is set to the top, and the exponent with it: the value stays. */
static inline void wide_normalise(wide *x)
{
    for (int i = 0; i < 2 && x->limb[2] == 0; i++) {
        x->limb[2] = x->limb[1];
        x->limb[1] = x->limb[0];
        x->limb[0] = 0;
        x->exponent -= 64;
    }
    if (x->limb[2] == 0)
        return;
    int n = 64 - bit_length(x->limb[2]);
    x->limb[2] = x->limb[2] << n | x->limb[1] >> 1 >> (63 - n);
    x->limb[1] = x->limb[1] << n | x->limb[0] >> 1 >> (63 - n);
    x->limb[0] <<= n;
    x->exponent -= n;
}

/* Whether |a| < |b|; tails are not looked at, and both are normalised. */
static inline bool wide_less(const wide *a, const wide *b)
{
    if (wide_is_zero(a) || wide_is_zero(b))
        return wide_is_zero(a) && !wide_is_zero(b);
    /* The larger of two is as good as random: no branches but for what differs late. */
    bool same = (a->exponent == b->exponent) & (a->limb[2] == b->limb[2]);
    if (same && a->limb[1] != b->limb[1])
        return a->limb[1] < b->limb[1];
    if (same)
        return a->limb[0] < b->limb[0];
    return (a->exponent < b->exponent) | ((a->exponent == b->exponent) & (a->limb[2] < b->limb[2]));
}

/* a + b + *carry, and *carry becomes that of the sum: 0 or 1, as it was. */
static inline uint64_t add_carrying(uint64_t a, uint64_t b, uint64_t *carry)
{
    uint64_t part = a + b, sum = part + *carry;
    *carry = (part < a) | (sum < part);
    return sum;
}

/* The sum of a and b, of at most 191 bits each. Its sign is that of the larger operand, also where
 * the sum is zero. The smaller is shifted to the place of the larger, and what falls off below 191
 * bits goes into tail. Callers see to it that bits of an operand fall off, or that it has a tail,
 * only where it lies so far below the other that the sum keeps at least 127 good bits: after a
 * cancellation nothing could say how many of them were lost. */
static inline wide wide_sum(const wide *a, const wide *b)
{
    bool swap = wide_less(a, b);
    const wide *larger = swap ? b : a, *smaller = swap ? a : b;
    if (wide_is_zero(smaller))
        return *larger;
    wide sum = { .limb = { larger->limb[0], larger->limb[1], larger->limb[2] },
                 .exponent = larger->exponent + 1,
                 .negative = larger->negative,
                 .tail = larger->tail };
    wide term = { .limb = { smaller->limb[0], smaller->limb[1], smaller->limb[2] },
                  .tail = smaller->tail };
    wide_shift_right(&term, larger->exponent - smaller->exponent + 1);
    wide_shift_right(&sum, 1); /* room for a carry */
    sum.tail |= term.tail;
    /* To subtract is to add the complement and 1. If the term has a tail too, its bits were cut
     * toward zero, and one unit more is taken away: the difference is then too small by less than a
     * unit, which its own tail says. */
    bool subtract = larger->negative != smaller->negative;
    uint64_t flip = 0 - (uint64_t)subtract, carry = subtract & !term.tail;
    sum.limb[0] = add_carrying(sum.limb[0], term.limb[0] ^ flip, &carry);
    sum.limb[1] = add_carrying(sum.limb[1], term.limb[1] ^ flip, &carry);
    sum.limb[2] = add_carrying(sum.limb[2], term.limb[2] ^ flip, &carry);
    wide_normalise(&sum);
    return sum;
}

/* Exact, of two finite values: 128 bits. */
static inline wide wide_product(fpfmt_value a, fpfmt_value b)
{
    bool zero = fpfmt_value_is_zero(a) || fpfmt_value_is_zero(b);
    wide product = { .exponent = (int64_t)a.exponent + b.exponent + 1,
                     .negative = a.negative != b.negative };
    if (!zero)
        product.limb[2] = multiply_wide(a.significand, b.significand, &product.limb[1]);
    wide_normalise(&product);
    return product;
}

/* a / b to 128 bits after the point, and the rest as tail; b is not zero. Both significands have
 * their top bits set, so that the quotient lies between 1/2 and 2, and division of two limbs by one
 * gives one limb at a time. */
static inline wide wide_quotient(fpfmt_value a, fpfmt_value b)
{
    wide quotient = { .exponent = (int64_t)a.exponent - b.exponent + 63,
                      .negative = a.negative != b.negative };
    if (fpfmt_value_is_zero(a))
        return (wide){ .negative = quotient.negative };
    uint64_t rest = a.significand;
    quotient.limb[2] =
        rest >= b.significand; /* the units, 1 at most; 128 bits after the point follow */
    rest -= quotient.limb[2] != 0 ? b.significand : 0;
    quotient.limb[1] = divide_wide(rest, 0, b.significand, &rest);
    quotient.limb[0] = divide_wide(rest, 0, b.significand, &rest);
    quotient.tail = rest != 0;
    wide_normalise(&quotient);
    return quotient;
}

/* The largest integer whose square is at most n, for n from 2^62 up, so that it has 32 bits; *rest
 * is n less that square. Bit by bit, as on paper. */
static inline uint64_t root_of(uint64_t n, uint64_t *rest)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 62; bit != 0; bit >>= 2) {
        bool fits = n >= root + bit;
        n -= fits ? root + bit : 0;
        root = (root >> 1) + (fits ? bit : 0);
    }
    *rest = n;
    return root;
}

/* What is left of the root of n = limb[2]:limb[1], and more in limb[0] and tail, below its integer
 * part. n is compared with the square of root + 1/2, which is root^2 + root + 1/4. */
static inline uint8_t root_tail(const wide *n, uint64_t root)
{
    const uint64_t quarter = UINT64_C(1) << 62;
    uint64_t low, high = multiply_wide(root, root, &low), rest = n->limb[1] - low;
    bool carried = n->limb[2] - high != (n->limb[1] < low); /* the rest is at most 2 root */
    if (carried || rest != root)
        return tail_of(carried || rest > root ? UINT64_MAX : 0, rest | n->limb[0] | n->tail);
    if (n->limb[0] == quarter && !n->tail)
        return FPFMT_REMAINDER_HALF;
    return n->limb[0] >= quarter ? FPFMT_REMAINDER_ABOVE_HALF : FPFMT_REMAINDER_BELOW_HALF;
}

/* The square root of x > 0, cut to 64 bits, and whether anything was cut. The value is written as
 * N * 4^k, N an integer from 2^126 to 2^128 - 1; the root of N is found as in Zimmermann,
 * "Karatsuba square root", INRIA RR-3805, 1999: the upper 32 bits of the root are those of the root
 * of N's upper half; the lower are what that leaves, with the next 32 bits of N behind it, over
 * twice the upper. That is at most 1 too large, and is if the square of the lower exceeds what is
 * left at last. */
static inline fpfmt_value wide_root(const wide *x)
{
    wide even = *x;
    if (even.exponent % 2 == 0)
        wide_shift_right(&even, 1); /* even.limb[2]:even.limb[1] is N now */
    int64_t exponent = (even.exponent - (even.exponent % 2 != 0)) / 2;
    uint64_t rest, upper = root_of(even.limb[2], &rest), next = even.limb[1];
    uint64_t half = rest << 31 | next >> 33, lower = half / upper;
    uint64_t left = half % upper << 1 | (next >> 32 & 1), square = lower * lower;
    uint64_t left_low = left << 32 | (uint32_t)next;
    bool carried = lower >> 32 != 0; /* the square is 2^64 then */
    bool above = left >> 32 == carried ? left_low < square : left >> 32 < carried;
    uint64_t significand = (upper << 32) + lower - above;
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .inexact = root_tail(&even, significand),
                          .exponent = wide_clamp(exponent),
                          .significand = significand };
}

#endif
