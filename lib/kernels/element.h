/* element.h - one element, or one vector of them, from carrier to format and back
 * SPDX-License-Identifier: MIT
 *
 * Included once per set and carrier, with WORD_BITS. The set defines TARGET, its function
 * attribute, the types vec_32 and vec_64 of one or more words, and for them SPLAT, LESS, EQUAL,
 * SUBTRACT and OF_SIGN (one of a pair in the constants); a scalar is a vector of one. Comparisons
 * give masks: all ones or 0. There is no branch, and nothing that the floating-point environment
 * could change. The functions are inlined and specialised by decide; what a loop does not use of a
 * result is not computed. */

#include "bits.h"

#define INLINE FORCE_INLINE TARGET

#if WORD_BITS == 32
#define NAME(name) name##_32
#define WORD uint32_t
#define FRACTION 23
#else
#define NAME(name) name##_64
#define WORD uint64_t
#define FRACTION 52
#endif
#define VEC NAME(vec)

#define TOP ((WORD)1 << (WORD_BITS - 1))
#define HIDDEN ((WORD)1 << FRACTION)
#define INFINITE (TOP - HIDDEN)

#define OF(field) SPLAT((WORD)k->field)
#define PICK(mask, yes, no) ((no) ^ (((yes) ^ (no)) & (mask)))
#define BIT(mask) ((mask)&SPLAT(1))

/* Of an element: its code, its value as carrier bits, and the flags. */
typedef struct {
    VEC code, value, flags;
} NAME(element);

/* A carrier magnitude in steps of the format, and what is cut off below. */
typedef struct {
    VEC exponent, significand; /* as the carrier has them, the hidden bit in place */
    VEC shift, within;         /* bits below a step; no more of them than it takes to hold all */
    VEC kept, rest, code;
} NAME(steps);

INLINE NAME(steps) NAME(cut)(const fpfmt_encoder *k, VEC magnitude)
{
    NAME(steps) it;
    VEC field = magnitude >> FRACTION, first = OF(first), subnormal = EQUAL(field, SPLAT(0));
    it.exponent = field - subnormal;
    it.significand = (magnitude & SPLAT(HIDDEN - 1)) | (SPLAT(HIDDEN) & ~subnormal);
    VEC distance = (first - it.exponent) & LESS(it.exponent, first);
    VEC enough = SPLAT((WORD)FRACTION + 2);
    it.shift = OF(drop) + distance;
    it.within = PICK(LESS(it.shift, enough), it.shift, enough);
    it.kept = it.significand >> it.within;
    it.rest = it.significand & ((SPLAT(1) << it.within) - SPLAT(1));
    it.code = ((it.exponent + distance - first) << (int)k->fraction_bits) + it.kept;
    return it;
}

/* Modes without chance compare twice the rest with 0, 1 or 2 steps: with 0 every rest goes away,
 * with 1 those beyond the half, and those on it if a tie adds 1, with 2 none. A nearest mode has 1
 * step, and any other 2 where it never leaves the neighbour toward zero, else 0. Tie and never are
 * the decision of the mode's row, see modes.h: by the sign, and turned about where the code of that
 * neighbour is odd. DECIDE_EVEN is the commonest row written out. */
INLINE VEC NAME(goes_away)(const fpfmt_encoder *k, int decide, VEC sign, const NAME(steps) * it)
{
    VEC step = SPLAT(1) << it->within, odd = it->code & SPLAT(1), twice = it->rest + it->rest;
    if (decide == DECIDE_EVEN)
        return LESS(step, twice + odd);
    VEC never = OF_SIGN(never) ^ (OF(never_odd) & (SPLAT(0) - odd));
    VEC tie = OF_SIGN(tie) ^ (OF(tie_odd) & odd);
    return LESS((step & OF(nearest)) + ((step + step) & never), twice + tie);
}

/* The word of the rest that begins bits, 0 or WORD_BITS, below the step. */
INLINE VEC NAME(word_of_rest)(const NAME(steps) * it, WORD bits)
{
    const VEC within = SPLAT((WORD)WORD_BITS - 1), above = SPLAT(bits);
    VEC end = SPLAT(bits + WORD_BITS), past = it->shift - end;
    VEC left = it->rest << ((end - it->shift) & within);
    VEC right = (it->significand >> (past & within)) & LESS(past, within);
    VEC word = PICK(LESS(end, it->shift), right, left);
    return bits == 0 ? word : word & LESS(above, it->shift);
}

/* Whether the rest and the random bits make a step; and whether they would if the value, with one
 * bit of precision more, were all ones: then it rounds to the smallest normal, and is not tiny
 * (IEEE 754-2019 7.5). more: a second word, in 32-bit lanes with 64 random bits. */
INLINE VEC NAME(carries)(const fpfmt_encoder *k, int decide, VEC random, VEC more,
                         const NAME(steps) * it, VEC *leaves_tiny)
{
    VEC ones = SPLAT(((WORD)2 << k->fraction_bits) - 1), none = SPLAT(0);
    VEC just_below = EQUAL(it->significand << 1 >> it->within, ones);
    VEC chance = NAME(word_of_rest)(it, 0), finer = chance << 1, carry = none, carry_finer = none;
    if (decide == DECIDE_CHANCE_64) {
        /* Where any rest has one chance, it must not be lost below the last word. */
        VEC step = SPLAT(1) << it->within, some = BIT(OF(equal_chance));
        VEC rest = some & ~EQUAL(it->rest, none);
        VEC rest_finer = some & ~EQUAL((it->rest << 1) & (step - SPLAT(1)), none);
        if (WORD_BITS == 32) {
            VEC low = NAME(word_of_rest)(it, WORD_BITS);
            finer |= low >> (WORD_BITS - 1);
            carry = LESS(((low | rest) + more), more);
            carry_finer = LESS((((low << 1) | rest_finer) + more), more);
        } else {
            chance |= rest;
            finer |= rest_finer;
        }
    }
    /* chance + random + carry, where carry is -1 as a mask. */
    VEC sum = chance + random, sum_finer = finer + random, all = none - SPLAT(1);
    *leaves_tiny = just_below & (LESS(sum_finer, random) | (carry_finer & EQUAL(sum_finer, all)));
    return LESS(sum, random) | (carry & EQUAL(sum, all));
}

/* Sign and magnitude, or two's complement; zero_negate where there is no -0. */
INLINE VEC NAME(with_sign)(const fpfmt_encoder *k, VEC sign, VEC magnitude)
{
    VEC negate = PICK(EQUAL(magnitude, SPLAT(0)), OF(zero_negate), OF(negate));
    return ((magnitude ^ (negate & sign)) + (OF(add) & sign)) & OF(code_mask);
}

INLINE NAME(element)
    NAME(encode)(const fpfmt_encoder *k, int decide, VEC bits, VEC random, VEC more)
{
    const VEC none = SPLAT(0);
    VEC x = bits & OF(source_mask), sign = none - (x >> (WORD_BITS - 1)), a = x & SPLAT(TOP - 1);
    a &= ~LESS(a, OF(flush_input));
    NAME(steps) it = NAME(cut)(k, a);
    VEC away, leaves_tiny = none, inexact = ~EQUAL(it.rest, none);
    if (decide == DECIDE_EVEN || decide == DECIDE_LIMIT)
        away = NAME(goes_away)(k, decide, sign, &it);
    else
        away = NAME(carries)(k, decide, random, more, &it, &leaves_tiny);

    VEC code = it.code - away;
    VEC tiny = LESS(a, OF_SIGN(tiny)) & ~EQUAL(a, none) & ~(leaves_tiny & OF(tiny_after));
    VEC flushed = tiny & OF(flush_tiny);
    VEC over = LESS(OF_SIGN(max), code) | (inexact & EQUAL(it.code, OF_SIGN(before)));
    over &= ~flushed;
    VEC moved = ((it.exponent - SPLAT(1)) << FRACTION) + ((it.kept - away) << it.within);
    VEC value = PICK(EQUAL(it.kept, none), away & OF(min_value), moved);
    code &= ~flushed;
    value &= ~flushed;

    NAME(element) out;
    VEC keeps_sign = sign & (~EQUAL(value, none) | OF(negative_zero));
    out.code = NAME(with_sign)(k, sign, code);
    out.value = value | (keeps_sign & SPLAT(TOP));
    out.flags = ((inexact | flushed) & SPLAT(FPFMT_FLAG_INEXACT)) |
                ((flushed | (inexact & tiny)) & SPLAT(FPFMT_FLAG_UNDERFLOW));
    out.code = PICK(over, OF_SIGN(over), out.code);
    out.value = PICK(over, OF_SIGN(over_value), out.value);
    out.flags = PICK(over, OF_SIGN(over_flags), out.flags);

    VEC infinite = EQUAL(a, SPLAT(INFINITE)), nan = LESS(SPLAT(INFINITE), a);
    out.code = PICK(infinite, OF_SIGN(infinity), out.code);
    out.value = PICK(infinite, OF_SIGN(infinity_value), out.value);
    out.flags = PICK(infinite, OF_SIGN(infinity_flags), out.flags);

    VEC bare = BIT(EQUAL(a & OF(nan_bare), none) & ~EQUAL(OF(nan_bare), none));
    VEC payload = ((a >> (int)k->drop) & OF(nan_keep)) | OF_SIGN(nan_set);
    VEC value_payload = (a & OF(nan_value_keep)) | OF_SIGN(nan_value_set);
    VEC signals = ~EQUAL(a & SPLAT(HIDDEN >> 1), SPLAT(HIDDEN >> 1));
    out.code = PICK(nan, payload + bare, out.code);
    out.value = PICK(nan, value_payload + (bare << (int)k->drop), out.value);
    out.flags = PICK(nan, OF(nan_flags) | (OF(signaling_flags) & signals), out.flags);
    return out;
}

/* The carrier bits of a code; *signals is all ones for a signaling NaN. */
INLINE VEC NAME(decode)(const fpfmt_decoder *k, VEC bits, VEC *signals)
{
    const VEC none = SPLAT(0);
    VEC code = bits & OF(code_mask), sign = ~EQUAL(code & OF(sign_bit), none);
    VEC magnitude = ((code ^ (OF(negate) & sign)) + (OF(add) & sign)) & OF(code_mask);
    magnitude &= ~LESS(magnitude, OF(flush));

    /* As the fraction of 2^FRACTION, which is then taken away: exact, and of normal numbers. */
    VEC point = SPLAT((WORD)(FRACTION + (INFINITE >> FRACTION >> 1)) << FRACTION);
    VEC subnormal = SUBTRACT((magnitude & SPLAT(HIDDEN - 1)) | point, point);
    subnormal = (subnormal + OF(subnormal)) & ~EQUAL(magnitude, none);
    VEC normal = (magnitude << (int)k->drop) + OF(normal);
    VEC value = PICK(LESS(magnitude, OF(hidden)), subnormal, normal);
    value = PICK(EQUAL(magnitude, OF(infinity)) & OF(has_infinity), SPLAT(INFINITE), value);
    value |= sign & SPLAT(TOP);

    VEC key = code & OF(nan_mask), nan = ~(LESS(key, OF(first_nan)) | LESS(OF(last_nan), key));
    VEC payload = ((key << (int)k->drop) & OF(nan_keep)) | OF(nan_set);
    payload |= sign & OF(nan_sign);
    *signals = nan & EQUAL(key & OF(quiet), none) & ~EQUAL(OF(quiet), none);
    return PICK(nan, payload, value);
}
