/* devices.h - accelerators: what they compute at the most, and what they hold
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_DEVICES_H
#define FPBUDGET_DEVICES_H

#include "facts/rows.h"

/* The formats of products, a column of peaks for each. */
enum { PEAK_FP32, PEAK_TF32, PEAK_BF16, PEAK_FP16, PEAK_FP8, PEAK_FP4, PEAK_COUNT };

/* Figures are decimals, or NULL where there is none. */
typedef struct {
    const char *name, *summary;
    const char *peak[PEAK_COUNT]; /* dense TFLOP/s */
    const char *memory;           /* GB, never NULL */
    const char *bandwidth;        /* GB/s */
    const char *source;           /* where the figures are from */
    /* sentences on what all figures, and what the peaks, take for granted; or NULL */
    const char *assumption, *of_peaks;
} device_row;
extern const row_table device_table;

/* A format of products, and the column of its peak. */
typedef struct {
    const char *name, *summary;
    int peak; /* PEAK_... */
} compute_row;
extern const row_table compute_table;

#endif
