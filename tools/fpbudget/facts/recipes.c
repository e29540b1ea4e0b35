/* recipes.c - what a way of training keeps, and in which formats
 * SPDX-License-Identifier: MIT */

#include "facts/recipes.h"

/* In the order of PART_... */
static const part_row parts[] = {
    { "parameters", "the weights that the forward pass reads", DIVIDES_PARAMETERS },
    { "copy", "the weights again, quantised for the products of the forward pass",
      DIVIDES_PARAMETERS },
    { "transpose", "and for those of the backward pass, which read them by columns",
      DIVIDES_PARAMETERS },
    { "gradients", "one for each parameter, written by the backward pass", DIVIDES_GRADIENTS },
    { "master", "the weights that the optimizer adds to: small updates are not lost",
      DIVIDES_STATE },
};
const row_table part_table = ROW_TABLE("part", parts, "");

/* What mixed-adamw keeps, which the recipes of ZeRO divide. */
#define MIXED                                                                                      \
    .optimizer = "adamw", .state = "fp32", .activations = "bf16", .inputs = "bf16",                \
    .formats = {                                                                                   \
        [PART_PARAMETERS] = "bf16",                                                                \
        [PART_GRADIENTS] = "bf16",                                                                 \
        [PART_MASTER] = "fp32",                                                                    \
    }

/* ZeRO: arXiv 1910.02054, whose K = 12 is the master copy, m and v. */
static const recipe_row recipes[] = {
    { .name = "fp32-adamw",
      .summary = "all of it in FP32",
      .optimizer = "adamw",
      .formats = { [PART_PARAMETERS] = "fp32", [PART_GRADIENTS] = "fp32" },
      .state = "fp32",
      .activations = "fp32",
      .inputs = "fp32" },
    { .name = "mixed-adamw", .summary = "with an FP32 master copy", MIXED },
    { .name = "bf16-sr",
      .summary = "stochastic rounding",
      .optimizer = "adamw",
      .formats = { [PART_PARAMETERS] = "bf16", [PART_GRADIENTS] = "bf16" },
      .state = "bf16",
      .activations = "bf16",
      .inputs = "bf16" },
    { .name = "fp8-te",
      .summary = "products in FP8",
      .optimizer = "adamw",
      .formats = { "bf16", "e4m3", "e4m3", "bf16", "fp32" },
      .state = "fp32",
      .activations = "bf16",
      .inputs = "e4m3",
      .assumption = "products read FP8 copies of weights and inputs, as Transformer Engine keeps "
                    "them; scales and histories of maxima, a few numbers for each tensor, are not "
                    "counted" },
    { .name = "zero-1", .summary = "master, state divided", MIXED, .divides = DIVIDES_STATE },
    { .name = "zero-2",
      .summary = "and gradients",
      MIXED,
      .divides = DIVIDES_STATE | DIVIDES_GRADIENTS },
    { .name = "zero-3",
      .summary = "and parameters",
      MIXED,
      .divides = DIVIDES_STATE | DIVIDES_GRADIENTS | DIVIDES_PARAMETERS },
};
const row_table recipe_table = ROW_TABLE("recipe", recipes, "");

#define STATE(name, why)                                                                           \
    {                                                                                              \
        name, why, DIVIDES_STATE                                                                   \
    }
#define FIRST_MOMENT STATE("m", "running mean of the gradient")
#define SECOND_MOMENT STATE("v", "running mean of its square")

/* adamw-8bit: arXiv 2110.02861, with 8-bit codes in blocks of 2048; their width is int8's. */
static const optimizer_row optimizers[] = {
    { .name = "sgd", .summary = "plain gradient descent" },
    { .name = "momentum",
      .summary = "gradient descent with momentum",
      .states = { STATE("velocity", "running sum of the gradient") } },
    { .name = "adagrad",
      .summary = "AdaGrad",
      .states = { STATE("squares", "sum of the gradient's squares") } },
    { .name = "rmsprop", .summary = "RMSProp", .states = { SECOND_MOMENT } },
    { .name = "adam", .summary = "Adam", .states = { FIRST_MOMENT, SECOND_MOMENT } },
    { .name = "adamw",
      .summary = "Adam with decoupled weight decay",
      .states = { FIRST_MOMENT, SECOND_MOMENT } },
    { .name = "adamw-8bit",
      .summary = "AdamW with a state of 8 bits in blocks",
      .states = { FIRST_MOMENT, SECOND_MOMENT },
      .format = "int8:fp32/2048",
      .assumption =
          "the 8-bit codes of adamw-8bit are as wide as int8, with an FP32 scale for 2048 "
          "of them; without scales it is --store state=int8" },
};
const row_table optimizer_table = ROW_TABLE("optimizer", optimizers, "");
