/* scaling.c - a small number times powers of two, stored in a format and divided again
 * SPDX-License-Identifier: MIT */

#include "scaling.h"

const char *scaled_name(scaled_status status)
{
    static const char *const names[] = {
        [SCALED_UNDERFLOW] = "underflow", [SCALED_SUBNORMAL] = "subnormal",
        [SCALED_NORMAL] = "normal",       [SCALED_EXACT] = "exact",
        [SCALED_OVERFLOW] = "overflow",
    };
    return names[status];
}

fpfmt_value times_power(fpfmt_value value, int power)
{
    if (value.kind == FPFMT_KIND_NORMAL || value.kind == FPFMT_KIND_SUBNORMAL)
        value.exponent += power;
    return value;
}

scaled store_scaled(const fpfmt_format *format, fpfmt_value gradient, int power)
{
    unsigned flags = 0;
    scaled made = { .code = fpfmt_encode(format, times_power(gradient, power), NULL, &flags) };
    made.unscaled = times_power(fpfmt_decode(format, made.code), -power);
    made.became = flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID) ? SCALED_OVERFLOW
                  : fpfmt_is_zero(format, made.code)                 ? SCALED_UNDERFLOW
                  : !(flags & FPFMT_FLAG_INEXACT)                    ? SCALED_EXACT
                  : fpfmt_is_subnormal(format, made.code)            ? SCALED_SUBNORMAL
                                                                     : SCALED_NORMAL;
    return made;
}

/* Is nothing lost but what the rounding in the normal range takes? */
static bool is_whole(const fpfmt_format *format, const scaled *stored)
{
    return (stored->became == SCALED_NORMAL || stored->became == SCALED_EXACT) &&
           !fpfmt_is_subnormal(format, stored->code);
}

power_range find_powers(const fpfmt_format *format, fpfmt_value gradient)
{
    power_range found = { NO_POWER, NO_POWER };
    for (int power = 0;; power++) {
        scaled stored = store_scaled(format, gradient, power);
        if (stored.became == SCALED_OVERFLOW)
            return found;
        if (found.best == NO_POWER && is_whole(format, &stored))
            found.best = power;
        found.last = power;
    }
}
