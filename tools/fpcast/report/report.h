/* report.h - what a cast did: counts for people and programs, and conditions on them
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_REPORT_H
#define FPCAST_REPORT_H

#include "kit/records.h"
#include "plan/plan.h"

/* Is more lost than --fail-on allows? Says what, and of which tensor. */
bool fails(const cast_plan *plan);

/* A table of tensors on the screen where all is wanted, else some lines about them. */
void draw_report(const cast_plan *plan, bool all);

/* A row for each tensor, and one for all. */
void print_report(const cast_plan *plan, form how);

/* The names of the fields of these rows, for completions and tests. */
extern const field report_fields[];

#endif
