/* binades.c - how many values a format has in each binade, and how far off rounding can be there
 * SPDX-License-Identifier: MIT */

#include "facts/binades.h"

#include "kit/memory.h"
#include "values/limits.h"

const field density_fields[] = {
    FIELD("format", FIELD_TEXT, binade, format),
    FIELD("exponent", FIELD_INTEGER, binade, exponent),
    FIELD("values", FIELD_COUNT, binade, values),
    { .name = NULL },
};

const field error_fields[] = {
    FIELD("format", FIELD_TEXT, binade, format),
    FIELD("exponent", FIELD_INTEGER, binade, exponent),
    FIELD("worst_relative", FIELD_VALUE, binade, worst),
    { .name = NULL },
};

/* log2 of the step between values of the binade at 2^exponent. */
static int step_at(const fpfmt_format *format, int exponent)
{
    fpfmt_value value = fpfmt_from_i64(1);
    value.exponent = exponent;
    return fpfmt_ulp(format, value).exponent;
}

/* The code of the least value at 2^exponent or above. */
static uint64_t code_from(const fpfmt_format *format, int exponent)
{
    fpfmt_policy away = { .rounding = FPFMT_ROUND_AWAY_FROM_ZERO };
    fpfmt_value value = fpfmt_from_i64(1);
    value.exponent = exponent;
    return fpfmt_encode(format, value, &away, NULL);
}

/* How many values lie from 2^exponent to below the next power of two. */
static uint64_t values_in(const fpfmt_format *format, int exponent)
{
    fpfmt_limits limits = fpfmt_measure(format);
    uint64_t end = exponent == limits.emax ? limits.max + 1 : code_from(format, exponent + 1);
    return end - code_from(format, exponent);
}

int density(const fpfmt_format *format, int exponent)
{
    return exponent - step_at(format, exponent);
}

/* Half a step over the smallest value of the binade. */
int worst_error(const fpfmt_format *format, int exponent)
{
    return step_at(format, exponent) - 1 - exponent;
}

bool gather_binades(fact_list *facts, const request *chosen)
{
    binade *rows = NULL;
    size_t n = 0;
    for (size_t i = 0; i < chosen->formats.count; i++) {
        const fpfmt_format *format = &chosen->formats.rows[i];
        for (int e = bottom_of(format); e <= fpfmt_measure(format).emax; e++) {
            rows = more(rows, n, sizeof *rows);
            rows[n] = (binade){ format->name, e, values_in(format, e), fpfmt_from_i64(1) };
            rows[n++].worst.exponent = worst_error(format, e);
        }
    }
    *facts = (fact_list){ rows, n };
    return true;
}
