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
    const experiment *found = experiment_named(name), *nearest = experiments[0];
    if (found != NULL)
        return found;
    for (size_t i = 1; i < EXPERIMENTS; i++)
        if (edit_distance(experiments[i]->name, name) < edit_distance(nearest->name, name))
            nearest = experiments[i];
    complain("unknown experiment '%s'; did you mean '%s'?", quoted(name, strlen(name)),
             nearest->name);
    return NULL;
}
