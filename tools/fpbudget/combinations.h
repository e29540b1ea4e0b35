/* combinations.h - which options go together, and which need others
 * SPDX-License-Identifier: MIT */

#ifndef COMBINATIONS_H
#define COMBINATIONS_H

#include "options.h"

/* False after a complaint. */
bool go_together(const options *chosen);

/* Whether the shape of the model was given. */
bool has_shape(const options *chosen);

#endif
