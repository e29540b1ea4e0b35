/* report.h - what a cast did: counts for people and programs, and conditions on them
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_REPORT_H
#define FPCAST_REPORT_H

#include "kit/records.h"
#include "plan/plan.h"

/* Is more lost than --fail-on allows? Says what, and of which tensor. */
bool fails(const cast_plan *plan);

/* Some lines about what became of the tensors, and before them a table of these where all is
 * wanted. written: the new files have their names. */
void draw_report(const cast_plan *plan, bool all, bool written);

/* A row for each tensor, and one for all. */
void print_report(const cast_plan *plan, form how, bool written);

/* The names of the fields of these rows, for completions and tests. */
extern const field report_fields[];

#endif
