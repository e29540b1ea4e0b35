/* modes.c - the table of rounding modes
 * SPDX-License-Identifier: MIT */

#include "modes.h"

/* Of the four remainders, which go away from zero if the decision is to leave, and if not. */
#define GOES(nearest, leaves)                                                                      \
    ((nearest)  ? 1u << FPFMT_REMAINDER_ABOVE_HALF | (unsigned)(leaves) << FPFMT_REMAINDER_HALF    \
     : (leaves) ? 1u << FPFMT_REMAINDER_BELOW_HALF | 1u << FPFMT_REMAINDER_HALF |                  \
                      1u << FPFMT_REMAINDER_ABOVE_HALF                                             \
                : 0u)

/* The fields of a mode without chance: nearest, away of positive and of negative, odd_turns. */
#define DECIDES(is_nearest, positive, negative, turns)                                             \
    .nearest = is_nearest, .away = { positive, negative }, .odd_turns = turns,                     \
    .goes = GOES(is_nearest, positive) | GOES(is_nearest, (positive) ^ (turns)) << 4 |             \
            GOES(is_nearest, negative) << 8 | GOES(is_nearest, (negative) ^ (turns)) << 12

/* In the order of the enumerators. There is no size and there are no designators of places: either
 * would let a mode go without a row, which then were one of zeros. */
const fpfmt_mode fpfmt_modes[] = {
    { FPFMT_ROUND_NEAREST_EVEN, DECIDES(true, false, false, true) },
    { FPFMT_ROUND_NEAREST_AWAY, DECIDES(true, true, true, false) },
    { FPFMT_ROUND_NEAREST_ZERO, DECIDES(true, false, false, false) },
    { FPFMT_ROUND_TOWARD_ZERO, DECIDES(false, false, false, false) },
    { FPFMT_ROUND_AWAY_FROM_ZERO, DECIDES(false, true, true, false) },
    { FPFMT_ROUND_UPWARD, DECIDES(false, true, false, false) },
    { FPFMT_ROUND_DOWNWARD, DECIDES(false, false, true, false), .negative_zero = true },
    { FPFMT_ROUND_TO_ODD, DECIDES(false, true, true, true) },
    { FPFMT_ROUND_STOCHASTIC, .chance = CHANCE_DISTANCE, .random_bits = 64 },
    { FPFMT_ROUND_STOCHASTIC_A, .chance = CHANCE_DISTANCE, .random_bits = RANDOM_BITS_OF_POLICY },
    { FPFMT_ROUND_STOCHASTIC_B, .chance = CHANCE_TIES_UP, .random_bits = RANDOM_BITS_OF_POLICY },
    { FPFMT_ROUND_STOCHASTIC_C, .chance = CHANCE_TIES_EVEN, .random_bits = RANDOM_BITS_OF_POLICY },
    { FPFMT_ROUND_STOCHASTIC_EQUAL, .chance = CHANCE_EQUAL, .random_bits = 1 },
};
_Static_assert(sizeof fpfmt_modes / sizeof fpfmt_modes[0] == FPFMT_ROUND_COUNT,
               "give the new rounding mode its row, at its enumerator's place");

/* The number of modes is counted from the last enumerator, so that one that is added behind it
 * would not change it. A switch without a default notices: here a member without a case is an
 * error, whatever warnings the build asks for. Nothing calls the function. */
#if defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
__attribute__((unused))
#endif
static inline bool has_a_row(fpfmt_rounding mode)
{
    switch (mode) {
    case FPFMT_ROUND_NEAREST_EVEN:
    case FPFMT_ROUND_NEAREST_AWAY:
    case FPFMT_ROUND_NEAREST_ZERO:
    case FPFMT_ROUND_TOWARD_ZERO:
    case FPFMT_ROUND_AWAY_FROM_ZERO:
    case FPFMT_ROUND_UPWARD:
    case FPFMT_ROUND_DOWNWARD:
    case FPFMT_ROUND_TO_ODD:
    case FPFMT_ROUND_STOCHASTIC:
    case FPFMT_ROUND_STOCHASTIC_A:
    case FPFMT_ROUND_STOCHASTIC_B:
    case FPFMT_ROUND_STOCHASTIC_C:
    case FPFMT_ROUND_STOCHASTIC_EQUAL: return true;
    }
    return false;
}
#if defined __GNUC__
#pragma GCC diagnostic pop
#endif
