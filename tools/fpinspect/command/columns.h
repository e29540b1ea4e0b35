/* columns.h - ways of rounding: from --policy, --overflow, --round and --via
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_COLUMNS_H
#define FPINSPECT_COLUMNS_H

#include "values/request.h"

/* The columns that the lists of policies, overflow rules and modes make: one of them may have
 * several items. False after a complaint. */
bool read_columns(request *chosen);

/* The steps of --via: FORMAT[:MODE],... False after a complaint. */
bool read_via(request *chosen, const char *list);

#endif
