/* train_numbers.c - what operands of a training run are rounded to, as options say it
 * SPDX-License-Identifier: MIT */

#include "train_numbers.h"

#include <stdio.h>
#include <string.h>

#include "kit/blocks.h"
#include "kit/formats.h"
#include "kit/memory.h"
#include "kit/rounding.h"
#include "kit/say.h"
#include "summing.h"

/* ---- formats ---- */

size_t operand_name_length(const char *text)
{
    size_t length = strcspn(text, "/");
    if (text[length] == '/' && memchr(text, '@', length) != NULL)
        length += 1 + strcspn(text + length + 1, "/");
    return length;
}

/* Says what the format lacks that training needs. */
static bool is_able(const fpfmt_format *format, const char *name)
{
    const char *defect = mlp_defect(format);
    if (defect != NULL)
        complain("%s %s, which training needs", name, defect);
    return defect == NULL;
}

bool read_number_format(fpfmt_format *format, const char *name, const char *option)
{
    if (names_block(name)) {
        complain("--%s takes a format of single numbers, and %s is of blocks", option,
                 quoted(name, strlen(name)));
        return false;
    }
    return find_format(format, name) && is_able(format, format->name);
}

static bool read_blocks(operand_format *to, const char *name)
{
    if (!find_block(&to->block, name))
        return false;
    to->has_blocks = true;
    to->format = to->block.element;
    if (to->block.book == NULL)
        return is_able(&to->format, to->block.name);
    complain("%s has elements of a code book, which products do not take as operands",
             to->block.name);
    return false;
}

/* A format or block format by name. */
static bool read_operand(operand_format *to, const char *name)
{
    *to = (operand_format){ .has_blocks = false };
    if (names_block(name) || strchr(name, '@') != NULL)
        return read_blocks(to, name);
    if (complain_about_slip_of_block(name))
        return false;
    return find_format(&to->format, name) && is_able(&to->format, to->format.name);
}

/* The two parts of FORWARD/BACKWARD, which are one where there is no slash. */
typedef struct {
    char *forward, *backward;
    bool two;
} text_pair;

static text_pair split(const char *text, size_t length)
{
    text_pair made = { .forward = copy_text(text, length), .two = text[length] == '/' };
    const char *rest = made.two ? text + length + 1 : made.forward;
    made.backward = copy_text(rest, strlen(rest));
    return made;
}

static void release_pair(text_pair *pair)
{
    release(pair->forward);
    release(pair->backward);
}

/* FORMAT, or FORWARD/BACKWARD, into two operands. The setting is spelt by their names. */
static bool read_pair(train_policy *policy, setting which, operand_format *forward,
                      operand_format *backward)
{
    const char *text = policy->text[which];
    text_pair names = split(text, operand_name_length(text));
    bool good = read_operand(forward, names.forward);
    *backward = *forward;
    good = good && (!names.two || read_operand(backward, names.backward));
    if (good)
        snprintf(policy->spelt[which], SETTING_ROOM, "%s%s%s", operand_name(forward),
                 names.two ? "/" : "", names.two ? operand_name(backward) : "");
    release_pair(&names);
    return good;
}

/* Is the setting what others say? It is spelt so, too. */
static bool is_same(train_policy *policy, setting which)
{
    strcpy(policy->spelt[which], SETTING_SAME);
    return strcmp(policy->text[which], SETTING_SAME) == 0;
}

/* One operand's format, for both of its uses. */
static bool read_one(train_policy *policy, setting which, operand_use here, operand_use there)
{
    operand_format *operands = policy->numbers.operands, made;
    if (is_same(policy, which))
        return true;
    if (!read_operand(&made, policy->text[which]))
        return false;
    snprintf(policy->spelt[which], SETTING_ROOM, "%s", operand_name(&made));
    operands[here] = operands[there] = made;
    return true;
}

static bool read_formats_of_operands(train_policy *policy)
{
    operand_format *operands = policy->numbers.operands, forward, backward;
    if (!read_pair(policy, SETTING_AS, &forward, &backward))
        return false;
    operands[OPERAND_INPUT] = operands[OPERAND_WEIGHT] = forward;
    operands[OPERAND_INPUT_DW] = operands[OPERAND_WEIGHT_DX] = forward;
    operands[OPERAND_GRADIENT_DW] = operands[OPERAND_GRADIENT_DX] = backward;
    if (strcmp(policy->text[SETTING_GRADIENTS], SETTING_SAME) != 0 &&
        policy->spelt[SETTING_AS][operand_name_length(policy->spelt[SETTING_AS])] == '/') {
        complain("--as %s and --gradients %s both name the format of gradients",
                 policy->spelt[SETTING_AS],
                 quoted(policy->text[SETTING_GRADIENTS], strlen(policy->text[SETTING_GRADIENTS])));
        return false;
    }
    return read_one(policy, SETTING_WEIGHTS, OPERAND_WEIGHT, OPERAND_WEIGHT_DX) &&
           read_one(policy, SETTING_GRADIENTS, OPERAND_GRADIENT_DW, OPERAND_GRADIENT_DX) &&
           (is_same(policy, SETTING_DW) ||
            read_pair(policy, SETTING_DW, &operands[OPERAND_INPUT_DW],
                      &operands[OPERAND_GRADIENT_DW])) &&
           (is_same(policy, SETTING_DX) ||
            read_pair(policy, SETTING_DX, &operands[OPERAND_WEIGHT_DX],
                      &operands[OPERAND_GRADIENT_DX]));
}

/* ---- how they are rounded ---- */

static bool is_usual(const char *text)
{
    return strcmp(text, SETTING_USUAL) == 0;
}

/* A policy and a mode, either NULL or -1 where it is the usual one. */
typedef struct {
    const fpfmt_policy_row *row;
    int mode, bits;
} rounding_choice;

/* Readers of a part of a setting, which they also spell. */
typedef bool choice_reader(rounding_choice *choice, char spelt[ROUNDING_SIZE], const char *text);

static bool read_mode(rounding_choice *choice, char spelt[ROUNDING_SIZE], const char *text)
{
    choice->mode = -1;
    if (!is_usual(text) && !read_rounding(text, &choice->mode, &choice->bits))
        return false;
    const fpfmt_policy policy = { .rounding = (uint8_t)choice->mode,
                                  .random_bits = (uint8_t)choice->bits };
    if (choice->mode >= 0)
        rounding_name(spelt, &policy);
    return true;
}

static bool read_row(rounding_choice *choice, char spelt[ROUNDING_SIZE], const char *text)
{
    choice->row = is_usual(text) ? NULL : find_policy(text);
    if (choice->row != NULL)
        snprintf(spelt, ROUNDING_SIZE, "%s", choice->row->name);
    return is_usual(text) || choice->row != NULL;
}

/* Forward and backward. */
static bool read_choices(train_policy *policy, setting which, rounding_choice choices[2],
                         choice_reader *read)
{
    char spelt[2][ROUNDING_SIZE] = { SETTING_USUAL, SETTING_USUAL };
    const char *text = policy->text[which];
    text_pair words = split(text, strcspn(text, "/"));
    bool good =
        read(&choices[0], spelt[0], words.forward) && read(&choices[1], spelt[1], words.backward);
    snprintf(policy->spelt[which], SETTING_ROOM, "%s%s%s", spelt[0], words.two ? "/" : "",
             words.two ? spelt[1] : "");
    release_pair(&words);
    return good;
}

static bool settle(operand_format *of, const rounding_choice *choice, const char *recipe)
{
    if (of->has_blocks && !find_recipe(&of->recipe, &of->block, is_usual(recipe) ? NULL : recipe))
        return false;
    if (choice->row != NULL)
        of->policy = fpfmt_policy_for(&of->format, choice->row);
    else if (of->has_blocks)
        of->policy.rounding = of->recipe.rounding;
    if (choice->mode >= 0) {
        of->policy.rounding = (uint8_t)choice->mode;
        of->policy.random_bits = (uint8_t)choice->bits;
    }
    return true;
}

bool read_operands(train_policy *policy)
{
    rounding_choice choices[2] = { { .row = NULL }, { .row = NULL } };
    const char *recipe = policy->text[SETTING_RECIPE];
    if (!read_formats_of_operands(policy) ||
        !read_choices(policy, SETTING_ROUND, choices, read_mode) ||
        !read_choices(policy, SETTING_POLICY, choices, read_row))
        return false;
    strcpy(policy->spelt[SETTING_RECIPE], SETTING_USUAL);
    for (operand_use use = 0; use < OPERANDS; use++) {
        bool backward = use == OPERAND_GRADIENT_DW || use == OPERAND_GRADIENT_DX;
        operand_format *how = &policy->numbers.operands[use];
        if (!settle(how, &choices[backward], recipe))
            return false;
        if (how->has_blocks && !is_usual(recipe))
            strcpy(policy->spelt[SETTING_RECIPE], how->recipe.name);
    }
    return true;
}

/* ---- sums ---- */

/* An operand as a series, for what an accumulator says of it; the codes are anything. */
static fpfmt_series series_of(const operand_format *how)
{
    static const uint64_t zeros[1];
    fpfmt_series made = { .format = &how->format, .codes = zeros, .stride = 1 };
    if (how->has_blocks && how->block.size != FPFMT_BLOCK_ALL)
        made.scales = (fpfmt_scales){
            .format = &how->block.scale, .codes = zeros, .stride = 1, .size = how->block.size
        };
    return made;
}

static bool read_sum(fpfmt_accumulator *sum, const char *text, const mlp_numbers *numbers,
                     operand_use a, operand_use b)
{
    char name[SUMMATION_ROOM];
    const operand_format *left = &numbers->operands[a], *right = &numbers->operands[b];
    library_name(name, text);
    fpfmt_status status =
        fpfmt_find_accumulator(sum, name, &numbers->work, &left->format, &right->format);
    if (status == FPFMT_UNKNOWN) {
        complain("unknown accumulator '%s'; see fpinspect --list-accumulators",
                 quoted(text, strlen(text)));
        return false;
    }
    const fpfmt_series both[2] = { series_of(left), series_of(right) };
    const char *defect =
        status == FPFMT_FOUND ? fpfmt_scales_defect(sum, &both[0], &both[1]) : NULL;
    if (status != FPFMT_FOUND || defect != NULL)
        complain("accumulator '%s' does not sum products of %s and %s up to %s%s%s",
                 quoted(text, strlen(text)), operand_name(left), operand_name(right),
                 numbers->work.name, defect != NULL ? ": " : "", defect != NULL ? defect : "");
    return status == FPFMT_FOUND && defect == NULL;
}

/* Does binary32 hold all numbers of an operand's codes and scales? */
static bool fits_binary32(const operand_format *how)
{
    const fpfmt_format *binary32 = fpfmt_named("fp32");
    return fpfmt_contains(binary32, &how->format) &&
           (!how->has_blocks || fpfmt_contains(binary32, &how->block.scale));
}

/* The format of everything that is no operand, parameter or state: fp32, or fp64 beside a format
 * that fp32 does not contain. */
static fpfmt_format choose_work(const train_policy *policy)
{
    const fpfmt_format *binary32 = fpfmt_named("fp32");
    bool fits =
        fpfmt_contains(binary32, &policy->parameter) && fpfmt_contains(binary32, &policy->state);
    for (operand_use use = 0; use < OPERANDS && fits; use++)
        fits = fits_binary32(&policy->numbers.operands[use]);
    return *fpfmt_named(fits ? "fp32" : "fp64");
}

bool read_sums(train_policy *policy)
{
    mlp_numbers *numbers = &policy->numbers;
    const char *text = policy->text[SETTING_ACCUMULATE];
    numbers->work = choose_work(policy);
    return read_sum(&numbers->activations, text, numbers, OPERAND_INPUT, OPERAND_WEIGHT) &&
           read_sum(&numbers->weights, text, numbers, OPERAND_INPUT_DW, OPERAND_GRADIENT_DW) &&
           read_sum(&numbers->inputs, text, numbers, OPERAND_GRADIENT_DX, OPERAND_WEIGHT_DX) &&
           read_sum(&numbers->biases, "fma", numbers, OPERAND_GRADIENT_DW, OPERAND_GRADIENT_DW);
}
