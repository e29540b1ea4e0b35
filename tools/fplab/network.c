/* network.c - layers of random weights
 * SPDX-License-Identifier: MIT */

#include "network.h"

#include <stdlib.h>

#include "figures.h"
#include "normal.h"

enum { DEVIATES = 65536, BLOCK = 64, PICKS = 4, PICK_BITS = 16 };
static const uint64_t first_deviate = UINT64_C(1) << 32, first_pick = UINT64_C(1) << 48;

const scheme randn_scheme = { "randn", 0, false };
const scheme xavier_scheme = { "xavier", 1, false };
const scheme he_scheme = { "he", 2, true };

/* Values of the format, as floats. */
static void round_to(const fpfmt_format *format, float *rounded, const double *values, size_t n)
{
    void *codes = lab_allocate(n, lab_code_bytes(format));
    fpfmt_encode_f64(format, codes, values, n, NULL, NULL);
    fpfmt_decode_f32(format, rounded, codes, n, NULL, NULL);
    free(codes);
}

static double weight_deviation(const scheme *how, size_t fan_in)
{
    return how->gain == 0 ? 1
                          : sqrt64(divide64(from_count((uint64_t)how->gain), from_count(fan_in)));
}

/* The normal deviates, negatives last: made once, they serve all networks. */
static const double *deviates(void)
{
    static double *made;
    if (made != NULL)
        return made;
    made = lab_allocate(DEVIATES, sizeof *made);
    for (size_t i = 0; i < DEVIATES / 2; i++) {
        made[i] = normal_deviate(lab_seed, first_deviate + i);
        made[DEVIATES / 2 + i] = -made[i];
    }
    return made;
}

static void take_inputs(network *net, const float *from, size_t n)
{
    for (size_t i = 0; i < net->fan_in; i++) {
        float value = from[i % n];
        net->inputs[i] = net->how->relu && value < 0 ? 0 : value;
    }
}

network make_network(const scheme *how, const fpfmt_format *format, size_t fan_in, size_t outputs)
{
    network made = { .how = how, .format = format, .fan_in = fan_in, .outputs = outputs };
    double *values = lab_allocate(fan_in > DEVIATES ? fan_in : DEVIATES, sizeof *values);
    double deviation = weight_deviation(how, fan_in);
    made.inputs = lab_allocate(fan_in, sizeof *made.inputs);
    made.values = lab_allocate(outputs, sizeof *made.values);
    made.weights = lab_allocate(DEVIATES, sizeof *made.weights);
    for (size_t i = 0; i < fan_in; i++)
        values[i] = normal_deviate(lab_seed, i);
    round_to(format, made.inputs, values, fan_in);
    take_inputs(&made, made.inputs, fan_in);
    for (size_t i = 0; i < DEVIATES; i++)
        values[i] = multiply64(deviates()[i], deviation);
    round_to(format, made.weights, values, DEVIATES);
    free(values);
    return made;
}

void free_network(network *net)
{
    free(net->inputs);
    free(net->values);
    free(net->weights);
}

/* Which deviates are the weights of outputs first to first + BLOCK - 1, input by input. */
static void pick(uint16_t *picks, size_t fan_in, size_t layer, size_t first)
{
    const fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = lab_seed };
    for (size_t i = 0; i < fan_in; i++)
        for (size_t j = 0; j < BLOCK; j += PICKS) {
            uint64_t number = ((uint64_t)layer * fan_in + i) * DEVIATES + first + j;
            uint64_t random = fpfmt_random_bits(first_pick + number / PICKS, &policy);
            for (size_t k = 0; k < PICKS; k++)
                picks[i * BLOCK + j + k] = (uint16_t)(random >> PICK_BITS * k);
        }
}

static void multiply(network *net, const uint16_t *picks, float *weights, size_t first)
{
    static const fpfmt_accumulator fma = { .method = FPFMT_ACCUMULATE_FMA };
    const fpfmt_format *wide = fpfmt_named("fp32");
    size_t width = net->outputs - first < BLOCK ? net->outputs - first : BLOCK;
    for (size_t i = 0; i < net->fan_in * BLOCK; i++)
        weights[i] = net->weights[picks[i]];
    const fpfmt_product product = {
        .how = &fma,
        .to = wide,
        .a = { .format = wide, .codes = net->inputs, .row = (ptrdiff_t)net->fan_in, .column = 1 },
        .b = { .format = wide, .codes = weights, .row = BLOCK, .column = 1 },
        .c = net->values + first,
        .row = BLOCK,
        .column = 1,
        .m = 1,
        .n = width,
        .k = net->fan_in,
        .alpha = 1,
    };
    fpfmt_gemm(&product, NULL);
}

void advance(network *nets, size_t count, size_t layer, size_t layers)
{
    size_t fan_in = nets->fan_in, outputs = nets->outputs;
    uint16_t *picks = lab_allocate(fan_in * BLOCK, sizeof *picks);
    float *weights = lab_allocate(fan_in * BLOCK, sizeof *weights);
    for (size_t n = 0; n < count && layer > 1; n++)
        take_inputs(&nets[n], nets[n].values, outputs);
    for (size_t first = 0; first < outputs; first += BLOCK) {
        pick(picks, fan_in, layer, first);
        for (size_t n = 0; n < count; n++)
            multiply(&nets[n], picks, weights, first);
        lab_progress((layer - 1) * outputs + first + BLOCK, layers * outputs);
    }
    free(picks);
    free(weights);
}

double expected_deviation(const scheme *how, size_t fan_in, size_t layer)
{
    double growth = how->gain == 0 ? from_count(fan_in) : from_count((uint64_t)how->gain);
    double variance = 1;
    for (size_t i = 0; i < layer; i++)
        variance = multiply64(variance, how->relu ? divide64(growth, 2) : growth);
    return sqrt64(variance);
}

double root_mean_square(const float *values, size_t n)
{
    static fpfmt_stats stats;
    static fpfmt_plan plan;
    fpfmt_prepare(&plan, fpfmt_named("fp32"), NULL, NULL);
    stats = (fpfmt_stats){ 0 };
    fpfmt_plan_stats_f32(&plan, &stats, values, n, 0);
    double squares = fpfmt_to_f64(fpfmt_stats_signal(&stats), NULL, NULL);
    return sqrt64(divide64(squares, from_count(stats.finite)));
}
