/* dot.h - a dot product, and the ways in which accumulators sum it up
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_DOT_H
#define FPINSPECT_DOT_H

#include <fpfmt.h>

#include "values/input.h"
#include "values/request.h"
#include "values/vector.h"

/* A result less the exact one, start included, and that over the exact one and over the step of the
 * format there. */
typedef struct {
    maybe_ratio exact, error, relative, ulps;
} deviation;

/* An accumulator that was asked for, and what it makes of the dot product. */
typedef struct {
    const char *name; /* as it was asked for */
    fpfmt_accumulator how;
    fpfmt_format to;
    uint64_t start, code;
    coded result; /* the code, in a copy of the format that lasts */
    deviation off;
} summation;

/* Of summation. */
extern const field summation_fields[];

typedef struct {
    const request *chosen;
    vector a, b;
    summation *ways;
    size_t count;
    bool same_format, same_start; /* of all ways */
    bool has_sum;                 /* the exact sum of the products, if none is infinite or NaN */
    fpfmt_ratio sum;
} dot_product;

/* Reads the two files of --dot and the start, and sums up. False after a complaint. */
bool compute_dot(dot_product *made, const request *chosen);

/* Ends what a dot product holds. */
void release_dot(dot_product *made);

/* What an accumulator's rows take, as "fp16 and bf16 to fp32, tf32 to fp32". */
enum { TAKES_SIZE = 400 };
void describe_inputs(char text[TAKES_SIZE], const char *name);

#endif
