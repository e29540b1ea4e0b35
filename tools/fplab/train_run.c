/* train_run.c - the steps of a training run
 * SPDX-License-Identifier: MIT */

#include "kit/memory.h"
#include "train.h"

void begin_run(train_run *run, const train_policy *policy, const dataset *data, uint64_t seed,
               uint64_t steps)
{
    const size_t sizes[] = { data->features, policy->hidden, data->classes };
    *run = (train_run){ .policy = policy, .data = data, .seed = seed };
    mlp_begin(&run->net, sizes, policy->batch, &policy->numbers);
    for (size_t i = 0; i < OPTIMIZER_STATES; i++)
        run->states[i] = allocate(run->net.count, sizeof(fpfmt_value));
    forget_states(run);
    run->order = allocate(data->rows, sizeof *run->order);
    for (size_t i = 0; i < data->rows; i++)
        run->order[i] = (uint32_t)i;
    run->position = data->rows; /* shuffled before the first step */
    run->loss_scale = policy->loss_scale;
    run->use = (optimizer_use){ .work = policy->numbers.work,
                                .parameter = policy->parameter,
                                .state = policy->state,
                                .policy = policy->update };
    run->use.policy.seed = seed;
    optimizer_prepare(&run->use, policy->rule, policy->text[SETTING_RATE]);
    run->losses = allocate(steps, sizeof *run->losses);
    mlp_start(&run->net, &policy->parameter, seed, &run->counter);
}

void forget_states(train_run *run)
{
    for (size_t s = 0; s < OPTIMIZER_STATES; s++)
        for (size_t i = 0; i < run->net.count; i++)
            run->states[s][i] = fpfmt_from_u64(0);
}

/* Fisher and Yates, with 32 random bits for each exchange. */
static void shuffle(train_run *run)
{
    const fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = run->seed };
    for (uint64_t i = run->data->rows; i-- > 1;) {
        uint64_t random = fpfmt_random_bits(run->counter++, &policy) >> 32;
        uint64_t k = random * (i + 1) >> 32;
        uint32_t row = run->order[i];
        run->order[i] = run->order[k];
        run->order[k] = row;
    }
    run->position = 0;
}

/* The dynamic scale halves at each gradient that is not finite, and the step is left out. */
static bool may_move(train_run *run)
{
    bool good = true;
    for (size_t i = 0; i < run->net.count && good; i++)
        good = fpfmt_value_is_finite(run->net.gradients[i]);
    if (!run->policy->dynamic || good)
        return true;
    run->loss_scale -= run->loss_scale > -LOSS_SCALE_MOST;
    run->good = 0;
    run->skipped++;
    return false;
}

/* One parameter; its gradient is of the scaled loss. */
static void move_one(train_run *run, size_t i)
{
    const fpfmt_format *work = &run->policy->numbers.work;
    fpfmt_value states[OPTIMIZER_STATES];
    fpfmt_value gradient =
        fpfmt_decode(work, fpfmt_scalb(work, run->net.gradients[i], -run->loss_scale, NULL, NULL));
    for (size_t s = 0; s < OPTIMIZER_STATES; s++)
        states[s] = run->states[s][i];
    run->lost +=
        optimizer_update(&run->use, &run->net.parameters[i], states, gradient, run->counter + i);
    for (size_t s = 0; s < OPTIMIZER_STATES; s++)
        run->states[s][i] = states[s];
}

/* A weight, which is an operand of the layer, too: does it change there? */
static void move_weight(train_run *run, size_t l, size_t i)
{
    const fpfmt_format *forward = &run->policy->numbers.forward;
    int32_t shift = run->net.weight[l].shift;
    fpfmt_value before = shifted(run->net.parameters[i], shift);
    move_one(run, i);
    fpfmt_value after = shifted(run->net.parameters[i], shift);
    run->unseen +=
        fpfmt_encode(forward, before, NULL, NULL) == fpfmt_encode(forward, after, NULL, NULL);
}

static void move(train_run *run)
{
    const mlp *net = &run->net;
    optimizer_begin(&run->use, ++run->moves);
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        for (size_t i = net->weights[l]; i < net->biases[l]; i++)
            move_weight(run, l, i);
        for (size_t i = net->biases[l]; i < net->biases[l] + net->sizes[l + 1]; i++)
            move_one(run, i);
        run->weights += net->biases[l] - net->weights[l];
    }
    run->updates += net->count;
    if (run->policy->update.rounding != FPFMT_ROUND_NEAREST_EVEN)
        run->counter += net->count;
    if (run->policy->dynamic && ++run->good >= run->policy->interval) {
        run->loss_scale += run->loss_scale < LOSS_SCALE_MOST;
        run->good = 0;
    }
}

void take_step(train_run *run, uint64_t index)
{
    size_t batch = run->policy->batch;
    if (run->data->rows - run->position < batch)
        shuffle(run);
    fpfmt_value loss =
        mlp_learn(&run->net, run->data, run->order + run->position, batch, run->loss_scale);
    run->position += batch;
    run->step++;
    run->losses[index] = loss;
    if (run->broken == 0 && !fpfmt_value_is_finite(loss))
        run->broken = run->step;
    if (may_move(run))
        move(run);
}
