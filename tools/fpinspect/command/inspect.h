/* inspect.h - values one by one, as screens, as rows of one list, or as records
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_INSPECT_H
#define FPINSPECT_INSPECT_H

#include "values/request.h"

/* The operands of a request, or lines of standard input where there are none. */
void inspect(const request *chosen);

#endif
