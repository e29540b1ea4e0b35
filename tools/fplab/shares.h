/* shares.h - how many of a layer's outputs a format holds whole, found and expected
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_SHARES_H
#define FPLAB_SHARES_H

#include <fpfmt.h>

/* The landmarks of a format between which outputs are whole. */
typedef struct {
    double max, min_normal, zero; /* up to zero a magnitude becomes 0 */
} landmarks;

landmarks landmarks_of(const fpfmt_format *format);

/* Shares of the outputs: past the largest value, below the normal range, and those that become 0,
 * which the second includes. */
typedef struct {
    double beyond, below_normal, flushed;
} shares;

/* Those among n outputs. */
shares count_shares(const landmarks *at, const float *values, size_t n);

/* Those of a normal distribution with mean 0 and this deviation. */
shares expect_shares(const landmarks *at, double deviation);

#endif
