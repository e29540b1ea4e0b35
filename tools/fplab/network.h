/* network.h - layers of random weights
 * SPDX-License-Identifier: MIT */

#ifndef NETWORK_H
#define NETWORK_H

#include "lab.h"

/* The variance of weights is gain / fan_in, or 1 where gain is 0; with relu negative inputs of a
 * layer count as 0. */
typedef struct {
    const char *name;
    int gain;
    bool relu;
} scheme;

extern const scheme randn_scheme, xavier_scheme, he_scheme;

typedef struct {
    const scheme *how;
    const fpfmt_format *format;
    size_t fan_in, outputs;
    float *inputs, *values; /* fan_in inputs of the next layer, and the outputs of the last one */
    float *weights;         /* those that weights are drawn from */
} network;

/* The inputs are normal deviates 0 to fan_in - 1 of the seed, rounded to the format. */
network make_network(const scheme *how, const fpfmt_format *format, size_t fan_in, size_t outputs);
void free_network(network *net);

/* The outputs of the next layer, number layer of all, of several networks alike in their size. The
 * weight of input i for output j is, before it is scaled and rounded, one of 65536 deviates: the
 * normal deviates 2^32 to 2^32 + 32767 of the seed and their negatives. It is chosen by the 16 bits
 * number j % 4, the lowest first, of the random bits of index
 * 2^48 + ((layer x fan_in + i) x 65536 + j) / 4. Products add up by FMA in fp32. */
void advance(network *nets, size_t count, size_t layer, size_t layers);

/* The deviation of the outputs of a layer, from 1, as theory has it. */
double expected_deviation(const scheme *how, size_t fan_in, size_t layer);

double root_mean_square(const float *values, size_t n);

#endif
