/* scan_tensor.h - one tensor, by all workers
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_SCAN_TENSOR_H
#define FPINSPECT_SCAN_TENSOR_H

#include "facts/scan.h"
#include "kit/progress.h"

/* How a scan is done, and with what. */
typedef struct {
    const request *chosen;
    target_list targets;
    size_t worst;
    unsigned workers;
    progress *bar;
} scan_plan;

/* Fills in the result of a tensor, which is all zero. False after a complaint. */
bool scan_tensor(scan_result *to, const scan_plan *plan, tensor_file *file, const file_tensor *of);

#endif
