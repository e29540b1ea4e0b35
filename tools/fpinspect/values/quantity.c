/* quantity.c - exact numbers, how far off they are after a cut, and arithmetic of the finite ones
 * SPDX-License-Identifier: MIT */

#include "values/quantity.h"

const char too_large[] = "it is too large to evaluate exactly";

bool is_special(const quantity *x)
{
    return x->special.kind != FPFMT_KIND_ZERO;
}

bool is_zero(const quantity *x)
{
    return fpfmt_ratio_is_zero(&x->ratio);
}

/* ---- how far off a result is, after a cut ---- */

static int exponent_of(const quantity *x)
{
    return fpfmt_ratio_value(&x->ratio).exponent;
}

static int larger_of(int a, int b)
{
    return a > b ? a : b;
}

int bound_times(int a, int b)
{
    return a == NO_ERROR || b == NO_ERROR ? NO_ERROR : a + b;
}

int size_of(const quantity *x)
{
    return is_zero(x) ? x->error : larger_of(exponent_of(x) + 1, x->error);
}

bool is_well_known(const quantity *x)
{
    enum { ENOUGH = 72 };
    return is_special(x) || x->error == NO_ERROR ||
           (!is_zero(x) && exponent_of(x) - x->error >= ENOUGH);
}

/* ---- the operations on ratios ---- */

static bool sum(quantity *x, const quantity *y)
{
    x->error = bound_times(larger_of(x->error, y->error), 1);
    return fpfmt_ratio_add(&x->ratio, &x->ratio, &y->ratio);
}

static bool product(quantity *x, const quantity *y)
{
    if (x->error != NO_ERROR || y->error != NO_ERROR)
        x->error = bound_times(
            larger_of(bound_times(x->error, size_of(y)), bound_times(y->error, size_of(x))), 1);
    return fpfmt_ratio_multiply(&x->ratio, &x->ratio, &y->ratio);
}

static bool quotient(quantity *x, const quantity *y)
{
    if (!fpfmt_ratio_divide(&x->ratio, &x->ratio, &y->ratio))
        return false;
    if (x->error != NO_ERROR || y->error != NO_ERROR) {
        int scale = -exponent_of(y);
        x->error = bound_times(x->error, scale);
        x->error = bound_times(
            larger_of(x->error, bound_times(size_of(x), bound_times(y->error, scale))), 2);
    }
    return true;
}

bool exact_add(quantity *x)
{
    return sum(&x[0], &x[1]);
}

bool exact_subtract(quantity *x)
{
    x[1].ratio.negative = !x[1].ratio.negative;
    return sum(&x[0], &x[1]);
}

bool exact_multiply(quantity *x)
{
    return product(&x[0], &x[1]);
}

bool exact_divide(quantity *x)
{
    return quotient(&x[0], &x[1]);
}

bool exact_fma(quantity *x)
{
    return product(&x[0], &x[1]) && sum(&x[0], &x[2]);
}

bool exact_sqrt(quantity *x)
{
    enum { KEPT = 1000 };
    bool square, zero = is_zero(x);
    if (!fpfmt_ratio_sqrt(&x->ratio, &x->ratio, &square))
        return false;
    int exponent = zero ? 0 : exponent_of(x);
    x->error = bound_times(x->error, -exponent);
    if (!square)
        x->error = larger_of(x->error, exponent - KEPT) + 1;
    return true;
}

/* The integer part of x / y for integers x >= y > 0, or its first 64 bits; *odd is changed if that
 * is odd. */
static bool whole_quotient(fpfmt_ratio *whole, const fpfmt_ratio *x, const fpfmt_ratio *y,
                           bool *odd)
{
    if (!fpfmt_ratio_divide(whole, x, y))
        return false;
    fpfmt_value value = fpfmt_ratio_value(whole);
    value.inexact = false;
    if (value.exponent < 63)
        value.significand &= UINT64_MAX << (63 - value.exponent);
    if (value.exponent <= 63)
        *odd ^= value.significand >> (63 - value.exponent) & 1;
    return fpfmt_ratio_from(whole, value);
}

/* |x| modulo |y| in integers, over their common denominator; then the nearer to 0 of that and what
 * lies y below it. */
bool nearest_remainder(fpfmt_ratio *x, const fpfmt_ratio *y)
{
    fpfmt_ratio rest, step, part, common;
    const fpfmt_natural one = { .length = 1, .limb = { 1 } };
    bool negative = x->negative, odd = false;
    common = (fpfmt_ratio){ .numerator = x->denominator, .denominator = one };
    part = (fpfmt_ratio){ .numerator = y->denominator, .denominator = one };
    rest = (fpfmt_ratio){ .numerator = x->numerator, .denominator = one };
    step = (fpfmt_ratio){ .numerator = y->numerator, .denominator = one };
    if (!fpfmt_ratio_multiply(&rest, &rest, &part) ||
        !fpfmt_ratio_multiply(&step, &step, &common) ||
        !fpfmt_ratio_multiply(&common, &common, &part))
        return false;
    for (;;) {
        if (!fpfmt_ratio_subtract(&part, &rest, &step))
            return false;
        if (part.negative)
            break;
        if (!whole_quotient(&part, &rest, &step, &odd) ||
            !fpfmt_ratio_multiply(&part, &part, &step) ||
            !fpfmt_ratio_subtract(&rest, &rest, &part))
            return false;
    }
    fpfmt_ratio_add(&part, &part, &rest); /* twice the rest less a step */
    if (!fpfmt_ratio_is_zero(&part) ? !part.negative : odd)
        fpfmt_ratio_subtract(&rest, &rest, &step);
    rest.negative ^= negative;
    return fpfmt_ratio_divide(x, &rest, &common);
}

bool exact_rem(quantity *x)
{
    if (x[0].error != NO_ERROR || x[1].error != NO_ERROR) {
        int quotient_size = larger_of(bound_times(size_of(&x[0]), -exponent_of(&x[1])), 0) + 1;
        x[0].error = bound_times(larger_of(x[0].error, bound_times(x[1].error, quotient_size)), 1);
    }
    return nearest_remainder(&x[0].ratio, &x[1].ratio);
}

static bool take_one(quantity *x, bool the_larger)
{
    fpfmt_ratio difference;
    if (!fpfmt_ratio_subtract(&difference, &x[0].ratio, &x[1].ratio))
        return false;
    if (!fpfmt_ratio_is_zero(&difference) && difference.negative == the_larger)
        x[0] = x[1];
    return true;
}

bool exact_min(quantity *x)
{
    return take_one(x, false);
}

bool exact_max(quantity *x)
{
    return take_one(x, true);
}

bool set_quantity(quantity *x, fpfmt_value value)
{
    bool special = value.kind >= FPFMT_KIND_INFINITE;
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    x->special = special ? value : zero;
    x->error = NO_ERROR;
    x->typed = special;
    x->p3109 = false;
    x->of = NULL;
    return fpfmt_ratio_from(&x->ratio, special ? zero : value);
}

fpfmt_value value_of(const quantity *x)
{
    if (is_special(x))
        return x->special;
    fpfmt_value value = fpfmt_ratio_value(&x->ratio);
    value.inexact |= x->error != NO_ERROR;
    return value;
}
