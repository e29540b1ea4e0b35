/* matrices.h - which matrices a product may have
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_MATRICES_H
#define FPFMT_MATRICES_H

#include <fpfmt.h>

/* Whether a product may be computed. False, and refused, for a defect of a format, the policy or
 * the accumulator; and if C has elements, for NaN as a factor, NULL, elements past PTRDIFF_MAX
 * bytes, and a C that overlaps A, B or itself. A and B may overlap. */
bool fpfmt_may_multiply(const fpfmt_product *product);

#endif
