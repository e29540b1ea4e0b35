/* convert.c - from one format to another, and whether that can lose anything
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "shape.h"

uint64_t fpfmt_convert(const fpfmt_format *to, const fpfmt_format *from, uint64_t code,
                       const fpfmt_policy *policy, unsigned *flags)
{
    return fpfmt_encode(to, fpfmt_decode(from, code), policy, flags);
}

double fpfmt_round(const fpfmt_format *format, double x)
{
    uint64_t code = fpfmt_encode(format, fpfmt_from_f64(x), NULL, NULL);
    return fpfmt_to_f64(fpfmt_decode(format, code), NULL, NULL);
}

/* The three ends of a format's range are encoded, and what is not held raises a flag. */
bool fpfmt_contains(const fpfmt_format *outer, const fpfmt_format *inner)
{
    fpfmt_limits out = fpfmt_measure(outer), in = fpfmt_measure(inner);
    if ((in.has_nan && !out.has_nan) || (in.has_infinity && !out.has_infinity) ||
        (in.has_zero && !out.has_zero) || (in.has_negative_zero && !out.has_negative_zero))
        return false;
    /* A rule of the row that leaves its lowest code unused takes no value from it. */
    static const fpfmt_policy every_code = { .overflow = FPFMT_OVERFLOW_INF };
    const uint64_t ends[] = { in.max, in.lowest, in.min_positive };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        unsigned flags = 0;
        fpfmt_convert(outer, inner, ends[i], &every_code, &flags);
        if (flags != 0)
            return false;
    }
    /* The ends fit. Between them it takes a step as fine, and as many significant bits as the
     * longest significand has: one less than the precision where no normal but 2^emin exists. */
    bool hidden_bit_alone = in.has_subnormals && in.max <= UINT64_C(1) << inner->fraction_bits;
    int bits = in.precision - hidden_bit_alone;
    int inner_step = shape_emin(inner) - inner->fraction_bits;
    int outer_step = shape_emin(outer) - outer->fraction_bits;
    return inner_step >= outer_step && bits <= out.precision;
}
