/* train.c - a small network trained in few bits: master copies, loss scaling, checkpoints
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "checkpoint.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "lab.h"
#include "progress.h"
#include "train_screen.h"
#include "train_settings.h"

/* ---- what is asked for ---- */

/* Steps unless they are said. States that are lost while the loss still falls steeply do little
 * harm, or none: without them Adam's first steps are longer. After 500 steps the loss has settled,
 * and over the next 20 steps it was 1.3 to 2.5 times that of the run that kept its states, for
 * adam, adamw and rmsprop and seeds 1 to 3; after 100 steps 0.9 to 1.2 times. */
enum { STEPS = 200, STEPS_COMPARED = 1000 };

/* What was not said is as in the checkpoint; the seed, too. */
static bool take_settings(train_settings *asked, const checkpoint *from)
{
    uint64_t *seed = &asked->common.seed, kept;
    for (setting s = 0; s < SETTINGS; s++)
        if (asked->texts[s] == NULL)
            asked->texts[s] = checkpoint_word(from, setting_rows[s].name);
    if (!checkpoint_seed(from, &kept))
        return false;
    if (asked->common.has_seed && *seed != kept) {
        complain("%s was written with --seed %" PRIu64 ", not %" PRIu64,
                 quoted(from->path, strlen(from->path)), kept, *seed);
        return false;
    }
    *seed = kept;
    return true;
}

static bool fit_together(const train_settings *asked)
{
    const char *update = asked->texts[SETTING_UPDATE];
    if (asked->stochastic && update != NULL && strcmp(update, "stochastic") != 0)
        complain("--stochastic and --update %s exclude each other", quoted(update, strlen(update)));
    else if (asked->every > 0 && asked->saved == NULL)
        complain("--every needs --checkpoint");
    else
        return true;
    return false;
}

/* Two runs of one policy tell what the loss of the states does, where there are any to lose. from
 * is NULL without a checkpoint to go on from. */
static bool is_compared(const train_settings *asked, const checkpoint *from)
{
    const char *states = from == NULL ? "kept" : checkpoint_word(from, CHECKPOINT_STATES);
    return asked->omitted && asked->saved == NULL && states != NULL && strcmp(states, "kept") == 0;
}

/* The second run of one policy is that without the states. How many policies there are, 0 after a
 * complaint. */
static size_t read_policies(train_policy policies[TRAIN_POLICIES + 1], const train_settings *asked,
                            const dataset *data, const checkpoint *from)
{
    size_t count = read_train_policies(policies, asked->texts, data);
    if (count > 1 && (asked->saved != NULL || asked->resumed != NULL || asked->omitted)) {
        complain("%s takes one policy, not %zu",
                 asked->saved != NULL     ? "--checkpoint"
                 : asked->resumed != NULL ? "--resume"
                                          : "--omit-optimizer-state",
                 count);
        return 0;
    }
    policies[count] = policies[0];
    if (count == 1 && is_compared(asked, from)) {
        policies[0].varied = policies[1].varied = "states";
        policies[0].label = "kept";
        policies[1].label = "lost";
    }
    return count;
}

static bool read_data(dataset *data, const train_settings *asked)
{
    if (asked->data != NULL)
        return read_dataset(data, asked->data);
    use_iris(data);
    return true;
}

/* ---- training ---- */

/* The runs, each where it begins. */
static bool begin_runs(train_results *results, const train_settings *asked,
                       const train_policy *policies, size_t count, const checkpoint *from)
{
    bool twice = is_compared(asked, from);
    results->count = twice ? 2 : count;
    results->runs = allocate(results->count, sizeof *results->runs);
    for (size_t i = 0; i < results->count; i++) {
        train_run *run = &results->runs[i];
        begin_run(run, &policies[i], results->data, asked->common.seed, asked->steps);
        if (from != NULL && !restore_run(run, from, asked->omitted && (i == 1 || !twice)))
            return false;
    }
    results->first = results->runs[0].step;
    if (twice)
        results->forgotten = from != NULL ? 0 : asked->steps / 2;
    return true;
}

/* A checkpoint that cannot be written costs no step. */
static void keep(train_results *results, const train_settings *asked, uint64_t step)
{
    if (step != asked->steps && (asked->every == 0 || step % asked->every != 0))
        return;
    bool good =
        write_checkpoint(asked->saved, &results->runs[0], !asked->omitted, &results->saved_bytes);
    results->saved = good ? asked->saved : NULL;
    results->without_states = asked->omitted;
}

static void train(train_results *results, const train_settings *asked)
{
    progress moving = { .total = 0 };
    begin_progress(&moving, asked->steps);
    for (uint64_t step = 0; step < asked->steps; step++) {
        if (step == results->forgotten)
            forget_states(&results->runs[results->count - 1]);
        for (size_t i = 0; i < results->count; i++)
            take_step(&results->runs[i], step);
        if (asked->saved != NULL)
            keep(results, asked, step + 1);
        add_progress(&moving, 1);
    }
    for (size_t i = 0; i < results->count; i++) {
        train_run *run = &results->runs[i];
        run->total = mlp_judge(&run->net, run->data, &run->right);
    }
}

/* From where a checkpoint ends, or from the beginning where start is NULL. */
static void train_from(lab_page *page, train_settings *asked, const checkpoint *start)
{
    train_policy *policies = allocate(TRAIN_POLICIES + 1, sizeof *policies);
    dataset data;
    if ((start != NULL && !take_settings(asked, start)) ||
        (asked->saved != NULL && !can_write_checkpoint(asked->saved)))
        return;
    if (asked->stochastic)
        asked->texts[SETTING_UPDATE] = "stochastic";
    if (!read_data(&data, asked) || (start != NULL && !same_data(start, &data)))
        return;
    train_results results = {
        .data = &data, .seed = asked->common.seed, .steps = asked->steps, .forgotten = UINT64_MAX
    };
    size_t count = read_policies(policies, asked, &data, start);
    if (count == 0 || !begin_runs(&results, asked, policies, count, start))
        return;
    introduce_training(page, &results);
    train(&results, asked);
    if (lab_on_screen(page))
        show_results(page, &results);
    else
        print_steps(page, &results);
}

static void run(void *settings, lab_page *page, char **operands, size_t count)
{
    train_settings *asked = settings;
    checkpoint from;
    (void)operands, (void)count;
    if (!fit_together(asked))
        return;
    if (asked->steps == 0)
        asked->steps = asked->resumed == NULL && is_compared(asked, NULL) ? STEPS_COMPARED : STEPS;
    if (asked->resumed == NULL) {
        train_from(page, asked, NULL);
    } else {
        if (open_checkpoint(&from, asked->resumed))
            train_from(page, asked, &from);
        close_checkpoint(&from);
    }
}

const experiment train_experiment = {
    .name = "train",
    .usage = "",
    .summary = "a small network: few-bit operands, master copies, checkpoints",
    .example = "fplab train --optimizer adamw --as bf16 --master fp32 --seed 1",
    .options = train_options,
    .usual = &usual_training,
    .size = sizeof(train_settings),
    .run = run,
};
