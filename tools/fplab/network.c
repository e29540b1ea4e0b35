/* network.c - layers of random weights
 * SPDX-License-Identifier: MIT */

#include "network.h"

#include "figures.h"
#include "kit/memory.h"
#include "normal.h"

enum { DEVIATES = 65536, BLOCK = 64, PICKS = 4, PICK_BITS = 16 };
static const uint64_t first_deviate = UINT64_C(1) << 32, first_pick = UINT64_C(1) << 48;

enum { RANDN, XAVIER, HE };

static const scheme schemes[] = {
    [RANDN] = { "randn", 0, false },
    [XAVIER] = { "xavier", 1, false },
    [HE] = { "he", 2, true },
};

static const fpfmt_word names[] = {
    { "randn", "", "deviation 1", RANDN },
    { "xavier", "", "deviation 1 / sqrt(n)", XAVIER },
    { "he", "", "deviation sqrt(2 / n), with ReLU", HE },
};
const word_table scheme_words = OWN_WORDS("scheme", names);

const scheme *scheme_at(int meaning)
{
    return &schemes[meaning];
}

/* Values of the format, as floats. */
static void round_to(const fpfmt_format *format, float *rounded, const double *values, size_t n)
{
    void *codes = allocate(n, fpfmt_code_bytes(format));
    fpfmt_encode_f64(format, codes, values, n, NULL, NULL);
    fpfmt_decode_f32(format, rounded, codes, n, NULL, NULL);
    release(codes);
}

static double weight_deviation(const scheme *how, size_t fan_in)
{
    return how->gain == 0 ? 1
                          : sqrt64(divide64(from_count((uint64_t)how->gain), from_count(fan_in)));
}

double *make_deviates(uint64_t seed)
{
    double *made = allocate(DEVIATES, sizeof *made);
    for (size_t i = 0; i < DEVIATES / 2; i++) {
        made[i] = normal_deviate(seed, first_deviate + i);
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

void make_network(network *net, const double *deviates)
{
    size_t fan_in = net->fan_in;
    double *values = allocate(fan_in > DEVIATES ? fan_in : DEVIATES, sizeof *values);
    double deviation = weight_deviation(net->how, fan_in);
    net->inputs = allocate(fan_in, sizeof *net->inputs);
    net->values = allocate(net->outputs, sizeof *net->values);
    net->weights = allocate(DEVIATES, sizeof *net->weights);
    for (size_t i = 0; i < fan_in; i++)
        values[i] = normal_deviate(net->seed, i);
    round_to(net->format, net->inputs, values, fan_in);
    take_inputs(net, net->inputs, fan_in);
    for (size_t i = 0; i < DEVIATES; i++)
        values[i] = multiply64(deviates[i], deviation);
    round_to(net->format, net->weights, values, DEVIATES);
    release(values);
}

void free_network(network *net)
{
    release(net->inputs);
    release(net->values);
    release(net->weights);
}

/* Which deviates are the weights of outputs first to first + BLOCK - 1, input by input. */
static void pick(uint16_t *picks, const network *net, size_t layer, size_t first)
{
    const fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = net->seed };
    for (size_t i = 0; i < net->fan_in; i++)
        for (size_t j = 0; j < BLOCK; j += PICKS) {
            uint64_t weight = ((uint64_t)layer * net->fan_in + i) * DEVIATES + first + j;
            uint64_t random = fpfmt_random_bits(first_pick + weight / PICKS, &policy);
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

void advance(network *nets, size_t count, size_t layer, progress *moving)
{
    size_t fan_in = nets->fan_in, outputs = nets->outputs;
    uint16_t *picks = allocate(fan_in * BLOCK, sizeof *picks);
    float *weights = allocate(fan_in * BLOCK, sizeof *weights);
    for (size_t n = 0; n < count && layer > 1; n++)
        take_inputs(&nets[n], nets[n].values, outputs);
    for (size_t first = 0; first < outputs; first += BLOCK) {
        pick(picks, nets, layer, first);
        for (size_t n = 0; n < count; n++)
            multiply(&nets[n], picks, weights, first);
        add_progress(moving, outputs - first < BLOCK ? outputs - first : BLOCK);
    }
    release(picks);
    release(weights);
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
    fpfmt_stats stats = { 0 };
    fpfmt_plan plan;
    fpfmt_prepare(&plan, fpfmt_named("fp32"), NULL, NULL);
    fpfmt_plan_stats_f32(&plan, &stats, values, n, 0);
    double squares = fpfmt_to_f64(fpfmt_stats_signal(&stats), NULL, NULL);
    return sqrt64(divide64(squares, from_count(stats.finite)));
}
