/* neighbor.c - the next value up or down, and the step between values
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "encode.h"
#include "shape.h"

/* The code one step toward +infinity from a number that is not NaN; *last, and the code itself, if
 * nothing lies beyond: infinity, or the largest value where there is none. Positive codes rise with
 * their values, negative ones fall; two's complement rises throughout. Both zeros have one next
 * value, the smallest positive one. */
static uint64_t step_up(const fpfmt_format *format, uint64_t code, bool *last)
{
    fpfmt_limits limits = fpfmt_measure(format);
    uint64_t sign = shape_sign_mask(format);
    uint64_t top = limits.has_infinity ? limits.infinity : limits.max;
    code &= low_bits(limits.width);
    *last = code == top;
    if (*last)
        return code;
    if ((code & sign) == 0)
        return code + 1;
    if (is_fixed_point(format))
        return (code + 1) & low_bits(limits.width);
    if (code == sign) /* -0 */
        return limits.min_positive;
    code--;
    return code == sign && format->nans == FPFMT_NANS_NEGATIVE_ZERO ? 0 : code;
}

/* IEEE 754-2019 5.3.1, nextUp and nextDown. Down is up, mirrored at zero, where a format has a sign
 * bit to mirror by; elsewhere the code below, but for the lowest. Past the ends P3109 has NaN by
 * its policy. NaN becomes quiet, and raises what converting it raises. */
static uint64_t next(const fpfmt_format *format, uint64_t code, bool down,
                     const fpfmt_policy *policy, unsigned *flags)
{
    bool last;
    if (fpfmt_is_nan(format, code))
        return fpfmt_encode(format, fpfmt_decode(format, code), policy, flags);
    bool mirrored = down && format->sign_bits != 0 && !is_fixed_point(format);
    uint64_t from = mirrored ? fpfmt_negate(format, code) : code, to;
    if (down && !mirrored) {
        from &= low_bits(shape_width(format));
        last = from == fpfmt_measure(format).lowest;
        to = last ? from : (from - 1) & low_bits(shape_width(format));
    } else {
        to = step_up(format, from, &last);
    }
    if (last && policy != NULL && policy->specials == FPFMT_SPECIALS_P3109 &&
        format->nans != FPFMT_NANS_NONE)
        return shape_nan(format);
    return mirrored ? fpfmt_negate(format, to) : to;
}

uint64_t fpfmt_next_up(const fpfmt_format *format, uint64_t code, const fpfmt_policy *policy,
                       unsigned *flags)
{
    return next(format, code, false, policy, flags);
}

uint64_t fpfmt_next_down(const fpfmt_format *format, uint64_t code, const fpfmt_policy *policy,
                         unsigned *flags)
{
    return next(format, code, true, policy, flags);
}

/* The step at a value: that of its binade, but no finer than the subnormals', and past the largest
 * value the one below it. */
fpfmt_value fpfmt_ulp(const fpfmt_format *format, fpfmt_value value)
{
    if (!fpfmt_value_is_finite(value))
        return (fpfmt_value){ .kind = FPFMT_KIND_QUIET_NAN };
    if (fpfmt_value_is_zero(value))
        value.exponent = shape_emin(format);
    if (value.exponent > shape_emax(format))
        value.exponent = shape_emax(format);
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .exponent = fpfmt_quantum(format, value),
                          .significand = UINT64_C(1) << 63 };
}
