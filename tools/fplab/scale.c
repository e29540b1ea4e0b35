/* scale.c - loss scaling: which powers of two carry a small number through a format
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../fpinspect/number.h"
#include "figures.h"

enum { FIRST_OF_PROGRAMS = 16, NOTHING = -1 };

static lab_formats formats;

static const lab_option own_options[] = {
    { "as", "FORMATS", "formats that store it; fp16 without it", LAB_FORMATS, &formats, 0, 0 },
    { NULL, NULL, NULL, LAB_FLAG, NULL, 0, 0 },
};

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

typedef enum { UNDERFLOW, SUBNORMAL, NORMAL, EXACT, OVERFLOW, STATUSES } status;
static const char *const status_names[STATUSES] = {
    [UNDERFLOW] = "underflow", [SUBNORMAL] = "subnormal", [NORMAL] = "normal",
    [EXACT] = "exact",         [OVERFLOW] = "overflow",
};

/* The number times 2^power in a format, and what becomes of it after the division. */
typedef struct {
    uint64_t code;
    fpfmt_value unscaled;
    status became;
} scaled;

static fpfmt_value times_power(fpfmt_value value, int power)
{
    if (value.kind == FPFMT_KIND_NORMAL || value.kind == FPFMT_KIND_SUBNORMAL)
        value.exponent += power;
    return value;
}

static scaled store(const fpfmt_format *format, fpfmt_value gradient, int power)
{
    unsigned flags = 0;
    scaled made = { .code = fpfmt_encode(format, times_power(gradient, power), NULL, &flags) };
    made.unscaled = times_power(fpfmt_decode(format, made.code), -power);
    made.became = flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID) ? OVERFLOW
                  : fpfmt_is_zero(format, made.code)                 ? UNDERFLOW
                  : !(flags & FPFMT_FLAG_INEXACT)                    ? EXACT
                  : fpfmt_is_subnormal(format, made.code)            ? SUBNORMAL
                                                                     : NORMAL;
    return made;
}

/* The first power of a status that is as good as in the normal range, the last one, and the last of
 * all before overflow; NOTHING where there is none. */
typedef struct {
    int best, last;
} range;

static bool is_whole(const fpfmt_format *format, const scaled *made)
{
    return (made->became == NORMAL || made->became == EXACT) &&
           !fpfmt_is_subnormal(format, made->code);
}

static range find_range(const fpfmt_format *format, fpfmt_value gradient)
{
    range found = { NOTHING, NOTHING };
    for (int power = 0;; power++) {
        scaled made = store(format, gradient, power);
        if (made.became == OVERFLOW)
            return found;
        if (found.best == NOTHING && is_whole(format, &made))
            found.best = power;
        found.last = power;
    }
}

/* ---- what is printed ---- */

/* 2^power in full to 2^20. */
static void cell_power(int power)
{
    char plain[24], shown[24];
    fpfmt_value value = times_power(fpfmt_from_i64(1), power);
    static number text;
    fpfmt_print_exact(text, sizeof text, value);
    snprintf(plain, sizeof plain, "%d", power);
    lab_cell(plain, NULL);
    lab_cell(text, power <= 20 ? text : show_power(shown, power));
}

static void print_power(const fpfmt_format *format, fpfmt_value gradient, const fpfmt_ratio *exact,
                        int power)
{
    static char text[NUMBER_SIZE], shown[NUMBER_SIZE];
    scaled made = store(format, gradient, power);
    fpfmt_print_exact(text, sizeof text, made.unscaled);
    show_value(shown, format, made.unscaled, false, LEAD_NONE);
    lab_cell(format->name, NULL);
    cell_power(power);
    cell_code(format, made.code);
    cell_value(format, made.code);
    lab_cell(text, shown);
    cell_relative(made.unscaled, exact);
    lab_cell(status_names[made.became], NULL);
    lab_end_row();
}

/* People need not see every power from the first best one to the last. */
static bool is_shown(const range *found, int power)
{
    return !lab_on_screen() || found->best == NOTHING || power <= found->best + 1 ||
           power == FIRST_OF_PROGRAMS || power >= found->last;
}

static void leave_out(void)
{
    for (const lab_column *column = columns; column->name != NULL; column++)
        lab_cell("", strcmp(column->name, "scale") == 0 ? "…" : "");
    lab_end_row();
}

static void tell_best(const fpfmt_format *format, const range *found)
{
    char first[24], last[24];
    if (found->last == NOTHING)
        lab_say("%s overflows without any scale.", format->name);
    else if (found->best == NOTHING)
        lab_say("No power of two brings it into the normal range of %s.", format->name);
    else
        lab_say("The best scales are %s to %s: the number is normal there, and only the rounding "
                "to %s is left. Below, bits are lost as it underflows; above, it overflows.",
                show_power(first, found->best), show_power(last, found->last), format->name);
}

static void try_format(const fpfmt_format *format, fpfmt_value gradient, const fpfmt_ratio *exact)
{
    range found = find_range(format, gradient);
    bool left_out = false;
    if (lab_on_screen()) {
        lab_gap();
        out(STYLE_NAME, format->name);
        out_line();
    }
    lab_rows(columns);
    for (int power = 0; power <= found.last + 1; power++) {
        bool shown = is_shown(&found, power);
        if (shown)
            print_power(format, gradient, exact, power);
        else if (!left_out)
            leave_out();
        left_out = !shown;
    }
    lab_flush();
    tell_best(format, &found);
}

static void run(int argc, char **argv)
{
    fpfmt_value gradient;
    fpfmt_ratio exact;
    (void)argc;
    if (formats.count == 0)
        lab_read_formats(&formats, "fp16");
    if (!lab_number(&gradient, &exact, argv[0], "G"))
        return;
    if (gradient.kind == FPFMT_KIND_ZERO) {
        complain("G must not be 0: no scale changes it");
        return;
    }
    lab_say("A gradient of %s is multiplied by a power of two before it is stored, and divided by "
            "it after: only the storing rounds. Programs begin at 2^16, double it after many good "
            "steps and halve it when something overflows.",
            argv[0]);
    for (size_t f = 0; f < formats.count; f++)
        try_format(&formats.rows[f], gradient, &exact);
}

const experiment scale_experiment = {
    .name = "scale",
    .usage = "G",
    .summary = "loss scaling: powers of two that carry a gradient through a format",
    .example = "fplab scale 1e-8 --as fp16",
    .options = own_options,
    .least = 1,
    .most = 1,
    .run = run,
};
