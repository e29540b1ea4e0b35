/* ratio.c - exact rationals, and the one way from them to a value
 * SPDX-License-Identifier: MIT */

#include "ratio.h"

#include "bits.h"
#include "natural.h"

/* The largest exponent of a value that may become a ratio: no format reaches it, and as a shift it
 * would not fit into a natural anyhow. */
enum { FAR = 16384 };

/* Whether a result is one that functions may return: 16256 bits at most, so that with the 64 that
 * fpfmt_ratio_value shifts it by a natural is full. */
static bool fits(const fpfmt_ratio *ratio)
{
    enum { BOUND = FPFMT_NATURAL_LIMBS - 4 };
    return ratio->numerator.length <= BOUND && ratio->denominator.length <= BOUND;
}

bool fpfmt_ratio_from(fpfmt_ratio *ratio, fpfmt_value value)
{
    if (!fpfmt_value_is_finite(value) || value.inexact || value.exponent > FAR ||
        value.exponent < -FAR)
        return false;
    ratio->negative = value.negative;
    fpfmt_natural_set(&ratio->denominator, 1);
    fpfmt_natural_set(&ratio->numerator, fpfmt_value_is_zero(value) ? 0 : value.significand);
    if (fpfmt_value_is_zero(value))
        return true;
    int zeros = fpfmt_natural_trailing_zeros(&ratio->numerator), step = value.exponent - 63 + zeros;
    fpfmt_natural_shift_right(&ratio->numerator, zeros);
    fpfmt_natural *shifted = step >= 0 ? &ratio->numerator : &ratio->denominator;
    return fpfmt_natural_shift_left(shifted, step >= 0 ? step : -step) && fits(ratio);
}

/* a + b, with a sign for b of its own; sum may be a or b, which are read before it is written.
 * Where both have one denominator it is kept, or a running sum would grow with each term. An exact
 * zero is negative only if both are, as IEEE 754-2019 6.3 has it to nearest. */
static bool add(fpfmt_ratio *sum, const fpfmt_ratio *a, const fpfmt_ratio *b, bool b_negative)
{
    fpfmt_natural left, right;
    bool a_negative = a->negative;
    fpfmt_natural_copy(&left, &a->numerator);
    fpfmt_natural_copy(&right, &b->numerator);
    if (fpfmt_natural_compare(&a->denominator, &b->denominator) == 0) {
        fpfmt_natural_copy(&sum->denominator, &a->denominator);
    } else {
        if (!fpfmt_natural_multiply(&left, &b->denominator) ||
            !fpfmt_natural_multiply(&right, &a->denominator))
            return false;
        fpfmt_natural product;
        fpfmt_natural_copy(&product, &a->denominator);
        if (!fpfmt_natural_multiply(&product, &b->denominator))
            return false;
        fpfmt_natural_copy(&sum->denominator, &product);
    }
    /* Sign and magnitude: the larger has the sum's sign, and what is subtracted is the smaller. */
    bool swapped = fpfmt_natural_compare(&left, &right) < 0;
    fpfmt_natural *larger = swapped ? &right : &left, *smaller = swapped ? &left : &right;
    sum->negative = swapped ? b_negative : a_negative;
    if (a_negative != b_negative)
        fpfmt_natural_subtract(larger, smaller);
    else if (!fpfmt_natural_add(larger, smaller))
        return false;
    fpfmt_natural_copy(&sum->numerator, larger);
    if (larger->length == 0)
        sum->negative = a_negative && b_negative;
    return fits(sum);
}

bool fpfmt_ratio_add(fpfmt_ratio *sum, const fpfmt_ratio *a, const fpfmt_ratio *b)
{
    return add(sum, a, b, b->negative);
}

bool fpfmt_ratio_subtract(fpfmt_ratio *difference, const fpfmt_ratio *a, const fpfmt_ratio *b)
{
    return add(difference, a, b, !b->negative);
}

bool fpfmt_ratio_multiply(fpfmt_ratio *product, const fpfmt_ratio *a, const fpfmt_ratio *b)
{
    fpfmt_natural numerator, denominator;
    fpfmt_natural_copy(&numerator, &a->numerator);
    fpfmt_natural_copy(&denominator, &a->denominator);
    if (!fpfmt_natural_multiply(&numerator, &b->numerator) ||
        !fpfmt_natural_multiply(&denominator, &b->denominator))
        return false;
    product->negative = a->negative != b->negative;
    fpfmt_natural_copy(&product->numerator, &numerator);
    fpfmt_natural_copy(&product->denominator, &denominator);
    return fits(product);
}

bool fpfmt_ratio_divide(fpfmt_ratio *quotient, const fpfmt_ratio *a, const fpfmt_ratio *b)
{
    fpfmt_natural numerator, denominator;
    if (b->numerator.length == 0)
        return false;
    fpfmt_natural_copy(&numerator, &a->numerator);
    fpfmt_natural_copy(&denominator, &a->denominator);
    if (!fpfmt_natural_multiply(&numerator, &b->denominator) ||
        !fpfmt_natural_multiply(&denominator, &b->numerator))
        return false;
    quotient->negative = a->negative != b->negative;
    fpfmt_natural_copy(&quotient->numerator, &numerator);
    fpfmt_natural_copy(&quotient->denominator, &denominator);
    return fits(quotient);
}

/* By squaring, from the top bit of the exponent down. Powers of 0 and 1 need no length, so that
 * their exponents may be any: what counts then is only whether it is 0 or odd, for the sign. */
bool fpfmt_ratio_power(fpfmt_ratio *power, const fpfmt_ratio *base, int64_t exponent)
{
    fpfmt_ratio result = { .negative = false };
    uint64_t count = exponent < 0 ? 0 - (uint64_t)exponent : (uint64_t)exponent;
    bool one = fpfmt_natural_compare(&base->numerator, &base->denominator) == 0;
    if (fpfmt_ratio_is_zero(base) && exponent < 0)
        return false;
    if (one || fpfmt_ratio_is_zero(base))
        count = count == 0 ? 0 : 2 - (count & 1);
    fpfmt_natural_set(&result.numerator, 1);
    fpfmt_natural_set(&result.denominator, 1);
    for (int bit = bit_length(count) - 1; bit >= 0; bit--) {
        if (!fpfmt_ratio_multiply(&result, &result, &result) ||
            ((count >> bit & 1) && !fpfmt_ratio_multiply(&result, &result, base)))
            return false;
    }
    power->negative = result.negative;
    fpfmt_natural_copy(&power->numerator, exponent < 0 ? &result.denominator : &result.numerator);
    fpfmt_natural_copy(&power->denominator, exponent < 0 ? &result.numerator : &result.denominator);
    return true;
}

bool fpfmt_ratio_is_zero(const fpfmt_ratio *ratio)
{
    return ratio->numerator.length == 0;
}

fpfmt_value fpfmt_ratio_value(const fpfmt_ratio *ratio)
{
    fpfmt_natural numerator, denominator, quotient;
    fpfmt_value value = { .kind = FPFMT_KIND_ZERO, .negative = ratio->negative };
    if (ratio->numerator.length == 0)
        return value;
    fpfmt_natural_copy(&numerator, &ratio->numerator);
    fpfmt_natural_copy(&denominator, &ratio->denominator);
    /* A shift of one of the two makes them equally long, and if the numerator is the smaller one
     * still, one more of it brings the quotient into [1, 2). Then its first 64 bits come before the
     * point. */
    int exponent = fpfmt_natural_bits(&numerator) - fpfmt_natural_bits(&denominator);
    if (exponent >= 0)
        fpfmt_natural_shift_left(&denominator, exponent);
    else
        fpfmt_natural_shift_left(&numerator, -exponent);
    if (fpfmt_natural_compare(&numerator, &denominator) < 0) {
        exponent--;
        fpfmt_natural_shift_left(&numerator, 1);
    }
    fpfmt_natural_shift_left(&numerator, 63);
    fpfmt_natural_divide(&quotient, &numerator, &denominator);
    value.kind = FPFMT_KIND_NORMAL;
    value.exponent = exponent;
    value.significand = (uint64_t)quotient.limb[1] << 32 | quotient.limb[0];
    if (numerator.length != 0) {
        fpfmt_natural_shift_left(&numerator, 1);
        int half = fpfmt_natural_compare(&numerator, &denominator);
        value.inexact = (uint8_t)(FPFMT_REMAINDER_HALF + half);
    }
    return value;
}

void fpfmt_ratio_reduce(fpfmt_ratio *ratio)
{
    fpfmt_natural divisor, part;
    if (ratio->numerator.length == 0) {
        fpfmt_natural_set(&ratio->denominator, 1);
        return;
    }
    fpfmt_natural_copy(&divisor, &ratio->numerator);
    fpfmt_natural_gcd(&divisor, &ratio->denominator);
    if (fpfmt_natural_bits(&divisor) == 1)
        return;
    fpfmt_natural_divide(&part, &ratio->numerator, &divisor);
    fpfmt_natural_copy(&ratio->numerator, &part);
    fpfmt_natural_divide(&part, &ratio->denominator, &divisor);
    fpfmt_natural_copy(&ratio->denominator, &part);
}

/* The largest integer whose square is at most n > 0. Newton's steps from anywhere above the root
 * fall, rounded down, until they are there, and the first that does not fall comes after it: Cohen,
 * A Course in Computational Algebraic Number Theory, algorithm 1.7.1. */
static void root_below(fpfmt_natural *root, const fpfmt_natural *n)
{
    fpfmt_natural rest, next;
    fpfmt_natural_set(&next, 1);
    fpfmt_natural_shift_left(&next, (fpfmt_natural_bits(n) + 1) / 2);
    do {
        fpfmt_natural_copy(root, &next);
        fpfmt_natural_copy(&rest, n);
        fpfmt_natural_divide(&next, &rest, root);
        fpfmt_natural_add(&next, root);
        fpfmt_natural_shift_right(&next, 1);
    } while (fpfmt_natural_compare(&next, root) < 0);
}

/* Whether n > 0 is a square; *root is the integer below its root in any case. */
static bool is_square(const fpfmt_natural *n, fpfmt_natural *root)
{
    fpfmt_natural square;
    root_below(root, n);
    fpfmt_natural_copy(&square, root);
    return fpfmt_natural_multiply(&square, root) && fpfmt_natural_compare(&square, n) == 0;
}

/* Cuts n to at most so many bits, from below; returns how many were cut off. */
static int shorten(fpfmt_natural *n, int bits)
{
    int cut = fpfmt_natural_bits(n) - bits;
    if (cut <= 0)
        return 0;
    fpfmt_natural_shift_right(n, cut);
    return cut;
}

/* The root of x in lowest terms, which is no square, cut to KEPT bits or one more. x is written as
 * a quotient of 2 KEPT bits at least, times an even power of two, and the integer root of the
 * quotient taken. Numerator and denominator are cut to LONGEST bits first, so that no x is too long
 * for the shift: an error of some 2^-2110 of x, and half that of its root. The numerator is cut
 * down and the denominator up, the quotient and the root down, so that the result is never above
 * the root; at least 1000 bits of it are right, as fpfmt.h promises. */
static void root_cut(fpfmt_ratio *root, fpfmt_ratio *x)
{
    enum { KEPT = 1024, LONGEST = 2 * KEPT + 64 };
    fpfmt_natural one, quotient;
    fpfmt_natural_set(&one, 1);
    int power = shorten(&x->numerator, LONGEST), cut = shorten(&x->denominator, LONGEST);
    if (cut > 0)
        fpfmt_natural_add(&x->denominator, &one);
    power -= cut;
    /* What the quotient lacks of 2 KEPT bits, and one bit more where the power would be odd. */
    int missing =
        2 * KEPT + fpfmt_natural_bits(&x->denominator) - fpfmt_natural_bits(&x->numerator);
    int shift = missing > 0 ? missing : 0;
    shift += (power - shift) % 2 != 0;
    fpfmt_natural_shift_left(&x->numerator, shift);
    fpfmt_natural_divide(&quotient, &x->numerator, &x->denominator);
    root_below(&root->numerator, &quotient);
    int zeros = fpfmt_natural_trailing_zeros(&root->numerator);
    power = (power - shift) / 2 + zeros;
    fpfmt_natural_shift_right(&root->numerator, zeros);
    fpfmt_natural_copy(&root->denominator, &one);
    fpfmt_natural_shift_left(power >= 0 ? &root->numerator : &root->denominator,
                             power >= 0 ? power : -power);
}

bool fpfmt_ratio_sqrt(fpfmt_ratio *root, const fpfmt_ratio *a, bool *exact)
{
    fpfmt_ratio x;
    bool zero = fpfmt_ratio_is_zero(a);
    if (a->negative && !zero)
        return false;
    x.negative = a->negative;
    fpfmt_natural_copy(&x.numerator, &a->numerator);
    fpfmt_natural_copy(&x.denominator, &a->denominator);
    fpfmt_ratio_reduce(&x);
    root->negative = x.negative;
    bool square = zero || (is_square(&x.numerator, &root->numerator) &&
                           is_square(&x.denominator, &root->denominator));
    if (zero) {
        fpfmt_natural_copy(&root->numerator, &x.numerator);
        fpfmt_natural_copy(&root->denominator, &x.denominator);
    } else if (!square) {
        root_cut(root, &x);
    }
    if (exact != NULL)
        *exact = square;
    return true;
}
