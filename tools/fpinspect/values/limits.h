/* limits.h - limits of a format beyond those that fpfmt_measure has
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_LIMITS_H
#define FPINSPECT_LIMITS_H

#include <fpfmt.h>

/* The largest n such that all integers from 0 to n are values; as a value. */
fpfmt_value largest_consecutive_integer(const fpfmt_format *format);

/* The step from 1 to the next value; false if 1 is not a value. */
bool epsilon_of(const fpfmt_format *format, fpfmt_value *epsilon);

/* log2 of the binade of the smallest positive value. */
int bottom_of(const fpfmt_format *format);

/* log2 of the largest magnitude that nearest-even turns into 0, if there is one. */
bool flush_threshold(const fpfmt_format *format, int *exponent);

#endif
