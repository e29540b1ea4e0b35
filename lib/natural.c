/* natural.c - naturals of up to 16320 bits, in 32-bit limbs, the lowest first
 * SPDX-License-Identifier: MIT */

#include "natural.h"

#include <string.h>

#include "bits.h"

/* The limbs that a result may take. Two stay free for a division: shifting its dividend so that the
 * divisor's top bit is set may need one more, and the first digit looks at one above that. */
enum { ROOM = FPFMT_NATURAL_LIMBS - 2 };

/* Drops zeros from the top, so that the last limb is not 0 again. */
static void trim(fpfmt_natural *n)
{
    while (n->length > 0 && n->limb[n->length - 1] == 0)
        n->length--;
}

/* One more limb above; none for 0. False if there is no room. */
static bool append(fpfmt_natural *n, uint32_t limb)
{
    if (limb == 0)
        return true;
    if (n->length >= ROOM)
        return false;
    n->limb[n->length++] = limb;
    return true;
}

void fpfmt_natural_set(fpfmt_natural *n, uint64_t x)
{
    n->limb[0] = (uint32_t)x;
    n->limb[1] = (uint32_t)(x >> 32);
    n->length = 2;
    trim(n);
}

void fpfmt_natural_copy(fpfmt_natural *to, const fpfmt_natural *from)
{
    to->length = from->length;
    memmove(to->limb, from->limb, from->length * sizeof from->limb[0]);
}

int fpfmt_natural_compare(const fpfmt_natural *a, const fpfmt_natural *b)
{
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    for (uint32_t i = a->length; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

int fpfmt_natural_bits(const fpfmt_natural *n)
{
    return n->length == 0 ? 0 : 32 * (int)(n->length - 1) + bit_length(n->limb[n->length - 1]);
}

int fpfmt_natural_trailing_zeros(const fpfmt_natural *n)
{
    uint32_t i = 0;
    while (n->limb[i] == 0)
        i++;
    uint32_t lowest = n->limb[i] & (0 - n->limb[i]);
    return 32 * (int)i + bit_length(lowest) - 1;
}

/* Shifts limbs from one on to the left, by 0 to 31 bits; what leaves the last makes a limb of its
 * own, for which the caller knows that there is room. */
static void shift_within(fpfmt_natural *n, uint32_t from, uint32_t bits)
{
    uint32_t carry = 0;
    for (uint32_t i = from; bits > 0 && i < n->length; i++) {
        uint32_t limb = n->limb[i];
        n->limb[i] = limb << bits | carry;
        carry = limb >> (32 - bits);
    }
    if (carry != 0)
        n->limb[n->length++] = carry;
}

bool fpfmt_natural_shift_left(fpfmt_natural *n, int bits)
{
    uint32_t limbs = (uint32_t)bits / 32;
    if (n->length == 0)
        return true;
    if (fpfmt_natural_bits(n) + bits > 32 * ROOM)
        return false;
    if (limbs > 0) {
        memmove(n->limb + limbs, n->limb, n->length * sizeof n->limb[0]);
        memset(n->limb, 0, limbs * sizeof n->limb[0]);
        n->length += limbs;
    }
    shift_within(n, limbs, (uint32_t)bits % 32);
    return true;
}

void fpfmt_natural_shift_right(fpfmt_natural *n, int bits)
{
    uint32_t limbs = (uint32_t)bits / 32, rest = (uint32_t)bits % 32;
    if (limbs >= n->length) {
        n->length = 0;
        return;
    }
    n->length -= limbs;
    if (limbs > 0)
        memmove(n->limb, n->limb + limbs, n->length * sizeof n->limb[0]);
    for (uint32_t i = 0; rest > 0 && i < n->length; i++) {
        uint32_t above = i + 1 < n->length ? n->limb[i + 1] : 0;
        n->limb[i] = n->limb[i] >> rest | above << (32 - rest);
    }
    trim(n);
}

bool fpfmt_natural_add(fpfmt_natural *a, const fpfmt_natural *b)
{
    uint64_t carry = 0;
    uint32_t length = a->length > b->length ? a->length : b->length;
    for (uint32_t i = 0; i < length; i++) {
        carry += i < a->length ? a->limb[i] : 0;
        carry += i < b->length ? b->limb[i] : 0;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    a->length = length;
    return append(a, (uint32_t)carry);
}

void fpfmt_natural_subtract(fpfmt_natural *a, const fpfmt_natural *b)
{
    uint32_t borrow = 0;
    for (uint32_t i = 0; i < a->length && (i < b->length || borrow != 0); i++) {
        uint64_t taken = (uint64_t)(i < b->length ? b->limb[i] : 0) + borrow;
        borrow = a->limb[i] < taken;
        a->limb[i] = (uint32_t)(a->limb[i] - taken);
    }
    trim(a);
}

bool fpfmt_natural_multiply(fpfmt_natural *a, const fpfmt_natural *b)
{
    fpfmt_natural product;
    uint32_t length = a->length + b->length;
    if (a->length == 0 || b->length == 0) {
        a->length = 0;
        return true;
    }
    if (length > ROOM + 1)
        return false;
    /* The top limb may turn out to be 0, so that one limb too many may still fit. */
    uint32_t room = length > ROOM ? ROOM : length;
    memset(product.limb, 0, room * sizeof product.limb[0]);
    for (uint32_t i = 0; i < a->length; i++) {
        uint64_t carry = 0;
        for (uint32_t j = 0; j < b->length; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + product.limb[i + j];
            product.limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        if (i + b->length < room)
            product.limb[i + b->length] = (uint32_t)carry;
        else if (carry != 0)
            return false;
    }
    product.length = room;
    trim(&product);
    fpfmt_natural_copy(a, &product);
    return true;
}

bool fpfmt_natural_multiply_small(fpfmt_natural *n, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (uint32_t i = 0; i < n->length; i++) {
        carry += (uint64_t)n->limb[i] * factor;
        n->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return append(n, (uint32_t)carry);
}

/* Powers are gathered to factors below 2^32: up to UINT32_MAX / 16 one more base of at most 10
 * fits. */
bool fpfmt_natural_multiply_power(fpfmt_natural *n, uint32_t base, int exponent)
{
    while (exponent > 0) {
        uint32_t factor = base;
        for (exponent--; exponent > 0 && factor <= UINT32_MAX / 16; exponent--)
            factor *= base;
        if (!fpfmt_natural_multiply_small(n, factor, 0))
            return false;
    }
    return true;
}

uint32_t fpfmt_natural_divide_small(fpfmt_natural *n, uint32_t divisor)
{
    uint64_t remainder = 0;
    for (uint32_t i = n->length; i-- > 0;) {
        remainder = remainder << 32 | n->limb[i];
        n->limb[i] = (uint32_t)(remainder / divisor);
        remainder %= divisor;
    }
    trim(n);
    return (uint32_t)remainder;
}

/* n[0..count] -= digit * d[0..count), modulo 2^(32 count + 32). Returns whether that is negative:
 * the digit was too large. */
static bool subtract_product(uint32_t *n, const uint32_t *d, uint32_t count, uint64_t digit)
{
    uint64_t carry = 0, borrow = 0;
    for (uint32_t i = 0; i < count; i++) {
        carry += digit * d[i];
        uint64_t taken = (uint32_t)carry + borrow;
        borrow = n[i] < taken;
        n[i] = (uint32_t)(n[i] - taken);
        carry >>= 32;
    }
    uint64_t taken = carry + borrow;
    bool negative = n[count] < taken;
    n[count] = (uint32_t)(n[count] - taken);
    return negative;
}

/* n[0..count] += d[0..count): takes one off a digit that was too large. */
static void add_back(uint32_t *n, const uint32_t *d, uint32_t count)
{
    uint64_t carry = 0;
    for (uint32_t i = 0; i < count; i++) {
        carry += (uint64_t)n[i] + d[i];
        n[i] = (uint32_t)carry;
        carry >>= 32;
    }
    n[count] += (uint32_t)carry;
}

/* Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D: with the divisor's top bit set, the
 * guess from two limbs over one is right or at most 2 too large (theorem B). Step D3 would look at
 * another limb to make that 1, seldom; here every guess is tried, and added back up to twice, step
 * D6. A difference that was negative has its top limb all ones until enough is added back. */
void fpfmt_natural_divide(fpfmt_natural *quotient, fpfmt_natural *n, const fpfmt_natural *divisor)
{
    fpfmt_natural d;
    quotient->length = 0;
    if (fpfmt_natural_compare(n, divisor) < 0)
        return;
    int shift = 32 - bit_length(divisor->limb[divisor->length - 1]);
    fpfmt_natural_copy(&d, divisor);
    shift_within(&d, 0, (uint32_t)shift);
    shift_within(n, 0, (uint32_t)shift);
    n->limb[n->length++] = 0;
    uint64_t top = d.limb[d.length - 1];
    quotient->length = n->length - d.length;
    for (uint32_t j = quotient->length; j-- > 0;) {
        uint32_t *part = n->limb + j;
        uint64_t two = (uint64_t)part[d.length] << 32 | part[d.length - 1];
        uint64_t digit = two / top > UINT32_MAX ? UINT32_MAX : two / top;
        if (subtract_product(part, d.limb, d.length, digit))
            do {
                add_back(part, d.limb, d.length);
                digit--;
            } while (part[d.length] != 0);
        quotient->limb[j] = (uint32_t)digit;
    }
    trim(quotient);
    trim(n);
    fpfmt_natural_shift_right(n, shift);
}

/* By subtraction (Stein, 1967): of two odd numbers the smaller is taken from the larger, and what
 * is left, even, loses its factors of two, which are none of the divisor's. Those that both have
 * are put back at the end. */
void fpfmt_natural_gcd(fpfmt_natural *a, const fpfmt_natural *b)
{
    fpfmt_natural other, *x = a, *y = &other;
    fpfmt_natural_copy(&other, b);
    int x_zeros = fpfmt_natural_trailing_zeros(x), y_zeros = fpfmt_natural_trailing_zeros(y);
    fpfmt_natural_shift_right(x, x_zeros);
    fpfmt_natural_shift_right(y, y_zeros);
    for (int order; (order = fpfmt_natural_compare(x, y)) != 0;) {
        fpfmt_natural *larger = order > 0 ? x : y, *smaller = order > 0 ? y : x;
        fpfmt_natural_subtract(larger, smaller);
        fpfmt_natural_shift_right(larger, fpfmt_natural_trailing_zeros(larger));
    }
    fpfmt_natural_shift_left(a, x_zeros < y_zeros ? x_zeros : y_zeros);
}
