/* scan.h - tensors of files, and what formats would do to them
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_COMMAND_SCAN_H
#define FPINSPECT_COMMAND_SCAN_H

#include "values/request.h"

/* --scan: the operands are files. */
void run_scan(const request *chosen);

/* --merge: the operands are reports of scans in JSON, which are one report now. */
void run_merge(const request *chosen);

#endif
