/* scaling.h - a small number times powers of two, stored in a format and divided again
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_SCALING_H
#define FPLAB_SCALING_H

#include <fpfmt.h>

typedef enum {
    SCALED_UNDERFLOW,
    SCALED_SUBNORMAL,
    SCALED_NORMAL,
    SCALED_EXACT,
    SCALED_OVERFLOW
} scaled_status;

/* "underflow", "subnormal" and so on. */
const char *scaled_name(scaled_status status);

/* The number times 2^power in a format, and what becomes of it after the division. */
typedef struct {
    uint64_t code;
    fpfmt_value unscaled;
    scaled_status became;
} scaled;

scaled store_scaled(const fpfmt_format *format, fpfmt_value gradient, int power);

/* value x 2^power, exact. */
fpfmt_value times_power(fpfmt_value value, int power);

/* The powers from 0 up that carry a number through a format. */
enum { NO_POWER = -1 };
typedef struct {
    int best; /* the first that brings the number into the normal range; NO_POWER: none does */
    int last; /* the last that does not overflow; NO_POWER: each does */
} power_range;

power_range find_powers(const fpfmt_format *format, fpfmt_value gradient);

#endif
