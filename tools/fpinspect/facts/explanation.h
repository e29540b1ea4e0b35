/* explanation.h - one rounding as data: what was cut, what decided, and what other modes give
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_EXPLANATION_H
#define FPINSPECT_EXPLANATION_H

#include "facts/report.h"

/* Of explanation_facts. */
extern const field explanation_fields[];

/* Fills in the explanation of a report. */
void explain_report(report *made);

#endif
