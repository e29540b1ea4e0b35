/* draw_block_lists.c - the tables of block formats, recipes and code books
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "facts/block_lists.h"
#include "kit/blocks.h"
#include "kit/table.h"
#include "screens/draw_block.h"
#include "screens/screen.h"
#include "screens/view.h"

void draw_blocks(const request *chosen, const fact_list *list)
{
    static const char *const titles[] = { "block", "element", "scale",  "tensor",
                                          "size",  "bits",    "recipe", "what" };
    const block_format_facts *rows = list->rows;
    (void)chosen;
    table_begin(0);
    table_drop(3, 2);
    table_drop(7, 1);
    table_drop(6, 3);
    table_drop(2, 4);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        table_cell(STYLE_DIM, titles[i]);
    table_row();
    for (size_t i = 0; i < list->count; i++) {
        char bits[40];
        show_block_bits(bits, rows[i].of);
        table_cell(STYLE_NAME, rows[i].name);
        table_cell(STYLE_PLAIN, rows[i].element);
        table_cell(STYLE_PLAIN, rows[i].scale);
        table_cell(STYLE_PLAIN, rows[i].tensor != NULL ? rows[i].tensor : "");
        table_cell(STYLE_PLAIN, rows[i].size);
        table_cell(STYLE_PLAIN, bits);
        table_cell(STYLE_PLAIN, rows[i].recipe);
        table_cell(STYLE_DIM, rows[i].title);
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(0, "Your own: ELEMENT@SCALE/SIZE, as e2m1@e8m0/32, e2m1@e4m3@fp32/16 with a scale "
                   "of the tensor too, e4m3@fp32/128x128, e4m3@fp32/channel, nf4@fp32/64. Bits are "
                   "those per value of a full block.");
}

void draw_recipe_list(const request *chosen, const fact_list *list)
{
    const recipe_facts *rows = list->rows;
    (void)chosen;
    table_begin(0);
    for (size_t i = 0; i < list->count; i++) {
        char special[80];
        table_cell(STYLE_NAME, rows[i].name);
        table_cell(STYLE_PLAIN, rows[i].summary);
        table_row();
        snprintf(special, sizeof special, "zero=%s nan=%s inf=%s", rows[i].zero, rows[i].nan,
                 rows[i].infinite);
        table_cell(STYLE_DIM, "");
        table_cell(STYLE_DIM, special);
        table_row();
        table_cell(STYLE_DIM, "");
        table_cell(STYLE_DIM, rows[i].source);
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(0, "M is the largest element, S the inverse of the tensor's scale. Options of "
                   "special blocks stand behind a name, as rceil:inf=nan:zero=one; the words are "
                   "zero=rule|least|one|zeros, nan=scale|element, inf=nan|max|rule, "
                   "subnormal=keep|flush.");
}

void draw_book(const request *chosen, const fact_list *list)
{
    static const char *const titles[] = { "code", "bits", "value", "hexadecimal",
                                          "threshold to the next" };
    const book_facts *rows = list->rows;
    number text;
    char code[24], bits[72];
    out(STYLE_NAME, chosen->book->name);
    outf(STYLE_PLAIN, "   %s", chosen->book->title);
    out_line();
    out_line();
    table_begin(2);
    table_drop(1, 2);
    table_drop(3, 1);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        table_cell(STYLE_DIM, titles[i]);
    table_row();
    for (size_t i = 0; i < list->count; i++) {
        table_cell(STYLE_PLAIN, show_code(code, rows[i].code.format, rows[i].code.code));
        table_cell(STYLE_PLAIN, show_bits(bits, rows[i].code.code, 0, chosen->book->width));
        fpfmt_print_exact(text, sizeof text, rows[i].value);
        table_cell(STYLE_NAME, text);
        table_cell(STYLE_DIM, rows[i].hexfloat);
        *text = '\0';
        if (rows[i].threshold.exists)
            fpfmt_print_exact(text, sizeof text, rows[i].threshold.value);
        table_cell(STYLE_DIM, text);
        table_row();
    }
    table_flush();
    out_line();
    out_wrapped(2, chosen->book->on_takes_upper
                       ? "A value on a threshold goes to the entry above."
                       : "A value on a threshold goes to the entry below, nearer to zero where "
                         "codes have a sign.");
}

static void put_fact(const char *name, const char *text)
{
    table_cell(STYLE_DIM, name);
    table_cell(STYLE_PLAIN, text);
    table_row();
}

static void put_number(const char *name, const fpfmt_format *format, fpfmt_value value)
{
    number text;
    show_value(text, format, value, false, LEAD_NONE);
    put_fact(name, text);
}

void draw_block_info(const request *chosen, const fact_list *list)
{
    const block_format_facts *of = list->rows;
    const fpfmt_format *wide = fpfmt_named("fp64");
    char text[160];
    (void)chosen;
    out(STYLE_NAME, of->name);
    if (of->title != NULL)
        outf(STYLE_PLAIN, "   %s", of->title);
    out_line();
    out_line();
    table_begin(2);
    put_fact("element", of->element);
    put_fact("scale", of->scale);
    if (of->tensor != NULL)
        put_fact("tensor scale", of->tensor);
    snprintf(text, sizeof text, "%s%s", of->size,
             of->of->size == FPFMT_BLOCK_ALL ? ": one scale for all of it" : " elements a scale");
    put_fact("block", text);
    show_block_bits(text, of->of);
    strcat(text, of->of->size == FPFMT_BLOCK_ALL ? " per value, and a scale for all"
                                                 : " per value of a full block");
    put_fact("bits", text);
    put_fact("recipe", of->recipe);
    put_number("largest", wide, of->largest);
    put_number("smallest", wide, of->smallest);
    put_number("in one block", wide, of->widest);
    table_flush();
    out_line();
    if (of->tensor != NULL)
        out_wrapped(2, "Largest and smallest are times the tensor's scale.");
    out_wrapped(2, "In one block: its largest value over its smallest above 0. What is further "
                   "below the largest than that becomes 0, or the smallest.");
}

void draw_codes(const fpfmt_block *block, const tensor *of, const uint64_t *codes,
                const uint64_t *scales, const fpfmt_tensor_scale *whole)
{
    number text;
    char code[24], bits[SPACED_SIZE];
    const fpfmt_format *single = fpfmt_named("fp32");
    out(STYLE_NAME, block->name);
    outf(STYLE_PLAIN, "   %zu %s", of->read, of->read == 1 ? "code" : "codes");
    out_line();
    out_line();
    table_begin(2);
    table_drop(2, 1);
    static const char *const titles[] = { "i", "code", "bits", "element", "scale", "value" };
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        table_cell(STYLE_DIM, titles[i]);
    table_row();
    for (size_t i = 0; i < of->count; i++) {
        if (is_gap(of, i))
            continue;
        uint64_t scale = scales[block->size == FPFMT_BLOCK_ALL ? 0 : i / block->size];
        fpfmt_value stored = fpfmt_block_stored(block, scale, whole);
        snprintf(text, sizeof text, "%zu", i);
        table_cell(STYLE_DIM, text);
        table_cell(STYLE_INPUT, show_code(code, &block->element, codes[i]));
        spaced_bits(bits, &block->element, codes[i]);
        table_cell(STYLE_PLAIN, bits);
        show_value(text, single,
                   block->book != NULL ? fpfmt_book_decode(block->book, codes[i])
                                       : fpfmt_decode(&block->element, codes[i]),
                   false, LEAD_NONE);
        table_cell(STYLE_PLAIN, text);
        show_scale(text, &block->scale, stored);
        table_cell(STYLE_PLAIN, text);
        show_value(text, single, fpfmt_block_decode(block, codes[i], stored), false, LEAD_NONE);
        table_cell(STYLE_NAME, text);
        table_row();
    }
    table_flush();
}
