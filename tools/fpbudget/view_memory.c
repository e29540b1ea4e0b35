/* view_memory.c - the screen of fpbudget memory
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "view.h"

void parameters_text(number text, const memory_budget *made, const options *chosen)
{
    if (chosen->parameters.text != NULL)
        snprintf(text, NUMBER_SIZE, "%s", chosen->parameters.text);
    else
        print_exact(text, made->parameters);
}

const char *device_name(const options *chosen)
{
    return chosen->device != NULL ? chosen->device->name : "a device";
}

static void headline(const memory_budget *made, const options *chosen)
{
    number text = "";
    out(STYLE_NAME, "memory");
    printf("   ");
    if (made->has_parameters) {
        number count;
        parameters_text(count, made, chosen);
        append(text, "%s%s parameter%s, %s", chosen->parameters.text != NULL ? "" : "at most ",
               count, compare(made->parameters, exact_whole(1)) == 0 ? "" : "s",
               made->recipe->name);
        if (strcmp(made->optimizer->name, made->recipe->optimizer) != 0)
            append(text, " with %s", made->optimizer->name);
        if (chosen->devices.text != NULL)
            append(text, ", on each of %s devices", chosen->devices.text);
        append(text, ": ");
        append_short(text, made->bytes_each, 0, 10);
        append(text, " bytes each, ");
    } else {
        append(text, "activations alone: ");
    }
    append_short(text, made->bytes, 9, 4);
    append(text, made->has_parameters && made->has_activations ? " GB with activations" : " GB");
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
    snprintf(text, 40, "%s%s", recomputes ? "recompute " : "", recomputes ? how->name : "");
}

/* Bars stand where the other columns leave room for them. */
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

static void view_parts(const memory_budget *made, const options *chosen)
{
    number bits, share;
    begin_table(made);
    for (size_t i = 0; i < made->part_count; i++) {
        const memory_part *part = &made->parts[i];
        print_short(bits, bits_per_element(&part->kept), 0, 8);
        snprintf(share, sizeof share, "%s%s", part->divided ? "1/" : "",
                 part->divided ? chosen->devices.text : "1");
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

static void view_capacity(const memory_budget *made, const options *chosen)
{
    number text, spare;
    exact difference =
        made->fits ? minus(made->capacity, made->bytes) : minus(made->bytes, made->capacity);
    out(STYLE_PLAIN, "\n  ");
    capacity_bar(made);
    print_short(text, made->capacity, 9, 6);
    outf(STYLE_PLAIN, " %s%s%s GB\n", chosen->device != NULL ? chosen->device->name : "",
         chosen->device != NULL ? ": " : "", text);
    print_short(spare, difference, 9, 4);
    out(STYLE_PLAIN, "  ");
    if (made->fits)
        outf(STYLE_GOOD, "fits, with %s GB to spare", spare);
    else
        outf(STYLE_LOST, "does not fit: %s GB too much", spare);
    if (chosen->parameters.text != NULL && made->has_largest) {
        print_exact(text, made->largest);
        outf(STYLE_PLAIN, "; at most %s parameters do", text);
    }
    out_line();
}

void view_memory(const memory_budget *made, const options *chosen)
{
    const char *sentences[MOST_ASSUMPTIONS];
    headline(made, chosen);
    view_parts(made, chosen);
    if (made->has_capacity)
        view_capacity(made, chosen);
    if (chosen->explain)
        explain_memory(made, chosen);
    out_line();
    out_wrapped(2, "GB = 10^9 bytes, GiB = 2^30 bytes.");
    view_assumptions(sentences, memory_assumptions(sentences, made, chosen));
}
