/* columns.c - ways of rounding: from --policy, --overflow, --round and --via
 * SPDX-License-Identifier: MIT */

#include "command/columns.h"

#include <stdio.h>
#include <string.h>

#include "kit/list.h"
#include "kit/memory.h"
#include "kit/rounding.h"
#include "kit/say.h"

bool read_via(request *chosen, const char *list)
{
    char *item;
    bool good = has_all_items(list);
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
        release(item);
    }
    return good;
}

/* Item index of a list; a list of one serves all columns. NULL if the option was not given. */
static char *item_for(const option_list *option, size_t index)
{
    return option->list == NULL ? NULL : list_item(option->list, option->count > 1 ? index : 0);
}

static bool read_column(request *chosen, size_t index)
{
    policy_choice *made = &chosen->columns[index];
    char *policy = item_for(&chosen->policies, index);
    char *overflow = item_for(&chosen->overflows, index);
    char *round = item_for(&chosen->roundings, index);
    const fpfmt_word *rule = overflow == NULL ? NULL : read_word(&overflow_words, overflow);
    bool good = rule != NULL || overflow == NULL;
    made->row = policy == NULL ? fpfmt_policy_at(0) : find_policy(policy);
    made->overflow = rule == NULL ? -1 : (int)rule->meaning;
    made->rounding = -1;
    if (round != NULL)
        good &= read_rounding(round, &made->rounding, &made->random_bits);
    good &= made->row != NULL;
    if (good && chosen->overflows.count > 1)
        snprintf(made->label, sizeof made->label, "overflow %s", rule->name);
    else if (good && chosen->roundings.count > 1)
        snprintf(made->label, sizeof made->label, "round %.40s", round);
    else if (good)
        snprintf(made->label, sizeof made->label, "%s", made->row->name);
    release(policy);
    release(overflow);
    release(round);
    return good;
}

bool read_columns(request *chosen)
{
    const struct {
        const option_list *option;
        varies_kind kind;
    } options_with_lists[] = {
        { &chosen->policies, VARIES_POLICY },
        { &chosen->overflows, VARIES_OVERFLOW },
        { &chosen->roundings, VARIES_ROUNDING },
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
        good &= read_column(chosen, i);
    chosen->column_count = count;
    return good;
}
