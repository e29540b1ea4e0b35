/* network.h - layers of random weights
 * SPDX-License-Identifier: MIT */

#ifndef FPLAB_NETWORK_H
#define FPLAB_NETWORK_H

#include <fpfmt.h>

#include "kit/words.h"
#include "progress.h"

/* How weights are drawn: their variance is gain / fan_in, or 1 where gain is 0. With relu negative
 * inputs of a layer count as 0. */
typedef struct {
    const char *name;
    int gain;
    bool relu;
} scheme;

/* The names of all schemes, and the scheme that a name means. */
extern const word_table scheme_words;
const scheme *scheme_at(int meaning);

typedef struct {
    const scheme *how;
    const fpfmt_format *format;
    uint64_t seed;
    size_t fan_in, outputs;
    float *inputs, *values; /* fan_in inputs of the next layer, and the outputs of the last one */
    float *weights;         /* those that weights are drawn from */
} network;

/* The deviates that weights are drawn from, for all networks of a seed: the normal deviates 2^32 to
 * 2^32 + 32767 and their negatives, 65536 in all. */
double *make_deviates(uint64_t seed);

/* A network whose how, format, seed, fan_in and outputs are set. The inputs are normal deviates 0
 * to fan_in - 1 of the seed, rounded to the format; weights are drawn from deviates. */
void make_network(network *net, const double *deviates);
void free_network(network *net);

/* The outputs of the next layer, number layer from 1, of several networks alike in size and seed.
 * The weight of input i for output j is, before it is scaled and rounded, one of the deviates. It
 * is chosen by the 16 bits number j % 4, the lowest first, of the random bits of index
 * 2^48 + ((layer x fan_in + i) x 65536 + j) / 4. Products add up by FMA in fp32. Each output is a
 * step of progress. */
void advance(network *nets, size_t count, size_t layer, progress *moving);

/* The deviation of the outputs of a layer, from 1, as theory has it. */
double expected_deviation(const scheme *how, size_t fan_in, size_t layer);

double root_mean_square(const float *values, size_t n);

#endif
