/* names.h - how names are compared
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_NAMES_H
#define FPFMT_LIB_NAMES_H

#include <stdbool.h>

/* Whether a row with this name of its own and these aliases, separated by blanks or NULL, is called
 * name: byte for byte, or folded, without case, '_' and '-'. */
bool fpfmt_is_called(const char *own, const char *aliases, const char *name, bool folded);

#endif
