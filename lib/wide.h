/* wide.h - exact magnitudes of 192 bits: what a product, a sum or a quotient takes before it is cut
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_WIDE_H
#define FPFMT_WIDE_H

#include <fpfmt.h>

#include "bits.h"

/* (-1)^negative * limb[2]:limb[1]:limb[0] * 2^(exponent - 191), the top bit set unless it is zero;
 * tail: something not zero was cut below. Sums take operands of at most 191 bits. */
typedef struct {
    uint64_t limb[3];
    int64_t exponent;
    bool negative, tail;
} wide;

static inline bool wide_is_zero(const wide *x)
{
    return x->limb[2] == 0;
}

static inline wide wide_from(fpfmt_value value)
{
    bool zero = fpfmt_value_is_zero(value);
    return (wide){ .limb = { 0, 0, zero ? 0 : value.significand },
                   .exponent = value.exponent,
                   .negative = value.negative };
}

/* Where every format has long overflowed or underflowed. */
static inline int32_t wide_clamp(int64_t exponent)
{
    enum { FAR = 1 << 24 };
    return exponent > FAR ? FAR : exponent < -FAR ? -FAR : (int32_t)exponent;
}

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

/* By n bits, from 1 up. */
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

/* Moves the top bit to the top. */
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

static inline uint64_t add_carrying(uint64_t a, uint64_t b, uint64_t *carry)
{
    uint64_t part = a + b, sum = part + *carry;
    *carry = (part < a) | (sum < part);
    return sum;
}

/* The sum, cut to 191 bits. Its sign is that of the larger operand, also where it is zero. Bits are
 * cut off only where the binades are so far apart that the result keeps at least 127; an operand
 * with a tail must lie so far below the other. */
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
    /* To subtract is to add the complement and 1: less that 1 if a tail has to be taken too. */
    bool subtract = larger->negative != smaller->negative;
    uint64_t flip = 0 - (uint64_t)subtract, carry = subtract & !term.tail;
    sum.limb[0] = add_carrying(sum.limb[0], term.limb[0] ^ flip, &carry);
    sum.limb[1] = add_carrying(sum.limb[1], term.limb[1] ^ flip, &carry);
    sum.limb[2] = add_carrying(sum.limb[2], term.limb[2] ^ flip, &carry);
    wide_normalise(&sum);
    return sum;
}

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

/* a / b to 128 bits, b not zero. */
static inline wide wide_quotient(fpfmt_value a, fpfmt_value b)
{
    wide quotient = { .exponent = (int64_t)a.exponent - b.exponent + 63,
                      .negative = a.negative != b.negative };
    if (fpfmt_value_is_zero(a))
        return (wide){ .negative = quotient.negative };
    uint64_t rest = a.significand;
    quotient.limb[2] =
        rest >= b.significand; /* the units; 1 at most, then 128 bits after the point */
    rest -= quotient.limb[2] != 0 ? b.significand : 0;
    quotient.limb[1] = divide_wide(rest, 0, b.significand, &rest);
    quotient.limb[0] = divide_wide(rest, 0, b.significand, &rest);
    quotient.tail = rest != 0;
    wide_normalise(&quotient);
    return quotient;
}

/* The integer below the square root of n >= 2^62, and n less its square. */
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

/* Zimmermann, "Karatsuba square root": the upper half of the root is that of the upper half; the
 * lower is what is left over twice the upper, at most 1 too large. */
static inline fpfmt_value wide_root(const wide *x)
{
    wide even = *x;
    if (even.exponent % 2 == 0)
        wide_shift_right(&even, 1); /* now even.limb[2]:even.limb[1] * 4^k, and from 2^126 up */
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
