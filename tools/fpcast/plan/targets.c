/* targets.c - what tensors become: a format with its policy, or a block format with its recipe
 * SPDX-License-Identifier: MIT */

#include "plan/targets.h"

#include <string.h>

#include "kit/blocks.h"
#include "kit/formats.h"
#include "kit/memory.h"
#include "kit/say.h"

static void set_policy(target *made, const request *asked, const fpfmt_format *format)
{
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    if (asked->policy != NULL)
        policy = fpfmt_policy_for(format, asked->policy);
    if (asked->rounding >= 0) {
        policy.rounding = (uint8_t)asked->rounding;
        policy.random_bits = (uint8_t)asked->random_bits;
    }
    if (asked->overflow >= 0)
        policy.overflow = (uint8_t)asked->overflow;
    if (asked->nan >= 0)
        policy.nan = (uint8_t)asked->nan;
    policy.seed = asked->seed;
    made->policy = policy;
    made->has_policy = asked->has_policy;
}

static bool set_block(target *made, const request *asked)
{
    if (!find_block(&made->block, made->text) ||
        !find_recipe(&made->recipe, &made->block, asked->recipe))
        return false;
    made->is_block = true;
    made->name = made->block.name;
    made->layout = find_layout(&made->block, asked->layout);
    set_policy(made, asked, &made->block.element);
    return made->layout != NULL;
}

/* A plan of the policy can be made, or what is wrong with it is said. */
static bool is_usable(const target *made)
{
    fpfmt_plan plan;
    fpfmt_block_plan blocks;
    bool good = made->is_block ? fpfmt_prepare_blocks(&blocks, &made->block, &made->recipe,
                                                      made->has_policy ? &made->policy : NULL, NULL)
                               : fpfmt_prepare(&plan, &made->format, &made->policy, NULL);
    if (!good)
        complain("%s cannot be rounded to under this policy", made->name);
    return good;
}

const target *find_target(const request *asked, const char *text)
{
    target *made = allocate(1, sizeof *made);
    made->text = text;
    if (names_block(text)) {
        if (!set_block(made, asked))
            return NULL;
    } else {
        if (complain_about_slip_of_block(text) || !find_format(&made->format, text))
            return NULL;
        made->name = made->format.name;
        set_policy(made, asked, &made->format);
    }
    return is_usable(made) ? made : NULL;
}

const target *same_format(const fpfmt_format *format)
{
    target *made = allocate(1, sizeof *made);
    made->text = made->name = format->name;
    made->format = *format;
    made->policy.nan = FPFMT_NAN_PRESERVE;
    return made;
}
