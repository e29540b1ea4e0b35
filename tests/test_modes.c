/* test_modes.c - the table of rounding modes, row by row as IEEE 754 and P3109 define them
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include "modes.h"

static const char *name_of(unsigned mode)
{
    const fpfmt_word *word = fpfmt_word_for(FPFMT_WORDS_ROUNDING, mode);
    return word == NULL ? "a mode without a name" : word->name;
}

/* Of a mode without chance: does the magnitude go up? */
static bool goes_up(unsigned mode, bool negative, bool odd, int remainder)
{
    bool above = remainder == FPFMT_REMAINDER_ABOVE_HALF, tie = remainder == FPFMT_REMAINDER_HALF;
    bool inexact = remainder != FPFMT_REMAINDER_NONE;
    switch (mode) {
    case FPFMT_ROUND_NEAREST_EVEN: return above || (tie && odd);
    case FPFMT_ROUND_NEAREST_AWAY: return above || tie;
    case FPFMT_ROUND_NEAREST_ZERO: return above;
    case FPFMT_ROUND_TOWARD_ZERO: return false;
    case FPFMT_ROUND_AWAY_FROM_ZERO: return inexact;
    case FPFMT_ROUND_UPWARD: return inexact && !negative;
    case FPFMT_ROUND_DOWNWARD: return inexact && negative;
    case FPFMT_ROUND_TO_ODD: return inexact && !odd;
    default: CHECK(false, "%s has no definition here", name_of(mode)); return false;
    }
}

static void decisions(void)
{
    for (unsigned mode = 0; mode < FPFMT_ROUND_DETERMINISTIC_COUNT; mode++)
        for (int i = 0; i < 16; i++) {
            bool negative = i & 8, odd = i & 4;
            int remainder = i & 3;
            const fpfmt_mode *row = &fpfmt_modes[mode];
            bool expected = goes_up(mode, negative, odd, remainder);
            bool middle = row->nearest ? remainder == FPFMT_REMAINDER_HALF
                                       : remainder != FPFMT_REMAINDER_NONE;
            CHECK(fpfmt_mode_goes(row, negative, odd, (unsigned)remainder) == expected,
                  "%s%s, %s code, remainder %d: does%s go up", name_of(mode),
                  negative ? " of -" : "", odd ? "odd" : "even", remainder, expected ? " not" : "");
            CHECK(!middle || fpfmt_mode_leaves(row, negative, odd) == expected,
                  "%s%s, %s code: another decision where it counts", name_of(mode),
                  negative ? " of -" : "", odd ? "odd" : "even");
        }
}

static void rows(void)
{
    for (unsigned mode = 0; mode < FPFMT_ROUND_COUNT; mode++) {
        const fpfmt_mode *row = fpfmt_mode_of(mode);
        bool chance = mode >= FPFMT_ROUND_STOCHASTIC;
        bool policy = mode == FPFMT_ROUND_STOCHASTIC_A || mode == FPFMT_ROUND_STOCHASTIC_B ||
                      mode == FPFMT_ROUND_STOCHASTIC_C;
        bool nearest = mode == FPFMT_ROUND_NEAREST_EVEN || mode == FPFMT_ROUND_NEAREST_AWAY ||
                       mode == FPFMT_ROUND_NEAREST_ZERO;
        CHECK(row == &fpfmt_modes[mode] && row->rounding == mode, "%s has another row",
              name_of(mode));
        CHECK(fpfmt_mode_has_chance(row) == chance, "%s takes random bits or not", name_of(mode));
        CHECK(fpfmt_mode_asks_for_bits(row) == policy, "%s asks for a number", name_of(mode));
        CHECK((row->random_bits != 0) == chance, "%s has %d random bits", name_of(mode),
              row->random_bits);
        CHECK(row->nearest == nearest, "%s is nearest or not", name_of(mode));
        CHECK(fpfmt_mode_is_directed(row) == (!nearest && !chance), "%s is directed or not",
              name_of(mode));
        CHECK(fpfmt_mode_ties_to_even(row) == (mode == FPFMT_ROUND_NEAREST_EVEN),
              "%s ties to even or not", name_of(mode));
        CHECK(row->negative_zero == (mode == FPFMT_ROUND_DOWNWARD), "%s makes -0 of 1 - 1 or not",
              name_of(mode));
    }
}

static void no_mode(void)
{
    static const unsigned numbers[] = { FPFMT_ROUND_COUNT, FPFMT_ROUND_COUNT + 1, 255, (unsigned)-1 };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        CHECK(fpfmt_mode_of(numbers[i]) == &fpfmt_modes[FPFMT_ROUND_TOWARD_ZERO],
              "mode %u is not toward zero", numbers[i]);
}

int main(void)
{
    static const struct test tests[] = {
        { "each mode without chance decides as it is defined", decisions },
        { "each mode has its row, and the row its kind", rows },
        { "a number that is no mode reads no row past the table", no_mode },
    };
    return run_tests("modes", tests, sizeof tests / sizeof tests[0]);
}
