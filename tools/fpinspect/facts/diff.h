/* diff.h - how two formats differ: in their parameters, and in what their codes mean
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_DIFF_H
#define FPINSPECT_DIFF_H

#include "facts/format.h"

/* Something that is not the same in both: a field of format_fields, or the value of a code. */
typedef struct {
    const char *what;         /* "parameter" or "code" */
    const char *name;         /* of the field; the code in hexadecimal */
    const char *left, *right; /* exact; NULL where a format has none */
    uint64_t code;
    bool special; /* of a code: one of the values is infinite or NaN, or only one is 0 */
} difference;

extern const field difference_fields[];

typedef struct {
    format_facts left, right;
    bool same_width, compared; /* compared: the codes were, one by one */
    bool scaled;               /* codes of finite values mean 2^power times as much on the right */
    int power;
    uint64_t codes, differing, specials; /* all, those that differ, and of them the special ones */
    bool left_holds_right, right_holds_left;
    fact_list differences;
} format_difference;

/* Compares the two formats, which must last as long as the result. */
void compare_formats(format_difference *made, const fpfmt_format *left, const fpfmt_format *right);

#endif
