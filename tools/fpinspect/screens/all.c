/* all.c - one value in several formats: a row each, and the story behind them
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/memory.h"
#include "kit/number.h"
#include "kit/say.h"
#include "screens/screen.h"

/* Do the binary digits end: is the denominator a power of two? */
static bool ends_in_binary(input *in)
{
    number fraction;
    fpfmt_value denominator;
    if (!input_ratio(in))
        return !in->value.inexact;
    fpfmt_print_fraction(fraction, sizeof fraction, &in->ratio);
    const char *slash = strchr(fraction, '/');
    return slash == NULL || (fpfmt_parse(&denominator, slash + 1, strlen(slash + 1), NULL) > 0 &&
                             is_power_of_two(denominator));
}

static int significant_bits(fpfmt_value value)
{
    int bits = 64;
    while (bits > 1 && (value.significand >> (64 - bits) & 1) == 0)
        bits--;
    return bits;
}

static void headline(input *in)
{
    char binary[128];
    out(STYLE_INPUT, input_name(in));
    if (in->typed) {
        outf(STYLE_PLAIN, "   ");
        show_fields(&in->format, in->code, out);
    }
    if (!is_clamped(in->value) &&
        (in->value.kind == FPFMT_KIND_SUBNORMAL || in->value.kind == FPFMT_KIND_NORMAL)) {
        show_binary(binary, sizeof binary, in->value, 22);
        outf(STYLE_PLAIN, "  = %s", binary);
        int bits = significant_bits(in->value);
        if (in->cut)
            out(STYLE_DIM, ", cut after 1000 bits");
        else if (!ends_in_binary(in))
            out(STYLE_DIM, out_width() < 92 ? ", endless in binary"
                                            : ", endless in binary, so no format holds it exactly");
        else if (in->value.inexact)
            out(STYLE_DIM, ", more than 64 significant bits");
        else
            outf(STYLE_DIM, ", %d significant bit%s", bits, bits == 1 ? "" : "s");
    }
    if (in->value.kind == FPFMT_KIND_INFINITE && !in->typed)
        out(STYLE_DIM, "   infinity");
    out_line();
    out_line();
}

static void bit_cells(const report *made)
{
    table_cell(STYLE_PLAIN, made->format->sign_bits == 0 ? "  " : "");
    show_fields(made->format, made->code, table_piece);
}

static void value_row(report *made, const request *chosen)
{
    number stored, percent;
    char code[24], status[64];
    measure_error(made);
    show_value(stored, made->format, made->stored, chosen->full, LEAD_HANG);
    describe_status(status, made);
    strcpy(percent, "");
    if (made->relative.exists && !fpfmt_ratio_is_zero(&made->error.ratio))
        show_percent(percent, &made->relative.ratio, LEAD_HANG_SIGN);
    table_cell(STYLE_NAME, made->format->name);
    bit_cells(made);
    table_cell(STYLE_PLAIN, show_code(code, made->format, made->code));
    table_cell(STYLE_PLAIN, stored);
    table_cell(STYLE_PLAIN, percent);
    table_cell(style_of(made), status);
    table_row();
}

void screen_all(input *in, const request *chosen)
{
    report *reports = allocate(chosen->formats.count, sizeof *reports);
    enum { CODE = 2, ERROR = 4 }; /* the bits tell the code, too */
    headline(in);
    table_begin(2);
    table_drop(ERROR, 1);
    table_drop(CODE, 2);
    const char *const names[] = { "format", "s exponent fraction (mantissa)",
                                  "code",   " stored",
                                  " error", "status" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        table_cell(STYLE_DIM, names[i]);
    table_row();
    for (size_t i = 0; i < chosen->formats.count; i++) {
        make_report(&reports[i], chosen, in, &chosen->formats.rows[i], &chosen->columns[0]);
        value_row(&reports[i], chosen);
        if (meets_condition(&reports[i], chosen))
            fail_condition();
    }
    table_flush();
    if (*in->raised.remark != '\0') {
        char sentence[REMARK_SIZE + 1];
        snprintf(sentence, sizeof sentence, "%s.", in->raised.remark);
        out_line();
        out_wrapped(2, sentence);
    }
    tell_story(reports, chosen->formats.count);
    release(reports);
}
