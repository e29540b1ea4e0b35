/* experiments.c - the table of all experiments
 * SPDX-License-Identifier: MIT */

#include "experiments.h"

#include <string.h>

#include "kit/distance.h"
#include "kit/say.h"

static const experiment *const experiments[] = {
    &update_experiment, &sum_experiment,  &dot_experiment,   &scale_experiment,
    &init_experiment,   &view_experiment, &train_experiment,
};
enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

const experiment *experiment_at(size_t index)
{
    return index < EXPERIMENTS ? experiments[index] : NULL;
}

const experiment *experiment_named(const char *name)
{
    for (size_t i = 0; i < EXPERIMENTS; i++)
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
    return NULL;
}

const experiment *find_experiment(const char *name)
{
    const experiment *found = experiment_named(name);
    name_search search = { .typed = name };
    if (found != NULL)
        return found;
    for (size_t i = 0; i < EXPERIMENTS; i++)
        consider_name(&search, experiments[i]->name);
    complain("unknown experiment '%s'%s", quoted(name, strlen(name)), hint_of(&search, ""));
    return NULL;
}
