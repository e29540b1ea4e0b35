/* operands.h - numbers on the command line
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_OPERANDS_H
#define FPLAB_OPERANDS_H

#include <fpfmt.h>

/* Reads a finite number; false after a complaint, in which what names it, as "STEP". With ratio not
 * NULL also exactly: numbers of more digits than fpfmt_parse_ratio takes are then refused. */
bool read_finite(fpfmt_value *value, fpfmt_ratio *ratio, const char *text, const char *what);

/* Whether an argument that begins with '-' is a number and no option: -1e-3 and -.5 are, and so are
 * -inf and -nan, which read_finite refuses later. */
bool is_negative_number(const char *argument);

#endif
