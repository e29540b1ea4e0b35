/* rows.h - what a cast did to a tensor, and to all of them
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_ROWS_H
#define FPCAST_ROWS_H

#include "kit/losses.h"
#include "report/report.h"

enum { COUNT_ROOM = 24 };
typedef char count_text[COUNT_ROOM];

/* Counts are texts, as they exist only where elements were counted. */
typedef struct {
    const char *tensor, *from, *to, *deed, *why;
    uint64_t elements, bytes;
    unsigned flags;
    count_text exact, inexact, subnormal, underflow, overflow, saturated, invalid;
    char absolute[ERROR_TEXT], relative[ERROR_TEXT], sqnr[ABOUT_TEXT];
} report_row;

/* The row of a cast. */
void make_row(report_row *made, const cast *of);

/* That of all casts that convert something, and their statistics. */
void make_total(report_row *made, const cast_plan *plan);
void add_all(fpfmt_stats *all, const cast_plan *plan);

/* Elements that are not 0, of which shares are. */
uint64_t count_regular(const fpfmt_stats *stats);

/* Is a tensor one of these? */
bool is_converted(const cast *of);

#endif
