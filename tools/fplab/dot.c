/* dot.c - dot products of random vectors, as matrix engines and programs sum them up
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fpinspect/number.h"
#include "figures.h"
#include "normal.h"
#include "picture.h"
#include "summing.h"

enum { MOST_ELEMENTS = 1 << 24, MOST_RUNS = 10000, MOST_DRAWN = 1 << 17 };
static const uint64_t most_products = UINT64_C(1) << 28;

static uint64_t length = 4096, runs = 1;
static fpfmt_format elements, to;
static const char *accumulators = "sequential,pairwise,kahan,exact", *data = "uniform";

static const lab_option own_options[] = {
    { "k", "N", "length of the vectors; 4096 without it", LAB_COUNT, &length, 1, MOST_ELEMENTS },
    { "as", "FORMAT", "format of their elements; e4m3 without it", LAB_FORMAT, &elements, 0, 0 },
    { "accumulate", "NAMES", "sequential,pairwise,kahan,exact without it", LAB_TEXT, &accumulators,
      0, 0 },
    { "to", "FORMAT", "format of the results; fp32 without it", LAB_FORMAT, &to, 0, 0 },
    { "data", "WHAT", "uniform (0 to 1), centred (-1 to 1), normal, a number", LAB_TEXT, &data, 0,
      0 },
    { "runs", "N", "also the mean error of so many seeds, from --seed on", LAB_COUNT, &runs, 1,
      MOST_RUNS },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};

static lab_column columns[] = {
    { "accumulator", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_NAME },
    { "result", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "to", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "code", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "result-shown", "result", LAB_SCREEN, ALIGN_LEFT, STYLE_PLAIN },
    { "relative", "off by", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "mean-relative", "mean of runs", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "worst-relative", "worst", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
};

/* ---- what the vectors hold ---- */

static double uniform(uint64_t seed, uint64_t index)
{
    return uniform_deviate(seed, index);
}

static double centred(uint64_t seed, uint64_t index)
{
    return subtract64(multiply64(2, uniform_deviate(seed, index)), 1);
}

static const struct {
    const char *name, *title;
    double (*draw)(uint64_t seed, uint64_t index);
} kinds[] = {
    { "uniform", "uniform from 0 to 1", uniform },
    { "centred", "uniform from -1 to 1", centred },
    { "normal", "normal with deviation 1", normal_deviate },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Two vectors of codes; a has the random numbers of the first indices and b those of the next. */
typedef struct {
    void *a, *b;
    int kind;          /* KINDS for the one number */
    fpfmt_value value; /* that one */
} vectors;

static bool read_kind(vectors *made)
{
    for (made->kind = 0; made->kind < KINDS; made->kind++)
        if (strcmp(kinds[made->kind].name, data) == 0)
            return true;
    const char *why = NULL;
    size_t read = fpfmt_parse(&made->value, data, strlen(data), &why);
    if (read > 0 && why == NULL && made->value.kind < FPFMT_KIND_INFINITE)
        return true;
    complain("--data takes uniform, centred, normal or a number, not '%s'",
             quoted(data, strlen(data)));
    return false;
}

static void fill(void *codes, const vectors *like, uint64_t seed, uint64_t first)
{
    for (uint64_t i = 0; i < length; i++) {
        fpfmt_value value = like->kind == KINDS
                                ? like->value
                                : fpfmt_from_f64(kinds[like->kind].draw(seed, first + i));
        lab_store(codes, (size_t)i, &elements, fpfmt_encode(&elements, value, NULL, NULL));
    }
}

static void fill_both(const vectors *made, uint64_t seed)
{
    fill(made->a, made, seed, 0);
    fill(made->b, made, seed, length);
}

/* ---- results ---- */

static uint64_t multiply(const vectors *of, const fpfmt_accumulator *how, const fpfmt_format *in,
                         uint64_t count, unsigned *flags)
{
    const fpfmt_value zero = { .kind = FPFMT_KIND_ZERO };
    const fpfmt_series a = { .format = &elements, .codes = of->a, .stride = 1 },
                       b = { .format = &elements, .codes = of->b, .stride = 1 };
    return fpfmt_dot(in, how, fpfmt_encode(in, zero, NULL, NULL), a, b, (size_t)count, NULL, flags);
}

/* The exact product of the first elements, rounded once to fp64. */
static double exact_product(const vectors *of, uint64_t count, unsigned *flags)
{
    const fpfmt_accumulator exact = { .method = FPFMT_ACCUMULATE_EXACT };
    const fpfmt_format *wide = fpfmt_named("fp64");
    return fpfmt_to_f64(fpfmt_decode(wide, multiply(of, &exact, wide, count, flags)), NULL, NULL);
}

/* What a way is off the exact product of the first elements, as a part of it. */
static double error_of(const vectors *of, const summation *way, uint64_t count)
{
    double exact = exact_product(of, count, NULL);
    uint64_t code = multiply(of, &way->how, &way->to, count, NULL);
    double result = fpfmt_to_f64(fpfmt_decode(&way->to, code), NULL, NULL);
    return result == exact ? 0 : divide64(subtract64(result, exact), exact);
}

/* Errors of every way in every run, run by run. */
static double *try_runs(const vectors *of, const summation *ways, size_t count)
{
    double *errors = lab_allocate((size_t)runs * count, sizeof *errors);
    for (uint64_t r = 0; r < runs; r++) {
        fill_both(of, lab_seed + r);
        for (size_t w = 0; w < count; w++)
            errors[w * (size_t)runs + (size_t)r] = error_of(of, &ways[w], length);
        lab_progress(r + 1, runs);
    }
    return errors;
}

static double worst_of(const double *errors, uint64_t count)
{
    double worst = errors[0];
    for (uint64_t i = 1; i < count; i++) {
        double a = errors[i] < 0 ? -errors[i] : errors[i], b = worst < 0 ? -worst : worst;
        if (!(a <= b))
            worst = errors[i];
    }
    return worst;
}

static void print_way(const vectors *of, const summation *way, const double *errors)
{
    static number text;
    fpfmt_ratio exact;
    uint64_t code = multiply(of, &way->how, &way->to, length, NULL);
    fpfmt_print_exact(text, sizeof text, fpfmt_decode(&way->to, code));
    lab_cell(way->name, NULL);
    lab_cell(text, NULL);
    lab_cell(way->to.name, NULL);
    cell_code(&way->to, code);
    cell_value(&way->to, code);
    if (fpfmt_ratio_from(&exact, fpfmt_from_f64(exact_product(of, length, NULL))))
        cell_relative(fpfmt_decode(&way->to, code), &exact);
    else
        cell_none();
    if (errors == NULL) {
        cell_none();
        cell_none();
    } else {
        cell_error(mean64(errors, (size_t)runs));
        cell_error(worst_of(errors, runs));
    }
    lab_end_row();
}

/* ---- what people are told ---- */

static void introduce(const vectors *of)
{
    static number text;
    unsigned flags = 0;
    double exact = exact_product(of, length, &flags);
    show_double(text, exact, SHOWN_DIGITS);
    bool cut = (flags & FPFMT_FLAG_INEXACT) && strncmp(text, "≈", strlen("≈")) != 0;
    const char *plural = length == 1 ? "" : "s";
    if (of->kind == KINDS)
        lab_say("The sum of %" PRIu64 " product%s of %s x %s in %s. The exact sum is %s%s.", length,
                plural, data, data, elements.name, cut ? "≈" : "", text);
    else
        lab_say("The sum of %" PRIu64 " product%s of two vectors in %s, %s, seed %" PRIu64
                ". The exact sum is %s%s.",
                length, plural, elements.name, kinds[of->kind].title, lab_seed, cut ? "≈" : "",
                text);
    lab_gap();
}

static void explain(const summation *ways, size_t count)
{
    bool any = false;
    for (size_t w = 0; w < count; w++) {
        const fpfmt_accumulator *how = &ways[w].how;
        if (how->method != FPFMT_ACCUMULATE_ALIGNED)
            continue;
        if (!any)
            lab_gap();
        any = true;
        lab_say("%s: %d products and the sum so far are aligned to the largest exponent among them "
                "and cut below %d fraction bits: the larger the sum, the more of the products is "
                "lost.",
                ways[w].name, how->group, how->fraction_bits);
        if (how->promote > 0)
            lab_say("But every %" PRIu32 " products the sum is added to one in %s and begins "
                    "again at 0, so that it stays small.",
                    how->promote, ways[w].to.name);
    }
}

static void draw(const vectors *of, const summation *ways, size_t count)
{
    static path drawn[MOST_PATHS];
    const char *names[MOST_PATHS];
    if (!lab_on_screen() || count > MOST_PATHS || length > MOST_DRAWN)
        return;
    for (size_t w = 0; w < count; w++) {
        names[w] = ways[w].name;
        for (int i = 0; i < PATH_POINTS; i++) {
            uint64_t n = path_step(length, i);
            drawn[w].point[i] = n == 0 ? 0 : multiply64(100, error_of(of, &ways[w], n));
        }
    }
    draw_paths(drawn, names, count,
               "Drawn: the error in percent of the exact sum, over the number of products.");
}

/* A screen has room for the codes, or for the errors of all runs. */
static void make_room(void)
{
    const char *gone = runs == 1 ? "-relative" : "code";
    for (lab_column *column = columns; column->name != NULL; column++)
        if (strstr(column->name, gone) != NULL)
            column->place = LAB_MACHINE;
}

static bool make_vectors(vectors *made)
{
    size_t bytes = lab_code_bytes(&elements);
    if (!read_kind(made))
        return false;
    if (runs * length > most_products) {
        complain("--runs %" PRIu64 " of %" PRIu64 " products are more than %" PRIu64, runs, length,
                 most_products);
        return false;
    }
    made->a = lab_allocate((size_t)length, bytes);
    made->b = lab_allocate((size_t)length, bytes);
    return true;
}

static void run(int argc, char **argv)
{
    static summation ways[MOST_SUMMATIONS];
    vectors made = { 0 };
    double *errors = NULL;
    (void)argc, (void)argv;
    if (*elements.name == '\0')
        elements = *fpfmt_named("e4m3");
    size_t count =
        read_summations(ways, accumulators, &elements, *to.name != '\0' ? &to : NULL, false);
    if (count == 0 || !make_vectors(&made))
        return;
    if (runs > 1)
        errors = try_runs(&made, ways, count);
    fill_both(&made, lab_seed);
    introduce(&made);
    make_room();
    lab_rows(columns);
    for (size_t w = 0; w < count; w++)
        print_way(&made, &ways[w], errors == NULL ? NULL : errors + w * (size_t)runs);
    lab_flush();
    explain(ways, count);
    draw(&made, ways, count);
    free(errors);
    free(made.a);
    free(made.b);
}

const experiment dot_experiment = {
    .name = "dot",
    .usage = "",
    .summary = "dot products as matrix engines and programs sum them up",
    .example = "fplab dot --k 4096 --as e4m3 --accumulate nv-hopper,promote:128,exact --seed 0",
    .options = own_options,
    .least = 0,
    .most = 0,
    .run = run,
};
