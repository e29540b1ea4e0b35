/* rounding.c - rounding modes and policies by name, with their random bits
 * SPDX-License-Identifier: MIT */

#include "kit/rounding.h"

#include <stdio.h>
#include <string.h>

#include "kit/distance.h"
#include "kit/options.h"
#include "kit/say.h"
#include "kit/words.h"

bool takes_random_bits(int mode)
{
    return mode >= FPFMT_ROUND_STOCHASTIC_A && mode <= FPFMT_ROUND_STOCHASTIC_C;
}

bool has_chance(int mode)
{
    return mode >= FPFMT_ROUND_DETERMINISTIC_COUNT;
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

const char *rounding_name(char text[ROUNDING_SIZE], const fpfmt_policy *policy)
{
    const char *name = word_for(&rounding_words, policy->rounding);
    if (policy->random_bits == 0)
        snprintf(text, ROUNDING_SIZE, "%s", name);
    else
        snprintf(text, ROUNDING_SIZE, "%s:%d", name, policy->random_bits);
    return text;
}

const fpfmt_policy_row *find_policy(const char *name)
{
    const fpfmt_policy_row *found = fpfmt_policy_named(name);
    const fpfmt_policy_row *row;
    name_search search = { .typed = name, .elsewhere = "see 'fpinspect --list-policies'" };
    if (found != NULL)
        return found;
    for (size_t i = 0; (row = fpfmt_policy_at(i)) != NULL; i++)
        consider_name(&search, row->name);
    complain("unknown policy '%s'%s", quoted(name, strlen(name)), hint_of(&search, ""));
    return NULL;
}
