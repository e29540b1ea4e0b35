/* table.c - every value of a format: a grid up to 8 bits, a list up to 16
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "screens/screen.h"
#include "screens/view.h"

enum { GRID_BITS = 8, LIST_BITS = 16 };

/* The bits of a code, without its sign where negative values mirror the positive ones. */
static int code_bits(const fpfmt_format *format)
{
    bool mirrored = format->sign_bits > 0 && format->exponent_bits > 0;
    return fpfmt_measure(format).width - mirrored;
}

static uint64_t rows_end(const fpfmt_format *format)
{
    return UINT64_C(1) << code_bits(format);
}

static int widest_cell(const fpfmt_format *format, int columns, int column)
{
    number text;
    int widest = 0;
    for (uint64_t code = (uint64_t)column; code < rows_end(format); code += (uint64_t)columns) {
        show_value(text, format, fpfmt_decode(format, code), false, LEAD_NONE);
        widest = width_of(text) > widest ? width_of(text) : widest;
    }
    return widest;
}

static int log2_of(int power)
{
    int n = 0;
    while (power >> n > 1)
        n++;
    return n;
}

/* The most columns, a power of two up to 8, that fit the screen. */
static int choose_columns(const fpfmt_format *format)
{
    int low = format->fraction_bits > 3 || format->fraction_bits == 0 ? 3 : format->fraction_bits;
    int columns = 1 << (low < code_bits(format) ? low : code_bits(format));
    for (; columns > 1; columns /= 2) {
        int total = 7 + code_bits(format) - log2_of(columns);
        for (int i = 0; i < columns; i++)
            total += 1 + widest_cell(format, columns, i);
        if (total <= out_width())
            break;
    }
    return columns;
}

static void grid(const fpfmt_format *format)
{
    number text;
    char bits[72], code_text[24];
    int columns = choose_columns(format), low = log2_of(columns);
    table_begin(2);
    table_gutter(1);
    for (int i = 0; i <= columns + 1; i++)
        table_align(i, i > 1 ? ALIGN_RIGHT : ALIGN_LEFT);
    table_cell(STYLE_DIM, "code");
    table_cell(STYLE_DIM, low == format->fraction_bits ? "exp" : "bits");
    for (int i = 0; i < columns; i++)
        table_cell(STYLE_FRACTION, show_bits(bits, (uint64_t)i, 0, low));
    table_row();
    for (uint64_t base = rows_end(format); base > 0;) {
        base -= (uint64_t)columns;
        table_cell(STYLE_DIM, show_code(code_text, format, base));
        table_cell(STYLE_EXPONENT, show_bits(bits, base, low, code_bits(format) - low));
        for (int i = 0; i < columns; i++) {
            fpfmt_value value = fpfmt_decode(format, base + (uint64_t)i);
            show_value(text, format, value, false, LEAD_NONE);
            table_cell(value.kind >= FPFMT_KIND_INFINITE    ? STYLE_LOST
                       : value.kind == FPFMT_KIND_SUBNORMAL ? STYLE_WARN
                                                            : STYLE_PLAIN,
                       text);
        }
        table_row();
    }
    table_flush();
    out_line();
    fpfmt_limits limits = fpfmt_measure(format);
    int step = fpfmt_ulp(format, (fpfmt_value){ .kind = FPFMT_KIND_ZERO }).exponent;
    char note_text[200];
    snprintf(note_text, sizeof note_text, "Columns: %s. %s%s",
             low == format->fraction_bits ? "fraction (mantissa)" : "the lowest bits",
             limits.has_subnormals ? "Lowest codes: zero and subnormals, step " : "",
             limits.has_subnormals ? show_power(bits, step) : "");
    out_wrapped(2, note_text);
}

static void list(const fpfmt_format *format)
{
    number text;
    char code_text[24];
    uint64_t end = UINT64_C(1) << fpfmt_measure(format).width;
    table_begin(2);
    for (uint64_t code = 0; code < end; code++) {
        fpfmt_value value = fpfmt_decode(format, code);
        table_cell(STYLE_PLAIN, show_code(code_text, format, code));
        table_cell(STYLE_PLAIN, "");
        show_fields(format, code, table_piece);
        show_value(text, format, value, true, LEAD_NONE);
        table_cell(STYLE_PLAIN, text);
        table_row();
    }
    table_flush();
}

void draw_table(const request *chosen, const fact_list *facts)
{
    const fpfmt_format *format = &chosen->shown[0];
    int width = fpfmt_measure(format).width;
    (void)facts;
    out(STYLE_NAME, format->name);
    outf(STYLE_PLAIN, "   %s%s%" PRIu64 " codes.", format->title != NULL ? format->title : "",
         format->title != NULL ? ", " : "", UINT64_C(1) << width);
    if (width <= GRID_BITS && rows_end(format) != UINT64_C(1) << width)
        outf(STYLE_DIM, "  Code = row + column; negative values add 0x%" PRIx64, rows_end(format));
    else if (width <= GRID_BITS)
        out(STYLE_DIM, "  Code = row + column");
    out_line();
    out_line();
    if (width <= GRID_BITS)
        grid(format);
    else
        list(format);
}
