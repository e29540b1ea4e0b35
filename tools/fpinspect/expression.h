/* expression.h - exact rational expressions: + - * / ^ and parentheses over numbers of any kind
 * SPDX-License-Identifier: MIT */

#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <fpfmt.h>

#include "input.h"

/* Evaluates text, which must end with a NUL. The ratio is exact unless *cut: then a constant as pi
 * took part, cut off after 1000 bits. False after a complaint. */
bool evaluate(fpfmt_ratio *result, bool *cut, const char *text, const char *where);

/* The decimal digits of a constant; NULL if there is none of that name. */
const char *constant_digits(const char *name, size_t length);

/* Constant number index, from 0; NULL past the last. */
const char *constant_name(size_t index);

#endif
