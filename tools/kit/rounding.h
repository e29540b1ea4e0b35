/* rounding.h - rounding modes as options take them
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_ROUNDING_H
#define FPFMT_KIT_ROUNDING_H

#include "kit/options.h"

/* Is it a mode that needs a number of random bits behind it, as sr-a:8? */
bool takes_random_bits(int mode);

/* A mode, with its number of random bits where it takes them: rne, sr, sr-a:8. False after a
 * complaint. */
bool read_rounding(const char *text, int *rounding, int *random_bits);

/* Modes that need a number of random bits are offered with one. */
option_offer offer_rounding;

#endif
