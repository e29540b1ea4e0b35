/* stairs.h - what ways of rounding make of numbers near 0
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_STAIRS_H
#define FPINSPECT_STAIRS_H

#include "values/request.h"

/* Numbers from -STAIRS to STAIRS steps of a format, STEPS_PER_STAIR of them to a step. */
enum { STAIRS = 4, STEPS_PER_STAIR = 16 };

/* Number index of a format, from -STAIRS * STEPS_PER_STAIR up, and what a column makes of it. */
fpfmt_value stair_input(const fpfmt_format *format, int index);
fpfmt_value stair(const request *chosen, size_t column, const fpfmt_format *format, int index);

/* A number, and what each column makes of it. */
typedef struct {
    const char *format;
    fpfmt_value x, result[MOST_COLUMNS];
} stair_facts;

/* The fields of that: a column for each way of rounding. */
typedef struct {
    char names[MOST_COLUMNS][ROUNDING_SIZE];
    field
        fields[MOST_COLUMNS + 3]; /* the format, which is left out where there is one, x, a NULL */
} stair_schema;

/* All numbers of the formats of --as, and their schema. Returns its first field. */
const field *gather_stairs(fact_list *facts, stair_schema *schema, const request *chosen);

#endif
