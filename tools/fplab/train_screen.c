/* train_screen.c - what a training run shows: its settings, its losses, what its formats did
 * SPDX-License-Identifier: MIT */

#include "train_screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "figures.h"
#include "kit/blocks.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/text.h"
#include "train_explain.h"
#include "train_numbers.h"
#include "train_operands.h"
#include "train_picture.h"

enum { TEXT_ROOM = 512 };

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

/* What the setting says beside that of --as, if it says anything. */
static void append_setting(char text[TEXT_ROOM], const train_policy *policy, setting which,
                           const char *name)
{
    if (strcmp(policy->spelt[which], SETTING_SAME) != 0)
        append_text(text, TEXT_ROOM, ", %s %s", name, policy->spelt[which]);
}

static const char *scaling_in_words(const mlp_numbers *numbers)
{
    int scaled = 0;
    for (operand_use use = 0; use < OPERANDS; use++)
        scaled += numbers->operands[use].scaled;
    return scaled == OPERANDS ? ", each scaled by 2^k"
           : scaled > 0       ? ", those of at most 8 bits scaled by 2^k"
                              : "";
}

static void tell_operands(char text[TEXT_ROOM], const train_policy *policy)
{
    const mlp_numbers *numbers = &policy->numbers;
    const char *as = policy->spelt[SETTING_AS];
    size_t forward = operand_name_length(as);
    bool two = as[forward] == '/' && strncmp(as, as + forward + 1, forward + 1) != 0;
    snprintf(text, TEXT_ROOM, "operands %.*s%s%s", (int)forward, as, two ? ", gradients " : "",
             two ? as + forward + 1 : "");
    append_setting(text, policy, SETTING_WEIGHTS, "weights");
    append_setting(text, policy, SETTING_GRADIENTS, "gradients");
    append_setting(text, policy, SETTING_DW, "for dW");
    append_setting(text, policy, SETTING_DX, "for dX");
    append_text(text, TEXT_ROOM, "%s; sums %s (%s)", scaling_in_words(numbers), numbers->work.name,
                policy->text[SETTING_ACCUMULATE]);
}

/* Was there an operand before this one in the same blocks? */
static bool was_told(const mlp_numbers *numbers, operand_use use)
{
    const char *name = operand_name(&numbers->operands[use]);
    for (operand_use before = 0; before < use; before++)
        if (strcmp(operand_name(&numbers->operands[before]), name) == 0)
            return true;
    return false;
}

static void tell_blocks(char text[TEXT_ROOM], const train_policy *policy)
{
    char size[40];
    *text = '\0';
    for (operand_use use = 0; use < OPERANDS; use++) {
        const operand_format *how = &policy->numbers.operands[use];
        if (!how->has_blocks || was_told(&policy->numbers, use))
            continue;
        show_block_size(size, &how->block);
        append_text(text, TEXT_ROOM, "%s%s: %s x %s by %s%s%s, %s", *text == '\0' ? "" : "; ",
                    how->block.name, how->format.name, how->block.scale.name, size,
                    how->block.levels == 2 ? " x " : "",
                    how->block.levels == 2 ? how->block.tensor.name : "", how->recipe.name);
    }
}

/* Where it is not the usual one. */
static void tell_rounding(char text[TEXT_ROOM], const train_policy *policy)
{
    const char *mode = policy->spelt[SETTING_ROUND], *row = policy->spelt[SETTING_POLICY];
    bool has_mode = strcmp(mode, SETTING_USUAL) != 0, has_row = strcmp(row, SETTING_USUAL) != 0;
    snprintf(text, TEXT_ROOM, "%s%s%s%s%s", has_mode ? mode : "", has_mode && has_row ? ", " : "",
             has_row ? "policy " : "", has_row ? row : "",
             strchr(mode, '/') != NULL || strchr(row, '/') != NULL ? " (forward/gradients)" : "");
    if (!has_mode && !has_row)
        *text = '\0';
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
        if (*text == '\0' || strcmp(text, last) == 0)
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
    tell(results, "blocks", tell_blocks);
    tell(results, "rounding", tell_rounding);
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

static void show_run(lab_page *page, const train_run *run)
{
    lab_cell(page, run->policy->label, NULL);
    cell_double(page, fpfmt_to_f64(run->total, NULL, NULL), 3);
    lab_cellf(page, "%" PRIu64 " of %zu", run->right, run->data->rows);
    cell_share(page, share(run->lost, run->updates));
    cell_share(page, share(run->unseen, run->weights));
    cell_share(page, zeroed_gradients(run));
    lab_end_row(page);
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
            "loss, right: of all rows, after the last step. Of updates that are not 0, lost: "
            "after which a parameter was what it had been%s; and unseen: of weights, which moved "
            "the parameter and not its rounding to an operand. zeroed: gradients that became 0 as "
            "operands.",
            rounds_by_chance(results) ? " (where rounding is stochastic they are meant to stay "
                                        "as often as they do: no loss on average)"
                                      : "");
    lab_gap(page);
    explain_results(page, results);
    if (results->saved != NULL)
        lab_say(
            page,
            "Kept in %s, %zu bytes: parameters, %s, step, loss scale, the order of the data and "
            "the counter of random bits. Go on with --resume %s%s.",
            results->saved, results->saved_bytes,
            results->without_states ? "no optimizer states" : "optimizer states", results->saved,
            results->without_states ? " --omit-optimizer-state" : "");
}
