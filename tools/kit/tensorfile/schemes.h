/* schemes.h - which tensors of a checkpoint are scales, and of what
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_SCHEMES_H
#define FPFMT_KIT_SCHEMES_H

#include "kit/tensorfile/tensorfile.h"

/* Finds the scales of quantised tensors by the names that checkpoints in the wild have, and by
 * --scale-of; the tensors get their scheme, and the format and shape of their elements. False after
 * a complaint about --scale-of. */
bool find_schemes(tensor_file *file, const file_reading *reading);

#endif
