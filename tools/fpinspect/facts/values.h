/* values.h - every value of a format
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_VALUES_H
#define FPINSPECT_VALUES_H

#include "values/request.h"

/* Of coded: its code and exact value. */
extern const field value_fields[];

/* Every code of the format of --table, in order. False after a complaint about one that is too wide
 * to list. */
bool gather_values(fact_list *facts, const request *chosen);

#endif
