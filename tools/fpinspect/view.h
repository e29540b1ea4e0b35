/* view.h - the teaching views: formats side by side, whole tables, limits, differences
 * SPDX-License-Identifier: MIT */

#ifndef VIEW_H
#define VIEW_H

#include "input.h"
#include "options.h"

/* Range and precision of the formats of --as, with a marker for the value if there is one. */
void view_compare(const options *chosen, const input *in);

/* Every value of a format: a grid up to 8 bits, a list up to 16. */
void view_table(const options *chosen, const fpfmt_format *format);

/* The limits of one format, each with its code and what it means. */
void view_info(const fpfmt_format *format);

/* Two formats: what differs in their parameters, and which codes decode differently. */
void view_diff(const fpfmt_format *left, const fpfmt_format *right);

/* Whether the chain of --via can ever differ from the direct conversion, for each target. */
void analyze(const options *chosen);

/* --plot: pictures, or with --tsv their numbers. */
void view_plot(const options *chosen);

/* --dot: two files of numbers, and what accumulators make of the sum of their products. */
void view_dot(const options *chosen);

/* The axis of magnitudes: columns of so many binades, from 2^low up. */
typedef struct {
    int low, per_column, columns;
} axis;

/* An axis that holds all formats of --as in so much room. */
axis choose_axis(const options *chosen, int room);

/* Whether a label of the axis stands at this column. */
bool labels_here(const axis *scale, int column);

/* ---- facts about a format that several views tell ---- */

/* The largest n such that all integers from 0 to n are values; as a value. */
fpfmt_value largest_consecutive_integer(const fpfmt_format *format);

/* The step from 1 to the next value; false if 1 is not a value. */
bool epsilon_of(const fpfmt_format *format, fpfmt_value *epsilon);

/* log2 of the binade of the smallest positive value. */
int bottom_of(const fpfmt_format *format);

/* log2 of the largest magnitude that nearest-even turns into 0, if there is one. */
bool flush_threshold(const fpfmt_format *format, int *exponent);

#endif
