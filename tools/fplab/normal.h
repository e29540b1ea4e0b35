/* normal.h - random numbers that are the same everywhere
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_NORMAL_H
#define FPLAB_NORMAL_H

#include <stdint.h>

/* 53 random bits of fpfmt_random_bits under a seed, as a number from 0 to below 1. */
double uniform_deviate(uint64_t seed, uint64_t index);

/* Deviate index of a normal distribution with mean 0 and deviation 1, rounded correctly to double:
 * Box and Muller's of the 64 random bits r and s of indices 2 (index / 2) and the next,
 *     sqrt(-2 ln((floor(r / 2^11) + 1) / 2^53)) cos(2 pi floor(s / 2^11) / 2^53)
 * where index is even, and the same with the sine where it is odd. */
double normal_deviate(uint64_t seed, uint64_t index);

/* The chances that such a number lies beyond x of 0 on either side, and within it; rounded
 * correctly to double. x is not negative. */
double normal_beyond(double x);
double normal_within(double x);

#endif
