/* decibels.c - ratios of powers as decibels
 * SPDX-License-Identifier: MIT */

#include "facts/decibels.h"

bool decibels(double *made, fpfmt_value signal, fpfmt_value noise)
{
    if (fpfmt_value_is_zero(signal) || fpfmt_value_is_zero(noise))
        return false;
    double log2 = signal.exponent - noise.exponent, bit = 0.5;
    double left = (double)signal.significand / (double)noise.significand;
    while (left < 1) {
        left *= 2;
        log2--;
    }
    /* Bits of the logarithm's fraction, each by squaring what is left of the number. */
    for (int i = 0; i < 20; i++, bit /= 2) {
        left *= left;
        if (left >= 2) {
            left /= 2;
            log2 += bit;
        }
    }
    *made = log2 * 3.0102999566398120;
    return true;
}
