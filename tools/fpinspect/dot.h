/* dot.h - a dot product, and the ways in which accumulators sum it up
 * SPDX-License-Identifier: MIT */

#ifndef DOT_H
#define DOT_H

#include <fpfmt.h>

#include "input.h"
#include "options.h"
#include "vector.h"

/* An accumulator that was asked for, and what it makes of the dot product. */
typedef struct {
    char *name; /* as it was asked for */
    fpfmt_accumulator how;
    fpfmt_format to;
    uint64_t start, code;
} summation;

typedef struct {
    const options *chosen;
    vector a, b;
    summation *ways;
    size_t count;
    bool same_format, same_start; /* of all ways */
    bool has_sum;                 /* the exact sum of the products, if none is infinite or NaN */
    fpfmt_ratio sum;
} dot_product;

/* The ways of --accumulate, or the usual ones: a row for each accumulator and format. False after a
 * complaint that leaves nothing to do; an engine that does not take the inputs is only named. */
bool choose_ways(dot_product *made);

/* The starts, the results, and the exact sum; a note says where --init was rounded. */
void sum_up(dot_product *made, const input *start);

/* A result less the exact one, start included, and that over the exact one and over the step of the
 * format there; which of them exist. */
typedef struct {
    bool has_exact, has_error, has_relative, has_ulps;
    fpfmt_ratio exact, error, relative, ulps;
} deviation;
void measure_deviation(deviation *made, const dot_product *of, const summation *way);

/* What an accumulator's rows take, as "fp16 and bf16 to fp32, tf32 to fp32". */
enum { TAKES_SIZE = 400 };
void describe_inputs(char text[TAKES_SIZE], const char *name);

/* The table of terms of the first group, for an accumulator that aligns and at least one product.
 */
void screen_alignment(const dot_product *of, const summation *way);

#endif
