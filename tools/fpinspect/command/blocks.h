/* blocks.h - commands about block formats
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_BLOCKS_COMMAND_H
#define FPINSPECT_BLOCKS_COMMAND_H

#include "values/request.h"

/* All values as one tensor, in each block format of --as. */
void quantise(const request *chosen);

/* Codes of --from with --scale, as what they stand for. */
void dequantise(const request *chosen);

#endif
