/* rows.h - what a cast did to a tensor, and to all of them
 * SPDX-License-Identifier: MIT */

#ifndef FPCAST_ROWS_H
#define FPCAST_ROWS_H

#include "report/report.h"

enum { COUNT_ROOM = 24 };
typedef char count_text[COUNT_ROOM];

/* Counts are texts, as they exist only where elements were counted. */
typedef struct {
    const char *tensor, *from, *to, *deed, *why;
    uint64_t elements, bytes;
    unsigned flags;
    count_text changed, zero, subnormal, overflow, saturated, invalid, relative, sqnr;
} report_row;

/* The row of a cast, and that of all casts that convert something. */
void make_row(report_row *made, const cast *of);
void make_total(report_row *made, const cast_plan *plan);

/* Elements that raised a flag. */
uint64_t raised(const fpfmt_stats *stats, unsigned flag);

#endif
