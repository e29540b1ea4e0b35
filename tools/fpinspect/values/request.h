/* request.h - what a command line asked for, read and checked
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_REQUEST_H
#define FPINSPECT_REQUEST_H

#include <fpfmt.h>

#include "kit/environment.h"
#include "kit/formats.h"
#include "kit/losses.h"
#include "kit/records.h"
#include "kit/rounding.h"

/* One way of rounding: a named policy, and what overrides it (-1 where nothing does). */
typedef struct {
    char label[48];
    const fpfmt_policy_row *row;
    int rounding, random_bits, overflow;
} policy_choice;

typedef enum { VARIES_NOTHING, VARIES_POLICY, VARIES_OVERFLOW, VARIES_ROUNDING } varies_kind;

/* A step of --via: a format, and the rounding into it (-1: the column's). */
typedef struct {
    fpfmt_format format;
    int rounding, random_bits;
} via_step;

/* The block formats of --as, in order. */
typedef struct {
    fpfmt_block *rows;
    size_t count;
} block_list;

/* The argument of an option that takes a list, and the number of its items; NULL and 0 without. */
typedef struct {
    const char *list;
    size_t count;
} option_list;

enum { MOST_LIMITS = 8 };

enum { MOST_COLUMNS = 16, MOST_FIELDS = 40, MOST_STEPS = 8 };

enum { PLOT_DENSITY, PLOT_ERROR, PLOT_STAIRCASE };

typedef struct {
    const char *command; /* the option that asks for it; "": inspect values */
    bool several_commands;
    format_list formats;                     /* of --as, else the usual ones */
    bool formats_given, has_from, from_pair; /* from_pair: --from named two formats */
    fpfmt_format from, from_second;          /* of --dot's second file, else as from */
    fpfmt_format shown[2];                   /* of --table, --info and --diff */
    block_list blocks;                       /* of --as, which then has no formats */
    bool from_block, shows_block;            /* --from, and --table or --info, named one: */
    fpfmt_block block;
    const fpfmt_book *book;                     /* --table named a code book; else NULL */
    option_list recipes;                        /* of --recipe; NULL: that of the block format */
    const char *scales, *tensor_scale;          /* of --scale and --tensor-scale; NULL without */
    option_list policies, overflows, roundings; /* as given; read into columns when all are known */
    policy_choice columns[MOST_COLUMNS];
    size_t column_count;
    varies_kind varies;
    via_step via[MOST_STEPS];
    size_t via_count;
    int plot;                               /* PLOT_... */
    const char *dot, *accumulators, *start; /* of --dot, --accumulate and --init; NULL without */
    uint8_t subnormal;                      /* FPFMT_SUBNORMAL_... */
    int tininess;                           /* FPFMT_TININESS_... */
    int nan;                                /* FPFMT_NAN_...; -1: the policy's */
    uint64_t seed;
    bool has_random; /* --random: the random bits of a rounding, in place of those of the seed */
    uint64_t random;
    form form;
    const field *fields[MOST_FIELDS]; /* of --print */
    size_t field_count;
    bool explain, stepwise, full;
    uint64_t neighbors;
    display display;
    /* Of files of tensors: patterns of their names, and the names of scales; where codes of raw
     * files begin, how many there are, and whether their first byte is the highest. NULL without.
     */
    const char *tensors, *scale_of;
    uint64_t file_offset, file_count;
    int endian, axis;     /* axis: of --axis; -1 without */
    uint64_t worst, jobs; /* elements to tell, and threads; 0: none, and as many as processors */
    fail_limit limits[MOST_LIMITS];
    size_t limit_count;
    unsigned fail_flags, fail_statuses; /* bits of FPFMT_FLAG_..., of 1 << FPFMT_OUTCOME_... */
    char **operands;
    size_t operand_count;
    const struct option_row **given; /* the options, in the order of the command line */
    size_t given_count;
} request;

/* The policy of a column for one target. */
fpfmt_policy column_policy(const request *chosen, const policy_choice *column,
                           const fpfmt_format *format);

#endif
