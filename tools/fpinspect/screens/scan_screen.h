/* scan_screen.h - what formats would do to the values of a tensor, as people see it
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_SCAN_SCREEN_H
#define FPINSPECT_SCAN_SCREEN_H

#include "facts/scan.h"

/* A histogram over binades with the ranges of the formats under it, what each format loses, and the
 * elements that lose most. */
void draw_scan(const scan_result *of, const target_list *targets);

/* The elements of a tensor that lose most in each target; nothing where there are none. */
void draw_worst(const scan_result *of, const target_list *targets);

/* The file whose tensors follow. */
void draw_file_name(const char *path);

#endif
