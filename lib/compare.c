/* compare.c - which of two values is less, which is wanted, and exponents as numbers
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

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
    switch ((fpfmt_kind)value.kind) {
    case FPFMT_KIND_ZERO: return INT64_MIN;
    case FPFMT_KIND_SUBNORMAL:
    case FPFMT_KIND_NORMAL: break;
    case FPFMT_KIND_INFINITE: return INT64_MAX - 2;
    case FPFMT_KIND_SIGNALING_NAN: return INT64_MAX - 1;
    case FPFMT_KIND_QUIET_NAN: return INT64_MAX;
    }
    return value.exponent;
}

/* After rank the significand decides, which for NaN is the payload; of two equal ones that of a
 * value that was cut is larger. What both lost may differ, which the order does not tell. */
int fpfmt_total_order_magnitude(fpfmt_value a, fpfmt_value b)
{
    int64_t x = rank(a), y = rank(b);
    if (x != y)
        return x < y ? -1 : 1;
    if (fpfmt_value_is_zero(a) || fpfmt_value_is_infinite(a))
        return 0;
    if (a.significand != b.significand)
        return a.significand < b.significand ? -1 : 1;
    return fpfmt_value_is_nan(a) ? 0 : (a.inexact != 0) - (b.inexact != 0);
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
    if (fpfmt_value_is_nan(a) || fpfmt_value_is_nan(b))
        return fpfmt_value_is_nan(b) - fpfmt_value_is_nan(a);
    if (fpfmt_value_is_zero(a) && fpfmt_value_is_zero(b))
        return 0;
    return fpfmt_total_order(a, b);
}

/* IEEE 754-2019 5.11: NaN is unordered with everything, and both zeros are equal. */
static fpfmt_relation relation(fpfmt_value a, fpfmt_value b)
{
    if (fpfmt_value_is_nan(a) || fpfmt_value_is_nan(b))
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
    raise_if(flags, FPFMT_FLAG_INVALID, fpfmt_value_is_nan(a) || fpfmt_value_is_nan(b));
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
fpfmt_value fpfmt_select(unsigned how, fpfmt_value a, fpfmt_value b, unsigned *flags)
{
    raise_if(flags, FPFMT_FLAG_INVALID, any_signaling(a, b));
    if (fpfmt_value_is_nan(a) && fpfmt_value_is_nan(b))
        return quieted(a);
    if (fpfmt_value_is_nan(a) || fpfmt_value_is_nan(b)) {
        bool number = (how & FPFMT_SELECT_NUMBER) != 0;
        return quieted(fpfmt_value_is_nan(a) != number ? a : b);
    }
    bool a_infinite = fpfmt_value_is_infinite(a), b_infinite = fpfmt_value_is_infinite(b);
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
    raise_if(flags, FPFMT_FLAG_DIVIDE_BY_ZERO, fpfmt_value_is_zero(value));
    raise_if(flags, FPFMT_FLAG_INVALID, value.kind == FPFMT_KIND_SIGNALING_NAN);
    switch ((fpfmt_kind)value.kind) {
    case FPFMT_KIND_ZERO: return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE, .negative = true };
    case FPFMT_KIND_INFINITE: return (fpfmt_value){ .kind = FPFMT_KIND_INFINITE };
    case FPFMT_KIND_SUBNORMAL:
    case FPFMT_KIND_NORMAL: return fpfmt_from_i64(value.exponent);
    case FPFMT_KIND_QUIET_NAN:
    case FPFMT_KIND_SIGNALING_NAN: break;
    }
    return quieted(value);
}
