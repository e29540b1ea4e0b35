/* scale.c - loss scaling: which powers of two carry a small number through a format
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "figures.h"
#include "kit/formats.h"
#include "kit/number.h"
#include "kit/say.h"
#include "lab.h"
#include "operands.h"
#include "scaling.h"

/* The power that programs begin with, and the largest whose value is shown in full. */
enum { FIRST_OF_PROGRAMS = 16, LAST_IN_FULL = 20 };

typedef struct {
    common_settings common;
    format_list formats;
} scale_settings;
BEGINS_WITH_COMMON(scale_settings);

/* clang-format off */
static const option_row options[] = {
    { .name = "as", .takes = "FORMATS", .target = offsetof(scale_settings, formats),
      .read = set_formats, .offer = offer_targets,
      .summary = "formats that store it; fp16 without it" },
    { .name = NULL },
};
/* clang-format on */

static const lab_column columns[] = {
    { "format", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "log2-scale", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "scale", "scaled by", LAB_EVERYWHERE, ALIGN_RIGHT, STYLE_NAME },
    { "code", "stored as", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "stored", NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
    { "unscaled", "read back", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "relative", "off by", LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { "status", NULL, LAB_EVERYWHERE, ALIGN_LEFT, STYLE_PLAIN },
    { NULL, NULL, LAB_MACHINE, ALIGN_LEFT, STYLE_PLAIN },
};

/* The power, and 2^power. */
static void cell_power(lab_page *page, int power)
{
    char shown[24];
    fpfmt_value value = times_power(fpfmt_from_i64(1), power);
    number text;
    fpfmt_print_exact(text, sizeof text, value);
    lab_cellf(page, "%d", power);
    lab_cell(page, text, power <= LAST_IN_FULL ? text : show_power(shown, power));
}

static void print_power(lab_page *page, const fpfmt_format *format, fpfmt_value gradient,
                        const fpfmt_ratio *exact, int power)
{
    number text, shown;
    scaled stored = store_scaled(format, gradient, power);
    fpfmt_print_exact(text, sizeof text, stored.unscaled);
    show_number(shown, format, stored.unscaled);
    lab_cell(page, format->name, NULL);
    cell_power(page, power);
    cell_code(page, format, stored.code);
    cell_value(page, format, stored.code);
    lab_cell(page, text, shown);
    cell_relative(page, stored.unscaled, exact);
    lab_cell(page, scaled_name(stored.became), NULL);
    lab_end_row(page);
}

/* People need not see every power from the first best one to the last. */
static bool is_shown(const lab_page *page, const power_range *found, int power)
{
    return !lab_on_screen(page) || found->best == NO_POWER || power <= found->best + 1 ||
           power == FIRST_OF_PROGRAMS || power >= found->last;
}

static void leave_out(lab_page *page)
{
    for (const lab_column *column = columns; column->name != NULL; column++)
        lab_cell(page, "", strcmp(column->name, "scale") == 0 ? "…" : "");
    lab_end_row(page);
}

static void tell_best(const lab_page *page, const fpfmt_format *format, const power_range *found)
{
    char first[24], last[24];
    if (found->last == NO_POWER)
        lab_say(page, "%s overflows without any scale.", format->name);
    else if (found->best == NO_POWER)
        lab_say(page, "No power of two brings it into the normal range of %s.", format->name);
    else
        lab_say(page,
                "The best scales are %s to %s: the number is normal there, and only the rounding "
                "to %s is left. Below, bits are lost as it underflows; above, it overflows.",
                show_power(first, found->best), show_power(last, found->last), format->name);
}

static void try_format(lab_page *page, const fpfmt_format *format, fpfmt_value gradient,
                       const fpfmt_ratio *exact)
{
    power_range found = find_powers(format, gradient);
    bool left_out = false;
    if (lab_on_screen(page)) {
        lab_gap(page);
        out(STYLE_NAME, format->name);
        out_line();
    }
    lab_rows(page, columns);
    for (int power = 0; power <= found.last + 1; power++) {
        bool shown = is_shown(page, &found, power);
        if (shown)
            print_power(page, format, gradient, exact, power);
        else if (!left_out)
            leave_out(page);
        left_out = !shown;
    }
    lab_flush(page);
    tell_best(page, format, &found);
}

static void run(void *settings, lab_page *page, char **operands, size_t count)
{
    scale_settings *asked = settings;
    fpfmt_value gradient;
    fpfmt_ratio exact;
    (void)count;
    if (asked->formats.count == 0)
        read_formats(&asked->formats, "fp16");
    if (!read_finite(&gradient, &exact, operands[0], "G"))
        return;
    if (gradient.kind == FPFMT_KIND_ZERO) {
        complain("G must not be 0: no scale changes it");
        return;
    }
    lab_say(page,
            "A gradient of %s is multiplied by a power of two before it is stored, and divided by "
            "it after: only the storing rounds. Programs begin at 2^16, double it after many good "
            "steps and halve it when something overflows.",
            operands[0]);
    for (size_t f = 0; f < asked->formats.count; f++)
        try_format(page, &asked->formats.rows[f], gradient, &exact);
}

const experiment scale_experiment = {
    .name = "scale",
    .usage = "G",
    .summary = "loss scaling: powers of two that carry a gradient through a format",
    .example = "fplab scale 1e-8 --as fp16",
    .options = options,
    .size = sizeof(scale_settings),
    .least = 1,
    .most = 1,
    .run = run,
};
