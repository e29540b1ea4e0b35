/* train_policy.c - the settings of training runs, read and checked
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/distance.h"
#include "kit/list.h"
#include "kit/options.h"
#include "kit/say.h"
#include "operands.h"
#include "summing.h"
#include "train.h"
#include "train_numbers.h"

enum { MOST_HIDDEN = 4096, MOST_INTERVAL = 1000000000, USUAL_BATCH = 32 };

const setting_row setting_rows[SETTINGS] = {
    [SETTING_AS] = { "as", "bf16", false },
    [SETTING_WEIGHTS] = { "weights", SETTING_SAME, false },
    [SETTING_GRADIENTS] = { "gradients", SETTING_SAME, false },
    [SETTING_DW] = { "dw", SETTING_SAME, false },
    [SETTING_DX] = { "dx", SETTING_SAME, false },
    [SETTING_RECIPE] = { "recipe", SETTING_USUAL, true },
    [SETTING_ROUND] = { "round", SETTING_USUAL, true },
    [SETTING_POLICY] = { "policy", SETTING_USUAL, true },
    [SETTING_OPTIMIZER] = { "optimizer", "adamw", false },
    [SETTING_MASTER] = { "master", "fp32", false },
    [SETTING_STATE] = { "state", "fp32", false },
    [SETTING_UPDATE] = { "update", "nearest", true },
    [SETTING_ACCUMULATE] = { "accumulate", "fma", true },
    [SETTING_TENSOR_SCALE] = { "tensor-scale", "auto", true },
    [SETTING_LOSS_SCALE] = { "loss-scale", "1", true },
    [SETTING_RATE] = { "rate", NULL, true },
    [SETTING_BATCH] = { "batch", "32", true },
    [SETTING_HIDDEN] = { "hidden", "16", false },
};

static bool read_rule(train_policy *policy, const char *text)
{
    name_search search = { .typed = text };
    const optimizer *row;
    policy->rule = optimizer_named(text);
    if (policy->rule != NULL)
        return true;
    for (size_t i = 0; (row = optimizer_at(i)) != NULL; i++)
        consider_name(&search, row->name);
    complain("unknown optimizer '%s'%s", quoted(text, strlen(text)), hint_of(&search, ""));
    return false;
}

static bool read_master(train_policy *policy, const char *text)
{
    const operand_format *weight = &policy->numbers.operands[OPERAND_WEIGHT];
    policy->has_master = strcmp(text, "none") != 0;
    if (policy->has_master)
        return read_number_format(&policy->parameter, text, "master");
    if (weight->has_blocks)
        complain("--master none: parameters that are moved one by one cannot be in blocks, as %s "
                 "has them",
                 operand_name(weight));
    policy->parameter = weight->format;
    return !weight->has_blocks;
}

/* nearest, stochastic, or stochastic:N with N random bits. */
static bool read_update(train_policy *policy, const char *text)
{
    static const char stochastic[] = "stochastic";
    size_t length = sizeof stochastic - 1;
    uint64_t bits;
    if (strcmp(text, "nearest") == 0)
        return true;
    if (strncmp(text, stochastic, length) != 0 || (text[length] != '\0' && text[length] != ':')) {
        complain("--update is nearest, stochastic or stochastic:BITS, not '%s'",
                 quoted(text, strlen(text)));
        return false;
    }
    policy->update.rounding = FPFMT_ROUND_STOCHASTIC;
    if (text[length] == '\0')
        return true;
    if (!read_whole(&bits, text + length + 1, "--update stochastic:BITS", 1, 32))
        return false;
    policy->update.rounding = FPFMT_ROUND_STOCHASTIC_A;
    policy->update.random_bits = (uint8_t)bits;
    return true;
}

/* auto is on for operands of at most 8 bits, whose range is too small for what they hold; with a
 * scale those of wide range would reach the end of fp32, and products pass it. Blocks have scales
 * of their own. */
static bool read_tensor_scale(train_policy *policy, const char *text)
{
    bool is_auto = strcmp(text, "auto") == 0, on = strcmp(text, "on") == 0;
    for (operand_use use = 0; use < OPERANDS; use++) {
        operand_format *how = &policy->numbers.operands[use];
        bool narrow = fpfmt_measure(&how->format).width <= 8;
        how->scaled = !how->has_blocks && (on || (is_auto && narrow));
    }
    if (on || is_auto || strcmp(text, "off") == 0)
        return true;
    complain("--tensor-scale is auto, on or off, not '%s'", quoted(text, strlen(text)));
    return false;
}

/* A power of two, dynamic or dynamic:STEPS. */
static bool read_loss_scale(train_policy *policy, const char *text)
{
    static const char dynamic[] = "dynamic";
    enum { INTERVAL = 2000, START = 16 }; /* as PyTorch's GradScaler begins */
    size_t length = sizeof dynamic - 1;
    fpfmt_value value;
    policy->dynamic =
        strncmp(text, dynamic, length) == 0 && (text[length] == '\0' || text[length] == ':');
    policy->interval = INTERVAL;
    policy->loss_scale = START;
    if (policy->dynamic)
        return text[length] == '\0' || read_whole(&policy->interval, text + length + 1,
                                                  "--loss-scale dynamic:STEPS", 1, MOST_INTERVAL);
    if (!read_finite(&value, NULL, text, "--loss-scale"))
        return false;
    policy->loss_scale = value.exponent;
    if (value.kind == FPFMT_KIND_NORMAL && !value.negative && !value.inexact &&
        value.significand == UINT64_C(1) << 63 && value.exponent >= -LOSS_SCALE_MOST &&
        value.exponent <= LOSS_SCALE_MOST)
        return true;
    complain("--loss-scale is dynamic or a power of two from 2^-%d to 2^%d, so that dividing by it "
             "is exact, not '%s'",
             LOSS_SCALE_MOST, LOSS_SCALE_MOST, quoted(text, strlen(text)));
    return false;
}

static bool read_rate(const train_policy *policy, const char *text)
{
    const fpfmt_format *work = &policy->numbers.work;
    fpfmt_value value;
    fpfmt_ratio ratio;
    if (text == NULL)
        return true;
    if (!read_finite(&value, &ratio, text, "--rate"))
        return false;
    uint64_t code = fpfmt_encode(work, value, NULL, NULL);
    bool good = !value.negative && !fpfmt_is_zero(work, code) && fpfmt_is_finite(work, code);
    if (!good)
        complain("--rate must be a number of %s above 0, not '%s'", work->name,
                 quoted(text, strlen(text)));
    return good;
}

/* Without the option, data of few rows make one batch. */
static bool read_batch(train_policy *policy, const char *text, const dataset *data)
{
    bool few = text == setting_rows[SETTING_BATCH].usual && data->rows <= USUAL_BATCH;
    policy->batch = data->rows;
    return few || read_whole(&policy->batch, text, "--batch", 1, data->rows);
}

static bool read_policy(train_policy *policy, const dataset *data)
{
    const char *const *text = policy->text;
    return read_operands(policy) && read_rule(policy, text[SETTING_OPTIMIZER]) &&
           read_master(policy, text[SETTING_MASTER]) &&
           read_number_format(&policy->state, text[SETTING_STATE], "state") &&
           read_update(policy, text[SETTING_UPDATE]) && read_sums(policy) &&
           read_tensor_scale(policy, text[SETTING_TENSOR_SCALE]) &&
           read_loss_scale(policy, text[SETTING_LOSS_SCALE]) &&
           read_rate(policy, text[SETTING_RATE]) && read_batch(policy, text[SETTING_BATCH], data) &&
           read_whole(&policy->hidden, text[SETTING_HIDDEN], "--hidden", 1, MOST_HIDDEN);
}

static bool has_blocks(const mlp_numbers *numbers)
{
    for (operand_use use = 0; use < OPERANDS; use++)
        if (numbers->operands[use].has_blocks)
            return true;
    return false;
}

/* A recipe is of some policy's blocks. */
static bool fits_recipe(const train_policy *policies, size_t count)
{
    bool usual = true, blocks = false;
    for (size_t i = 0; i < count; i++) {
        usual = usual && strcmp(policies[i].text[SETTING_RECIPE], SETTING_USUAL) == 0;
        blocks = blocks || has_blocks(&policies[i].numbers);
    }
    if (!usual && !blocks)
        complain("--recipe says how scales of blocks follow from values, and no operand is in "
                 "blocks");
    return usual || blocks;
}

size_t read_train_policies(train_policy policies[TRAIN_POLICIES], const char *const texts[SETTINGS],
                           const dataset *data)
{
    setting list = SETTING_AS;
    size_t count = 1;
    for (setting s = 0; s < SETTINGS; s++) {
        size_t length = texts[s] == NULL ? 1 : list_length(texts[s]);
        if (length > 1 && count > 1) {
            complain("--%s and --%s are both lists: only one of them makes columns",
                     setting_rows[list].name, setting_rows[s].name);
            return 0;
        }
        if (texts[s] != NULL && !has_all_items(texts[s]))
            return 0;
        list = length > 1 ? s : list;
        count = length > 1 ? length : count;
    }
    if (count > TRAIN_POLICIES) {
        complain("--%s: %zu policies are more than %d", setting_rows[list].name, count,
                 TRAIN_POLICIES);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        train_policy *policy = &policies[i];
        *policy = (train_policy){ .hidden = 0 };
        for (setting s = 0; s < SETTINGS; s++)
            policy->text[s] = texts[s] != NULL ? texts[s] : setting_rows[s].usual;
        policy->text[list] = policy->label = list_item(policy->text[list], i);
        policy->varied = count > 1 ? setting_rows[list].name : "";
        if (!read_policy(policy, data))
            return 0;
    }
    return fits_recipe(policies, count) ? count : 0;
}

void spell_setting(char spelt[SETTING_ROOM], const train_policy *policy, setting which)
{
    const char *text = policy->text[which];
    switch (which) {
    case SETTING_MASTER: text = policy->has_master ? policy->parameter.name : "none"; break;
    case SETTING_STATE: text = policy->state.name; break;
    case SETTING_RATE: text = text != NULL ? text : policy->rule->rate; break;
    case SETTING_ACCUMULATE: library_name(spelt, text); return;
    case SETTING_BATCH: snprintf(spelt, SETTING_ROOM, "%" PRIu64, policy->batch); return;
    default: text = which <= SETTING_POLICY ? policy->spelt[which] : text; break;
    }
    snprintf(spelt, SETTING_ROOM, "%s", text);
}
