/* targets.h - what tensors become: a format with its policy, or a block format with its recipe
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_TARGETS_H
#define FPCAST_TARGETS_H

#include "plan/layouts.h"
#include "plan/request.h"

typedef struct {
    const char *text; /* as it was asked for */
    const char *name;
    bool is_block;
    fpfmt_format format;
    fpfmt_block block;
    fpfmt_recipe recipe;
    const layout *layout;
    fpfmt_policy policy;
    bool has_policy; /* of blocks: else the recipe rounds */
} target;

/* The target of that name, under the policy that was asked for; NULL after a complaint. What is
 * asked for twice is made once. */
const target *find_target(const request *asked, const char *text);

/* A target that is a format, whatever was asked for: codes as they are, packed otherwise. */
const target *same_format(const fpfmt_format *format);

#endif
