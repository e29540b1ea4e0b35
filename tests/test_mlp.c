/* test_mlp.c - the network of fplab train: its data, its loss, its gradients, its operands
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>
#include <mpfr.h>

#include "fplab/mlp.h"
#include "fplab/normal.h"
#include "kit/run.h"
#include "runner.h"

enum { ROWS = 20, SEED = 5 };
static const size_t sizes[MLP_LAYERS + 1] = { 4, 16, 3 };

static double as_double(fpfmt_value value)
{
    return fpfmt_to_f64(value, NULL, NULL);
}

static mlp_numbers numbers_in(const char *work, const char *forward, const char *backward)
{
    mlp_numbers numbers = { .work = *fpfmt_named(work) };
    const fpfmt_format *formats[] = { fpfmt_named(forward), fpfmt_named(backward) };
    fpfmt_accumulator fma;
    for (operand_use use = 0; use < OPERANDS; use++)
        numbers.operands[use].format =
            *formats[use == OPERAND_GRADIENT_DW || use == OPERAND_GRADIENT_DX];
    fpfmt_find_accumulator(&fma, "fma", &numbers.work, formats[0], formats[1]);
    numbers.activations = numbers.weights = numbers.inputs = numbers.biases = fma;
    return numbers;
}

static const dataset *irises(void)
{
    static dataset data;
    if (data.rows == 0)
        use_iris(&data);
    return &data;
}

/* Every seventh of the irises. */
static void choose_rows(uint32_t rows[ROWS])
{
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = 7 * i;
}

/* Fisher's column sums, and those that tell his table from the one of UCI, in tenths. */
static void sums_of_the_irises(void)
{
    static const double expected[] = { 8765, 4586, 5637, 1799 };
    const dataset *data = irises();
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    if (!CHECK(data->rows == 150 && data->features == 4 && data->classes == 3, "not 150 x 4"))
        return;
    for (size_t k = 0; k < 4; k++) {
        double sum = 0;
        for (size_t i = 0; i < data->rows; i++)
            sum += round(10 * as_double(fpfmt_decode(binary64, data->inputs[4 * i + k])));
        CHECK(sum == expected[k], "column %zu adds up to %g", k, sum);
    }
    for (size_t i = 0; i < data->rows; i++)
        CHECK(data->labels[i] == i / 50, "row %zu is of class %u", i, data->labels[i]);
    CHECK(as_double(fpfmt_decode(binary64, data->inputs[4 * 34 + 3])) == 0.2 &&
              as_double(fpfmt_decode(binary64, data->inputs[4 * 37 + 1])) == 3.6 &&
              as_double(fpfmt_decode(binary64, data->inputs[4 * 37 + 2])) == 1.4,
          "rows 35 and 38 are not Fisher's");
}

/* Central differences of the loss, in binary64. */
static void gradients(void)
{
    enum { STEP = -20 };
    mlp_numbers numbers = numbers_in("fp64", "fp64", "fp64");
    uint32_t rows[ROWS];
    const dataset *data = irises();
    static mlp net;
    choose_rows(rows);
    mlp_begin(&net, sizes, ROWS, &numbers);
    mlp_start(&net, fpfmt_named("fp64"), SEED);
    CHECK(net.count == 131 && net.counter == 112, "%zu parameters, %u deviates", net.count,
          (unsigned)net.counter);
    mlp_learn(&net, data, rows, ROWS, 0);
    double *told = malloc(net.count * sizeof *told);
    for (size_t i = 0; i < net.count; i++)
        told[i] = as_double(net.gradients[i]);
    for (size_t i = 0; i < net.count; i++) {
        double at = as_double(net.parameters[i]), width = ldexp(1, STEP);
        net.parameters[i] = fpfmt_from_f64(at + width);
        double above = as_double(mlp_learn(&net, data, rows, ROWS, 0));
        net.parameters[i] = fpfmt_from_f64(at - width);
        double below = as_double(mlp_learn(&net, data, rows, ROWS, 0));
        net.parameters[i] = fpfmt_from_f64(at);
        CHECK(fabs((above - below) / (2 * width) - told[i]) < 1e-7,
              "gradient %zu is %g, and the difference %g", i, told[i],
              (above - below) / (2 * width));
    }
    free(told);
}

/* Powers of two scale gradients exactly, in binary32 and range. */
static void scaled_loss(void)
{
    mlp_numbers numbers = numbers_in("fp32", "bf16", "bf16");
    uint32_t rows[ROWS];
    const dataset *data = irises();
    static mlp plain, scaled;
    choose_rows(rows);
    mlp_begin(&plain, sizes, ROWS, &numbers);
    mlp_begin(&scaled, sizes, ROWS, &numbers);
    mlp_start(&plain, fpfmt_named("fp32"), SEED);
    memcpy(scaled.parameters, plain.parameters, plain.count * sizeof *plain.parameters);
    double loss = as_double(mlp_learn(&plain, data, rows, ROWS, 0));
    CHECK(as_double(mlp_learn(&scaled, data, rows, ROWS, 12)) == loss, "the loss is scaled, too");
    for (size_t i = 0; i < plain.count; i++)
        CHECK(as_double(scaled.gradients[i]) == ldexp(as_double(plain.gradients[i]), 12),
              "gradient %zu", i);
}

/* -ln softmax(z)[label] and its gradient, each operation rounded to 24 bits. */
static void losses(void)
{
    enum { CLASSES = 3, TRIES = 200 };
    const fpfmt_policy random = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = 3 };
    const fpfmt_format *work = fpfmt_named("fp32");
    mpfr_t sum, own, e[CLASSES];
    mpfr_inits2(24, sum, own, e[0], e[1], e[2], (mpfr_ptr)NULL);
    for (uint64_t n = 0; n < TRIES; n++) {
        fpfmt_value z[CLASSES], gradient[CLASSES];
        size_t label = n % CLASSES, top = 0;
        float x[CLASSES];
        for (size_t k = 0; k < CLASSES; k++) {
            x[k] = (float)(int32_t)(fpfmt_random_bits(CLASSES * n + k, &random) >> 32) / 2e8f;
            z[k] = fpfmt_from_f32(x[k]);
            top = x[k] > x[top] ? k : top;
        }
        mpfr_set_zero(sum, 1);
        for (size_t k = 0; k < CLASSES; k++) {
            mpfr_set_flt(e[k], x[k], MPFR_RNDN);
            mpfr_sub_d(e[k], e[k], (double)x[top], MPFR_RNDN);
            if (k == label)
                mpfr_set(own, e[k], MPFR_RNDN);
            mpfr_exp(e[k], e[k], MPFR_RNDN);
            mpfr_add(sum, sum, e[k], MPFR_RNDN);
        }
        fpfmt_value loss = cross_entropy(work, z, CLASSES, label, gradient);
        for (size_t k = 0; k < CLASSES; k++) {
            mpfr_div(e[k], e[k], sum, MPFR_RNDN);
            if (k == label)
                mpfr_sub_ui(e[k], e[k], 1, MPFR_RNDN);
            CHECK(as_double(gradient[k]) == mpfr_get_d(e[k], MPFR_RNDN), "gradient %zu of try %u",
                  k, (unsigned)n);
        }
        mpfr_log(sum, sum, MPFR_RNDN);
        mpfr_sub(sum, sum, own, MPFR_RNDN);
        CHECK(as_double(loss) == mpfr_get_d(sum, MPFR_RNDN), "loss of try %u", (unsigned)n);
    }
    mpfr_clears(sum, own, e[0], e[1], e[2], (mpfr_ptr)NULL);
}

/* The largest element lands in the last binade that holds it, and comes back as it was. */
static void operands(void)
{
    static const struct {
        double largest;
        int32_t shift;
        double others[2];
        uint64_t zeroed;
    } cases[] = {
        { 448, 0, { 0, 1 }, 0 },     { 449, -1, { 1, 0x1p-9 }, 1 },
        { 1, 8, { 0x1p-18, 0 }, 1 }, { 0x1p-30, 38, { 0, 0 }, 0 },
        { 0, 0, { 0, 0 }, 0 },       { 1.75, 8, { -1, 0x1p-17 }, 0 },
    };
    const operand_format how = { .format = *fpfmt_named("e4m3"), .scaled = true };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fpfmt_value values[] = { fpfmt_from_f64(cases[i].others[0]),
                                       fpfmt_from_f64(-cases[i].largest),
                                       fpfmt_from_f64(cases[i].others[1]) };
        operand made = { .codes = NULL };
        operand_counts counts = { .rounded = 0 };
        uint64_t counter = 0;
        round_operand(&made, &how, 1, values, 1, 3, &counter, &counts);
        const uint8_t *codes = made.codes;
        CHECK(made.shift == cases[i].shift && counts.zeroed == cases[i].zeroed,
              "%g is shifted by %d, and %u became 0", cases[i].largest, (int)made.shift,
              (unsigned)counts.zeroed);
        for (size_t k = 0; k < 3; k++)
            CHECK(codes[k] ==
                      fpfmt_encode(&how.format, shifted(values[k], cases[i].shift), NULL, NULL),
                  "element %zu beside %g is 0x%02x", k, cases[i].largest, codes[k]);
    }
}

/* What numbers become in a block format by its usual recipe. */
static operand_format blocks_of(const char *name, uint8_t rounding)
{
    operand_format how = { .has_blocks = true, .policy = { .rounding = rounding, .seed = SEED } };
    fpfmt_find_block(&how.block, name);
    fpfmt_find_recipe(&how.recipe, how.block.recipe);
    how.format = how.block.element;
    return how;
}

/* Values that did not move keep their codes, however blocks lie and whatever random bits they had:
 * the scales and bits of one element are those that the whole matrix had. */
static void what_stays_is_unmoved(void)
{
    enum { LINES = 21, LENGTH = 37 };
    static const char *const names[] = { "mxfp8-e4m3",       "nvfp4",        "mxint8",
                                         "deepseek-128x128", "channel-e4m3", "tensor-e5m2",
                                         "e2m1@fp32/8x8",    "q8_0",         "e2m1@e4m3@fp32/16" };
    static fpfmt_value values[LINES * LENGTH];
    static bool unmoved[LINES * LENGTH];
    for (uint64_t i = 0; i < LINES * LENGTH; i++)
        values[i] = fpfmt_from_f64(normal_deviate(SEED, i));
    for (size_t f = 0; f < sizeof names / sizeof names[0]; f++)
        for (int way = 0; way < 4; way++) {
            int axis = way % 2;
            operand_format how =
                blocks_of(names[f], way < 2 ? FPFMT_ROUND_NEAREST_EVEN : FPFMT_ROUND_STOCHASTIC);
            operand made = { .codes = NULL };
            operand_counts counts = { .rounded = 0 };
            uint64_t counter = 100, moved = 0;
            round_operand(&made, &how, axis, values, LINES, LENGTH, &counter, &counts);
            memset(unmoved, 0, sizeof unmoved);
            find_unmoved(unmoved, &made, values, values);
            for (size_t i = 0; i < LINES * LENGTH; i++)
                moved += !unmoved[i];
            CHECK(moved == 0, "%u of %s along axis %d moved", (unsigned)moved, names[f], axis);
            CHECK(counter == (way < 2 ? 100 : 100 + LINES * LENGTH), "random bits were drawn");
        }
}

/* In MXFP4 beside 6 the scale is 1, and 1 becomes 1.5 past the tie at 1.25; beside 13 it is 2, and
 * 0 becomes 1 past the tie at 0.5. Scales are those of the values before, whatever the largest
 * becomes. */
static void what_moves_is_seen(void)
{
    static const struct {
        double before[3], after[3];
        bool unmoved[3];
    } cases[] = {
        { { 6, 1, -1 }, { 6, 1.25, -1.26 }, { true, true, false } },
        { { 6, 1, 0 }, { 13, 1.2, 0.2 }, { true, true, true } },
        { { 13, 1, 0 }, { 6, 1.4, 0.6 }, { false, true, false } },
    };
    const operand_format how = blocks_of("mxfp4", FPFMT_ROUND_NEAREST_EVEN);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fpfmt_value before[3], after[3];
        bool unmoved[3];
        operand made = { .codes = NULL };
        operand_counts counts = { .rounded = 0 };
        uint64_t counter = 0;
        for (size_t k = 0; k < 3; k++) {
            before[k] = fpfmt_from_f64(cases[i].before[k]);
            after[k] = fpfmt_from_f64(cases[i].after[k]);
        }
        round_operand(&made, &how, 1, before, 1, 3, &counter, &counts);
        find_unmoved(unmoved, &made, before, after);
        for (size_t k = 0; k < 3; k++)
            CHECK(unmoved[k] == cases[i].unmoved[k], "case %zu, value %zu", i, k);
    }
}

static const struct test tests[] = {
    { "the irises are Fisher's", sums_of_the_irises },
    { "gradients are the slopes of the loss", gradients },
    { "a scaled loss has scaled gradients", scaled_loss },
    { "the loss and its gradient are MPFR's, rounded step by step", losses },
    { "in blocks a value that stays has the code that it had", what_stays_is_unmoved },
    { "in blocks a value that moves is seen by the scales from before", what_moves_is_seen },
    { "operands are scaled by the largest power of two that fits", operands },
};

static int run_all(int argc, char **argv)
{
    (void)argc, (void)argv;
    return run_tests("mlp", tests, sizeof tests / sizeof tests[0]);
}

/* The memory of networks belongs to a run. */
int main(int argc, char **argv)
{
    return perform_run("test_mlp", run_all, argc, argv, stdin, stdout, stderr);
}
