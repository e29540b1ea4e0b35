/* strip.c - the range of a format as a bar, and the neighbours of a value on a line
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "screens/screen.h"

/* Does the value lie below all that the format has, because that has no negative values? */
static bool lacks_sign(const report *made)
{
    fpfmt_value value = made->in->value;
    return value.negative && made->format->sign_bits == 0 && value.kind != FPFMT_KIND_ZERO;
}

static const char *range_word(const report *made)
{
    if (lacks_sign(made))
        return "below 0";
    fpfmt_explanation told = fpfmt_explain(made->format, made->in->value, &made->policy);
    switch ((fpfmt_range)told.range) {
    case FPFMT_RANGE_BELOW: return "below the smallest";
    case FPFMT_RANGE_SUBNORMAL: return "subnormal";
    case FPFMT_RANGE_NORMAL:
        return made->flags & FPFMT_FLAG_OVERFLOW ? "above the largest" : "normal";
    case FPFMT_RANGE_ABOVE: return "above the largest";
    case FPFMT_RANGE_SPECIAL: break;
    }
    return made->in->value.kind == FPFMT_KIND_ZERO ? "zero" : "";
}

void show_range(report *made)
{
    const fpfmt_format *format = made->format;
    fpfmt_limits limits = fpfmt_measure(format);
    fpfmt_value value = made->in->value;
    number lowest, highest;
    if (value.kind >= FPFMT_KIND_INFINITE)
        return;
    out(STYLE_DIM, "  range     ");
    if (format->exponent_bits == 0) {
        show_value(lowest, format, fpfmt_decode(format, limits.lowest), true, LEAD_NONE);
        show_value(highest, format, fpfmt_decode(format, limits.max), true, LEAD_NONE);
        outf(STYLE_PLAIN, "%.40s to %.40s in steps of %s\n", lowest, highest,
             format->bias == 0 ? "1" : show_power((char[24]){ 0 }, -(int)format->bias));
        return;
    }
    int bottom = fpfmt_decode(format, limits.min_positive).exponent, top = limits.emax + 1;
    enum { AROUND = 16, MOST = 44 }; /* the name before the bar and the gaps behind it */
    char ends[48];
    snprintf(ends, sizeof ends, "2^%d 2^%d", bottom, top);
    int room = out_width() - AROUND - (int)strlen(ends) - width_of(range_word(made));
    int columns = room < MOST ? room : MOST;
    int at = -1;
    bool low = value.exponent < bottom || lacks_sign(made);
    if (value.kind != FPFMT_KIND_ZERO)
        at = low                     ? 0
             : value.exponent >= top ? columns - 1
                                     : (value.exponent - bottom) * (columns - 1) / (top - bottom);
    outf(STYLE_PLAIN, "2^%d ", bottom);
    for (int i = 0; i < columns; i++) {
        bool subnormal = i * (top - bottom) < (limits.emin - bottom) * columns - (top - bottom) / 2;
        if (i == at)
            out(STYLE_INPUT, low ? "◂" : value.exponent >= top ? "▸" : "●");
        else
            out(STYLE_DIM, subnormal ? "┄" : "━");
    }
    outf(STYLE_PLAIN, " 2^%d   %s\n", top, range_word(made));
}

enum { STRIP = 67 };

/* Labels on one line, each around its place; one that would touch another is left out. */
static void put_label(char cells[][8], const char *label, int place, int *taken)
{
    int length = width_of(label), start = place - length / 2;
    if (place == 0)
        start = 0;
    if (place == STRIP - 1 || start + length > STRIP)
        start = STRIP - length;
    if (start < 0)
        start = 0;
    for (int i = start - 1; i <= start + length; i++)
        if (i >= 0 && i < STRIP && taken[i])
            return;
    for (int i = start; i < start + length; i++) {
        size_t bytes = 1;
        while (((unsigned char)label[bytes] & 0xc0) == 0x80)
            bytes++;
        memcpy(cells[i], label, bytes);
        cells[i][bytes] = '\0';
        label += bytes;
        taken[i] = 1;
    }
}

static void put_cells(char cells[][8])
{
    int last = STRIP;
    while (last > 0 && strcmp(cells[last - 1], " ") == 0)
        last--;
    out(STYLE_PLAIN, "  ");
    for (int i = 0; i < last; i++)
        out(STYLE_PLAIN, cells[i]);
    out_line();
}

static void clear(char cells[][8], int *taken)
{
    for (int i = 0; i < STRIP; i++) {
        strcpy(cells[i], " ");
        taken[i] = 0;
    }
}

/* The shortest text of a code, ≈ where it is not the exact value. */
static void short_label(char text[64], const fpfmt_format *format, uint64_t code)
{
    number exact, shortest;
    fpfmt_print_exact(exact, sizeof exact, fpfmt_decode(format, code));
    fpfmt_print_shortest(shortest, sizeof shortest, format, code);
    snprintf(text, 64, "%s%.40s", strcmp(exact, shortest) == 0 ? "" : "≈", shortest);
}

/* part * (STRIP - 1), rounded: the place on the line of what lies at part of the way. */
static int place_of(const fpfmt_ratio *part)
{
    const fpfmt_policy nearest = { .rounding = FPFMT_ROUND_NEAREST_AWAY };
    fpfmt_ratio scaled;
    fpfmt_ratio_from(&scaled, fpfmt_from_i64(STRIP - 1));
    fpfmt_ratio_multiply(&scaled, &scaled, part);
    return (int)fpfmt_to_i64(fpfmt_ratio_value(&scaled), &nearest, NULL);
}

/* How far from low to high a value lies; false if that is unknown or outside. */
static bool part_of(fpfmt_ratio *part, const fpfmt_ratio *value, const fpfmt_ratio *low,
                    const fpfmt_ratio *high)
{
    fpfmt_ratio whole;
    if (!fpfmt_ratio_subtract(part, value, low) || !fpfmt_ratio_subtract(&whole, high, low) ||
        !fpfmt_ratio_divide(part, part, &whole) || (part->negative && !fpfmt_ratio_is_zero(part)))
        return false;
    int place = place_of(part);
    return place >= 0 && place < STRIP;
}

/* The place in the middle between a part of the way and its start (0) or end (1). */
static int middle_place(const fpfmt_ratio *part, int end)
{
    fpfmt_ratio sum, two;
    fpfmt_ratio_from(&sum, fpfmt_from_i64(end));
    fpfmt_ratio_from(&two, fpfmt_from_i64(2));
    fpfmt_ratio_add(&sum, &sum, part);
    fpfmt_ratio_divide(&sum, &sum, &two);
    return place_of(&sum);
}

void show_neighbors(report *made)
{
    const fpfmt_format *format = made->format;
    char cells[STRIP][8], label[64], code[24];
    int taken[STRIP];
    uint64_t below = fpfmt_next_down(format, made->code, NULL, NULL);
    uint64_t above = fpfmt_next_up(format, made->code, NULL, NULL);
    bool inner = fpfmt_is_finite(format, made->code) && below != made->code &&
                 above != made->code && fpfmt_is_finite(format, below) &&
                 fpfmt_is_finite(format, above);
    if (!inner || (made->flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID)) ||
        out_width() < STRIP + 2)
        return;
    fpfmt_ratio low, high, here;
    fpfmt_ratio here_part, given_part;
    fpfmt_ratio_from(&low, fpfmt_decode(format, below));
    fpfmt_ratio_from(&high, fpfmt_decode(format, above));
    fpfmt_ratio_from(&here, made->stored);
    if (!input_ratio(made->in) || !part_of(&here_part, &here, &low, &high) ||
        !part_of(&given_part, &made->in->ratio, &low, &high))
        return;
    int stored = place_of(&here_part), given = place_of(&given_part);
    int lower = middle_place(&here_part, 0), upper = middle_place(&here_part, 1);
    bool apart = given != stored;

    out_line();
    clear(cells, taken);
    short_label(label, format, below);
    put_label(cells, label, 0, taken);
    short_label(label, format, above);
    put_label(cells, label, STRIP - 1, taken);
    if (apart && strlen(made->in->text) <= 20)
        put_label(cells, made->in->text, given, taken);
    put_label(cells, "stored", stored, taken);
    put_cells(cells);

    clear(cells, taken);
    for (int i = 1; i < STRIP - 1; i++)
        strcpy(cells[i], "─");
    strcpy(cells[0], "├");
    strcpy(cells[STRIP - 1], "┤");
    strcpy(cells[lower], "╎");
    strcpy(cells[upper], "╎");
    strcpy(cells[stored], "●");
    if (apart)
        strcpy(cells[given], "▼");
    put_cells(cells);

    clear(cells, taken);
    put_label(cells, show_code(code, format, below), 0, taken);
    put_label(cells, show_code(code, format, above), STRIP - 1, taken);
    put_label(cells, show_code(code, format, made->code), stored, taken);
    snprintf(label, sizeof label, "╎ midpoint");
    put_label(cells, label, lower + 5, taken);
    put_cells(cells);
}
