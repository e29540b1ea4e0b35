/* rounding.c - rounding modes as options take them
 * SPDX-License-Identifier: MIT */

#include "kit/rounding.h"

#include <stdio.h>
#include <string.h>

#include "kit/say.h"

bool takes_random_bits(int mode)
{
    return mode >= FPFMT_ROUND_STOCHASTIC_A && mode <= FPFMT_ROUND_STOCHASTIC_C;
}

bool read_rounding(const char *text, int *rounding, int *random_bits)
{
    char name[32];
    size_t length = strcspn(text, ":");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const fpfmt_word *mode = read_word(&rounding_words, name);
    if (mode == NULL)
        return false;
    *rounding = (int)mode->meaning;
    *random_bits = 0;
    bool takes_bits = takes_random_bits((int)mode->meaning);
    if (takes_bits && text[length] == ':') {
        uint64_t bits = 0;
        bool good = read_whole(&bits, text + length + 1, mode->name, 1, 32);
        *random_bits = (int)bits;
        return good;
    }
    if (takes_bits)
        complain("rounding mode %s needs its number of random bits, as %s:8", mode->name,
                 mode->name);
    else if (text[length] == ':')
        complain("rounding mode %s takes no number of bits; sr-a, sr-b and sr-c do", mode->name);
    return !takes_bits && text[length] == '\0';
}

/* Modes that need a number of random bits are offered with one. */
void offer_rounding(const completion *now, const option_row *row)
{
    (void)row;
    const fpfmt_word *mode;
    for (size_t i = 0; (mode = word_at(&rounding_words, i)) != NULL; i++) {
        char text[40];
        snprintf(text, sizeof text, "%s%s", mode->name,
                 takes_random_bits((int)mode->meaning) ? ":8" : "");
        offer_word(now, text, mode->summary);
    }
}
