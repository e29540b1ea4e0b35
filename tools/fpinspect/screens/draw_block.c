/* draw_block.c - a block: its scale and where that comes from, and a row for each element
 * SPDX-License-Identifier: MIT */

#include "screens/draw_block.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/blocks.h"
#include "kit/memory.h"
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
        outf(STYLE_PLAIN, "   %zu %s, ", block->count, block->count == 1 ? "element" : "elements");
    else
        outf(STYLE_PLAIN, "   %zu of %" PRIu32 " elements, ", block->count, how->block->size);
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

static style style_of_status(unsigned status)
{
    switch (status) {
    case FPFMT_OUTCOME_EXACT: return STYLE_GOOD;
    case FPFMT_OUTCOME_INEXACT: return STYLE_PLAIN;
    case FPFMT_OUTCOME_SUBNORMAL: return STYLE_WARN;
    default: return STYLE_LOST;
    }
}

static const char *step_sign(const quantization *how)
{
    return how->recipe.step == FPFMT_STEP_PRODUCT ? "× 1/scale" : "÷ scale";
}

static void headings(const quantization *how)
{
    char fields[40];
    bool plain = how->block->book == NULL;
    name_fields(fields, &how->block->element);
    table_begin(2);
    table_align(0, ALIGN_RIGHT);
    table_drop(0, 1); /* a place is counted, if need be */
    table_drop(2, 4);
    table_drop(3, 2);
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
    snprintf(text, NUMBER_SIZE, "%.40s", made->input);
    table_cell(STYLE_INPUT, text);
    if (made->scaled.exists)
        show_ratio(text, &made->scaled.ratio, 6, LEAD_NONE);
    else
        show_value(text, single, made->scaled_value.value, false, LEAD_NONE);
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
    number loss;
    char bits[40], fields[40], line[200];
    block_loss lost = loss_of(how, block);
    show_loss(loss, &lost);
    show_block_bits(bits, how->block);
    name_fields(fields, &how->block->element);
    out_line();
    out_hang(2);
    outf(STYLE_PLAIN, "  %s%s%s bits per value%s", loss, *loss != '\0' ? "   " : "", bits,
         how->block->size == FPFMT_BLOCK_ALL ? "" : " in a full block");
    out_line();
    bool has_fields = how->block->book == NULL && how->block->element.exponent_bits > 0;
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

/* ---- recipes side by side ---- */

static void recipe_line(const quantization *how, const block_facts *block)
{
    number loss, value;
    char code[24], clipped[40] = "";
    block_loss lost = loss_of(how, block);
    show_loss(loss, &lost);
    show_scale(value, &how->block->scale, fpfmt_decode(&how->block->scale, block->scale.code));
    show_code(code, &how->block->scale, block->scale.code);
    table_cell(STYLE_NAME, how->recipe.name);
    table_cell(STYLE_PLAIN, code);
    table_cell(STYLE_PLAIN, value);
    if (lost.clipped > 0)
        snprintf(clipped, sizeof clipped, "%zu clipped", lost.clipped);
    table_cell(STYLE_WARN, clipped);
    table_cell(STYLE_PLAIN, *loss != '\0' ? loss : "exact");
    table_row();
}

void draw_recipes(const quantization *plans, size_t count, size_t number_of_block, bool last)
{
    block_facts *blocks = allocate(count, sizeof *blocks);
    element_facts *made = allocate(1, sizeof *made);
    input *in = allocate(1, sizeof *in);
    number text;
    for (size_t r = 0; r < count; r++)
        make_block(&blocks[r], &plans[r], number_of_block);
    out(STYLE_NAME, plans[0].block->name);
    if (blocks_of(&plans[0]) > 1)
        outf(STYLE_PLAIN, "   block %zu", number_of_block);
    out_line();
    out_line();
    table_begin(2);
    table_drop(4, 1);
    for (size_t r = 0; r < count; r++)
        recipe_line(&plans[r], &blocks[r]);
    table_flush();
    out_line();
    table_begin(2);
    table_cell(STYLE_DIM, "input");
    for (size_t r = 0; r < count; r++)
        table_cell(STYLE_DIM, plans[r].recipe.name);
    table_row();
    for (size_t i = blocks[0].first; i < blocks[0].first + blocks[0].count; i++) {
        for (size_t r = 0; r < count; r++) {
            make_element(made, &plans[r], &blocks[r], i, in);
            if (r == 0)
                table_cell(STYLE_INPUT, made->input);
            show_value(text, fpfmt_named("fp32"), made->held, false, LEAD_NONE);
            table_cell(style_of_status(made->status), text);
        }
        table_row();
    }
    table_flush();
    if (!last)
        out_line();
    release_input(in);
    release(in);
    release(made);
    release(blocks);
}

/* ---- --explain ---- */

/* Which values the scale clips, and by how much. */
static void tell_clipped(const quantization *how, const block_facts *block)
{
    element_facts *made = allocate(1, sizeof *made);
    input *in = allocate(1, sizeof *in);
    number held, percent;
    for (size_t i = block->first; i < block->first + block->count; i++) {
        make_element(made, how, block, i, in);
        if (made->status != FPFMT_OUTCOME_SATURATED || !made->error.exists ||
            fpfmt_ratio_is_zero(&made->error.ratio))
            continue;
        show_value(held, fpfmt_named("fp32"), made->held, false, LEAD_NONE);
        *percent = '\0';
        if (made->relative.exists)
            show_percent(percent, &made->relative.ratio, LEAD_SIGN);
        outf(STYLE_PLAIN, "  clipped  element %zu: %.40s becomes %s, %s", i, made->input, held,
             percent);
        out_line();
    }
    release_input(in);
    release(in);
    release(made);
}

/* What every recipe that fits would choose for this block. */
static void tell_others(const quantization *how, const block_facts *block)
{
    out_line();
    out(STYLE_DIM, "  What each recipe that fits would choose:");
    out_line();
    table_begin(2);
    table_drop(4, 1);
    for (size_t i = 0; fpfmt_recipe_at(i) != NULL; i++) {
        quantization other = *how;
        block_facts made;
        if (fpfmt_recipe_defect(how->block, fpfmt_recipe_at(i)) != NULL)
            continue;
        other.recipe = *fpfmt_recipe_at(i);
        make_block(&made, &other, block->number);
        recipe_line(&other, &made);
    }
    table_flush();
}

void draw_explanation(const quantization *how, const block_facts *block, bool with_others,
                      bool last)
{
    char rule[RULE_SIZE];
    number amax, scale;
    show_amax(amax, how, block);
    show_scale(scale, &how->block->scale, fpfmt_decode(&how->block->scale, block->scale.code));
    tell_rule(rule, how, block);
    out(STYLE_NAME, how->block->name);
    outf(STYLE_PLAIN, " by %s", how->recipe.name);
    if (blocks_of(how) > 1)
        outf(STYLE_PLAIN, "   block %zu", block->number);
    out_line();
    out_line();
    outf(STYLE_PLAIN, "  amax     %s, of element %zu", amax, block->extreme_at);
    out_line();
    out(STYLE_PLAIN, "  scale    ");
    out_wrapped_from(11, 11, rule);
    outf(STYLE_PLAIN, "           so it is %s", scale);
    out_line();
    tell_clipped(how, block);
    if (with_others)
        tell_others(how, block);
    if (!last)
        out_line();
}
