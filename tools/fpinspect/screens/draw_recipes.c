/* draw_recipes.c - recipes side by side, and --explain: how a scale came about, and what others
 * choose SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "facts/block_steps.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"
#include "screens/draw_block.h"
#include "screens/screen.h"
#include "screens/view.h"

/* The scale that a recipe chooses, and what is lost with it. The least of it goes first. */
static void begin_recipes(void)
{
    table_begin(2);
    table_drop(5, 1);
    table_drop(1, 2);
}

static void recipe_line(const quantization *how, const block_facts *block)
{
    number rms, sqnr, value;
    char code[24], counts[COUNTS_SIZE];
    block_loss lost = loss_of(how, block);
    show_counts(counts, &lost);
    show_scale(value, &how->block->scale, fpfmt_decode(&how->block->scale, block->scale.code));
    show_code(code, &how->block->scale, block->scale.code);
    table_cell(STYLE_NAME, how->recipe.name);
    table_cell(STYLE_PLAIN, code);
    table_cell(STYLE_PLAIN, value);
    table_cell(STYLE_WARN, counts);
    if (!show_rms(rms, &lost) && *counts == '\0')
        strcpy(rms, "inexact");
    table_cell(STYLE_PLAIN, is_lossless(&lost) ? "exact" : rms);
    show_sqnr(sqnr, &lost);
    table_cell(STYLE_PLAIN, sqnr);
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
    begin_recipes();
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
        for (size_t r = 0; r < count && !is_gap(plans[r].of, i); r++) {
            make_element(made, &plans[r], &blocks[r], i, in);
            if (r == 0)
                table_cell(STYLE_INPUT, quoted(made->input, strlen(made->input)));
            show_value(text, fpfmt_named("fp32"), made->held, false, LEAD_NONE);
            table_cell(style_of_status(made->status), text);
        }
        if (!is_gap(plans[0].of, i))
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

/* "460 ÷ scale = 460, past 448 by ≈+2.68 %". */
static void show_clip(char *text, size_t size, const quantization *how, const element_facts *made,
                      fpfmt_value bound)
{
    number scaled, limit, percent = "";
    fpfmt_ratio *ratios = allocate(2, sizeof *ratios);
    show_scaled(scaled, made);
    show_value(limit, fpfmt_named("fp32"), bound, false, LEAD_NONE);
    bool inexact = strncmp(scaled, "≈", strlen("≈")) == 0;
    bool known = made->quotient.exists && fpfmt_ratio_from(&ratios[0], bound) &&
                 fpfmt_ratio_subtract(&ratios[1], &made->quotient.ratio, &ratios[0]) &&
                 fpfmt_ratio_divide(&ratios[1], &ratios[1], &ratios[0]);
    if (known) {
        ratios[1].negative = false;
        show_percent(percent, &ratios[1], LEAD_NONE);
    }
    const char *shown = quoted(made->input, strlen(made->input));
    print_text(text, size, "%s %s %s%.40s, past %.40s%s%.20s", shown, step_sign(how),
               inexact ? "" : "= ", scaled, limit, known ? " by " : "", percent);
    release(ratios);
}

/* The first values that the scale clips, and by how much; and how many more there are. */
static void tell_clipped(const quantization *how, const block_facts *block)
{
    enum { NAMED = 4 };
    element_facts *made = allocate(1, sizeof *made);
    input *in = allocate(1, sizeof *in);
    size_t count = 0;
    for (size_t i = block->first; i < block->first + block->count && !block->scale.is_nan; i++) {
        fpfmt_value bound,
            scaled = fpfmt_block_scaled(&how->recipe, &block->scale, how->of->values[i]);
        char text[240], line[280];
        if (is_gap(how->of, i) || !is_clipped(how, scaled, &bound) || ++count > NAMED)
            continue;
        make_element(made, how, block, i, in);
        show_clip(text, sizeof text, how, made, bound);
        print_text(line, sizeof line, "element %zu: %s", i, text);
        out(STYLE_PLAIN, count == 1 ? "  clipped  " : "           ");
        out_wrapped_from(11, 11, line);
    }
    if (count > NAMED) {
        outf(STYLE_PLAIN, "           and %zu more", count - NAMED);
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
    begin_recipes();
    for (size_t i = 0; fpfmt_recipe_at(i) != NULL; i++) {
        quantization other;
        block_facts made;
        if (fpfmt_recipe_defect(how->block, fpfmt_recipe_at(i)) != NULL ||
            !plan_quantization(&other, how->chosen, how->of, how->block, fpfmt_recipe_at(i)->name,
                               how->column))
            continue;
        make_block(&made, &other, block->number);
        recipe_line(&other, &made);
    }
    table_flush();
}

/* What stands before a number: its own ≈, or =. */
static const char *equals(const char *text)
{
    return strncmp(text, "≈", strlen("≈")) == 0 || *text == '\0' ? " " : " = ";
}

/* "amax / M = 460 / 448 ≈1.02679" */
static void put_step(const scale_step *step)
{
    number value = "", line;
    if (step->value.exists)
        show_ratio(value, &step->value.ratio, 9, LEAD_NONE);
    else if (strcmp(step->text, "inf") == 0)
        strcpy(value, "Inf");
    print_text(line, sizeof line, "%s%s%s%s%.60s", step->step, equals(step->numbers), step->numbers,
               equals(value), value);
    out(STYLE_PLAIN, "           ");
    out_wrapped_from(11, 11, line);
}

/* The steps of one scale; the one that is the scale of the block itself says so. */
static void put_steps(const quantization *how, const block_facts *block)
{
    scale_steps *steps = allocate(1, sizeof *steps);
    number scale;
    bool told = how->recipe.rule <= FPFMT_SCALE_EVEN || /* in the sentence before */
                (how->recipe.rule == FPFMT_SCALE_QUOTIENT && !how->has_tensor_scale);
    show_scale(scale, &how->block->scale, fpfmt_decode(&how->block->scale, block->scale.code));
    list_tensor_steps(steps, how);
    list_block_steps(steps, how, block);
    for (size_t i = 0; i < steps->count; i++) {
        bool last = strcmp(steps->rows[i].step, "scale") == 0;
        if (last)
            outf(STYLE_PLAIN, "           so it is %s", scale);
        if (last)
            out_line();
        else if (!told || strncmp(steps->rows[i].step, "tensor", strlen("tensor")) == 0)
            put_step(&steps->rows[i]);
    }
    release(steps);
}

void draw_explanation(const quantization *how, const block_facts *block, bool with_others,
                      bool last)
{
    char rule[RULE_SIZE];
    number amax;
    show_amax(amax, how, block);
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
    put_steps(how, block);
    tell_clipped(how, block);
    if (with_others)
        tell_others(how, block);
    if (!last)
        out_line();
}
