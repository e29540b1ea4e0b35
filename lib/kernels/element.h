/* element.h - one element, or one vector of them, from carrier to format and back
 * SPDX-License-Identifier: MIT
 *
 * This is the definition that every kernel is held to, and the code of the scalar set. A scalar is
 * a vector of one lane. There is no branch but on constants of the call, and nothing that the
 * floating-point environment could change. */

/* Included once per set and carrier; end.h ends it.
 *
 *   macro               who defines it      takes, gives
 *   WORD_BITS           before the include  32 for binary32, 64 for binary64
 *   TARGET              the set             attribute of its functions
 *   vec_32, vec_64      the set             types of one or more words
 *   SPLAT(word)         the set             a word in every lane
 *   LESS(a, b)          the set             mask: a < b, as unsigned integers
 *   EQUAL(a, b)         the set             mask: a == b
 *   SUBTRACT(a, b)      the set             a - b as carriers, of which the result is exact
 *   OF_SIGN(pair)       the set             of a pair of constants in *k the one for the mask sign:
 *                                           k and sign are locals of the caller
 *   VEC, WORD           here                the set's vector of this carrier, and its word
 *   NAME(x)             here                x_32 or x_64: everything that both carriers have
 *   INLINE              here                a function that is always inlined, for the TARGET
 *   FRACTION            here                the carrier's fraction bits, 23 or 52
 *   TOP                 here                the sign bit of a word
 *   HIDDEN              here                the bit above the fraction: of 1.0's significand, and
 *                                           as a magnitude the carrier's smallest normal
 *   INFINITE            here                the magnitude of infinity; above it are NaN
 *   OF(field)           here                a constant in *k, spread over the lanes
 *   PICK(m, yes, no)    here                yes where the mask is set, else no
 *   BIT(m)              here                1 where the mask is set, else 0
 *
 * A mask is all ones or all zero in each lane. Read as a number it is -1 or 0, so that subtracting
 * it adds the step of what goes away. Shifts of VEC take amounts below WORD_BITS only.
 *
 * All functions are inlined, and callers pass decision as a constant: what a loop does not use of a
 * result, the code, the value or the flags, is not computed. */

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

/* Of an element: its code, its value as carrier bits, and the flags that it raises. */
typedef struct {
    VEC code, value, flags;
} NAME(element);

/* A carrier magnitude in steps of the format, and what is cut off below. */
typedef struct {
    VEC exponent, significand; /* the carrier's: 1 and no hidden bit for its subnormals */
    VEC shift;                 /* bits of the significand that lie below a step */
    VEC within;                /* shift, or less: as many bits as hold all of the significand */
    VEC kept;                  /* the significand in whole steps */
    VEC rest;                  /* the bits below, in units of 2^-within steps */
    VEC code;                  /* the magnitude code of kept */
} NAME(steps);

/* Below 2^emin the exponent stays at emin, and the significand loses bits instead. The hidden bit
 * of kept adds itself into the exponent field of the code, as a carry of the rounding will: see
 * shape.h. magnitude is finite; of others the result means nothing, and encode does not use it. */
INLINE NAME(steps) NAME(cut)(const fpfmt_encoder *k, VEC magnitude)
{
    NAME(steps) cut;
    VEC field = magnitude >> FRACTION, emin = OF(biased_emin), subnormal = EQUAL(field, SPLAT(0));
    cut.exponent = field - subnormal;
    cut.significand = (magnitude & SPLAT(HIDDEN - 1)) | (SPLAT(HIDDEN) & ~subnormal);
    VEC distance = (emin - cut.exponent) & LESS(cut.exponent, emin);
    /* A significand is less than 2^(FRACTION + 1), so that with one bit more than that below the
     * step it is less than half a step: as with any larger shift, nothing is kept, and no mode can
     * tell how small the rest is. Chances are told by shift, not by within. */
    VEC enough = SPLAT((WORD)FRACTION + 2);
    cut.shift = OF(extra_bits) + distance;
    cut.within = PICK(LESS(cut.shift, enough), cut.shift, enough);
    cut.kept = cut.significand >> cut.within;
    cut.rest = cut.significand & ((SPLAT(1) << cut.within) - SPLAT(1));
    cut.code = ((cut.exponent + distance - emin) << (int)k->fraction_bits) + cut.kept;
    return cut;
}

/* Whether the magnitude goes away, in modes without chance. Twice the rest is compared with a
 * number of steps: with 0 every rest goes away, with 1 those beyond the half, with 2 none. A nearest
 * mode has 1 step, and any other 2 where it never leaves the neighbour toward zero, else 0. What is
 * added to twice the rest, 0 or 1, decides on the half itself, the only place where the two can be
 * equal. Tie and never are the decision of the mode's row, see modes.h: by the sign, and turned about
 * where the code of that neighbour is odd. DECIDE_EVEN is the commonest row written out. */
INLINE VEC NAME(goes_away)(const fpfmt_encoder *k, int decision, VEC sign, const NAME(steps) * cut)
{
    VEC step = SPLAT(1) << cut->within, odd = cut->code & SPLAT(1), twice = cut->rest + cut->rest;
    if (decision == DECIDE_EVEN)
        return LESS(step, twice + odd);
    VEC never = OF_SIGN(never) ^ (OF(never_odd) & (SPLAT(0) - odd));
    VEC tie = OF_SIGN(tie) ^ (OF(tie_odd) & odd);
    return LESS((step & OF(nearest)) + ((step + step) & never), twice + tie);
}

/* WORD_BITS bits of the rest as a fraction of a step, from the one that weighs 2^-(bits + 1) steps
 * down; bits is 0 or WORD_BITS. Where the rest has fewer they are filled up with zeros; what it has
 * below them is not seen. The rest may begin any number of places below the step, so that the shift
 * that brings its bits into the word goes either way; amounts are taken modulo WORD_BITS, and what
 * they would be wrong for is masked.
 */
INLINE VEC NAME(word_of_rest)(const NAME(steps) * cut, WORD bits)
{
    const VEC modulo = SPLAT((WORD)WORD_BITS - 1), above = SPLAT(bits);
    VEC end = SPLAT(bits + WORD_BITS), past = cut->shift - end;
    VEC left = cut->rest << ((end - cut->shift) & modulo);
    VEC right = (cut->significand >> (past & modulo)) & LESS(past, modulo);
    VEC word = PICK(LESS(end, cut->shift), right, left);
    return bits == 0 ? word : word & LESS(above, cut->shift);
}

/* Whether the magnitude goes away by chance: whether the rest, as a fraction of a step, and the
 * random bits add up to a step. random holds the first WORD_BITS random bits, and more the next 32
 * in 32-bit lanes with DECIDE_CHANCE_64; draw.h makes both such that this sum is the rule of each
 * stochastic mode.
 *
 * *leaves_tiny: whether the magnitude would become 2^emin if the exponent had no lower bound. Then
 * it is not tiny after rounding, IEEE 754-2019 7.5. Below 2^emin the steps would be half as wide,
 * so that the value has one bit more; only if that and all bits above are ones, just_below, does
 * going away lead to 2^emin. What is left to decide it is the rest without its first bit, finer. */
INLINE VEC NAME(carries)(const fpfmt_encoder *k, int decision, VEC random, VEC more,
                         const NAME(steps) * cut, VEC *leaves_tiny)
{
    VEC ones = SPLAT(((WORD)2 << k->fraction_bits) - 1), none = SPLAT(0);
    VEC just_below = EQUAL(cut->significand << 1 >> cut->within, ones);
    VEC chance = NAME(word_of_rest)(cut, 0), finer = chance << 1, carry = none, carry_finer = none;
    if (decision == DECIDE_CHANCE_64) {
        /* With equal chances the random bits are all ones or all zero, and any rest has to carry
         * with the ones: it must not be lost below the last word. */
        VEC step = SPLAT(1) << cut->within, some = BIT(OF(equal_chance));
        VEC rest = some & ~EQUAL(cut->rest, none);
        VEC rest_finer = some & ~EQUAL((cut->rest << 1) & (step - SPLAT(1)), none);
        if (WORD_BITS == 32) {
            VEC low = NAME(word_of_rest)(cut, WORD_BITS);
            finer |= low >> (WORD_BITS - 1);
            carry = LESS(((low | rest) + more), more);
            carry_finer = LESS((((low << 1) | rest_finer) + more), more);
        } else {
            /* To ties to even, what lies below the word says that a half is none. Binary32 has too
             * few bits to have one in both places. just_below has no step that far up. */
            VEC past = cut->shift - SPLAT((WORD)WORD_BITS);
            VEC below = (SPLAT(1) << (past & SPLAT((WORD)WORD_BITS - 1))) - SPLAT(1);
            VEC lost =
                LESS(SPLAT((WORD)WORD_BITS), cut->shift) & ~EQUAL(cut->significand & below, none);
            chance |= rest | (lost & SPLAT(k->chance == CHANCE_TIES_EVEN));
            finer |= rest_finer;
        }
    }
    /* The words carry if chance + random does, or if that is all ones and the words below carry
     * into it. */
    VEC sum = chance + random, sum_finer = finer + random, all = none - SPLAT(1);
    *leaves_tiny = just_below & (LESS(sum_finer, random) | (carry_finer & EQUAL(sum_finer, all)));
    return LESS(sum, random) | (carry & EQUAL(sum, all));
}

/* A magnitude code with its sign: negative ones flip the sign bit, or in two's complement all bits,
 * and add 1. zero_negate is 0 in formats of sign and magnitude that have no -0, whose zero keeps
 * its bits. */
INLINE VEC NAME(with_sign)(const fpfmt_encoder *k, VEC sign, VEC magnitude)
{
    VEC negate = PICK(EQUAL(magnitude, SPLAT(0)), OF(zero_negate), OF(negate));
    return ((magnitude ^ (negate & sign)) + (OF(add) & sign)) & OF(code_mask);
}

/* From carrier bits to code, value and flags, all rules of the policy in turn, later ones in place
 * of earlier ones: rounding, tininess and its flush, overflow, infinity, NaN. decision is
 * k->decision; random and more are read only with DECIDE_CHANCE_...; value means something only
 * where k->carries. */
INLINE NAME(element)
    NAME(encode)(const fpfmt_encoder *k, int decision, VEC bits, VEC random, VEC more)
{
    const VEC none = SPLAT(0);
    VEC x = bits & OF(source_mask), sign = none - (x >> (WORD_BITS - 1)), a = x & SPLAT(TOP - 1);
    a &= ~LESS(a, OF(flush_input_below));
    NAME(steps) cut = NAME(cut)(k, a);
    VEC away, leaves_tiny = none, inexact = ~EQUAL(cut.rest, none);
    if (decision == DECIDE_EVEN || decision == DECIDE_THRESHOLD)
        away = NAME(goes_away)(k, decision, sign, &cut);
    else
        away = NAME(carries)(k, decision, random, more, &cut, &leaves_tiny);

    VEC code = cut.code - away;
    VEC tiny =
        LESS(a, OF_SIGN(tiny_below)) & ~EQUAL(a, none) & ~(leaves_tiny & OF(tiny_after_rounding));
    VEC flushed = tiny & OF(flush_tiny);
    VEC over = LESS(OF_SIGN(max), code) | (inexact & EQUAL(cut.code, OF_SIGN(overflow_if_cut)));
    over &= ~flushed;
    /* Carried: the steps at their place in the carrier again, where the hidden bit of kept adds 1
     * to the exponent. Without a step left there is no hidden bit, and the result is zero or one
     * step, the smallest value. */
    VEC moved = ((cut.exponent - SPLAT(1)) << FRACTION) + ((cut.kept - away) << cut.within);
    VEC value = PICK(EQUAL(cut.kept, none), away & OF(min_value), moved);
    code &= ~flushed;
    value &= ~flushed;

    NAME(element) out;
    VEC keeps_sign = sign & (~EQUAL(value, none) | OF(negative_zero));
    out.code = NAME(with_sign)(k, sign, code);
    out.value = value | (keeps_sign & SPLAT(TOP));
    out.flags = ((inexact | flushed) & SPLAT(FPFMT_FLAG_INEXACT)) |
                ((flushed | (inexact & tiny)) & SPLAT(FPFMT_FLAG_UNDERFLOW));
    out.code = PICK(over, OF_SIGN(overflow_code), out.code);
    out.value = PICK(over, OF_SIGN(overflow_value), out.value);
    out.flags = PICK(over, OF_SIGN(overflow_flags), out.flags);

    VEC infinite = EQUAL(a, SPLAT(INFINITE)), nan = LESS(SPLAT(INFINITE), a);
    out.code = PICK(infinite, OF_SIGN(infinity_code), out.code);
    out.value = PICK(infinite, OF_SIGN(infinity_value), out.value);
    out.flags = PICK(infinite, OF_SIGN(infinity_flags), out.flags);

    /* IEEE 754-2019 6.2.3: the payload keeps its top bits. A NaN signals if its top fraction bit is
     * 0, 6.2.1. */
    VEC bare = BIT(EQUAL(a & OF(nan_nonzero), none) & ~EQUAL(OF(nan_nonzero), none));
    VEC payload = ((a >> (int)k->extra_bits) & OF(nan_keep)) | OF_SIGN(nan_set);
    VEC value_payload = (a & OF(nan_value_keep)) | OF_SIGN(nan_value_set);
    VEC signals = ~EQUAL(a & SPLAT(HIDDEN >> 1), SPLAT(HIDDEN >> 1));
    out.code = PICK(nan, payload + bare, out.code);
    out.value = PICK(nan, value_payload + (bare << (int)k->extra_bits), out.value);
    out.flags = PICK(nan, OF(nan_flags) | (OF(signaling_flags) & signals), out.flags);
    return out;
}

/* The carrier bits of a code, of which bits above the format's width are ignored; *signals is the
 * mask of signaling NaN. k->reference is false. */
INLINE VEC NAME(decode)(const fpfmt_decoder *k, VEC bits, VEC *signals)
{
    const VEC none = SPLAT(0);
    VEC code = bits & OF(code_mask), sign = ~EQUAL(code & OF(sign_bit), none);
    VEC magnitude = ((code ^ (OF(negate) & sign)) + (OF(add) & sign)) & OF(code_mask);
    magnitude &= ~LESS(magnitude, OF(flush_below));

    /* A magnitude code without hidden bit is a number of steps, less than 2^FRACTION. As the
     * fraction of 2^FRACTION it makes the carrier 2^FRACTION + magnitude; less 2^FRACTION that is
     * the integer as a carrier, exactly. All three are zero or normal, so that no environment that
     * flushes subnormals sees one. The exponent of a step is then added as an integer. */
    VEC point = SPLAT((WORD)(FRACTION + (INFINITE >> FRACTION >> 1)) << FRACTION);
    VEC subnormal = SUBTRACT((magnitude & SPLAT(HIDDEN - 1)) | point, point);
    subnormal = (subnormal + OF(subnormal_exponent)) & ~EQUAL(magnitude, none);
    VEC normal = (magnitude << (int)k->extra_bits) + OF(normal_exponent);
    VEC value = PICK(LESS(magnitude, OF(hidden_from)), subnormal, normal);
    value = PICK(EQUAL(magnitude, OF(infinity)) & OF(has_infinity), SPLAT(INFINITE), value);
    value |= sign & SPLAT(TOP);

    VEC key = code & OF(nan_mask), nan = ~(LESS(key, OF(first_nan)) | LESS(OF(last_nan), key));
    VEC payload = ((key << (int)k->extra_bits) & OF(nan_keep)) | OF(nan_set);
    payload |= sign & OF(nan_sign);
    *signals = nan & EQUAL(key & OF(quiet), none) & ~EQUAL(OF(quiet), none);
    return PICK(nan, payload, value);
}
