/* draw_memory.c - the screen of fpbudget memory
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "kit/table.h"
#include "kit/text.h"
#include "screens/items.h"
#include "screens/screens.h"

static void headline(const memory_budget *made, const question *asked)
{
    number text = "";
    out(STYLE_NAME, "memory");
    out(STYLE_PLAIN, "   ");
    if (made->has_parameters) {
        number count;
        parameters_text(count, made, asked);
        append_text(text, sizeof text, "%s%s parameter%s, %s",
                    asked->parameters.text != NULL ? "" : "at most ", count,
                    compare(made->parameters, exact_whole(1)) == 0 ? "" : "s", made->recipe->name);
        if (strcmp(made->optimizer->name, made->recipe->optimizer) != 0)
            append_text(text, sizeof text, " with %s", made->optimizer->name);
        if (asked->devices.text != NULL)
            append_text(text, sizeof text, ", on each of %s devices", asked->devices.text);
        append_text(text, sizeof text, ": ");
        append_short(text, made->bytes_each, 0, 10);
        append_text(text, sizeof text, " bytes each, ");
    } else {
        append_text(text, sizeof text, "activations alone: ");
    }
    append_short(text, made->bytes, 9, 4);
    append_text(text, sizeof text,
                made->has_parameters && made->has_activations ? " GB with activations" : " GB");
    out_wrapped_from(9, 9, text);
    out_line();
}

/* Bytes, GB and GiB. */
static void put_sizes(style how, exact bytes)
{
    number text;
    print_exact(text, bytes);
    table_cell(how, text);
    print_short(text, bytes, 9, 4);
    table_cell(how, text);
    print_gibi(text, bytes, 4);
    table_cell(how, text);
}

/* How many of so many columns a part of the whole takes. */
static int columns_of(exact part, exact whole, int columns)
{
    if (fpfmt_ratio_is_zero(&part))
        return 0;
    exact share = over(times(part, exact_whole((uint64_t)columns)), whole);
    return (int)fpfmt_to_i64(fpfmt_ratio_value(&share), NULL, NULL);
}

enum { BAR = 16 };

static void put_bar(exact bytes, exact whole)
{
    char bar[4 * BAR + 1] = "";
    for (int n = columns_of(bytes, whole, BAR); n > 0; n--)
        strcat(bar, "█");
    table_cell(STYLE_FRACTION, bar);
}

static bool any_divided(const memory_budget *made)
{
    for (size_t i = 0; i < made->part_count; i++)
        if (made->parts[i].divided)
            return true;
    return false;
}

/* What stands in the column of formats for activations. */
static void recompute_text(char text[40], const memory_budget *made)
{
    const recompute_row *how = row_at(&recompute_table, made->recompute);
    bool recomputes = made->has_activations && made->recompute != RECOMPUTE_NONE;
    print_text(text, 40, "%s%s", recomputes ? "recompute " : "", recomputes ? how->name : "");
}

/* Bars stand where the other columns leave room for them. Those whose width is not looked at here
 * are the indent, "activations", bits as "8.25", GB and GiB as "≈260.8", and gutters of 2 between
 * all of them; a column of shares is 7 with its gutter. */
static bool has_bars(const memory_budget *made)
{
    enum { REST = 2 + 11 + 2 + 2 + 5 + 2 + 2 + 7 + 2 + 7 + 2 };
    char format[40];
    number bytes;
    recompute_text(format, made);
    print_exact(bytes, made->bytes);
    size_t widest = strlen(format);
    for (size_t i = 0; i < made->part_count; i++)
        if (strlen(made->parts[i].kept.name) > widest)
            widest = strlen(made->parts[i].kept.name);
    return REST + (int)widest + (int)strlen(bytes) + BAR + (any_divided(made) ? 7 : 0) <=
           out_width();
}

static void put_row(const memory_budget *made, const char *name, const char *format,
                    const char *bits, const char *share, exact bytes)
{
    style how = strcmp(name, "total") == 0 ? STYLE_NAME : STYLE_PLAIN;
    table_cell(how, name);
    table_cell(how, format);
    table_cell(how, bits);
    if (any_divided(made))
        table_cell(how, share);
    put_sizes(how, bytes);
    if (has_bars(made) && strcmp(name, "total") != 0)
        put_bar(bytes, made->bytes);
    table_row();
}

static void begin_table(const memory_budget *made)
{
    static const char *const heads[] = { "part", "format", "bits", "share", "bytes", "GB", "GiB" };
    table_begin(2);
    for (int i = 0, column = 0; i < 7; i++) {
        if (i == 3 && !any_divided(made))
            continue;
        table_align(column++, i < 2 ? ALIGN_LEFT : ALIGN_RIGHT);
        table_cell(STYLE_DIM, heads[i]);
    }
    table_row();
}

static void draw_parts(const memory_budget *made, const question *asked)
{
    number bits, share;
    begin_table(made);
    for (size_t i = 0; i < made->part_count; i++) {
        const memory_part *part = &made->parts[i];
        print_short(bits, part->bits, 0, 8);
        print_text(share, sizeof share, "%s%s", part->divided ? "1/" : "",
                   part->divided ? asked->devices.text : "1");
        put_row(made, part->name, part->kept.name, bits, share, part->bytes);
    }
    if (made->has_activations) {
        char how[40];
        recompute_text(how, made);
        put_row(made, "activations", how, "", "", made->kept.bytes);
    }
    put_row(made, "total", "", "", "", made->bytes);
    table_flush();
}

/* What is needed against what there is, to scale, with a mark where the device ends. */
static void capacity_bar(const memory_budget *made)
{
    enum { COLUMNS = 40 };
    exact longest = made->fits ? made->capacity : made->bytes;
    int needed = columns_of(made->bytes, longest, COLUMNS);
    int there = columns_of(made->capacity, longest, COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        out(i >= there   ? STYLE_LOST
            : i < needed ? STYLE_GOOD
                         : STYLE_DIM,
            i == there   ? "┃"
            : i < needed ? "█"
                         : "░");
    if (there == COLUMNS)
        out(STYLE_PLAIN, "┃");
}

static void draw_capacity(const memory_budget *made, const question *asked)
{
    number text, spare;
    exact difference =
        made->fits ? minus(made->capacity, made->bytes) : minus(made->bytes, made->capacity);
    out(STYLE_PLAIN, "\n  ");
    capacity_bar(made);
    print_short(text, made->capacity, 9, 6);
    outf(STYLE_PLAIN, " %s%s%s GB\n", asked->device != NULL ? asked->device->name : "",
         asked->device != NULL ? ": " : "", text);
    print_short(spare, difference, 9, 4);
    out(STYLE_PLAIN, "  ");
    if (made->fits)
        outf(STYLE_GOOD, "fits, with %s GB to spare", spare);
    else
        outf(STYLE_LOST, "does not fit: %s GB too much", spare);
    if (asked->parameters.text != NULL && made->has_largest) {
        print_exact(text, made->largest);
        outf(STYLE_PLAIN, "; at most %s parameters do", text);
    }
    out_line();
}

void draw_memory(const memory_budget *made, const question *asked, bool explain)
{
    const char *sentences[MOST_ASSUMPTIONS];
    headline(made, asked);
    draw_parts(made, asked);
    if (made->has_capacity)
        draw_capacity(made, asked);
    if (explain)
        explain_memory(made, asked);
    out_line();
    out_wrapped(2, "GB = 10^9 bytes, GiB = 2^30 bytes.");
    draw_assumptions(sentences, memory_assumptions(sentences, made, asked));
}
