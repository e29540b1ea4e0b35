/* devices.h - accelerators: what they compute at the most, and what they hold
 * SPDX-License-Identifier: MIT */

#ifndef DEVICES_H
#define DEVICES_H

#include "rows.h"

/* The formats of products, a column of peaks for each. */
enum { PEAK_FP32, PEAK_TF32, PEAK_HALF, PEAK_FP8, PEAK_FP4, PEAK_COUNT };

/* Decimals, or NULL where there is no figure. */
typedef struct {
    const char *name, *title;
    const char *peak[PEAK_COUNT]; /* dense TFLOP/s */
    const char *memory;           /* GB */
    const char *bandwidth;        /* GB/s */
    const char *source;
} device_row;
extern const row_table device_table;

/* A format of products, and the column of its peak. */
typedef struct {
    const char *name;
    int peak;
} compute_row;
extern const row_table compute_table;

#endif
