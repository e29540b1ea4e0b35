/* train_screen.c - what a training run shows: its settings, its losses, what its formats did
 * SPDX-License-Identifier: MIT */

#include "train_screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "figures.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "train_picture.h"

enum { TEXT_ROOM = 256 };

/* ---- rows for programs ---- */

static void name_column(lab_column *column, const char *what, const train_results *results,
                        size_t run)
{
    const char *label = results->runs[run].policy->label;
    size_t room = strlen(what) + strlen(label) + 2;
    char *name = allocate(room, 1);
    bool alone = results->count == 1;
    snprintf(name, room, "%s%s%s", what, alone ? "" : ":", alone ? "" : label);
    *column = (lab_column){ .name = name, .place = LAB_MACHINE };
}

static void print_loss(lab_page *page, const train_run *run, fpfmt_value loss)
{
    const fpfmt_format *work = &run->policy->numbers.work;
    char text[64];
    fpfmt_print_shortest(text, sizeof text, work, fpfmt_encode(work, loss, NULL, NULL));
    lab_cell(page, text, NULL);
}

void print_steps(lab_page *page, const train_results *results)
{
    size_t count = results->count;
    lab_column *columns = allocate(2 * count + 2, sizeof *columns);
    columns[0] = (lab_column){ .name = "step", .place = LAB_MACHINE };
    for (size_t i = 0; i < count; i++) {
        name_column(&columns[1 + i], "loss", results, i);
        name_column(&columns[1 + count + i], "right", results, i);
    }
    columns[2 * count + 1] = (lab_column){ .name = NULL };
    lab_rows(page, columns);
    for (uint64_t step = 0; step < results->steps; step++) {
        lab_cellf(page, "%" PRIu64, results->first + step + 1);
        for (size_t i = 0; i < count; i++)
            print_loss(page, &results->runs[i], results->runs[i].losses[step]);
        for (size_t i = 0; i < count; i++) {
            if (step + 1 == results->steps)
                lab_cellf(page, "%" PRIu64, results->runs[i].right);
            else
                lab_cell(page, "-", NULL);
        }
        lab_end_row(page);
    }
}

/* ---- the settings ---- */

static void tell_operands(char text[TEXT_ROOM], const train_policy *policy)
{
    const mlp_numbers *numbers = &policy->numbers;
    bool two = strcmp(numbers->forward.name, numbers->backward.name) != 0;
    snprintf(text, TEXT_ROOM, "operands %s%s%s%s; sums %s (%s)", numbers->forward.name,
             two ? ", gradients " : "", two ? numbers->backward.name : "",
             numbers->scaled ? ", each scaled by 2^k" : "", numbers->work.name,
             policy->text[SETTING_ACCUMULATE]);
}

static void tell_parameters(char text[TEXT_ROOM], const train_policy *policy)
{
    const fpfmt_policy *update = &policy->update;
    int n = snprintf(text, TEXT_ROOM, "%s%s", policy->parameter.name,
                     policy->has_master ? ", a master copy of the operands"
                                        : ", the operands themselves");
    if (update->rounding == FPFMT_ROUND_STOCHASTIC)
        snprintf(text + n, TEXT_ROOM - (size_t)n, ", rounded stochastically");
    else if (update->rounding == FPFMT_ROUND_STOCHASTIC_A)
        snprintf(text + n, TEXT_ROOM - (size_t)n, ", rounded stochastically by %u bits",
                 update->random_bits);
}

static void tell_states(char text[TEXT_ROOM], const train_policy *policy)
{
    const char *const *states = policy->rule->states;
    if (states[0] == NULL)
        snprintf(text, TEXT_ROOM, "none");
    else
        snprintf(text, TEXT_ROOM, "%s%s%s in %s", states[0], states[1] != NULL ? " and " : "",
                 states[1] != NULL ? states[1] : "", policy->state.name);
}

static void tell_optimizer(char text[TEXT_ROOM], const train_policy *policy)
{
    char rate[SETTING_ROOM];
    spell_setting(rate, policy, SETTING_RATE);
    snprintf(text, TEXT_ROOM, "%s, rate %s", policy->rule->name, rate);
}

static void tell_loss_scale(char text[TEXT_ROOM], const train_policy *policy)
{
    if (policy->dynamic)
        snprintf(text, TEXT_ROOM,
                 "2^16, halved at an overflow, doubled after %" PRIu64 " good steps",
                 policy->interval);
    else if (policy->loss_scale == 0)
        snprintf(text, TEXT_ROOM, "none");
    else
        snprintf(text, TEXT_ROOM, "2^%d", policy->loss_scale);
}

/* A line of the settings, and a line for each policy where they differ. */
static void tell(const train_results *results, const char *name,
                 void (*spell)(char text[TEXT_ROOM], const train_policy *policy))
{
    char last[TEXT_ROOM] = "", text[TEXT_ROOM];
    for (size_t i = 0; i < results->count; i++) {
        spell(text, results->runs[i].policy);
        if (strcmp(text, last) == 0)
            continue;
        table_cell(STYLE_DIM, *last == '\0' ? name : "");
        table_label(STYLE_PLAIN, text);
        table_row();
        strcpy(last, text);
    }
}

void introduce_training(const lab_page *page, const train_results *results)
{
    const dataset *data = results->data;
    const train_policy *policy = results->runs[0].policy;
    if (!lab_on_screen(page))
        return;
    lab_say(page,
            "%s: %zu rows of %zu features, in %zu classes. A network %zu-%" PRIu64
            "-%zu with max(x, 0) between its layers learns them: %zu parameters, steps %" PRIu64
            " to %" PRIu64 " of %" PRIu64 " rows each, seed %" PRIu64 ".",
            data->name, data->rows, data->features, data->classes, data->features, policy->hidden,
            data->classes, results->runs[0].net.count, results->first + 1,
            results->first + results->steps, policy->batch, results->seed);
    lab_gap(page);
    table_begin(2);
    tell(results, "products", tell_operands);
    tell(results, "parameters", tell_parameters);
    tell(results, "optimizer", tell_optimizer);
    tell(results, "its states", tell_states);
    tell(results, "loss scale", tell_loss_scale);
    table_flush();
    lab_gap(page);
    for (size_t i = 0; i < results->count; i++)
        if (i == 0 || results->runs[i].policy->rule != results->runs[i - 1].policy->rule)
            lab_say(page, "%s, %s: %s.", results->runs[i].policy->rule->name,
                    results->runs[i].policy->rule->title, results->runs[i].policy->rule->formula);
}

/* ---- the results ---- */

/* The heading of the first column is what differs between the policies. */
static const lab_column result_columns[] = {
    { "policy", "", LAB_SCREEN, ALIGN_LEFT, STYLE_NAME },
    { "loss", NULL, LAB_SCREEN, ALIGN_LEFT, STYLE_PLAIN },
    { "right", NULL, LAB_SCREEN, ALIGN_RIGHT, STYLE_PLAIN },
    { "lost", NULL, LAB_SCREEN, ALIGN_RIGHT, STYLE_WARN },
    { "unseen", NULL, LAB_SCREEN, ALIGN_RIGHT, STYLE_PLAIN },
    { "zeroed", NULL, LAB_SCREEN, ALIGN_RIGHT, STYLE_PLAIN },
    { NULL, NULL, LAB_SCREEN, ALIGN_LEFT, STYLE_PLAIN },
};

static double share(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : divide64(from_count(part), from_count(whole));
}

static void show_run(lab_page *page, const train_run *run)
{
    lab_cell(page, run->policy->label, NULL);
    cell_double(page, fpfmt_to_f64(run->total, NULL, NULL), 3);
    lab_cellf(page, "%" PRIu64 " of %zu", run->right, run->data->rows);
    cell_share(page, share(run->lost, run->updates));
    cell_share(page, share(run->unseen, run->weights));
    cell_share(page, share(run->net.zeroed, run->net.rounded));
    lab_end_row(page);
}

static char *percent(char *text, uint64_t part, uint64_t whole)
{
    fpfmt_ratio ratio;
    fpfmt_ratio_from(&ratio, fpfmt_from_f64(share(part, whole)));
    show_percent(text, &ratio, LEAD_NONE);
    return text;
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
    lab_say(page,
            "%s: %s of the updates of weights changed the master copy in %s, but not yet its "
            "rounding to %s, which products see. Without the master copy they would have been "
            "lost: --master none.",
            policy->label, percent(text, run->unseen, run->weights), policy->parameter.name,
            policy->numbers.forward.name);
}

static void explain_updates(const lab_page *page, const train_results *results)
{
    const train_run *worst = &results->runs[0];
    for (size_t i = 1; i < results->count; i++)
        if (share(results->runs[i].lost, results->runs[i].updates) >
            share(worst->lost, worst->updates))
            worst = &results->runs[i];
    if (share(worst->lost, worst->updates) > 0.01)
        explain_lost(page, worst);
    else if (worst->policy->has_master && share(worst->unseen, worst->weights) > 0.01)
        explain_unseen(page, worst);
}

static void explain_gradients(const lab_page *page, const train_run *run)
{
    number text;
    const train_policy *policy = run->policy;
    if (share(run->net.zeroed, run->net.rounded) > 0.01 && run->broken == 0)
        lab_say(page,
                "%s: %s of the gradients are at most half of the smallest value of %s and became "
                "0.%s",
                policy->label, percent(text, run->net.zeroed, run->net.rounded),
                policy->numbers.backward.name,
                policy->dynamic || policy->loss_scale > 0 || policy->numbers.scaled
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
                policy->numbers.scaled ? "" : " Scaling each operand helps: --tensor-scale on.");
}

/* How much the loss of a step is higher without the states. */
static double rise(const train_results *results, uint64_t step)
{
    return subtract64(fpfmt_to_f64(results->runs[1].losses[step], NULL, NULL),
                      fpfmt_to_f64(results->runs[0].losses[step], NULL, NULL));
}

static void explain_forgotten(const lab_page *page, const train_results *results)
{
    number before, after;
    const train_run *kept = &results->runs[0], *lost = &results->runs[1];
    uint64_t from = results->forgotten, worst = from;
    if (from == UINT64_MAX)
        return;
    if (kept->policy->rule->states[0] == NULL) {
        lab_say(page, "%s has no states, so that nothing is lost.", kept->policy->rule->name);
        return;
    }
    for (uint64_t step = from; step < results->steps; step++)
        if (rise(results, step) > rise(results, worst))
            worst = step;
    show_double(before, fpfmt_to_f64(kept->losses[worst], NULL, NULL), 3);
    show_double(after, fpfmt_to_f64(lost->losses[worst], NULL, NULL), 3);
    lab_say(page,
            "lost: after step %" PRIu64 " the optimizer's states are 0, as after a checkpoint that "
            "does not hold them, and all else is as it was. It is another run from there on, and "
            "first a rough one: in step %" PRIu64 " the loss is %s instead of %s.",
            results->first + from, results->first + worst + 1, after, before);
}

void show_results(lab_page *page, const train_results *results)
{
    lab_gap(page);
    draw_losses(page, results);
    lab_gap(page);
    lab_column *columns = allocate(1, sizeof result_columns);
    memcpy(columns, result_columns, sizeof result_columns);
    columns[0].heading = results->runs[0].policy->varied;
    lab_rows(page, columns);
    for (size_t i = 0; i < results->count; i++)
        show_run(page, &results->runs[i]);
    lab_flush(page);
    lab_gap(page);
    lab_say(page,
            "loss, right: of all rows, after the last step. lost: updates after which a parameter "
            "was what it had been. unseen: updates of weights that their rounding to an operand "
            "does not show. zeroed: gradients that became 0 as operands.");
    lab_gap(page);
    explain_updates(page, results);
    for (size_t i = 0; i < results->count; i++)
        explain_gradients(page, &results->runs[i]);
    explain_forgotten(page, results);
    if (results->saved != NULL)
        lab_say(
            page,
            "Kept in %s, %zu bytes: parameters, %s, step, loss scale, the order of the data and "
            "the counter of random bits. Go on with --resume %s%s.",
            results->saved, results->saved_bytes,
            results->without_states ? "no optimizer states" : "optimizer states", results->saved,
            results->without_states ? " --omit-optimizer-state" : "");
}
