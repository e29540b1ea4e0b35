/* format.h - what there is to know about a format: its fields, limits, codes and relatives
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_FORMAT_H
#define FPINSPECT_FORMAT_H

#include "values/request.h"

typedef struct {
    const fpfmt_format *format;
    fpfmt_limits limits;
    const char *name, *title, *aliases, *sets; /* as in the row; NULL for none */
    int width, sign_bits, exponent_bits, fraction_bits, bias, precision; /* bits, but for bias */
    int emin, emax; /* powers of two: the smallest normal, and the binade of the largest value */
    const char *zeros, *nans, *overflow; /* words: see format_fields */
    bool has_subnormals, has_infinity;
    coded max, lowest, min_normal, min_subnormal, infinity, nan;
    maybe_ratio overflow_threshold; /* max and half a step; nearest-even overflows above it */
    bool overflows_from;            /* and from it on */
    coded beyond;                   /* what becomes of overflow */
    maybe_value flush_threshold;    /* nearest-even gives 0 up to it */
    maybe_value epsilon;            /* the step from 1 to the next value */
    maybe_value unit_roundoff;      /* bounds the relative error of normals */
    fpfmt_value integers_to;        /* all integers from 0 to this are values */
    int digits10, max_digits10;     /* NO_INTEGER for fixed point */
    uint64_t zero_codes, subnormal_codes, normal_codes, infinite_codes, nan_codes;
    const char *exact_in, *holds; /* names of rows, separated by blanks; NULL for none */
    const char *not_in;           /* usual formats that are as wide, and do not hold it */
} format_facts;

/* Of format_facts: all of it, and a name with what it stands for. */
extern const field format_fields[], format_name_fields[];

/* All about one format, which must last as long as the facts. */
void describe_format(format_facts *facts, const fpfmt_format *format);

/* Lists of format_facts: of --info, of the formats of --as, of every row of the table. */
bool gather_info(fact_list *facts, const request *chosen);
bool gather_targets(fact_list *facts, const request *chosen);
bool gather_formats(fact_list *facts, const request *chosen);

#endif
