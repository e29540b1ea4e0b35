/* analysis.h - whether a chain of conversions can ever differ from the direct one
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_ANALYSIS_H
#define FPINSPECT_ANALYSIS_H

#include "values/request.h"

/* The answer for one target. */
typedef struct {
    const char *chain;  /* the source and the steps, separated by blanks */
    const char *target; /* the format at the end */
    bool differs;
    uint64_t tried;  /* values of the source */
    bool every_code; /* which were all there are; else those at boundaries, which stand for all */
    coded smallest;  /* where the ways differ: the value nearest to 0, */
    coded chained, direct; /* and what they give; no code where they never differ */
    const char *reason;    /* why they never differ, if that has a reason; else NULL */
    const char *command;   /* that shows the difference; NULL if there is none */
} analysis;

extern const field analysis_fields[];

/* An answer for each target of --as. False after a complaint. */
bool gather_analyses(fact_list *facts, const request *chosen);

#endif
