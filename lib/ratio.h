/* ratio.h - what other files of the library need of ratios beside the public calls
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_RATIO_H
#define FPFMT_RATIO_H

#include <fpfmt.h>

/* To lowest terms. */
void fpfmt_ratio_reduce(fpfmt_ratio *ratio);

#endif
