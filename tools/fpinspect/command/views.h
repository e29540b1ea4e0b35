/* views.h - commands whose facts are more than one array, or whose fields depend on their options
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_VIEWS_H
#define FPINSPECT_VIEWS_H

#include "values/request.h"

/* What JSON says it follows. */
extern const char fpinspect_schema[];

/* Two formats: what differs in their parameters, and which codes decode differently. */
void run_diff(const request *chosen);

/* Pictures of formats, or their numbers. */
void run_plot(const request *chosen);

/* Two files of numbers, and what accumulators make of the sum of their products. */
void run_dot(const request *chosen);

/* --info of a block format, or --table of a code book. */
void show_block(const request *chosen);

#endif
