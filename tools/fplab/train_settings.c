/* train_settings.c - the options of fplab train, and what completions offer for them
 * SPDX-License-Identifier: MIT */

#include "train_settings.h"

#include <string.h>

#include "kit/memory.h"
#include "optimizer.h"
#include "summing.h"

const train_settings usual_training = { .steps = 0 };

/* ---- offers ---- */

/* A format, and behind a slash the one of the backward pass. */
static void offer_operands(const completion *now, const option_row *row)
{
    const char *slash = strchr(now->typed, '/');
    if (slash == NULL) {
        offer_formats(now, row);
        return;
    }
    size_t before = strlen(now->before), kept = (size_t)(slash + 1 - now->typed);
    char *front = allocate(before + kept + 1, 1);
    memcpy(front, now->before, before);
    memcpy(front + before, now->typed, kept);
    const completion backward = { .before = front, .typed = slash + 1 };
    offer_formats(&backward, row);
    release(front);
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
    { SETTING("as", SETTING_AS, "FORMATS", "operands, as bf16 or e4m3/e5m2 (forward/backward)"),
      .offer = offer_operands },
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
