/* matrices.h - which matrices a product may have
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_MATRICES_H
#define FPFMT_MATRICES_H

#include <fpfmt.h>

/* False, and refused, for defects, NaN as a factor, NULL, elements past PTRDIFF_MAX bytes, and a C
 * that overlaps A, B or itself. */
bool fpfmt_may_multiply(const fpfmt_product *product);

#endif
