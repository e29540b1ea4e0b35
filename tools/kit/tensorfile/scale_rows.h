/* scale_rows.h - the scales of a quantised tensor, read as its elements are
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_SCALE_ROWS_H
#define FPFMT_KIT_SCALE_ROWS_H

#include "kit/tensorfile/tensorfile.h"

typedef struct scale_rows scale_rows;

/* Opens the scales of a tensor that has a scheme and elements. False after a complaint; what was
 * made until then is to be closed all the same. */
bool open_scales(scale_rows **made, tensor_file *file, const file_tensor *of);

/* Multiplies n values of elements, the first of which has this number, by their scales. False after
 * a complaint. */
bool scale_values(scale_rows *scales, double *values, uint64_t first, size_t n);

void close_scales(scale_rows *scales);

#endif
