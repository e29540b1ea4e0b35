/* request.h - what a command line asks of a cast
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_REQUEST_H
#define FPCAST_REQUEST_H

#include "kit/losses.h"
#include "kit/tensorfile/tensorfile.h"

/* Tensors whose names fit a pattern of the shell get a target, or stay as they are. */
typedef struct {
    const char *pattern;
    const char *target; /* NULL: kept */
} cast_rule;

typedef struct {
    const char *in, *out;
    const char *as; /* the target of tensors without a rule; NULL: they are kept */
    cast_rule *rules;
    size_t rule_count;
    const fpfmt_policy_row *policy;           /* NULL: the default */
    int rounding, random_bits, overflow, nan; /* -1: the policy's */
    uint64_t seed;
    bool has_policy;             /* one of these was given */
    const char *recipe, *layout; /* of block formats; NULL: their own */
    bool has_from;
    fpfmt_format from; /* and how the input is read besides */
    int big_endian;
    uint64_t offset, count;
    const char *scale_of;
    bool codes; /* formats that a file has no name for are unsigned integers */
    bool dry_run;
    bool counts; /* what became of each element is counted */
    fail_limit *limits;
    size_t limit_count;
} request;

#endif
