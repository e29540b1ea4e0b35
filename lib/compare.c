/* compare.c - which of two values is less, which is wanted, and exponents as numbers
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

static bool is_nan(fpfmt_value value)
{
    return value.kind >= FPFMT_KIND_QUIET_NAN;
}

static void raise_if(unsigned *flags, unsigned flag, bool condition)
{
    if (flags != NULL && condition)
        *flags |= flag;
}

static bool any_signaling(fpfmt_value a, fpfmt_value b)
{
    return a.kind == FPFMT_KIND_SIGNALING_NAN || b.kind == FPFMT_KIND_SIGNALING_NAN;
}

/* What decides first among magnitudes, IEEE 754-2019 5.10: zero, the finite by their binade,
 * infinity, signaling NaN, quiet NaN. An exponent is any int32_t, so that the ends of int64_t are
 * free. */
static int64_t rank(fpfmt_value value)
{
    switch (value.kind) {
    case FPFMT_KIND_ZERO: return INT64_MIN;
    case FPFMT_KIND_INFINITE: return INT64_MAX - 2;
    case FPFMT_KIND_SIGNALING_NAN: return INT64_MAX - 1;
    case FPFMT_KIND_QUIET_NAN: return INT64_MAX;
    default: return value.exponent;
    }
}

/* After rank the significand decides, which for NaN is the payload; of two equal ones that of a
 * value that was cut is larger. What both lost may differ, which the order does not tell. */
int fpfmt_total_order_magnitude(fpfmt_value a, fpfmt_value b)
{
    int64_t x = rank(a), y = rank(b);
    if (x != y)
        return x < y ? -1 : 1;
    if (a.kind == FPFMT_KIND_ZERO || a.kind == FPFMT_KIND_INFINITE)
        return 0;
    if (a.significand != b.significand)
        return a.significand < b.significand ? -1 : 1;
    return is_nan(a) ? 0 : a.inexact - b.inexact;
}

/* IEEE 754-2019 5.10 is the order of sign and magnitude: of values as it is of IEEE codes. */
int fpfmt_total_order(fpfmt_value a, fpfmt_value b)
{
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    int order = fpfmt_total_order_magnitude(a, b);
    return a.negative ? -order : order;
}

int fpfmt_total_order_p3109(fpfmt_value a, fpfmt_value b)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(b) - is_nan(a);
    if (a.kind == FPFMT_KIND_ZERO && b.kind == FPFMT_KIND_ZERO)
        return 0;
    return fpfmt_total_order(a, b);
}

/* IEEE 754-2019 5.11: NaN is unordered with everything, and both zeros are equal. */
static fpfmt_relation relation(fpfmt_value a, fpfmt_value b)
{
    if (is_nan(a) || is_nan(b))
        return FPFMT_UNORDERED;
    int order = fpfmt_total_order_p3109(a, b);
    bool finite = a.kind == FPFMT_KIND_SUBNORMAL || a.kind == FPFMT_KIND_NORMAL;
    if (order == 0 && finite && a.inexact)
        return FPFMT_UNORDERED; /* two tails that were cut at the same place */
    return (fpfmt_relation)order;
}

fpfmt_relation fpfmt_compare_quiet(fpfmt_value a, fpfmt_value b, unsigned *flags)
{
    raise_if(flags, FPFMT_FLAG_INVALID, any_signaling(a, b));
    return relation(a, b);
}

fpfmt_relation fpfmt_compare_signaling(fpfmt_value a, fpfmt_value b, unsigned *flags)
{
    raise_if(flags, FPFMT_FLAG_INVALID, is_nan(a) || is_nan(b));
    return relation(a, b);
}

static fpfmt_value quieted(fpfmt_value value)
{
    if (value.kind == FPFMT_KIND_SIGNALING_NAN)
        value.kind = FPFMT_KIND_QUIET_NAN;
    return value;
}

/* IEEE 754-2019 9.6: minimum and maximum propagate NaN, ..._NUMBER prefers a number; by magnitude,
 * values of one magnitude are told apart by their order. P3109's ..._FINITE prefers what is finite
 * to infinity. -0 is less than +0, as total order has it. */
fpfmt_value fpfmt_select(fpfmt_value a, fpfmt_value b, unsigned how, unsigned *flags)
{
    raise_if(flags, FPFMT_FLAG_INVALID, any_signaling(a, b));
    if (is_nan(a) && is_nan(b))
        return quieted(a);
    if (is_nan(a) || is_nan(b)) {
        bool number = (how & FPFMT_SELECT_NUMBER) != 0;
        return quieted(is_nan(a) != number ? a : b);
    }
    bool a_infinite = a.kind == FPFMT_KIND_INFINITE, b_infinite = b.kind == FPFMT_KIND_INFINITE;
    if ((how & FPFMT_SELECT_FINITE) && a_infinite != b_infinite)
        return a_infinite ? b : a;
    int order = how & FPFMT_SELECT_MAGNITUDE ? fpfmt_total_order_magnitude(a, b) : 0;
    if (order == 0)
        order = fpfmt_total_order(a, b);
    return (how & FPFMT_SELECT_MAXIMUM ? order < 0 : order > 0) ? b : a;
}

static int64_t clamped(int64_t x, int64_t limit)
{
    if (x > limit)
        return limit;
    return x < -limit ? -limit : x;
}

/* IEEE 754-2019 5.3.3, scaleB, with one rounding. An exponent may be any int32_t, so that n counts
 * up to twice that and no further; the sum is clamped where every format has long overflowed or
 * underflowed, as in fpfmt_parse. Specials have no exponent that would be read. */
uint64_t fpfmt_scalb(const fpfmt_format *to, fpfmt_value value, int64_t n,
                     const fpfmt_policy *policy, unsigned *flags)
{
    int64_t exponent = value.exponent + clamped(n, INT64_C(1) << 32);
    value.exponent = (int32_t)clamped(exponent, 1 << 24);
    return fpfmt_encode(to, value, policy, flags);
}

/* IEEE 754-2019 5.3.3, logB: of zero it is -infinity and divides by zero, of infinity +infinity. */
fpfmt_value fpfmt_logb(fpfmt_value value, unsigned *flags)
{
    raise_if(flags, FPFMT_FLAG_DIVIDE_BY_ZERO, value.kind == FPFMT_KIND_ZERO);
    raise_if(flags, FPFMT_FLAG_INVALID, value.kind == FPFMT_KIND_SIGNALING_NAN);
    switch (value.kind) {
    case FPFMT_KIND_ZERO: return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = true };
    case FPFMT_KIND_INFINITE: return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE };
    case FPFMT_KIND_SUBNORMAL:
    case FPFMT_KIND_NORMAL: return fpfmt_from_i64(value.exponent);
    default: return quieted(value);
    }
}
