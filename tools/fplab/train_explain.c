/* train_explain.c - what the figures of a training run mean, in sentences
 * SPDX-License-Identifier: MIT */

#include "train_explain.h"

#include <inttypes.h>

#include "figures.h"
#include "kit/text.h"
#include "train_operands.h"

enum { TEXT_ROOM = 256 };

/* ---- updates ---- */

static char *percent(char *text, uint64_t part, uint64_t whole)
{
    return show_share(text, share(part, whole));
}

/* Of the run that lost most. */
static void explain_lost(const lab_page *page, const train_run *run)
{
    number text;
    const train_policy *policy = run->policy;
    percent(text, run->lost, run->updates);
    if (policy->update.rounding == FPFMT_ROUND_NEAREST_EVEN)
        lab_say(page,
                "%s: %s of the updates were lost. Each was so small beside its parameter that the "
                "sum rounds back to what it was. A master copy of more bits keeps such updates "
                "(--master fp32); stochastic rounding (--stochastic) keeps them on average.",
                policy->label, text);
    else
        lab_say(page,
                "%s: %s of the updates left the parameter as it was, but by chance: others moved "
                "it farther than they were long, so that on average none is lost.",
                policy->label, text);
}

static void explain_unseen(const lab_page *page, const train_run *run)
{
    number text;
    const train_policy *policy = run->policy;
    const operand_format *weight = &policy->numbers.operands[OPERAND_WEIGHT];
    lab_say(page,
            "%s: %s of the updates of weights changed the master copy in %s, but not yet its "
            "rounding to %s, which products see. Without the master copy they would have been "
            "lost%s",
            policy->label, percent(text, run->unseen, run->weights), policy->parameter.name,
            operand_name(weight), weight->has_blocks ? "." : ": --master none.");
}

static bool is_stochastic(const train_run *run)
{
    return run->policy->update.rounding != FPFMT_ROUND_NEAREST_EVEN;
}

/* Does a say more of updates that are lost than b? Those that stay by chance say less than any. */
static bool loses_more(const train_run *a, const train_run *b)
{
    if (is_stochastic(a) != is_stochastic(b))
        return is_stochastic(b) && a->lost > 0;
    return share(a->lost, a->updates) > share(b->lost, b->updates);
}

static void explain_updates(const lab_page *page, const train_results *results)
{
    const train_run *worst = &results->runs[0];
    for (size_t i = 1; i < results->count; i++)
        if (loses_more(&results->runs[i], worst))
            worst = &results->runs[i];
    if (share(worst->lost, worst->updates) > 0.01)
        explain_lost(page, worst);
    else if (worst->policy->has_master && share(worst->unseen, worst->weights) > 0.01)
        explain_unseen(page, worst);
}

/* ---- gradients ---- */

/* Would --tensor-scale change an operand? */
static bool may_be_scaled(const train_policy *policy)
{
    for (operand_use use = 0; use < OPERANDS; use++) {
        const operand_format *how = &policy->numbers.operands[use];
        if (!how->has_blocks && !how->scaled)
            return true;
    }
    return false;
}

static void explain_gradients(const lab_page *page, const train_run *run)
{
    number text;
    const train_policy *policy = run->policy;
    operand_counts gradients = counts_of_gradients(run);
    const operand_format *operands = policy->numbers.operands;
    const operand_format *how = &operands[OPERAND_GRADIENT_DW];
    bool in_blocks = how->has_blocks || operands[OPERAND_GRADIENT_DX].has_blocks;
    bool to_nearest = how->policy.rounding == FPFMT_ROUND_NEAREST_EVEN;
    if (!in_blocks && zeroed_gradients(run) > 0.01 && run->broken == 0)
        lab_say(page, "%s: %s of the gradients are %s the smallest value of %s and became 0.%s",
                policy->label, percent(text, gradients.zeroed, gradients.rounded),
                to_nearest ? "at most half of" : "below", operand_name(how),
                policy->dynamic || policy->loss_scale > 0 || how->scaled
                    ? ""
                    : " Multiplying the loss by a power of two lifts them: --loss-scale dynamic.");
    if (run->skipped > 0)
        lab_say(page,
                "%s: %" PRIu64 " step%s left out, because a gradient overflowed; each halved the "
                "loss scale, which ends at 2^%d.",
                policy->label, run->skipped, run->skipped == 1 ? " was" : "s were",
                run->loss_scale);
    if (run->broken > 0)
        lab_say(page,
                "%s: from step %" PRIu64 " on the loss is not finite: something passed the largest "
                "value of its format.%s",
                policy->label, run->broken,
                may_be_scaled(policy) ? " Scaling each operand helps: --tensor-scale on." : "");
}

/* ---- states ---- */

/* "40 weights and 3 biases of layer 1, 12 weights of layer 2". */
static void tell_places(char text[TEXT_ROOM], const vanishing *of)
{
    *text = '\0';
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        uint64_t weights = of->where[2 * l], biases = of->where[2 * l + 1];
        if (weights + biases == 0)
            continue;
        append_text(text, TEXT_ROOM, "%s", *text != '\0' ? ", " : "");
        if (weights > 0)
            append_text(text, TEXT_ROOM, "%" PRIu64 " weight%s", weights, weights == 1 ? "" : "s");
        append_text(text, TEXT_ROOM, "%s", weights > 0 && biases > 0 ? " and " : "");
        if (biases > 0)
            append_text(text, TEXT_ROOM, "%" PRIu64 " bias%s", biases, biases == 1 ? "" : "es");
        append_text(text, TEXT_ROOM, " of layer %zu", l + 1);
    }
}

/* A state of squares that is 0 makes a step as long as 1 / epsilon; another one that is 0 only
 * keeps a small gradient from counting, which is told where it is frequent. */
static void explain_state(const lab_page *page, const train_run *run, size_t state)
{
    const vanishing *of = &run->vanished[state];
    const optimizer *rule = run->policy->rule;
    bool is_root = rule->root == (int)state + 1;
    char places[TEXT_ROOM];
    if (of->most == 0 || (!is_root && share(of->all, run->moves * run->net.count) <= 0.01))
        return;
    tell_places(places, of);
    lab_say(page,
            "%s: %s underflowed. From step %" PRIu64
            " on it is 0 in %s beside %s that is not, in step %" PRIu64 " in %" PRIu64
            " of %zu parameters: %s. %s%s",
            run->policy->label, rule->states[state], of->first, run->policy->state.name,
            is_root && state > 0 ? "an m" : "a gradient", of->worst, of->most, run->net.count,
            places,
            is_root ? "What it should divide by its root is divided by epsilon alone, and the step "
                      "is far too long."
                    : "Gradients as small as that move nothing.",
            " A format with smaller values keeps it: --state bf16 or fp32.");
}

enum { WINDOW = 20 }; /* steps over which losses are compared, as one step is mostly noise */

/* The mean loss of so many steps from this one on. */
static double mean_loss(const train_run *run, uint64_t from, uint64_t steps)
{
    double losses[WINDOW] = { 0 };
    for (uint64_t i = 0; i < steps; i++)
        losses[i] = fpfmt_to_f64(run->losses[from + i], NULL, NULL);
    return mean64(losses, (size_t)steps);
}

/* The steps from the loss of the states to the end of the first window in which the mean loss is
 * not above that of the run that kept them; 0: there is none. */
static uint64_t steps_to_recover(const train_results *results, uint64_t from, uint64_t window)
{
    for (uint64_t step = from; step + window <= results->steps; step++)
        if (mean_loss(&results->runs[1], step, window) <=
            mean_loss(&results->runs[0], step, window))
            return step + window - from;
    return 0;
}

/* What the loss of the states did at once. */
static void explain_damage(const lab_page *page, const train_results *results)
{
    number without, with;
    uint64_t from = results->forgotten, left = results->steps - from;
    uint64_t window = left < WINDOW ? left : WINDOW;
    double kept = mean_loss(&results->runs[0], from, window);
    double lost = mean_loss(&results->runs[1], from, window);
    bool harmed = lost > multiply64(kept, 1.05), fine = lost <= multiply64(kept, 1.05);
    show_double(without, lost, 3);
    show_double(with, kept, 3);
    lab_say(page,
            "Over the next %" PRIu64
            " step%s its loss is %s on average, and %s with the states: %s",
            window, window == 1 ? "" : "s", without, with,
            harmed ? "that is the damage."
            : fine ? "there is no damage to see here."
                   : "one of them is not finite.");
    uint64_t recovered = harmed ? steps_to_recover(results, from, window) : 0;
    if (recovered > 0)
        lab_say(page, "After %" PRIu64 " steps it has caught up.", recovered);
    else if (harmed)
        lab_say(page, "It does not catch up before the end.");
    if (results->runs[0].policy->rule->states[1] != NULL)
        lab_say(page,
                "v is 0 again and its correction 1 - 0.999^t is not, so that at first steps are "
                "several times as long: near a minimum they lead away, and far from it they may "
                "even lead there sooner.");
}

static void explain_forgotten(const lab_page *page, const train_results *results)
{
    const train_run *kept = &results->runs[0];
    if (results->forgotten == UINT64_MAX || results->forgotten >= results->steps)
        return;
    if (kept->policy->rule->states[0] == NULL) {
        lab_say(page, "%s has no states, so that nothing is lost.", kept->policy->rule->name);
        return;
    }
    lab_say(page,
            "lost: after step %" PRIu64 " the optimizer's states are 0, as after a checkpoint that "
            "does not hold them, and all else is as it was. It is another run from there on.",
            results->first + results->forgotten);
    explain_damage(page, results);
}

bool rounds_by_chance(const train_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (is_stochastic(&results->runs[i]))
            return true;
    return false;
}

void explain_results(const lab_page *page, const train_results *results)
{
    explain_updates(page, results);
    for (size_t i = 0; i < results->count; i++) {
        for (size_t state = 0; state < OPTIMIZER_STATES; state++)
            explain_state(page, &results->runs[i], state);
        explain_gradients(page, &results->runs[i]);
        explain_blocks(page, results, &results->runs[i]);
    }
    explain_forgotten(page, results);
}
