/* scan_axis.h - a tensor channel by channel
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_SCAN_AXIS_H
#define FPINSPECT_SCAN_AXIS_H

#include "command/scan_report.h"
#include "command/scan_tensor.h"

/* A result for each index of --axis. False after a complaint. */
bool scan_channels(scan_report *report, const scan_plan *plan, tensor_file *file,
                   const file_tensor *of);

/* Fills in what a result says of its tensor. */
void name_result(scan_result *made, const tensor_file *file, const file_tensor *of);

#endif
