/* dot.c - dot products of random vectors, as matrix engines and programs sum them up
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <string.h>

#include "cells.h"
#include "figures.h"
#include "kit/formats.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "lab.h"
#include "picture.h"
#include "products.h"

enum { MOST_ELEMENTS = 1 << 24, MOST_RUNS = 10000, MOST_DRAWN = 1 << 17 };
static const uint64_t most_products = UINT64_C(1) << 28;

typedef struct {
    common_settings common;
    uint64_t length, runs;
    fpfmt_format elements, to; /* without a name: e4m3, and what each accumulator gives */
    const char *accumulators, *data;
} dot_settings;
BEGINS_WITH_COMMON(dot_settings);

static const dot_settings usual = {
    .length = 4096, .runs = 1, .accumulators = "sequential,pairwise,kahan,exact", .data = "uniform"
};

#define AT(member) .target = offsetof(dot_settings, member)

/* clang-format off */
static const option_row options[] = {
    { .name = "k", .takes = "N", AT(length), .read = set_whole, .least = 1, .most = MOST_ELEMENTS,
      .summary = "length of the vectors; 4096 without it" },
    { .name = "as", .takes = "FORMAT", AT(elements), .read = set_format, .offer = offer_formats,
      .summary = "format of their elements; e4m3 without it" },
    { .name = "accumulate", .takes = "NAMES", AT(accumulators), .read = set_text,
      .offer = offer_summations, .summary = "sequential,pairwise,kahan,exact without it" },
    { .name = "to", .takes = "FORMAT", AT(to), .read = set_format, .offer = offer_formats,
      .summary = "format of the results; fp32 without it" },
    { .name = "data", .takes = "WHAT", AT(data), .read = set_text, .offer = offer_words,
      .of = &data_words, .summary = "uniform (0 to 1), centred (-1 to 1), normal, a number" },
    { .name = "runs", .takes = "N", AT(runs), .read = set_whole, .least = 1, .most = MOST_RUNS,
      .summary = "also the mean error of so many seeds, from --seed on" },
    { .name = NULL },
};
/* clang-format on */

/* A screen has no room for the codes and for the errors of all runs: it shows the first without,
 * and the second with --runs. */
#define COLUMNS(codes, errors)                                                                     \
    {                                                                                              \
        { "accumulator", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_NAME },                           \
            { "result", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },                              \
            { "to", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },                                  \
            { "code", NULL, codes, ALIGN_LEFT, STYLE_PLAIN },                                      \
            { "result-shown", "result", LAB_SCREEN, ALIGN_LEFT, STYLE_PLAIN },                     \
            { "relative", "off by", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },                     \
            { "mean-relative", "mean of runs", errors, ALIGN_LEFT, STYLE_PLAIN },                  \
            { "worst-relative", "worst", errors, ALIGN_LEFT, STYLE_PLAIN },                        \
            { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },                                  \
    }
static const lab_column single_columns[] = COLUMNS(LAB_EVERYWHERE, LAB_MACHINE);
static const lab_column run_columns[] = COLUMNS(LAB_MACHINE, LAB_EVERYWHERE);

/* ---- results ---- */

/* errors are those of all runs of the way, NULL without --runs. */
static void print_way(lab_page *page, const vectors *of, const summation *way, const double *errors,
                      uint64_t runs)
{
    number text;
    fpfmt_ratio exact;
    uint64_t code = product_of(of, way, of->length);
    fpfmt_print_exact(text, sizeof text, fpfmt_decode(&way->to, code));
    lab_cell(page, way->name, NULL);
    lab_cell(page, text, NULL);
    lab_cell(page, way->to.name, NULL);
    cell_code(page, &way->to, code);
    cell_value(page, &way->to, code);
    if (fpfmt_ratio_from(&exact, fpfmt_from_f64(exact_product(of, of->length, NULL))))
        cell_relative(page, fpfmt_decode(&way->to, code), &exact);
    else
        cell_none(page);
    if (errors == NULL) {
        cell_none(page);
        cell_none(page);
    } else {
        cell_error(page, mean64(errors, (size_t)runs));
        cell_error(page, worst_of(errors, runs));
    }
    lab_end_row(page);
}

/* ---- what people are told ---- */

static void introduce(lab_page *page, const dot_settings *asked, const vectors *of)
{
    number text;
    unsigned flags = 0;
    double exact = exact_product(of, of->length, &flags);
    show_double(text, exact, SHOWN_DIGITS);
    bool cut = (flags & FPFMT_FLAG_INEXACT) && strncmp(text, "≈", strlen("≈")) != 0;
    const char *plural = of->length == 1 ? "" : "s", *mark = cut ? "≈" : "";
    if (of->data == DATA_NUMBER)
        lab_say(page, "The sum of %" PRIu64 " product%s of %s x %s in %s. The exact sum is %s%s.",
                of->length, plural, asked->data, asked->data, of->format.name, mark, text);
    else
        lab_say(page,
                "The sum of %" PRIu64 " product%s of two vectors in %s, %s, seed %" PRIu64
                ". The exact sum is %s%s.",
                of->length, plural, of->format.name,
                word_at(&data_words, (size_t)of->data)->summary, asked->common.seed, mark, text);
    lab_gap(page);
}

static void explain(lab_page *page, const summation *ways, size_t count)
{
    bool any = false;
    for (size_t w = 0; w < count; w++) {
        const fpfmt_accumulator *how = &ways[w].how;
        if (how->method != FPFMT_ACCUMULATE_ALIGNED)
            continue;
        if (!any)
            lab_gap(page);
        any = true;
        if (how->late_bits != 0) {
            lab_say(page,
                    "%s: %d products are aligned to the largest exponent among them and cut below "
                    "%d fraction bits; then the sum so far is added, and what lies far below the "
                    "larger of the two is cut downward.",
                    ways[w].name, how->group, how->fraction_bits);
        } else {
            lab_say(page,
                    "%s: %d products and the sum so far are aligned to the largest exponent among "
                    "them and cut below %d fraction bits: the larger the sum, the more of the "
                    "products is lost.",
                    ways[w].name, how->group, how->fraction_bits);
        }
        if (how->promote > 0)
            lab_say(page,
                    "But every %" PRIu32 " products the sum is added to one in %s and begins "
                    "again at 0, so that it stays small.",
                    how->promote, ways[w].to.name);
    }
}

static void draw(const lab_page *page, const vectors *of, const summation *ways, size_t count)
{
    path drawn[MOST_PATHS];
    const char *names[MOST_PATHS];
    if (!lab_on_screen(page) || count > MOST_PATHS || of->length > MOST_DRAWN)
        return;
    for (size_t w = 0; w < count; w++) {
        names[w] = ways[w].name;
        for (int i = 0; i < PATH_POINTS; i++) {
            uint64_t n = path_step(of->length, i);
            drawn[w].point[i] = n == 0 ? 0 : multiply64(100, error_of(of, &ways[w], n));
        }
    }
    draw_paths(page, drawn, names, count,
               "Drawn: the error in percent of the exact sum, over the number of products.");
}

/* ---- the experiment ---- */

/* A word of data_words, in its spelling there, or a finite number. */
static bool read_data(vectors *made, const char *text)
{
    const char *why = NULL;
    const fpfmt_word *here;
    for (size_t i = 0; (here = word_at(&data_words, i)) != NULL; i++)
        if (strcmp(here->name, text) == 0) {
            made->data = (int)here->meaning;
            return true;
        }
    made->data = DATA_NUMBER;
    size_t read = fpfmt_parse(&made->number, text, strlen(text), &why);
    if (read > 0 && why == NULL && made->number.kind < FPFMT_KIND_INFINITE)
        return true;
    complain("--data takes uniform, centred, normal or a number, not '%s'",
             quoted(text, strlen(text)));
    return false;
}

static bool read_vectors(vectors *made, const dot_settings *asked)
{
    if (!read_data(made, asked->data))
        return false;
    if (asked->runs * asked->length > most_products) {
        complain("--runs %" PRIu64 " of %" PRIu64 " products are more than %" PRIu64, asked->runs,
                 asked->length, most_products);
        return false;
    }
    made->format = asked->elements;
    made->length = asked->length;
    return true;
}

static void run(void *settings, lab_page *page, char **operands, size_t operand_count)
{
    dot_settings *asked = settings;
    summation ways[MOST_SUMMATIONS];
    vectors pair = { .length = 0 };
    progress moving = { .total = 0 };
    double *errors = NULL;
    uint64_t runs = asked->runs;
    (void)operands, (void)operand_count;
    if (*asked->elements.name == '\0')
        asked->elements = *fpfmt_named("e4m3");
    size_t count = read_summations(ways, asked->accumulators, &asked->elements,
                                   *asked->to.name != '\0' ? &asked->to : NULL, false);
    if (count == 0 || !read_vectors(&pair, asked))
        return;
    make_vectors(&pair);
    if (runs > 1)
        errors = try_seeds(&pair, ways, count, asked->common.seed, runs, &moving);
    fill_vectors(&pair, asked->common.seed);
    introduce(page, asked, &pair);
    lab_rows(page, runs > 1 ? run_columns : single_columns);
    for (size_t w = 0; w < count; w++)
        print_way(page, &pair, &ways[w], errors == NULL ? NULL : errors + w * (size_t)runs, runs);
    lab_flush(page);
    explain(page, ways, count);
    draw(page, &pair, ways, count);
}

const experiment dot_experiment = {
    .name = "dot",
    .usage = "",
    .summary = "dot products as matrix engines and programs sum them up",
    .example = "fplab dot --k 4096 --as e4m3 --accumulate nv-hopper,promote:128,exact --seed 0",
    .options = options,
    .usual = &usual,
    .size = sizeof(dot_settings),
    .run = run,
};
