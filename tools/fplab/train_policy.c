/* train_policy.c - the settings of training runs, read and checked
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/distance.h"
#include "kit/formats.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/options.h"
#include "kit/say.h"
#include "operands.h"
#include "summing.h"
#include "train.h"

enum { MOST_HIDDEN = 4096, MOST_INTERVAL = 1000000000, USUAL_BATCH = 32 };

const setting_row setting_rows[SETTINGS] = {
    [SETTING_AS] = { "as", "bf16", false },
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

/* A format that can hold what it is for. */
static bool read_format(fpfmt_format *format, const char *name)
{
    if (!find_format(format, name))
        return false;
    const char *defect = mlp_defect(format);
    if (defect != NULL)
        complain("%s %s, which training needs", format->name, defect);
    return defect == NULL;
}

/* FORMAT, or FORWARD/BACKWARD. */
static bool read_operands(train_policy *policy, const char *text)
{
    mlp_numbers *numbers = &policy->numbers;
    const char *slash = strchr(text, '/');
    if (slash == NULL) {
        bool good = read_format(&numbers->forward, text);
        numbers->backward = numbers->forward;
        return good;
    }
    char *forward = copy_text(text, (size_t)(slash - text));
    bool good =
        read_format(&numbers->forward, forward) && read_format(&numbers->backward, slash + 1);
    release(forward);
    return good;
}

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
    policy->has_master = strcmp(text, "none") != 0;
    if (policy->has_master)
        return read_format(&policy->parameter, text);
    policy->parameter = policy->numbers.forward;
    return true;
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

/* The format of everything that is no operand, parameter or state: fp32, or fp64 beside a format
 * that fp32 does not contain. */
static fpfmt_format choose_work(const train_policy *policy)
{
    const fpfmt_format *binary32 = fpfmt_named("fp32");
    const fpfmt_format *all[] = { &policy->numbers.forward, &policy->numbers.backward,
                                  &policy->parameter, &policy->state };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (!fpfmt_contains(binary32, all[i]))
            return *fpfmt_named("fp64");
    return *binary32;
}

static bool read_sum(fpfmt_accumulator *sum, const char *text, const mlp_numbers *numbers,
                     const fpfmt_format *a, const fpfmt_format *b)
{
    char name[SUMMATION_ROOM];
    library_name(name, text);
    fpfmt_status status = fpfmt_find_accumulator(sum, name, &numbers->work, a, b);
    if (status == FPFMT_UNKNOWN)
        complain("unknown accumulator '%s'; see fpinspect --list-accumulators",
                 quoted(text, strlen(text)));
    else if (status != FPFMT_FOUND)
        complain("accumulator '%s' does not sum products of %s and %s up to %s",
                 quoted(text, strlen(text)), a->name, b->name, numbers->work.name);
    return status == FPFMT_FOUND;
}

static bool read_sums(train_policy *policy, const char *text)
{
    mlp_numbers *numbers = &policy->numbers;
    const fpfmt_format *forward = &numbers->forward, *backward = &numbers->backward;
    numbers->work = choose_work(policy);
    return read_sum(&numbers->activations, text, numbers, forward, forward) &&
           read_sum(&numbers->weights, text, numbers, forward, backward) &&
           read_sum(&numbers->inputs, text, numbers, backward, forward) &&
           read_sum(&numbers->biases, "fma", numbers, backward, backward);
}

/* auto is on for formats of at most 8 bits, whose range is too small for what they hold. */
static bool read_tensor_scale(train_policy *policy, const char *text)
{
    mlp_numbers *numbers = &policy->numbers;
    int forward = fpfmt_measure(&numbers->forward).width;
    int backward = fpfmt_measure(&numbers->backward).width;
    numbers->scaled =
        strcmp(text, "on") == 0 || (strcmp(text, "auto") == 0 && (forward <= 8 || backward <= 8));
    if (numbers->scaled || strcmp(text, "auto") == 0 || strcmp(text, "off") == 0)
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
    return read_operands(policy, text[SETTING_AS]) && read_rule(policy, text[SETTING_OPTIMIZER]) &&
           read_master(policy, text[SETTING_MASTER]) &&
           read_format(&policy->state, text[SETTING_STATE]) &&
           read_update(policy, text[SETTING_UPDATE]) &&
           read_sums(policy, text[SETTING_ACCUMULATE]) &&
           read_tensor_scale(policy, text[SETTING_TENSOR_SCALE]) &&
           read_loss_scale(policy, text[SETTING_LOSS_SCALE]) &&
           read_rate(policy, text[SETTING_RATE]) && read_batch(policy, text[SETTING_BATCH], data) &&
           read_whole(&policy->hidden, text[SETTING_HIDDEN], "--hidden", 1, MOST_HIDDEN);
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
    return count;
}

void spell_setting(char spelt[SETTING_ROOM], const train_policy *policy, setting which)
{
    const mlp_numbers *numbers = &policy->numbers;
    const char *text = policy->text[which];
    bool two = strchr(policy->text[SETTING_AS], '/') != NULL;
    switch (which) {
    case SETTING_AS:
        snprintf(spelt, SETTING_ROOM, "%s%s%s", numbers->forward.name, two ? "/" : "",
                 two ? numbers->backward.name : "");
        return;
    case SETTING_MASTER: text = policy->has_master ? policy->parameter.name : "none"; break;
    case SETTING_STATE: text = policy->state.name; break;
    case SETTING_RATE: text = text != NULL ? text : policy->rule->rate; break;
    case SETTING_ACCUMULATE: library_name(spelt, text); return;
    case SETTING_BATCH: snprintf(spelt, SETTING_ROOM, "%" PRIu64, policy->batch); return;
    default: break;
    }
    snprintf(spelt, SETTING_ROOM, "%s", text);
}
