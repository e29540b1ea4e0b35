/* combinations.h - which options go together
 * SPDX-License-Identifier: MIT */

#ifndef COMBINATIONS_H
#define COMBINATIONS_H

#include "options.h"

/* False after a complaint. */
bool go_together(const options *chosen);

#endif
