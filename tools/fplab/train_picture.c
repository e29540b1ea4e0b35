/* train_picture.c - losses drawn on a logarithmic scale
 * SPDX-License-Identifier: MIT */

#include "train_picture.h"

#include <inttypes.h>
#include <stdio.h>

#include <mpfr.h>

#include "figures.h"
#include "kit/memory.h"
#include "kit/plot.h"

enum { COLUMNS = 66, ROWS = 15 };

/* The logarithm of the mean loss of the steps of each column; NaN where there is none. */
typedef struct {
    double at[COLUMNS];
} curve;

static double logarithm(double x)
{
    mpfr_t y;
    mpfr_init2(y, 53);
    mpfr_set_d(y, x, MPFR_RNDN);
    mpfr_log2(y, y, MPFR_RNDN);
    x = mpfr_get_d(y, MPFR_RNDN);
    mpfr_clear(y);
    return x;
}

static bool is_drawn(double value)
{
    return value > -1e300 && value < 1e300;
}

/* Steps from first of a column on; the last column ends before first of the next one. */
static uint64_t first_of(uint64_t steps, uint64_t column, uint64_t columns)
{
    return steps / columns * column + steps % columns * column / columns;
}

static void make_curve(curve *made, const train_run *run, uint64_t steps, uint64_t columns)
{
    double *losses = allocate(steps, sizeof *losses);
    for (uint64_t i = 0; i < steps; i++)
        losses[i] = fpfmt_to_f64(run->losses[i], NULL, NULL);
    for (uint64_t c = 0; c < columns; c++) {
        uint64_t first = first_of(steps, c, columns), next = first_of(steps, c + 1, columns);
        made->at[c] = logarithm(mean64(losses + first, next - first));
    }
    release(losses);
}

static bool measure(const curve *curves, size_t count, size_t columns, double *least, double *most)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < columns; c++) {
            double value = curves[i].at[c];
            if (!is_drawn(value))
                continue;
            *least = any && *least < value ? *least : value;
            *most = any && *most > value ? *most : value;
            any = true;
        }
    return any && *least < *most;
}

/* The loss at a height between both ends: 2^height. */
static const char *label(char *text, double height)
{
    mpfr_t y;
    mpfr_init2(y, 53);
    mpfr_set_d(y, height, MPFR_RNDN);
    mpfr_exp2(y, y, MPFR_RNDN);
    show_double(text, mpfr_get_d(y, MPFR_RNDN), 2);
    mpfr_clear(y);
    return text;
}

void draw_losses(const lab_page *page, const train_results *results)
{
    curve curves[TRAIN_POLICIES];
    number texts[3];
    const char *labels[PLOT_ROWS] = { NULL }, *names[TRAIN_POLICIES];
    uint64_t columns = results->steps < COLUMNS ? results->steps : COLUMNS;
    const train_policy *policy = results->runs[0].policy;
    char first[2 * SETTING_ROOM];
    double least = 0, most = 0;
    plot drawing;
    for (size_t i = 0; i < results->count; i++) {
        make_curve(&curves[i], &results->runs[i], results->steps, columns);
        names[i] = results->runs[i].policy->label;
    }
    snprintf(first, sizeof first, "%s%s%s", policy->varied, *policy->varied == '\0' ? "" : " ",
             policy->label);
    names[0] = first;
    if (!measure(curves, results->count, columns, &least, &most))
        return;
    plot_begin(&drawing, COLUMNS, ROWS);
    for (size_t i = results->count; i-- > 0;) /* the first lies on top */
        for (size_t c = 0; c < columns; c++)
            if (is_drawn(curves[i].at[c]))
                plot_point(&drawing, (int)i, (int)c, row_of(curves[i].at[c], least, most, ROWS));
    for (int i = 0; i < 3; i++) {
        double part = divide64(from_count((uint64_t)i), 2);
        labels[(ROWS - 1) / 2 * i] =
            label(texts[i], add64(least, multiply64(part, subtract64(most, least))));
    }
    plot_rows(&drawing, labels);
    plot_legend(&drawing, names, (int)results->count);
    lab_say(page,
            "Drawn: the loss of steps %" PRIu64 " to %" PRIu64 ", from left to right, on a "
            "logarithmic scale%s.",
            results->first + 1, results->first + results->steps,
            results->steps > COLUMNS ? "; each mark is the mean of some steps" : "");
}
