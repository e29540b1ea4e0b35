/* scan.h - tensors of files, and what formats would do to them
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_COMMAND_SCAN_H
#define FPINSPECT_COMMAND_SCAN_H

#include "values/request.h"

/* --scan: the operands are files. */
void run_scan(const request *chosen);

/* --list: the tensors of the operands, none of whose elements are read. */
void run_list(const request *chosen);

#endif
