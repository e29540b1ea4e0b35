/* scan.h - the flags of an array, told from its inputs
 * SPDX-License-Identifier: MIT
 *
 * A pass of its own, which reads inputs and writes nothing, leaves the conversion the fast one that
 * knows of no flags. It compares magnitudes with the ends of the range and rounds nothing. */

/* Included by fast_arrays.h, with the macros of fast.h. */

/* The flags of count elements, a multiple of the lanes; k->flags_from_input holds: no mode by
 * chance, no flush, overflow tested after rounding. An element is inexact if it has bits below its
 * step; it overflows from overflow_from on, and raises then what the encoder says; it underflows if
 * it is inexact and tiny, IEEE 754-2019 7.5. */
static TARGET unsigned NAME(scan)(const fpfmt_encoder *k, const unsigned char *from, size_t count)
{
    const VEC none = SPLAT(0), one = SPLAT(1), infinite = SPLAT(INFINITE);
    const VEC step = SPLAT(((WORD)1 << k->extra_bits) - 1);
    const bool shifts = k->cut_method == CUT_BY_SHIFT;
    const VEC smallest = SPLAT(shifts ? 0 : (WORD)(k->biased_emin - k->fraction_bits) << FRACTION);
    MASK inexact = ABOVE(none, none), under = inexact, nan = inexact, signals = inexact;
    MASK over[2] = { inexact, inexact }, infinity[2] = { inexact, inexact };
    VEC x;
    for (size_t i = 0; i < count; i += NAME(LANES)) {
        memcpy(&x, from + i * sizeof(WORD), sizeof x);
        VEC a = x & SPLAT(TOP - 1), exponent = a >> FRACTION;
        /* The bits below the step: all fraction bits at most, as long as a step fits into a. Of
         * what is smaller than the smallest value every bit is lost, the hidden one too. */
        VEC below = MAXIMUM(exponent, OF(biased_emin)) - exponent + OF(extra_bits);
        VEC cut = shifts ? step : (one << MINIMUM(below, SPLAT(FRACTION))) - one;
        cut = CHOOSE(ABOVE(smallest, a), cut, SPLAT(TOP - 1));
        MASK negative = NEGATIVE(x);
        MASK past = AND_NOT(
            ABOVE(a, CHOOSE(negative, OF(overflow_from[0]) - one, OF(overflow_from[1]) - one)),
            ABOVE(a, infinite - one));
        MASK lost = AND_NOT(ABOVE(a & cut, none), ABOVE(a, infinite - one));
        lost = AND_NOT(lost, past);
        MASK tiny = ABOVE(CHOOSE(negative, OF(tiny_below[0]), OF(tiny_below[1])), a);
        MASK is_infinite = SAME(a, infinite), is_nan = ABOVE(a, infinite);
        inexact = EITHER(inexact, lost);
        under = EITHER(under, BOTH(lost, tiny));
        over[0] = EITHER(over[0], AND_NOT(past, negative));
        over[1] = EITHER(over[1], BOTH(past, negative));
        infinity[0] = EITHER(infinity[0], AND_NOT(is_infinite, negative));
        infinity[1] = EITHER(infinity[1], BOTH(is_infinite, negative));
        nan = EITHER(nan, is_nan);
        signals = EITHER(signals, AND_NOT(is_nan, ABOVE(a & SPLAT(HIDDEN >> 1), none)));
    }
    uint64_t flags =
        (ANY(inexact) ? FPFMT_FLAG_INEXACT : 0) | (ANY(under) ? FPFMT_FLAG_UNDERFLOW : 0);
    for (int sign = 0; sign < 2; sign++) {
        flags |= ANY(over[sign]) ? k->overflow_flags[sign] : 0;
        flags |= ANY(infinity[sign]) ? k->infinity_flags[sign] : 0;
    }
    flags |= (ANY(nan) ? k->nan_flags : 0) | (ANY(signals) ? k->signaling_flags : 0);
    return (unsigned)flags;
}
