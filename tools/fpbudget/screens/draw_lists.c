/* draw_lists.c - the tables that options choose from
 * SPDX-License-Identifier: MIT */

#include "facts/lists.h"

#include "kit/table.h"
#include "kit/text.h"
#include "screens/screens.h"

static void put_heads(const char *const heads[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_cell(STYLE_DIM, heads[i]);
    table_row();
}

static void put_cell(const char *text)
{
    table_cell(STYLE_PLAIN, text != NULL ? text : "-");
}

void draw_recipes(const fact_list *facts)
{
    static const char *const heads[] = { "recipe", "weights", "copies", "gradients",
                                         "master", "state",   "what" };
    const recipe_facts *rows = facts->rows;
    table_begin(0);
    put_heads(heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < facts->count; i++) {
        const recipe_row *row = &rows[i].row;
        table_cell(STYLE_NAME, row->name);
        put_cell(row->formats[PART_PARAMETERS]);
        put_cell(row->formats[PART_COPY]);
        put_cell(row->formats[PART_GRADIENTS]);
        put_cell(row->formats[PART_MASTER]);
        put_cell(row->state);
        put_cell(row->summary);
        table_row();
    }
    table_flush();
}

void draw_optimizers(const fact_list *facts)
{
    const optimizer_facts *rows = facts->rows;
    table_begin(0);
    for (size_t i = 0; i < facts->count; i++) {
        const optimizer_row *row = &rows[i].row;
        const char *first = row->states[0].name, *second = row->states[1].name;
        char states[64];
        print_text(states, sizeof states, "%s%s%s", first != NULL ? first : "no state",
                   second != NULL ? ", " : "", second != NULL ? second : "");
        table_cell(STYLE_NAME, row->name);
        put_cell(states);
        put_cell(row->format != NULL ? row->format : "");
        put_cell(row->summary);
        table_row();
    }
    table_flush();
}

void draw_devices(const fact_list *facts)
{
    static const char *const heads[] = { "device", "fp32", "tf32", "bf16", "fp16",
                                         "fp8",    "fp4",  "GB",   "GB/s", "source" };
    enum { HEADS = sizeof heads / sizeof heads[0] };
    const device_row *rows = facts->rows;
    table_begin(0);
    table_gutter(1);
    for (int column = 1; column < HEADS - 1; column++)
        table_align(column, ALIGN_RIGHT);
    put_heads(heads, HEADS);
    for (size_t i = 0; i < facts->count; i++) {
        table_cell(STYLE_NAME, rows[i].name);
        for (size_t n = 0; n < PEAK_COUNT; n++)
            put_cell(rows[i].peak[n]);
        put_cell(rows[i].memory);
        put_cell(rows[i].bandwidth);
        put_cell(rows[i].source);
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(
        0,
        "Peaks in dense TFLOP/s. GB and GB/s are of the memory. What is marked / 2 is "
        "printed sparse there, twice these, but for fp32 and for the fp4 of b300. a100 means a100-80, "
        "and v100 means v100-32.");
}

void draw_blocks(const fact_list *facts)
{
    const block_facts *rows = facts->rows;
    number bits;
    table_begin(0);
    for (size_t i = 0; i < facts->count; i++) {
        print_short(bits, rows[i].bits, 0, 12);
        table_cell(STYLE_NAME, rows[i].name);
        put_cell(rows[i].grammar);
        put_cell(bits);
        put_cell(rows[i].title);
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(0,
                "Bits are of an element in a whole block, its part of the scale included. Formats "
                "without scales are those of fpinspect --list-formats.");
}
