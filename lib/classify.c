/* classify.c - what a code is, and operations on its sign
 * SPDX-License-Identifier: MIT
 *
 * IEEE 754-2019 5.7.2 and 5.5.1. None of these raises a flag. */

#include <fpfmt.h>

fpfmt_class fpfmt_classify(const fpfmt_format *format, uint64_t code)
{
    static const struct {
        int8_t positive, negative;
    } classes[] = {
        [FPFMT_KIND_ZERO] = { FPFMT_CLASS_POSITIVE_ZERO, FPFMT_CLASS_NEGATIVE_ZERO },
        [FPFMT_KIND_SUBNORMAL] = { FPFMT_CLASS_POSITIVE_SUBNORMAL, FPFMT_CLASS_NEGATIVE_SUBNORMAL },
        [FPFMT_KIND_NORMAL] = { FPFMT_CLASS_POSITIVE_NORMAL, FPFMT_CLASS_NEGATIVE_NORMAL },
        [FPFMT_KIND_INFINITE] = { FPFMT_CLASS_POSITIVE_INFINITY, FPFMT_CLASS_NEGATIVE_INFINITY },
        [FPFMT_KIND_QUIET_NAN] = { FPFMT_CLASS_QUIET_NAN, FPFMT_CLASS_QUIET_NAN },
        [FPFMT_KIND_SIGNALING_NAN] = { FPFMT_CLASS_SIGNALING_NAN, FPFMT_CLASS_SIGNALING_NAN },
    };
    fpfmt_value value = fpfmt_decode(format, code);
    return (fpfmt_class)(value.negative ? classes[value.kind].negative
                                        : classes[value.kind].positive);
}

bool fpfmt_is_nan(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_value_is_nan(fpfmt_decode(format, code));
}

bool fpfmt_is_signaling(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_decode(format, code).kind == FPFMT_KIND_SIGNALING_NAN;
}

bool fpfmt_is_infinite(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_value_is_infinite(fpfmt_decode(format, code));
}

bool fpfmt_is_finite(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_value_is_finite(fpfmt_decode(format, code));
}

bool fpfmt_is_zero(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_value_is_zero(fpfmt_decode(format, code));
}

bool fpfmt_is_subnormal(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_decode(format, code).kind == FPFMT_KIND_SUBNORMAL;
}

bool fpfmt_is_normal(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_decode(format, code).kind == FPFMT_KIND_NORMAL;
}

bool fpfmt_is_negative(const fpfmt_format *format, uint64_t code)
{
    return fpfmt_decode(format, code).negative;
}

/* A code with a sign, under the rule for overflow that leaves each code in use: without -0 a zero
 * stays +0, infinities and two's complement's lowest code stay, and in an unsigned format a
 * negative number becomes NaN. NaN keep their bits but for the sign. */
static uint64_t with_negative(const fpfmt_format *format, uint64_t code, bool negative)
{
    static const fpfmt_policy bits = { .nan = FPFMT_NAN_PRESERVE, .overflow = FPFMT_OVERFLOW_INF };
    fpfmt_value value = fpfmt_decode(format, code);
    value.negative = negative;
    return fpfmt_encode(format, value, &bits, NULL);
}

uint64_t fpfmt_negate(const fpfmt_format *format, uint64_t code)
{
    return with_negative(format, code, !fpfmt_is_negative(format, code));
}

uint64_t fpfmt_abs(const fpfmt_format *format, uint64_t code)
{
    return with_negative(format, code, false);
}

uint64_t fpfmt_copy_sign(const fpfmt_format *format, uint64_t code, uint64_t sign)
{
    return with_negative(format, code, fpfmt_is_negative(format, sign));
}
