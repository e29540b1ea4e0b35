/* columns.c - ways of rounding: from --policy, --overflow, --round and --via
 * SPDX-License-Identifier: MIT */

#include "columns.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "say.h"
#include "targets.h"

const word *read_word(const word_table *table, const char *text)
{
    const word *found = find_word(table, text);
    if (found == NULL)
        complain("unknown %s '%s'; did you mean '%s'?", table->what, quoted(text, strlen(text)),
                 nearest_word(table, text));
    return found;
}

bool read_count(int *count, const char *text, const char *what, int least, int most)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || n < least || n > most) {
        complain("%s takes a whole number from %d to %d, not '%s'", what, least, most,
                 quoted(text, strlen(text)));
        return false;
    }
    *count = (int)n;
    return true;
}

bool read_seed(options *chosen, const char *text)
{
    char *end;
    errno = 0;
    chosen->seed = strtoull(text, &end, 10);
    if (isdigit((unsigned char)*text) && *end == '\0' && errno == 0)
        return true;
    complain("--seed takes a decimal integer below 2^64, not '%s'", quoted(text, strlen(text)));
    return false;
}

/* A mode, with its number of random bits where it takes them: rne, sr, sr-a:8. */
static bool read_rounding(const char *text, int *rounding, int *random_bits)
{
    char name[32];
    size_t length = strcspn(text, ":");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    const word *mode = read_word(&rounding_words, name);
    if (mode == NULL)
        return false;
    *rounding = mode->meaning;
    *random_bits = 0;
    bool takes_bits =
        mode->meaning >= FPFMT_ROUND_STOCHASTIC_A && mode->meaning <= FPFMT_ROUND_STOCHASTIC_C;
    if (takes_bits && text[length] == ':')
        return read_count(random_bits, text + length + 1, mode->name, 1, 32);
    if (takes_bits)
        complain("rounding mode %s needs its number of random bits, as %s:8", mode->name,
                 mode->name);
    else if (text[length] == ':')
        complain("rounding mode %s takes no number of bits; sr-a, sr-b and sr-c do", mode->name);
    return !takes_bits && text[length] == '\0';
}

bool read_via(options *chosen, const char *list)
{
    char *item;
    bool good = true;
    chosen->via_count = 0;
    for (size_t i = 0; good && (item = list_item(list, i)) != NULL; i++) {
        char *colon = strchr(item, ':');
        via_step *step = &chosen->via[chosen->via_count];
        if (i == MOST_STEPS) {
            complain("--via takes %d formats at the most", MOST_STEPS);
            good = false;
        } else {
            *step = (via_step){ .rounding = -1 };
            if (colon != NULL) {
                *colon = '\0';
                good = read_rounding(colon + 1, &step->rounding, &step->random_bits);
            }
            good = find_format(&step->format, item) && good;
            chosen->via_count += good;
        }
        free(item);
    }
    return good;
}

void use_list(listed *target, const char *list)
{
    target->list = list;
    target->count = list_length(list);
}

static const fpfmt_policy_row *find_policy(const char *name)
{
    const fpfmt_policy_row *found = fpfmt_policy_named(name);
    const fpfmt_policy_row *best = fpfmt_policy_at(0), *row;
    if (found != NULL)
        return found;
    for (size_t i = 0; (row = fpfmt_policy_at(i)) != NULL; i++)
        if (kit_distance(row->name, name) < kit_distance(best->name, name))
            best = row;
    complain("unknown policy '%s'; did you mean '%s'?", quoted(name, strlen(name)), best->name);
    return NULL;
}

/* Item index of a list; a list of one serves all columns. NULL if the option was not given. */
static char *item_for(const listed *option, size_t index)
{
    return option->list == NULL ? NULL : list_item(option->list, option->count > 1 ? index : 0);
}

static bool read_column(policy_choice *made, const column_lists *lists, size_t index)
{
    char *policy = item_for(&lists->policy, index), *overflow = item_for(&lists->overflow, index);
    char *round = item_for(&lists->round, index);
    const word *rule = overflow == NULL ? NULL : read_word(&overflow_words, overflow);
    bool good = rule != NULL || overflow == NULL;
    made->row = find_policy(policy);
    made->overflow = rule == NULL ? -1 : rule->meaning;
    made->rounding = -1;
    if (round != NULL)
        good &= read_rounding(round, &made->rounding, &made->random_bits);
    good &= made->row != NULL;
    if (good && lists->overflow.count > 1)
        snprintf(made->label, sizeof made->label, "overflow %s", rule->name);
    else if (good && lists->round.count > 1)
        snprintf(made->label, sizeof made->label, "round %.40s", round);
    else if (good)
        snprintf(made->label, sizeof made->label, "%s", made->row->name);
    free(policy);
    free(overflow);
    free(round);
    return good;
}

bool read_columns(options *chosen, const column_lists *lists)
{
    const struct {
        const listed *option;
        varies_kind kind;
    } options_with_lists[] = {
        { &lists->policy, VARIES_POLICY },
        { &lists->overflow, VARIES_OVERFLOW },
        { &lists->round, VARIES_ROUNDING },
    };
    size_t count = 1;
    for (size_t i = 0; i < 3; i++) {
        if (options_with_lists[i].option->count <= 1)
            continue;
        if (count > 1) {
            complain("only one of --policy, --overflow and --round can hold a list");
            return false;
        }
        count = options_with_lists[i].option->count;
        chosen->varies = options_with_lists[i].kind;
    }
    if (count > MOST_COLUMNS) {
        complain("a list of more than %d is too long to compare", MOST_COLUMNS);
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good &= read_column(&chosen->columns[i], lists, i);
    chosen->column_count = count;
    return good;
}

fpfmt_policy column_policy(const options *chosen, const policy_choice *column,
                           const fpfmt_format *format)
{
    fpfmt_policy policy = fpfmt_policy_for(format, column->row);
    if (column->rounding >= 0) {
        policy.rounding = (uint8_t)column->rounding;
        policy.random_bits = (uint8_t)column->random_bits;
    }
    if (column->overflow >= 0)
        policy.overflow = (uint8_t)column->overflow;
    policy.subnormal |= chosen->subnormal;
    policy.tininess |= chosen->tininess;
    policy.seed = chosen->seed;
    return policy;
}

const char *rounding_name(const fpfmt_policy *policy)
{
    static char text[32];
    const char *name = word_for(&rounding_words, policy->rounding);
    if (policy->random_bits == 0)
        return name;
    snprintf(text, sizeof text, "%s:%d", name, policy->random_bits);
    return text;
}
