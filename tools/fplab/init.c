/* init.c - how outputs grow through layers of random weights, and what a format makes of them
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fpinspect/distance.h"
#include "../fpinspect/number.h"
#include "../fpinspect/targets.h"
#include "figures.h"
#include "normal.h"
#include "network.h"

static uint64_t fan_in = 1024, layers = 3, outputs;
static lab_formats formats;
static const char *schemes = "randn,xavier";

static const lab_option own_options[] = {
    { "fan-in", "N", "inputs of each output; 1024 without it", LAB_COUNT, &fan_in, 1, 65536 },
    { "layers", "N", "layers one behind the other; 3 without it", LAB_COUNT, &layers, 1, 32 },
    { "as", "FORMATS", "formats of weights and outputs; fp16 without it", LAB_FORMATS, &formats, 0,
      0 },
    { "scheme", "NAMES", "randn (deviation 1), xavier (scaled), he (with ReLU)", LAB_TEXT, &schemes,
      0, 0 },
    { "outputs", "N", "computed outputs of a layer; up to 1024 without it", LAB_COUNT, &outputs, 1,
      65536 },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};

static const lab_column columns[] = {
    { "scheme", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_NAME },
    { "format", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_NAME },
    { "layer", NULL, LAB_EVERYWHERE, ALIGN_RIGHT, STYLE_PLAIN },
    { "deviation", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "expected-deviation", "expected", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_DIM },
    { "beyond", "beyond max", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_WARN },
    { "expected-beyond", "expected", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_DIM },
    { "flushed", "become 0", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "expected-flushed", "expected", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_DIM },
    { "below-normal", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "expected-below-normal", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
};

static const scheme *const all_schemes[] = { &randn_scheme, &xavier_scheme, &he_scheme };
enum { SCHEMES = sizeof all_schemes / sizeof all_schemes[0], MOST_SCHEMES = 8 };

static const scheme *find_scheme(const char *name)
{
    const scheme *nearest = all_schemes[0];
    for (size_t i = 0; i < SCHEMES; i++) {
        if (strcmp(all_schemes[i]->name, name) == 0)
            return all_schemes[i];
        if (kit_distance(all_schemes[i]->name, name) < kit_distance(nearest->name, name))
            nearest = all_schemes[i];
    }
    complain("unknown scheme '%s'; did you mean '%s'?", quoted(name, strlen(name)), nearest->name);
    return NULL;
}

/* How many schemes; 0 after a complaint. */
static size_t read_schemes(const scheme *chosen[MOST_SCHEMES])
{
    size_t count = list_length(schemes);
    if (count > MOST_SCHEMES) {
        complain("--scheme takes %d schemes at the most", MOST_SCHEMES);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        char *name = list_item(schemes, i);
        chosen[i] = find_scheme(name);
        free(name);
        if (chosen[i] == NULL)
            return 0;
    }
    return count;
}

static bool can_hold_weights(const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    if (!fpfmt_contains(fpfmt_named("fp32"), format))
        complain("init carries its numbers in fp32, which does not hold all of %s", format->name);
    else if (!limits.has_zero || !fpfmt_decode(format, limits.lowest).negative)
        complain("weights need 0 and a sign, which %s does not have", format->name);
    else
        return true;
    return false;
}

/* The landmarks of a format between which outputs are whole. */
typedef struct {
    double max, min_normal, zero; /* up to zero a magnitude becomes 0 */
} limits64;

static limits64 landmarks(const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    double least = fpfmt_to_f64(fpfmt_decode(format, limits.min_positive), NULL, NULL);
    return (limits64){
        .max = fpfmt_to_f64(fpfmt_decode(format, limits.max), NULL, NULL),
        .min_normal = fpfmt_to_f64(fpfmt_decode(format, limits.min_normal), NULL, NULL),
        .zero = divide64(least, 2),
    };
}

/* Shares of the outputs. */
typedef struct {
    double beyond, below_normal, flushed;
} shares;

static shares count_shares(const limits64 *at, const float *values, size_t n)
{
    uint64_t beyond = 0, below = 0, flushed = 0;
    for (size_t i = 0; i < n; i++) {
        double magnitude = values[i] < 0 ? -(double)values[i] : (double)values[i];
        beyond += magnitude > at->max;
        below += magnitude < at->min_normal;
        flushed += magnitude <= at->zero;
    }
    double all = from_count(n);
    return (shares){ divide64(from_count(beyond), all), divide64(from_count(below), all),
                     divide64(from_count(flushed), all) };
}

static shares expect_shares(const limits64 *at, double deviation)
{
    return (shares){ normal_beyond(divide64(at->max, deviation)),
                     normal_within(divide64(at->min_normal, deviation)),
                     normal_within(divide64(at->zero, deviation)) };
}

/* What was found of a layer. */
typedef struct {
    double deviation;
    shares found;
} outcome;

static outcome look_at(const network *net)
{
    limits64 at = landmarks(net->format);
    return (outcome){ root_mean_square(net->values, net->outputs),
                      count_shares(&at, net->values, net->outputs) };
}

static void print_layer(const network *net, size_t layer, const outcome *was)
{
    limits64 at = landmarks(net->format);
    double expected = expected_deviation(net->how, net->fan_in, layer);
    shares chances = expect_shares(&at, expected);
    lab_cell(net->how->name, NULL);
    lab_cell(net->format->name, NULL);
    cell_count(layer);
    cell_double(was->deviation, 4);
    cell_double(expected, 4);
    cell_share(was->found.beyond);
    cell_share(chances.beyond);
    cell_share(was->found.flushed);
    cell_share(chances.flushed);
    cell_share(was->found.below_normal);
    cell_share(chances.below_normal);
    lab_end_row();
}

/* What the table leaves to say: from where on values are lost. */
static void tell_fate(const scheme *how, const fpfmt_format *format)
{
    static number max, expected;
    limits64 at = landmarks(format);
    for (size_t layer = 1; layer <= layers; layer++) {
        double deviation = expected_deviation(how, (size_t)fan_in, layer);
        double share = expect_shares(&at, deviation).beyond;
        double lost = multiply64(share, from_count(fan_in));
        if (lost < 1)
            continue;
        show_double(max, at.max, SHOWN_DIGITS);
        show_double(expected, lost, 3);
        lab_say("After layer %zu, %s of %" PRIu64 " outputs are expected beyond %s.", layer,
                expected, fan_in, max);
        return;
    }
    show_double(max, at.max, SHOWN_DIGITS);
    lab_say("Less than one of %" PRIu64 " outputs is expected beyond %s.", fan_in, max);
}

static void introduce(void)
{
    lab_say("%" PRIu64 " normal inputs with deviation 1 go through %" PRIu64 " layer%s of random "
            "weights, seed %" PRIu64 ". Weights are in the format; products add up in fp32, and "
            "outputs go on in fp32, so that growth shows past the overflow; the shares are of what "
            "the format would make of them.",
            fan_in, layers, layers == 1 ? "" : "s", lab_seed);
    if (outputs < fan_in)
        lab_say("Of each layer, %" PRIu64 " outputs are computed; the next one takes each of them "
                "several times, with weights of its own.",
                outputs);
}

/* The layers of one network, for people under its name. */
static void print_network(const network *net, const outcome *of_layers, size_t step)
{
    lab_gap();
    if (lab_on_screen()) {
        outf(STYLE_NAME, "%s in %s", net->how->name, net->format->name);
        out_line();
    }
    lab_rows(columns);
    for (size_t layer = 1; layer <= layers; layer++)
        print_layer(net, layer, &of_layers[(layer - 1) * step]);
    lab_flush();
    tell_fate(net->how, net->format);
}

static void run_all(const scheme *const chosen[], size_t count)
{
    size_t total = count * formats.count;
    network *nets = lab_allocate(total, sizeof *nets);
    outcome *found = lab_allocate(total * (size_t)layers, sizeof *found);
    for (size_t n = 0; n < total; n++)
        nets[n] = make_network(chosen[n / formats.count], &formats.rows[n % formats.count],
                               (size_t)fan_in, (size_t)outputs);
    for (size_t layer = 1; layer <= layers; layer++) {
        advance(nets, total, layer, layers);
        for (size_t n = 0; n < total; n++)
            found[(layer - 1) * total + n] = look_at(&nets[n]);
    }
    introduce();
    for (size_t n = 0; n < total; n++) {
        print_network(&nets[n], found + n, total);
        free_network(&nets[n]);
    }
    free(found);
    free(nets);
}

static void run(int argc, char **argv)
{
    const scheme *chosen[MOST_SCHEMES];
    (void)argc, (void)argv;
    if (formats.count == 0)
        lab_read_formats(&formats, "fp16");
    size_t count = read_schemes(chosen);
    bool good = count > 0;
    for (size_t f = 0; f < formats.count && good; f++)
        good = can_hold_weights(&formats.rows[f]);
    if (outputs == 0)
        outputs = fan_in < 1024 ? fan_in : 1024;
    if (good && outputs > fan_in) {
        complain("--outputs must not be more than the %" PRIu64 " of --fan-in", fan_in);
        good = false;
    }
    if (good)
        run_all(chosen, count);
}

const experiment init_experiment = {
    .name = "init",
    .usage = "",
    .summary = "how outputs grow through layers of random weights",
    .example = "fplab init --fan-in 1024 --layers 3 --as fp16 --scheme randn,xavier",
    .options = own_options,
    .least = 0,
    .most = 0,
    .run = run,
};
