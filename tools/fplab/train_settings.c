/* train_settings.c - the options of fplab train, and what completions offer for them
 * SPDX-License-Identifier: MIT */

#include "train_settings.h"

#include <string.h>

#include "kit/blocks.h"
#include "kit/memory.h"
#include "optimizer.h"
#include "summing.h"
#include "train_numbers.h"

const train_settings usual_training = { .steps = 0 };

/* ---- offers ---- */

/* What may stand first, or behind the slash of a pair. */
static void offer_pair(const completion *now, const option_row *row, option_offer *offer)
{
    const char *slash = now->typed + operand_name_length(now->typed);
    if (*slash == '\0') {
        offer(now, row);
        return;
    }
    size_t before = strlen(now->before), kept = (size_t)(slash + 1 - now->typed);
    char *front = allocate(before + kept + 1, 1);
    memcpy(front, now->before, before);
    memcpy(front + before, now->typed, kept);
    const completion backward = { .before = front, .typed = slash + 1 };
    offer(&backward, row);
    release(front);
}

static void offer_numbers(const completion *now, const option_row *row)
{
    offer_formats(now, row);
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++) {
        const fpfmt_block_row *block = fpfmt_block_at(i);
        if (find_book(block->element) == NULL)
            offer_word(now, block->name, block->title);
    }
}

/* A format or block format, and behind a slash the one of the backward pass. */
static void offer_operands(const completion *now, const option_row *row)
{
    offer_pair(now, row, offer_numbers);
}

static void offer_same_or_numbers(const completion *now, const option_row *row)
{
    offer_word(now, SETTING_SAME, "as --as says");
    offer_numbers(now, row);
}

static void offer_same_or_operands(const completion *now, const option_row *row)
{
    offer_pair(now, row, offer_same_or_numbers);
}

static void offer_recipe(const completion *now, const option_row *row)
{
    offer_word(now, SETTING_USUAL, "that of the block format's maker");
    offer_recipes(now, row);
}

static void offer_mode(const completion *now, const option_row *row)
{
    offer_word(now, SETTING_USUAL, "to nearest even, or as the recipe rounds");
    offer_rounding(now, row);
}

static void offer_modes(const completion *now, const option_row *row)
{
    offer_pair(now, row, offer_mode);
}

static void offer_policy(const completion *now, const option_row *row)
{
    offer_word(now, SETTING_USUAL, "the default one");
    offer_policies(now, row);
}

static void offer_policy_pairs(const completion *now, const option_row *row)
{
    offer_pair(now, row, offer_policy);
}

static void offer_masters(const completion *now, const option_row *row)
{
    offer_word(now, "none", "that of the operands");
    offer_formats(now, row);
}

static void offer_optimizers(const completion *now, const option_row *row)
{
    (void)row;
    for (size_t i = 0; optimizer_at(i) != NULL; i++)
        offer_word(now, optimizer_at(i)->name, optimizer_at(i)->title);
}

static const fpfmt_word updates[] = {
    { "nearest", "", "to nearest even", 0 },
    { "stochastic", "", "to either neighbour with the exact chance", 0 },
    { "stochastic:8", "", "by so many random bits", 0 },
};
static const word_table update_words = OWN_WORDS("update", updates);

static const fpfmt_word tensor_scales[] = {
    { "auto", "", "for formats of at most 8 bits", 0 },
    { "on", "", "for all operands", 0 },
    { "off", "", "for none", 0 },
};
static const word_table tensor_scale_words = OWN_WORDS("tensor scale", tensor_scales);

static const fpfmt_word loss_scales[] = {
    { "1", "", "no scale", 0 },
    { "dynamic", "", "halved where a gradient overflows", 0 },
    { "dynamic:200", "", "doubled after so many good steps", 0 },
};
static const word_table loss_scale_words = OWN_WORDS("loss scale", loss_scales);

/* ---- the table ---- */

#define AT(member) .target = offsetof(train_settings, member)

/* A setting is kept as it was typed: what it means may hang on other settings and on the data. */
#define SETTING(setting_name, which, takes_what, told)                                             \
    .name = setting_name, .takes = takes_what, .summary = told, .read = set_text,                  \
    .target = offsetof(train_settings, texts) + (which) * sizeof(const char *)

/* clang-format off */
const option_row train_options[] = {
    { SETTING("as", SETTING_AS, "FORMATS", "operands, as nvfp4 or e4m3/e5m2 (forward/backward)"),
      .offer = offer_operands },
    { SETTING("weights", SETTING_WEIGHTS, "FORMAT", "of weights as operands"),
      .offer = offer_same_or_numbers },
    { SETTING("gradients", SETTING_GRADIENTS, "FORMAT", "of gradients as operands"),
      .offer = offer_same_or_numbers },
    { SETTING("dw", SETTING_DW, "FORMATS",
              "operands that give the gradient of weights"),
      .offer = offer_same_or_operands },
    { SETTING("dx", SETTING_DX, "FORMATS",
              "operands that give the gradient of inputs"),
      .offer = offer_same_or_operands },
    { SETTING("recipe", SETTING_RECIPE, "NAME", "how scales of blocks follow from values"),
      .offer = offer_recipe },
    { SETTING("round", SETTING_ROUND, "MODE", "of operands, as sr or rne/sr (forward/gradients)"),
      .offer = offer_modes },
    { SETTING("policy", SETTING_POLICY, "NAME", "what an ecosystem does, of operands"),
      .offer = offer_policy_pairs },
    { SETTING("optimizer", SETTING_OPTIMIZER, "NAME", "sgd momentum adagrad rmsprop adam adamw"),
      .offer = offer_optimizers },
    { SETTING("master", SETTING_MASTER, "FORMAT",
              "of the parameters; none: that of the operands"),
      .offer = offer_masters },
    { SETTING("state", SETTING_STATE, "FORMAT", "of what the optimizer keeps"),
      .offer = offer_formats },
    { SETTING("update", SETTING_UPDATE, "MODE",
              "of parameters: nearest stochastic stochastic:BITS"),
      .offer = offer_words, .of = &update_words },
    { .name = "stochastic", .summary = "the same as --update stochastic", .read = set_true,
      AT(stochastic) },
    { SETTING("accumulate", SETTING_ACCUMULATE, "NAME",
              "how products are summed up; sequential without it"),
      .offer = offer_summations },
    { SETTING("tensor-scale", SETTING_TENSOR_SCALE, "WHEN",
              "operands times a power of two: auto on off"),
      .offer = offer_words, .of = &tensor_scale_words },
    { SETTING("loss-scale", SETTING_LOSS_SCALE, "SCALE",
              "a power of two, dynamic or dynamic:STEPS"),
      .offer = offer_words, .of = &loss_scale_words },
    { SETTING("rate", SETTING_RATE, "NUMBER", "the learning rate") },
    { SETTING("batch", SETTING_BATCH, "ROWS", "of the data in a step; 32 without it") },
    { SETTING("hidden", SETTING_HIDDEN, "N", "width of the hidden layer; 16 without it") },
    { .name = "steps", .takes = "N", AT(steps), .read = set_whole, .least = 1,
      .most = MOST_TRAIN_STEPS, .summary = "200 without it, or 1000; after --resume, so many more" },
    { .name = "data", .takes = "X.npy,Y.npy", AT(data), .read = set_text, .offer = offer_files,
      .summary = "inputs and classes; the 150 irises without it" },
    { .name = "checkpoint", .takes = "FILE", AT(saved), .read = set_text, .offer = offer_files,
      .summary = "write the run there, as safetensors" },
    { .name = "every", .takes = "N", AT(every), .read = set_whole, .least = 1,
      .most = MOST_TRAIN_STEPS, .summary = "write it after each N steps, too" },
    { .name = "resume", .takes = "FILE", AT(resumed), .read = set_text, .offer = offer_files,
      .summary = "go on where a checkpoint ends" },
    { .name = "omit-optimizer-state", AT(omitted), .read = set_true,
      .summary = "leave it out of the checkpoint, or lose it midway" },
    { .name = NULL },
};
/* clang-format on */
