/* binades.h - how many values a format has in each binade, and how far off rounding can be there
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_BINADES_H
#define FPINSPECT_BINADES_H

#include "values/request.h"

/* What a plot over magnitude shows of the binade at 2^exponent: a power of two. */
typedef int binade_measure(const fpfmt_format *format, int exponent);

binade_measure density;     /* log2 of how many values lie there */
binade_measure worst_error; /* log2 of the largest relative error under nearest rounding */

/* A binade of a format. */
typedef struct {
    const char *format;
    int exponent;
    uint64_t values;
    fpfmt_value worst; /* relative error, at the most */
} binade;
extern const field density_fields[], error_fields[];

/* All binades of the formats of --as. */
bool gather_binades(fact_list *facts, const request *chosen);

#endif
