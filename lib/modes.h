/* modes.h - a rounding mode is a row: everything that the library knows of it
 * SPDX-License-Identifier: MIT
 *
 * Every mode chooses between two neighbours, the one toward zero and the one away from it, by what
 * was cut off between them. The reference and the constants of prepared conversions read rows, so
 * that a mode is right there once it has one; kernels that are specialised by mode assert how many
 * modes they know, and do not compile with one more. */

#ifndef FPFMT_MODES_H
#define FPFMT_MODES_H

#include <fpfmt.h>

/* How the distance from the neighbour toward zero, in steps, becomes the chance of leaving it. */
enum {
    CHANCE_NONE,      /* no random bits */
    CHANCE_DISTANCE,  /* the distance, to as many bits as are random */
    CHANCE_TIES_UP,   /* the distance rounded to them, a half up */
    CHANCE_TIES_EVEN, /* the distance rounded to them, a half to even */
    CHANCE_EQUAL      /* one half, whatever the distance is, unless that is 0 */
};

/* How many random bits a mode takes, where that is no number of its own. */
enum { RANDOM_BITS_OF_POLICY = 255 };

/* The decision of a mode without chance depends on the sign and on whether the code of the
 * neighbour toward zero is odd, and is taken where the rest says nothing else: in a nearest mode on
 * a tie, in any other wherever anything was cut off. See fpfmt_mode_leaves. */
typedef struct {
    uint8_t rounding;    /* FPFMT_ROUND_...: its place in the table */
    bool nearest;        /* what lies beyond the middle goes there; the decision is for ties */
    bool away[2];        /* by the sign, positive first: is an even code left, away from zero? */
    bool odd_turns;      /* of an odd code the opposite is true */
    bool negative_zero;  /* an exact sum of zero is -0: IEEE 754-2019 6.3 */
    uint16_t goes;       /* the same as a table for fpfmt_mode_goes, computed from the above */
    uint8_t chance;      /* CHANCE_...; with one, none of the above is read */
    uint8_t random_bits; /* of a mode with chance: 64, 1, or RANDOM_BITS_OF_POLICY */
} fpfmt_mode;

/* By FPFMT_ROUND_... */
extern const fpfmt_mode fpfmt_modes[];

/* The row of a policy's mode. A number that is none, which is a defect of the policy, reads as
 * toward zero. */
static inline const fpfmt_mode *fpfmt_mode_of(unsigned rounding)
{
    return &fpfmt_modes[rounding < FPFMT_ROUND_COUNT ? rounding : FPFMT_ROUND_TOWARD_ZERO];
}

/* Is the neighbour toward zero left where the decision is taken? odd: its code is. */
static inline bool fpfmt_mode_leaves(const fpfmt_mode *mode, bool negative, bool odd)
{
    return mode->away[negative] ^ (mode->odd_turns & odd);
}

/* Does the magnitude go up? remainder: FPFMT_REMAINDER_... of what was cut off. Not by chance. */
static inline bool fpfmt_mode_goes(const fpfmt_mode *mode, bool negative, bool odd,
                                   unsigned remainder)
{
    return mode->goes >> ((negative ? 8u : 0u) + (odd ? 4u : 0u) + remainder) & 1;
}

static inline bool fpfmt_mode_has_chance(const fpfmt_mode *mode)
{
    return mode->chance != CHANCE_NONE;
}

/* Does it go to the same neighbour on both sides of the middle? Rounding to odd does. */
static inline bool fpfmt_mode_is_directed(const fpfmt_mode *mode)
{
    return !mode->nearest && !fpfmt_mode_has_chance(mode);
}

/* The mode whose ties the format's row may break by a rule of its own: FPFMT_TIE_LARGER. */
static inline bool fpfmt_mode_ties_to_even(const fpfmt_mode *mode)
{
    return mode == &fpfmt_modes[FPFMT_ROUND_NEAREST_EVEN];
}

/* Does it take as many random bits as the policy says, the top of one word? The others take the
 * top of two. */
static inline bool fpfmt_mode_asks_for_bits(const fpfmt_mode *mode)
{
    return mode->random_bits == RANDOM_BITS_OF_POLICY;
}

#endif
