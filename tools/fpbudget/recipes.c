/* recipes.c - what a way of training keeps, and in which formats
 * SPDX-License-Identifier: MIT */

#include "recipes.h"

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

#define MIXED "bf16", NULL, NULL, "bf16", "fp32"

/* ZeRO: arXiv 1910.02054, whose K = 12 is the master copy, m and v. */
static const recipe_row recipes[] = {
    { "fp32-adamw",
      "all of it in FP32",
      "adamw",
      { "fp32", NULL, NULL, "fp32", NULL },
      "fp32",
      "fp32",
      "fp32",
      0,
      NULL },
    { "mixed-adamw",
      "with an FP32 master copy",
      "adamw",
      { MIXED },
      "fp32",
      "bf16",
      "bf16",
      0,
      NULL },
    { "bf16-sr",
      "stochastic rounding",
      "adamw",
      { "bf16", NULL, NULL, "bf16", NULL },
      "bf16",
      "bf16",
      "bf16",
      0,
      NULL },
    { "fp8-te",
      "products in FP8",
      "adamw",
      { "bf16", "e4m3", "e4m3", "bf16", "fp32" },
      "fp32",
      "bf16",
      "e4m3",
      0,
      "products read FP8 copies of weights and inputs, as Transformer Engine keeps them; scales "
      "and histories of maxima, a few numbers for each tensor, are not counted" },
    { "zero-1",
      "master, state divided",
      "adamw",
      { MIXED },
      "fp32",
      "bf16",
      "bf16",
      DIVIDES_STATE,
      NULL },
    { "zero-2",
      "and gradients",
      "adamw",
      { MIXED },
      "fp32",
      "bf16",
      "bf16",
      DIVIDES_STATE | DIVIDES_GRADIENTS,
      NULL },
    { "zero-3",
      "and parameters",
      "adamw",
      { MIXED },
      "fp32",
      "bf16",
      "bf16",
      DIVIDES_STATE | DIVIDES_GRADIENTS | DIVIDES_PARAMETERS,
      NULL },
};
const row_table recipe_table = ROW_TABLE("recipe", recipes, "");

#define NONE                                                                                       \
    {                                                                                              \
        NULL, NULL, 0                                                                              \
    }
#define STATE(name, why)                                                                           \
    {                                                                                              \
        name, why, DIVIDES_STATE                                                                   \
    }
#define FIRST_MOMENT STATE("m", "running mean of the gradient")
#define SECOND_MOMENT STATE("v", "running mean of its square")

/* adamw-8bit: arXiv 2110.02861, with 8-bit codes in blocks of 2048; their width is int8's. */
static const optimizer_row optimizers[] = {
    { "sgd", "plain gradient descent", { NONE, NONE }, NULL, NULL },
    { "momentum",
      "gradient descent with momentum",
      { STATE("velocity", "running sum of the gradient"), NONE },
      NULL,
      NULL },
    { "adagrad",
      "AdaGrad",
      { STATE("squares", "sum of the gradient's squares"), NONE },
      NULL,
      NULL },
    { "rmsprop", "RMSProp", { SECOND_MOMENT, NONE }, NULL, NULL },
    { "adam", "Adam", { FIRST_MOMENT, SECOND_MOMENT }, NULL, NULL },
    { "adamw", "Adam with decoupled weight decay", { FIRST_MOMENT, SECOND_MOMENT }, NULL, NULL },
    { "adamw-8bit",
      "AdamW with a state of 8 bits in blocks",
      { FIRST_MOMENT, SECOND_MOMENT },
      "int8:fp32/2048",
      "the 8-bit codes of adamw-8bit are as wide as int8, with an FP32 scale for 2048 of them; "
      "without scales it is --store state=int8" },
};
const row_table optimizer_table = ROW_TABLE("optimizer", optimizers, "");
