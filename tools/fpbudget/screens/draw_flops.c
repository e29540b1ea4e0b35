/* draw_flops.c - the screen of fpbudget flops
 * SPDX-License-Identifier: MIT */

#include "kit/table.h"
#include "kit/text.h"
#include "screens/items.h"
#include "screens/screens.h"

/* Seconds as "≈143.94 days", in the largest unit of which there is one. */
static void time_text(number text, exact seconds)
{
    static const struct {
        uint64_t seconds;
        const char *name;
    } units[] = { { 86400, "days" }, { 3600, "hours" }, { 60, "minutes" }, { 1, "seconds" } };
    size_t i = 0;
    while (i < 3 && compare(seconds, exact_whole(units[i].seconds)) < 0)
        i++;
    print_short(text, over(seconds, exact_whole(units[i].seconds)), 0, 5);
    append_text(text, NUMBER_SIZE, " %s", units[i].name);
}

/* What a device may do at the most, with the format of its products where the table says so. */
static void peak_text(number text, const flops_budget *made, const question *asked)
{
    print_short(text, made->peak, 12, 12);
    append_text(text, NUMBER_SIZE, " TFLOP/s");
    if (asked->peak.text == NULL)
        append_text(text, NUMBER_SIZE, ", dense %s of %s", compute_of(asked)->name,
                    asked->device->name);
}

static void draw_passes(const flops_budget *made)
{
    number text;
    table_begin(2);
    table_align(2, ALIGN_RIGHT);
    table_align(3, ALIGN_RIGHT);
    table_cell(STYLE_DIM, "pass");
    table_cell(STYLE_DIM, "formula");
    table_cell(STYLE_DIM, "FLOPs a token");
    if (made->has_tokens)
        table_cell(STYLE_DIM, "FLOPs in all");
    table_row();
    for (size_t i = 0; i < made->pass_count; i++) {
        const pass *now = &made->passes[i];
        style how = i == PASS_MODEL || i == PASS_HARDWARE ? STYLE_NAME : STYLE_PLAIN;
        table_cell(how, now->name);
        table_cell(how, now->formula);
        print_exact(text, now->each.ratio);
        table_cell(how, text);
        if (made->has_tokens) {
            print_exact(text, now->all.ratio);
            table_cell(how, text);
        }
        table_row();
    }
    table_flush();
}

static void put_line(const char *name, style how, const char *text)
{
    table_cell(STYLE_DIM, name);
    table_cell(how, text);
    table_row();
}

static void draw_share(const flops_budget *made, const question *asked, bool measured)
{
    number text;
    print_short(text, made->mfu, 0, 4);
    if (measured)
        append_text(text, sizeof text, ", at %s tokens a second", asked->speed.text);
    put_line("MFU", STYLE_PLAIN, text);
    if (measured)
        put_line("", is_good_mfu(made) ? STYLE_GOOD : STYLE_WARN, mfu_verdict(made));
    if (made->pass_count == PASS_COUNT) {
        print_short(text, made->hfu, 0, 4);
        put_line("HFU", STYLE_PLAIN, text);
    }
}

static void draw_run(const flops_budget *made, const question *asked)
{
    number text;
    bool many = compare(made->devices, exact_whole(1)) > 0;
    out_line();
    table_begin(2);
    peak_text(text, made, asked);
    if (many) {
        append_text(text, sizeof text, ", × %s = ", asked->devices.text);
        append_short(text, times(made->peak, made->devices), 15, 12);
        append_text(text, sizeof text, " PFLOP/s");
    }
    put_line("peak", STYLE_PLAIN, text);
    if (made->has_mfu)
        draw_share(made, asked, asked->speed.text != NULL);
    if (made->has_time) {
        time_text(text, made->seconds);
        append_text(text, sizeof text, ", ");
        append_short(text, over(times(made->seconds, made->devices), exact_whole(3600)), 0, 5);
        append_text(text, sizeof text, " device-hours");
        put_line("time", STYLE_INPUT, text);
    }
    table_flush();
}

static void headline(const flops_budget *made, const question *asked)
{
    number text;
    out(STYLE_NAME, "flops");
    out(STYLE_PLAIN, "   ");
    if (made->is_matmul) {
        print_exact(text, made->product.flops);
        if (made->product.sized)
            outf(STYLE_INPUT, "%s FLOPs", text);
        else
            out(STYLE_INPUT, "2 FLOPs for each way through the axes");
    } else {
        outf(STYLE_INPUT, "%s", asked->parameters.text);
        out(STYLE_PLAIN, " parameters");
        if (made->has_tokens) {
            print_exact(text, made->passes[PASS_MODEL].all.ratio);
            outf(STYLE_PLAIN, ", %s tokens: %s FLOPs", asked->tokens.text, text);
        }
    }
    if (made->has_time) {
        time_text(text, made->seconds);
        outf(STYLE_PLAIN, ", %s", text);
    }
    out(STYLE_PLAIN, "\n\n");
}

/* Which tensors have the axis, and what becomes of it. */
static const char *place_of(const axis *one)
{
    bool left = (one->in & IN_LEFT) != 0, right = (one->in & IN_RIGHT) != 0;
    if (one->summed)
        return "in both operands: they are multiplied along it and summed";
    return left && right ? "in both operands and the result: one product for each"
           : left        ? "in the left operand and the result"
                         : "in the right operand and the result";
}

static void draw_product(const matmul *made)
{
    number text, formula = "2";
    table_begin(2);
    table_align(1, ALIGN_RIGHT);
    for (size_t i = 0; i < made->count; i++) {
        const axis *one = &made->axes[i];
        table_cell(STYLE_NAME, one->name);
        *text = '\0';
        if (made->sized)
            print_exact(text, one->size.ratio);
        table_cell(STYLE_PLAIN, text);
        table_cell(one->summed ? STYLE_WARN : STYLE_PLAIN, place_of(one));
        table_row();
        append_text(formula, sizeof formula, " × %s", made->sized ? one->size_text : one->name);
    }
    table_flush();
    print_exact(text, made->flops);
    if (made->sized)
        append_text(formula, sizeof formula, " = %s", text);
    out_line();
    out_wrapped(2, formula);
}

void draw_flops(const flops_budget *made, const question *asked, bool explain)
{
    const char *sentences[MOST_ASSUMPTIONS];
    headline(made, asked);
    if (made->is_matmul)
        draw_product(&made->product);
    else
        draw_passes(made);
    if (made->has_peak)
        draw_run(made, asked);
    if (explain)
        explain_flops(made, asked);
    out_line();
    draw_assumptions(sentences, flops_assumptions(sentences, made, asked));
}
