/* train_run.c - the steps of a training run
 * SPDX-License-Identifier: MIT */

#include <string.h>

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
    mlp_start(&run->net, &policy->parameter, seed);
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
        uint64_t random = fpfmt_random_bits(run->net.counter++, &policy) >> 32;
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

/* Are they one number? NaN is one with NaN. */
static bool is_unmoved(fpfmt_value a, fpfmt_value b)
{
    bool both = fpfmt_value_is_nan(a) && fpfmt_value_is_nan(b);
    return both || fpfmt_compare_quiet(a, b, NULL) == FPFMT_EQUAL;
}

typedef enum { STEP_OF_0, STEP_LOST, STEP_MADE } step_kind;

/* One parameter, in a place of vanishing; its gradient is of the scaled loss. A step of 0, as that
 * of a weight behind a unit that is never active, counts nowhere. */
static step_kind move_one(train_run *run, size_t place, size_t i)
{
    const fpfmt_format *work = &run->policy->numbers.work;
    fpfmt_value states[OPTIMIZER_STATES], before[OPTIMIZER_STATES];
    fpfmt_value *parameter = &run->net.parameters[i], was = *parameter;
    fpfmt_value gradient =
        fpfmt_decode(work, fpfmt_scalb(work, run->net.gradients[i], -run->loss_scale, NULL, NULL));
    for (size_t s = 0; s < OPTIMIZER_STATES; s++)
        states[s] = before[s] = run->states[s][i];
    bool lost = optimizer_update(&run->use, parameter, states, gradient, run->net.counter + i);
    for (size_t s = 0; s < OPTIMIZER_STATES; s++) {
        run->states[s][i] = states[s];
        run->vanished[s].now[place] +=
            optimizer_vanished(run->policy->rule, s, before, states, gradient);
    }
    bool moved = !is_unmoved(was, *parameter);
    run->lost += lost;
    run->updates += lost || moved;
    return moved ? STEP_MADE : lost ? STEP_LOST : STEP_OF_0;
}

/* The weights of a layer, which are operands, too: where they move, do the operands? */
static void move_weights(train_run *run, size_t l)
{
    const mlp *net = &run->net;
    size_t first = net->weights[l], count = net->biases[l] - first;
    fpfmt_value *before = allocate(count, sizeof *before);
    step_kind *steps = allocate(count, sizeof *steps);
    bool *unmoved = allocate(count, sizeof *unmoved);
    memcpy(before, net->parameters + first, count * sizeof *before);
    for (size_t i = 0; i < count; i++)
        steps[i] = move_one(run, 2 * l, first + i);
    find_unmoved(unmoved, &net->operands[l][OPERAND_WEIGHT], before, net->parameters + first);
    for (size_t i = 0; i < count; i++) {
        run->weights += steps[i] != STEP_OF_0;
        run->unseen += steps[i] == STEP_MADE && unmoved[i];
    }
    release(before);
    release(steps);
    release(unmoved);
}

/* The step that is going on ends, and what vanished in it is counted. */
static void close_vanishing(vanishing *of, uint64_t step)
{
    uint64_t count = 0;
    for (size_t i = 0; i < TRAIN_PLACES; i++)
        count += of->now[i];
    of->all += count;
    if (count > 0 && of->first == 0)
        of->first = step;
    if (count > of->most) {
        of->most = count;
        of->worst = step;
        memcpy(of->where, of->now, sizeof of->where);
    }
    memset(of->now, 0, sizeof of->now);
}

static void move(train_run *run)
{
    const mlp *net = &run->net;
    optimizer_begin(&run->use, ++run->moves);
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        move_weights(run, l);
        for (size_t i = net->biases[l]; i < net->biases[l] + net->sizes[l + 1]; i++)
            move_one(run, 2 * l + 1, i);
    }
    for (size_t s = 0; s < OPTIMIZER_STATES; s++)
        close_vanishing(&run->vanished[s], run->step);
    if (run->policy->update.rounding != FPFMT_ROUND_NEAREST_EVEN)
        run->net.counter += net->count;
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
