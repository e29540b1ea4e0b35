/* encode.h - the two steps of every rounding: cut, then decide
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_ENCODE_H
#define FPFMT_ENCODE_H

#include <fpfmt.h>

#include "bits.h"
#include "modes.h"
#include "shape.h"

/* A magnitude in whole steps of 2^quantum, and what was cut off below. guard, round and sticky are
 * as in the literature: the first bit cut off, the second, and whether any below them is set. */
typedef struct {
    uint64_t kept;
    uint8_t remainder; /* FPFMT_REMAINDER_... */
    uint8_t guard, round, sticky;
    bool away;         /* the magnitude goes up by one step */
    bool beyond;       /* something not zero is below fraction */
    uint64_t fraction; /* the first 64 bits cut off */
} fpfmt_cut;

/* A rounding mode with its random bits drawn: all of a policy that deciding takes. */
typedef struct {
    const fpfmt_mode *mode;
    int bits; /* of random: 0 in modes without chance */
    uint64_t random;
} fpfmt_rule;

/* The policy, or for NULL the default one. */
static inline const fpfmt_policy *fpfmt_or_default(const fpfmt_policy *policy)
{
    static const fpfmt_policy standard = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    return policy == NULL ? &standard : policy;
}

/* The policy's mode with these random bits. */
fpfmt_rule fpfmt_rule_with(const fpfmt_policy *policy, uint64_t random);

/* The policy's mode with the bits of its element first. */
fpfmt_rule fpfmt_rule_of(const fpfmt_policy *policy);

/* The chance of a stochastic mode to go away from zero, in units of 2^-bits, from 0 to 2^bits; 64
 * bits of chance are at most 2^64 - 1, as the distance is cut. 0 in modes without chance. */
uint64_t fpfmt_chance(const fpfmt_rule *rule, const fpfmt_cut *cut);

/* Cuts a magnitude at 2^quantum; away is not decided yet. value is finite and not zero; quantum +
 * 63 >= value.exponent, so that kept fits. Where these are the same, all of the significand is
 * kept, and which FPFMT_REMAINDER_... the cut tail is decides in its place; elsewhere beyond tells
 * that there is one. */
fpfmt_cut fpfmt_cut_at(fpfmt_value value, int quantum);

/* Whether the magnitude goes up by one step; odd says that the lower neighbour is. */
bool fpfmt_rounds_away(const fpfmt_rule *rule, bool negative, bool odd, const fpfmt_cut *cut);

/* log2 of the step that a value is rounded to: that of its binade, or of the smallest normal's
 * below. value is finite and not zero. */
int fpfmt_quantum(const fpfmt_format *format, fpfmt_value value);

/* Both steps, for a value that is finite and not zero and not fpfmt_is_beyond; returns the
 * magnitude code, which may exceed the largest finite one. *cut tells how. */
uint64_t fpfmt_round_magnitude(const fpfmt_format *format, fpfmt_value value,
                               const fpfmt_rule *rule, fpfmt_cut *cut);

/* The largest finite magnitude code of a sign, past which a result overflows: for SYMMETRIC two's
 * complement has no more below zero than above. */
uint64_t fpfmt_largest(const fpfmt_format *format, bool negative, const fpfmt_policy *policy);

/* A magnitude code with its sign; -0 becomes +0 where its code is NaN. Signs are as good as random:
 * they are masks here, and no branches. */
static inline uint64_t fpfmt_with_sign(const fpfmt_format *format, uint64_t magnitude,
                                       bool negative)
{
    if (is_fixed_point(format))
        return negative ? (0 - magnitude) & low_bits(shape_width(format)) : magnitude;
    bool bare = magnitude == 0 && format->nans == FPFMT_NANS_NEGATIVE_ZERO;
    return magnitude | (shape_sign_mask(format) & (0 - (uint64_t)(negative & !bare)));
}

/* A negative value that does not round to zero, for a format without sign. */
uint64_t fpfmt_encode_negative(const fpfmt_format *format, const fpfmt_policy *policy,
                               bool infinite, unsigned *flags);

/* A zero: of either sign where the format has -0. E8M0, which has none, makes of it its smallest
 * value, which underflows. */
uint64_t fpfmt_encode_zero(const fpfmt_format *format, bool negative, unsigned *flags);

/* What becomes of a finite value past the largest, or of one below zero in an unsigned format. */
uint64_t fpfmt_encode_beyond(const fpfmt_format *format, bool negative, const fpfmt_policy *policy,
                             unsigned *flags);

/* An infinite input. Where it does not stay infinite it overflows, as IEEE 754 has no case for it.
 */
uint64_t fpfmt_encode_infinity(const fpfmt_format *format, bool negative,
                               const fpfmt_policy *policy, unsigned *flags);

/* A NaN input, as the policy's rule for NaN has it; invalid if it signals and does not stay so, or
 * if the format has no NaN. */
uint64_t fpfmt_encode_nan(const fpfmt_format *format, fpfmt_value value, const fpfmt_policy *policy,
                          unsigned *flags);

/* The value lies between 0 and the smallest value of a format without subnormals. */
bool fpfmt_in_gap(const fpfmt_format *format, fpfmt_value value);

/* The binade lies so far above the largest that no rounding leads back. */
bool fpfmt_is_beyond(const fpfmt_format *format, fpfmt_value value);

#endif
