/* train.c - a small network trained in few bits: master copies, loss scaling, checkpoints
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "lab.h"
#include "train.h"

enum { MOST_STEPS = 1000000 };

static const char *texts[SETTINGS], *data_files, *saved, *resumed;
static uint64_t steps = 200, every;
static bool stochastic, omitted;

#define TEXT(name, argument, summary, target)                                                      \
    {                                                                                              \
        name, argument, summary, LAB_TEXT, target, 0, 0                                            \
    }

static const lab_option options[] = {
    TEXT("as", "FORMATS", "operands, as bf16 or e4m3/e5m2 (forward/backward)", &texts[SETTING_AS]),
    TEXT("optimizer", "NAME", "sgd momentum adagrad rmsprop adam adamw", &texts[SETTING_OPTIMIZER]),
    TEXT("master", "FORMAT", "of the parameters; none: that of the operands",
         &texts[SETTING_MASTER]),
    TEXT("state", "FORMAT", "of what the optimizer keeps", &texts[SETTING_STATE]),
    TEXT("update", "MODE", "of parameters: nearest stochastic stochastic:BITS",
         &texts[SETTING_UPDATE]),
    { "stochastic", NULL, "the same as --update stochastic", LAB_FLAG, &stochastic, 0, 0 },
    TEXT("accumulate", "NAME", "how products are summed up; fma without it",
         &texts[SETTING_ACCUMULATE]),
    TEXT("tensor-scale", "WHEN", "operands times a power of two: auto on off",
         &texts[SETTING_TENSOR_SCALE]),
    TEXT("loss-scale", "SCALE", "a power of two, dynamic or dynamic:STEPS",
         &texts[SETTING_LOSS_SCALE]),
    TEXT("rate", "NUMBER", "the learning rate", &texts[SETTING_RATE]),
    TEXT("batch", "ROWS", "of the data in a step; 32 without it", &texts[SETTING_BATCH]),
    TEXT("hidden", "N", "width of the hidden layer; 16 without it", &texts[SETTING_HIDDEN]),
    { "steps", "N", "200 without it; after --resume, so many more", LAB_COUNT, &steps, 1,
      MOST_STEPS },
    TEXT("data", "X.npy,Y.npy", "inputs and classes; the 150 irises without it", &data_files),
    TEXT("checkpoint", "FILE", "write the run there, as safetensors", &saved),
    { "every", "N", "write it after each N steps, too", LAB_COUNT, &every, 1, MOST_STEPS },
    TEXT("resume", "FILE", "go on where a checkpoint ends", &resumed),
    { "omit-optimizer-state", NULL, "leave it out of the checkpoint, or lose it midway", LAB_FLAG,
      &omitted, 0, 0 },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};

/* What was not said is as in the checkpoint; the seed, too. */
static bool take_settings(const checkpoint *from)
{
    const char *seed = checkpoint_word(from, "seed");
    uint64_t number;
    for (setting s = 0; s < SETTINGS; s++)
        if (texts[s] == NULL)
            texts[s] = checkpoint_word(from, setting_rows[s].name);
    if (seed == NULL || !lab_count(&number, seed, "the checkpoint's seed", 0, UINT64_MAX))
        return false;
    if (lab_seed != 0 && lab_seed != number) {
        complain("%s was written with --seed %" PRIu64 ", not %" PRIu64,
                 quoted(resumed, strlen(resumed)), number, lab_seed);
        return false;
    }
    lab_seed = number;
    return true;
}

static bool fit_together(void)
{
    if (stochastic && texts[SETTING_UPDATE] != NULL &&
        strcmp(texts[SETTING_UPDATE], "stochastic") != 0)
        complain("--stochastic and --update %s exclude each other",
                 quoted(texts[SETTING_UPDATE], strlen(texts[SETTING_UPDATE])));
    else if (every > 0 && saved == NULL)
        complain("--every needs --checkpoint");
    else
        return true;
    return false;
}

/* Two runs of one policy tell what the loss of the states does, where there are any to lose. */
static bool is_compared(const checkpoint *from)
{
    const char *states = from == NULL ? "kept" : checkpoint_word(from, CHECKPOINT_STATES);
    return omitted && saved == NULL && states != NULL && strcmp(states, "kept") == 0;
}

/* The runs, each where it begins. */
static bool begin_runs(train_results *results, const train_policy *policies, size_t count,
                       const checkpoint *from)
{
    bool twice = is_compared(from);
    results->count = twice ? 2 : count;
    results->runs = lab_allocate(results->count, sizeof *results->runs);
    for (size_t i = 0; i < results->count; i++) {
        train_run *run = &results->runs[i];
        begin_run(run, &policies[i], results->data, lab_seed, steps);
        if (from != NULL && !restore_run(run, from, omitted && (i == 1 || !twice)))
            return false;
    }
    results->first = results->runs[0].step;
    if (twice)
        results->forgotten = from != NULL ? 0 : steps / 2;
    return true;
}

/* A checkpoint that cannot be written costs no step. */
static void keep(train_results *results, uint64_t step)
{
    if (step != steps && (every == 0 || step % every != 0))
        return;
    bool good = write_checkpoint(saved, &results->runs[0], !omitted, &results->saved_bytes);
    results->saved = good ? saved : NULL;
    results->without_states = omitted;
}

static void train(train_results *results)
{
    for (uint64_t step = 0; step < steps; step++) {
        if (step == results->forgotten)
            forget_states(&results->runs[results->count - 1]);
        for (size_t i = 0; i < results->count; i++)
            take_step(&results->runs[i], step);
        if (saved != NULL)
            keep(results, step + 1);
        lab_progress(step + 1, steps);
    }
    for (size_t i = 0; i < results->count; i++) {
        train_run *run = &results->runs[i];
        run->total = mlp_judge(&run->net, run->data, &run->right);
    }
}

/* The second run of one policy is that without the states. */
static size_t read_policies(train_policy policies[TRAIN_POLICIES + 1], const dataset *data,
                            const checkpoint *from)
{
    size_t count = read_train_policies(policies, texts, data);
    if (count > 1 && (saved != NULL || resumed != NULL || omitted)) {
        complain("%s takes one policy, not %zu",
                 saved != NULL     ? "--checkpoint"
                 : resumed != NULL ? "--resume"
                                   : "--omit-optimizer-state",
                 count);
        return 0;
    }
    policies[count] = policies[0];
    if (count == 1 && is_compared(from)) {
        policies[0].varied = policies[1].varied = "states";
        policies[0].label = "kept";
        policies[1].label = "lost";
    }
    return count;
}

static void run(int argc, char **argv)
{
    static train_policy policies[TRAIN_POLICIES + 1];
    static dataset data;
    static checkpoint from;
    static train_results results = { .data = &data, .forgotten = UINT64_MAX };
    (void)argc;
    (void)argv;
    results.steps = steps;
    if (!fit_together() ||
        (resumed != NULL && !(open_checkpoint(&from, resumed) && take_settings(&from))) ||
        (saved != NULL && !can_write_checkpoint(saved)))
        return;
    if (stochastic)
        texts[SETTING_UPDATE] = "stochastic";
    if (data_files == NULL)
        use_iris(&data);
    else if (!read_dataset(&data, data_files))
        return;
    const checkpoint *start = resumed == NULL ? NULL : &from;
    if (start != NULL && !same_data(start, &data))
        return;
    size_t count = read_policies(policies, &data, start);
    if (count == 0 || !begin_runs(&results, policies, count, start))
        return;
    introduce_training(&results);
    train(&results);
    if (lab_on_screen())
        show_results(&results);
    else
        print_rows(&results);
}

const experiment train_experiment = {
    .name = "train",
    .usage = "",
    .summary = "a small network: few-bit operands, master copies, checkpoints",
    .example = "fplab train --optimizer adamw --as bf16 --master fp32 --seed 1",
    .options = options,
    .least = 0,
    .most = 0,
    .run = run,
};
