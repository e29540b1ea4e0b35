/* draw_block.c - a block: its scale and where that comes from, and a row for each element
 * SPDX-License-Identifier: MIT */

#include "screens/draw_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/blocks.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"
#include "screens/screen.h"
#include "screens/view.h"

static void put_scale(const quantization *how, const block_facts *block)
{
    const fpfmt_format *format = &how->block->scale;
    number value;
    char code[24], bits[72];
    int width = fpfmt_measure(format).width;
    show_scale(value, format, fpfmt_decode(format, block->scale.code));
    show_code(code, format, block->scale.code);
    show_bits(bits, block->scale.code, 0, width);
    outf(STYLE_PLAIN, "scale %s%s%s, %s", width <= 8 ? bits : "", width <= 8 ? " " : "", code,
         value);
    if (how->has_tensor_scale) {
        show_value(value, fpfmt_named("fp32"), fpfmt_from_f32(how->tensor_scale.decode), false,
                   LEAD_NONE);
        outf(STYLE_PLAIN, " × tensor scale %s", value);
    }
}

/* The block's name, length and scale, and why; what does not fit goes on below. */
static void headline(const quantization *how, const block_facts *block)
{
    char rule[RULE_SIZE];
    number amax;
    out_hang(2);
    out(STYLE_NAME, how->block->name);
    if (blocks_of(how) > 1)
        outf(STYLE_PLAIN, "   block %zu", block->number);
    if (how->block->size == FPFMT_BLOCK_ALL)
        outf(STYLE_PLAIN, "   %zu %s, ", block->read, block->read == 1 ? "element" : "elements");
    else
        outf(STYLE_PLAIN, "   %zu of %" PRIu32 " elements%s, ", block->read, how->block->size,
             how->block->rows > 1 ? " in one row of a tile" : "");
    put_scale(how, block);
    show_amax(amax, how, block);
    tell_rule(rule, how, block);
    char *reason = allocate(1, NUMBER_SIZE);
    snprintf(reason, NUMBER_SIZE, "amax %.60s: %s", amax, rule);
    if (width_of(reason) + 3 > out_left()) {
        out_line();
        out_wrapped(2, reason);
    } else {
        outf(STYLE_DIM, "   %s", reason);
        out_line();
    }
    release(reason);
    out_line();
}

/* "s ee f" */
static void name_fields(char text[40], const fpfmt_format *format)
{
    *text = '\0';
    const struct {
        int count;
        char letter;
    } parts[] = { { format->sign_bits, 's' },
                  { format->exponent_bits, 'e' },
                  { format->fraction_bits, 'f' } };
    size_t n = 0;
    for (int i = 0; i < 3; i++) {
        if (parts[i].count > 0 && n > 0)
            text[n++] = ' ';
        for (int k = 0; k < parts[i].count && n < 38; k++)
            text[n++] = parts[i].letter;
    }
    text[n] = '\0';
}

style style_of_status(unsigned status)
{
    switch (status) {
    case FPFMT_OUTCOME_EXACT: return STYLE_GOOD;
    case FPFMT_OUTCOME_INEXACT: return STYLE_PLAIN;
    case FPFMT_OUTCOME_SUBNORMAL: return STYLE_WARN;
    default: return STYLE_LOST;
    }
}

const char *step_sign(const quantization *how)
{
    return how->recipe.step == FPFMT_STEP_PRODUCT ? "× 1/scale" : "÷ scale";
}

enum { FIELDS_COLUMN = 3 };

static void headings(const quantization *how)
{
    char fields[40];
    bool plain = how->block->book == NULL;
    name_fields(fields, &how->block->element);
    table_begin(2);
    table_align(0, ALIGN_RIGHT);
    table_drop(0, 1); /* a place is counted, if need be */
    table_drop(2, 4);
    table_drop(FIELDS_COLUMN, 2);
    table_drop(5, 3);
    table_cell(STYLE_DIM, "i");
    table_cell(STYLE_DIM, "input");
    table_cell(STYLE_DIM, step_sign(how));
    table_cell(STYLE_DIM, plain ? fields : "bits");
    table_cell(STYLE_DIM, "code");
    table_cell(STYLE_DIM, "element");
    table_cell(STYLE_DIM, "stored");
    table_cell(STYLE_DIM, "error");
    table_cell(STYLE_DIM, "status");
    table_row();
}

static fpfmt_value element_value(const quantization *how, uint64_t code)
{
    return how->block->book != NULL ? fpfmt_book_decode(how->block->book, code)
                                    : fpfmt_decode(&how->block->element, code);
}

static void element_row(const quantization *how, const element_facts *made)
{
    number text;
    char code[24], bits[SPACED_SIZE], status[64];
    const fpfmt_format *single = fpfmt_named("fp32");
    snprintf(code, sizeof code, "%" PRIu64, made->index);
    table_cell(STYLE_DIM, code);
    table_cell(STYLE_INPUT, quoted(made->input, strlen(made->input)));
    show_scaled(text, made);
    table_cell(STYLE_PLAIN, text);
    spaced_bits(bits, &how->block->element, made->element.code);
    table_cell(STYLE_PLAIN, bits);
    table_cell(STYLE_PLAIN, show_code(code, &how->block->element, made->element.code));
    show_value(text, how->block->book != NULL ? single : &how->block->element,
               element_value(how, made->element.code), false, LEAD_NONE);
    table_cell(STYLE_PLAIN, text);
    show_value(text, single, made->held, false, LEAD_NONE);
    table_cell(STYLE_PLAIN, text);
    *text = '\0';
    if (made->relative.exists)
        show_percent(text, &made->relative.ratio, LEAD_HANG_SIGN);
    else if (made->error.exists && fpfmt_ratio_is_zero(&made->error.ratio))
        strcpy(text, " 0");
    table_cell(STYLE_PLAIN, text);
    describe_element(status, how, made);
    table_cell(style_of_status(made->status), status);
    table_row();
}

/* What the whole block lost, and what its letters mean. */
static void tail_of_block(const quantization *how, const block_facts *block)
{
    number rms, sqnr;
    char bits[40], fields[40], line[200], counts[COUNTS_SIZE];
    block_loss lost = loss_of(how, block);
    const char *pieces[] = { counts, rms, sqnr };
    show_counts(counts, &lost);
    show_rms(rms, &lost);
    show_sqnr(sqnr, &lost);
    show_block_bits(bits, how->block);
    name_fields(fields, &how->block->element);
    out_line();
    out_hang(2);
    outf(STYLE_PLAIN, "  ");
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
        outf(STYLE_PLAIN, "%s%s", pieces[i], *pieces[i] != '\0' ? "   " : "");
    outf(STYLE_PLAIN, "%s bits per value%s", bits,
         how->block->size == FPFMT_BLOCK_ALL ? "" : " in a full block");
    out_line();
    bool has_fields = how->block->book == NULL && how->block->element.exponent_bits > 0 &&
                      table_shows(FIELDS_COLUMN);
    snprintf(line, sizeof line, "%s%sSee also --explain and --list-blocks.",
             has_fields ? fields : "", has_fields ? ": sign, exponent, fraction (mantissa). " : "");
    out_wrapped(2, line);
}

void draw_block(const quantization *how, const block_facts *block, bool last)
{
    element_facts *made = allocate(1, sizeof *made);
    input *in = allocate(1, sizeof *in);
    headline(how, block);
    headings(how);
    for (size_t i = block->first; i < block->first + block->count; i++) {
        if (is_gap(how->of, i))
            continue;
        make_element(made, how, block, i, in);
        element_row(how, made);
    }
    table_flush();
    tail_of_block(how, block);
    if (!last)
        out_line();
    release_input(in);
    release(in);
    release(made);
}
