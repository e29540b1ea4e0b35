/* whole.h - functions of one quantity or two that tell infinity and NaN by themselves
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_WHOLE_H
#define FPINSPECT_WHOLE_H

#include "values/quantity.h"

/* x[0] becomes the result, infinite and NaN operands included, and flags are OR-ed in. NULL, or why
 * there is no result. Of the policy only the next value of a format takes anything. */
const char *whole_abs(quantity *x, const fpfmt_policy *policy, unsigned *flags);
const char *whole_floor(quantity *x, const fpfmt_policy *policy, unsigned *flags);
const char *whole_ceil(quantity *x, const fpfmt_policy *policy, unsigned *flags);
const char *whole_trunc(quantity *x, const fpfmt_policy *policy, unsigned *flags);
const char *whole_round(quantity *x, const fpfmt_policy *policy, unsigned *flags);
const char *whole_scalb(quantity *x, const fpfmt_policy *policy, unsigned *flags);
const char *whole_nextup(quantity *x, const fpfmt_policy *policy, unsigned *flags);
const char *whole_nextdown(quantity *x, const fpfmt_policy *policy, unsigned *flags);

#endif
