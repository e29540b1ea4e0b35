/* lists.c - help, and the tables that options choose from
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "../fpinspect/out.h"
#include "options.h"
#include "storage.h"

static void list_options(const char *title, unsigned jobs)
{
    option_help told;
    char name[40];
    printf("%s\n", title);
    for (size_t i = 0; option_at(&told, i); i++) {
        if (told.jobs != jobs)
            continue;
        snprintf(name, sizeof name, "--%s%s%s", told.name, told.takes != NULL ? "=" : "",
                 told.takes != NULL ? told.takes : "");
        printf("  %-23s %s\n", name, told.summary);
    }
}

void print_help(void)
{
    fputs("Usage: fpbudget memory [OPTION]...\n"
          "       fpbudget flops [OPTION]...\n"
          "What training a model keeps and computes, exactly.\n"
          "  fpbudget memory --params 7e9 --recipe mixed-adamw --device h100\n"
          "  fpbudget memory --device h100 --devices 8 --recipe zero-3\n"
          "  fpbudget flops --params 70e9 --tokens 15e12 --device h100 --devices 1024\n"
          "  fpbudget flops --matmul 'batch=8 seq=2048 hidden=4096, hidden out=11008'\n"
          "Numbers: 7e9, 7B, 15T, 4096, 2^20; K M B T are powers of 1000.\n",
          stdout);
    list_options("Both:", JOB_MEMORY | JOB_FLOPS);
    list_options("Memory:", JOB_MEMORY);
    list_options("Flops:", JOB_FLOPS);
    list_options("Display and lists:", 0);
    fputs("In parentheses: what holds without the option. Manual: fpbudget(1).\n", stdout);
}

void list_recipes(void)
{
    static const char *const heads[] = { "recipe", "weights", "copies", "gradients",
                                         "master", "state",   "what" };
    table_begin(0);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        table_cell(STYLE_DIM, heads[i]);
    table_row();
    for (size_t i = 0; i < recipe_table.count; i++) {
        const recipe_row *row = row_at(&recipe_table, i);
        const char *const cells[] = { row->formats[PART_PARAMETERS], row->formats[PART_COPY],
                                      row->formats[PART_GRADIENTS], row->formats[PART_MASTER],
                                      row->state };
        table_cell(STYLE_NAME, row->name);
        for (size_t n = 0; n < sizeof cells / sizeof cells[0]; n++)
            table_cell(STYLE_PLAIN, cells[n] != NULL ? cells[n] : "-");
        table_cell(STYLE_PLAIN, row->summary);
        table_row();
    }
    table_flush();
}

void list_optimizers(void)
{
    char state[64];
    table_begin(0);
    for (size_t i = 0; i < optimizer_table.count; i++) {
        const optimizer_row *row = row_at(&optimizer_table, i);
        const char *first = row->states[0].name, *second = row->states[1].name;
        snprintf(state, sizeof state, "%s%s%s", first != NULL ? first : "no state",
                 second != NULL ? ", " : "", second != NULL ? second : "");
        table_cell(STYLE_NAME, row->name);
        table_cell(STYLE_PLAIN, state);
        table_cell(STYLE_PLAIN, row->format != NULL ? row->format : "");
        table_cell(STYLE_PLAIN, row->summary);
        table_row();
    }
    table_flush();
}

static void put_figure(const char *text)
{
    table_cell(STYLE_PLAIN, text != NULL ? text : "-");
}

void list_devices(void)
{
    static const char *const heads[] = { "device", "fp32", "tf32", "bf16",  "fp8",
                                         "fp4",    "GB",   "GB/s", "source" };
    table_begin(0);
    for (int i = 0; i < 9; i++) {
        table_align(i, i > 0 && i < 8 ? ALIGN_RIGHT : ALIGN_LEFT);
        table_cell(STYLE_DIM, heads[i]);
    }
    table_row();
    for (size_t i = 0; i < device_table.count; i++) {
        const device_row *row = row_at(&device_table, i);
        table_cell(STYLE_NAME, row->name);
        for (size_t n = 0; n < PEAK_COUNT; n++)
            put_figure(row->peak[n]);
        put_figure(row->memory);
        put_figure(row->bandwidth);
        table_cell(STYLE_PLAIN, row->source);
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(0, "Peaks in dense TFLOP/s; bf16 is fp16 too. GB and GB/s are of the memory. The "
                   "HGX table prints sparse figures, twice these.");
}

void list_formats(void)
{
    number bits;
    table_begin(0);
    for (size_t i = 0; i < block_table.count; i++) {
        const block_row *row = row_at(&block_table, i);
        storage kept;
        if (!find_storage(&kept, row->name))
            continue;
        print_short(bits, bits_per_element(&kept), 0, 12);
        table_cell(STYLE_NAME, row->name);
        table_cell(STYLE_PLAIN, row->grammar);
        table_cell(STYLE_PLAIN, bits);
        table_cell(STYLE_PLAIN, row->summary);
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(0,
                "Bits are of an element in a whole block, its part of the scale included. Formats "
                "without scales are those of fpinspect --list-formats.");
}
