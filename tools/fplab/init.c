/* init.c - how outputs grow through layers of random weights, and what a format makes of them
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>

#include "cells.h"
#include "figures.h"
#include "kit/formats.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "lab.h"
#include "network.h"
#include "shares.h"

enum { MOST_WIDTH = 65536, MOST_LAYERS = 32, MOST_SCHEMES = 8, USUAL_OUTPUTS = 1024 };

typedef struct {
    common_settings common;
    uint64_t fan_in, layers;
    uint64_t outputs; /* computed ones; 0: all, up to USUAL_OUTPUTS */
    format_list formats;
    const char *schemes;
} init_settings;
BEGINS_WITH_COMMON(init_settings);

static const init_settings usual = { .fan_in = 1024, .layers = 3, .schemes = "randn,xavier" };

#define AT(member) .target = offsetof(init_settings, member)

/* clang-format off */
static const option_row options[] = {
    { .name = "fan-in", .takes = "N", AT(fan_in), .read = set_whole, .least = 1, .most = MOST_WIDTH,
      .summary = "inputs of each output; 1024 without it" },
    { .name = "layers", .takes = "N", AT(layers), .read = set_whole, .least = 1,
      .most = MOST_LAYERS, .summary = "layers one behind the other; 3 without it" },
    { .name = "as", .takes = "FORMATS", AT(formats), .read = set_formats, .offer = offer_targets,
      .summary = "formats of inputs, weights, outputs; fp16 without it" },
    { .name = "scheme", .takes = "NAMES", AT(schemes), .read = set_text, .offer = offer_words,
      .of = &scheme_words, .summary = "randn (deviation 1), xavier (scaled), he (with ReLU)" },
    { .name = "outputs", .takes = "N", AT(outputs), .read = set_whole, .least = 1,
      .most = MOST_WIDTH, .summary = "computed outputs of a layer; up to 1024 without it" },
    { .name = NULL },
};
/* clang-format on */

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

/* The schemes that were asked for; how many, 0 after a complaint. */
static size_t read_schemes(const scheme *chosen[MOST_SCHEMES], const char *list)
{
    size_t count = list_length(list);
    if (count > MOST_SCHEMES) {
        complain("--scheme takes %d schemes at the most", MOST_SCHEMES);
        return 0;
    }
    if (!has_all_items(list))
        return 0;
    for (size_t i = 0; i < count; i++) {
        char *name = list_item(list, i);
        const fpfmt_word *found = read_word(&scheme_words, name);
        release(name);
        if (found == NULL)
            return 0;
        chosen[i] = scheme_at((int)found->meaning);
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

/* What was found of a layer. */
typedef struct {
    double deviation;
    shares found;
} outcome;

static outcome look_at(const network *net)
{
    landmarks at = landmarks_of(net->format);
    return (outcome){ root_mean_square(net->values, net->outputs),
                      count_shares(&at, net->values, net->outputs) };
}

/* ---- what is printed ---- */

static void print_layer(lab_page *page, const network *net, size_t layer, const outcome *was)
{
    landmarks at = landmarks_of(net->format);
    double expected = expected_deviation(net->how, net->fan_in, layer);
    shares chances = expect_shares(&at, expected);
    lab_cell(page, net->how->name, NULL);
    lab_cell(page, net->format->name, NULL);
    cell_count(page, layer);
    cell_double(page, was->deviation, 4);
    cell_double(page, expected, 4);
    cell_share(page, was->found.beyond);
    cell_share(page, chances.beyond);
    cell_share(page, was->found.flushed);
    cell_share(page, chances.flushed);
    cell_share(page, was->found.below_normal);
    cell_share(page, chances.below_normal);
    lab_end_row(page);
}

/* What the table leaves to say: from where on values are lost. */
static void tell_fate(const lab_page *page, const network *net, size_t layers)
{
    number max, expected;
    landmarks at = landmarks_of(net->format);
    show_double(max, at.max, SHOWN_DIGITS);
    for (size_t layer = 1; layer <= layers; layer++) {
        double deviation = expected_deviation(net->how, net->fan_in, layer);
        double share = expect_shares(&at, deviation).beyond;
        double lost = multiply64(share, from_count(net->fan_in));
        if (lost < 1)
            continue;
        show_double(expected, lost, 3);
        lab_say(page, "After layer %zu, %s of %zu outputs are expected beyond %s.", layer, expected,
                net->fan_in, max);
        return;
    }
    lab_say(page, "Less than one of %zu outputs is expected beyond %s.", net->fan_in, max);
}

static void introduce(const lab_page *page, const init_settings *asked)
{
    lab_say(
        page,
        "%" PRIu64 " normal inputs with deviation 1 go through %" PRIu64 " layer%s of random "
        "weights, seed %" PRIu64
        ". These inputs and all weights are rounded to the format; products add up in fp32, and "
        "outputs go on in fp32, so that growth shows past the overflow; the shares are of what "
        "the format would make of them.",
        asked->fan_in, asked->layers, asked->layers == 1 ? "" : "s", asked->common.seed);
    if (asked->outputs < asked->fan_in)
        lab_say(page,
                "Of each layer, %" PRIu64 " outputs are computed; the next one takes each of them "
                "several times, with weights of its own.",
                asked->outputs);
}

/* The layers of one network, for people under its name. Its outcomes are step apart. */
static void print_network(lab_page *page, const network *net, const outcome *of_layers, size_t step,
                          size_t layers)
{
    lab_gap(page);
    if (lab_on_screen(page)) {
        outf(STYLE_NAME, "%s in %s", net->how->name, net->format->name);
        out_line();
    }
    lab_rows(page, columns);
    for (size_t layer = 1; layer <= layers; layer++)
        print_layer(page, net, layer, &of_layers[(layer - 1) * step]);
    lab_flush(page);
    tell_fate(page, net, layers);
}

/* ---- the experiment ---- */

/* A network for each scheme and format, all formats of the first scheme first. */
static network *make_networks(const init_settings *asked, const scheme *const chosen[],
                              size_t total)
{
    network *nets = allocate(total, sizeof *nets);
    double *deviates = make_deviates(asked->common.seed);
    for (size_t n = 0; n < total; n++) {
        nets[n] = (network){ .how = chosen[n / asked->formats.count],
                             .format = &asked->formats.rows[n % asked->formats.count],
                             .seed = asked->common.seed,
                             .fan_in = (size_t)asked->fan_in,
                             .outputs = (size_t)asked->outputs };
        make_network(&nets[n], deviates);
    }
    release(deviates);
    return nets;
}

static void run_all(lab_page *page, const init_settings *asked, const scheme *const chosen[],
                    size_t count)
{
    size_t total = count * asked->formats.count, layers = (size_t)asked->layers;
    network *nets = make_networks(asked, chosen, total);
    outcome *found = allocate(total * layers, sizeof *found);
    progress moving = { .total = 0 };
    begin_progress(&moving, layers * asked->outputs);
    for (size_t layer = 1; layer <= layers; layer++) {
        advance(nets, total, layer, &moving);
        for (size_t n = 0; n < total; n++)
            found[(layer - 1) * total + n] = look_at(&nets[n]);
    }
    introduce(page, asked);
    for (size_t n = 0; n < total; n++) {
        print_network(page, &nets[n], found + n, total, layers);
        free_network(&nets[n]);
    }
}

static void run(void *settings, lab_page *page, char **operands, size_t operand_count)
{
    init_settings *asked = settings;
    const scheme *chosen[MOST_SCHEMES];
    (void)operands, (void)operand_count;
    if (asked->formats.count == 0)
        read_formats(&asked->formats, "fp16");
    size_t count = read_schemes(chosen, asked->schemes);
    bool good = count > 0;
    for (size_t f = 0; f < asked->formats.count && good; f++)
        good = can_hold_weights(&asked->formats.rows[f]);
    if (asked->outputs == 0)
        asked->outputs = asked->fan_in < USUAL_OUTPUTS ? asked->fan_in : USUAL_OUTPUTS;
    if (good && asked->outputs > asked->fan_in) {
        complain("--outputs must not be more than the %" PRIu64 " of --fan-in", asked->fan_in);
        good = false;
    }
    if (good)
        run_all(page, asked, chosen, count);
}

const experiment init_experiment = {
    .name = "init",
    .usage = "",
    .summary = "how outputs grow through layers of random weights",
    .example = "fplab init --fan-in 1024 --layers 3 --as fp16 --scheme randn,xavier",
    .options = options,
    .usual = &usual,
    .size = sizeof(init_settings),
    .run = run,
};
