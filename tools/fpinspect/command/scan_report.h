/* scan_report.h - results of scans as they come, and all of them together
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_SCAN_REPORT_H
#define FPINSPECT_SCAN_REPORT_H

#include "facts/scan_fields.h"

enum { MOST_SCAN_FIELDS = 40 };

typedef struct {
    const request *chosen;
    const target_list *targets;
    scan_result *all;
    size_t count; /* of results so far */
    records rows;
    const field *fields[MOST_SCAN_FIELDS];
    bool flat; /* a row for each target, and no lists */
} scan_report;

void begin_report(scan_report *made, const request *chosen, const target_list *targets);
void put_result(scan_report *to, const scan_result *of);

/* The sum of several results, and whether a condition of --fail-on holds of it. */
void end_report(scan_report *of);

#endif
