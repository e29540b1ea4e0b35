/* view_flops.c - the screen of fpbudget flops
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "view.h"

void view_item(const char *name, style how, const char *text)
{
    enum { INDENT = 2, COLUMN = 15 };
    int at = INDENT + width_of(name);
    printf("%*s", INDENT, "");
    out(how, name);
    if (at + 2 > COLUMN) {
        out_line();
        at = 0;
    }
    printf("%*s", COLUMN - at, "");
    out_wrapped_from(COLUMN, COLUMN, text);
}

void view_assumptions(const char *const sentences[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        view_item(i == 0 ? "assumed" : "", STYLE_DIM, sentences[i]);
}

void time_text(number text, exact seconds)
{
    static const struct {
        uint64_t seconds;
        const char *name;
    } units[] = { { 86400, "days" }, { 3600, "hours" }, { 60, "minutes" }, { 1, "seconds" } };
    size_t i = 0;
    while (i < 3 && compare(seconds, exact_whole(units[i].seconds)) < 0)
        i++;
    print_short(text, over(seconds, exact_whole(units[i].seconds)), 0, 5);
    append(text, " %s", units[i].name);
}

void peak_text(number text, const flops_budget *made, const options *chosen)
{
    const char *of = chosen->compute != NULL ? chosen->compute->name : "bf16";
    print_short(text, made->peak, 12, 12);
    strcat(text, " TFLOP/s");
    if (chosen->peak.text == NULL)
        append(text, ", dense %s of %s", of, chosen->device->name);
}

void pass_text(number text, const pass *now, const flops_budget *made, const char *parameters,
               const char *attention)
{
    bool both = now->row->of_parameters > 0 && made->has_attention;
    *text = '\0';
    if (now->row->of_parameters > 0)
        append(text, "%d %s", now->row->of_parameters, parameters);
    if (made->has_attention)
        append(text, "%s%d %s", both ? " + " : "", now->row->of_attention, attention);
}

static void view_passes(const flops_budget *made)
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
        table_cell(how, now->row->name);
        pass_text(text, now, made, "N", "L h s");
        table_cell(how, text);
        print_exact(text, now->each);
        table_cell(how, text);
        if (made->has_tokens) {
            print_exact(text, now->all);
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

static void view_share(const flops_budget *made, const options *chosen, bool measured)
{
    number text;
    print_short(text, made->mfu, 0, 4);
    if (measured)
        append(text, ", at %s tokens a second", chosen->speed.text);
    put_line("MFU", STYLE_PLAIN, text);
    if (measured)
        put_line("", compare(made->mfu, exact_decimal("0.5")) < 0 ? STYLE_WARN : STYLE_GOOD,
                 mfu_verdict(made));
    if (made->pass_count == PASS_COUNT) {
        print_short(text, made->hfu, 0, 4);
        put_line("HFU", STYLE_PLAIN, text);
    }
}

static void view_run(const flops_budget *made, const options *chosen)
{
    number text;
    bool many = compare(made->devices, exact_whole(1)) > 0;
    out_line();
    table_begin(2);
    peak_text(text, made, chosen);
    if (many) {
        append(text, ", × %s = ", chosen->devices.text);
        append_short(text, times(made->peak, made->devices), 15, 12);
        append(text, " PFLOP/s");
    }
    put_line("peak", STYLE_PLAIN, text);
    if (made->has_mfu)
        view_share(made, chosen, chosen->speed.text != NULL);
    if (made->has_time) {
        time_text(text, made->seconds);
        append(text, ", ");
        append_short(text, over(times(made->seconds, made->devices), exact_whole(3600)), 0, 5);
        append(text, " device-hours");
        put_line("time", STYLE_INPUT, text);
    }
    table_flush();
}

static void headline(const flops_budget *made, const options *chosen)
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
        outf(STYLE_INPUT, "%s", chosen->parameters.text);
        out(STYLE_PLAIN, " parameters");
        if (made->has_tokens)
            outf(STYLE_PLAIN, ", %s tokens", chosen->tokens.text);
        print_exact(text, made->passes[PASS_MODEL].all);
        if (made->has_tokens)
            outf(STYLE_PLAIN, ": %s FLOPs", text);
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
    if (is_summed(one))
        return "in both operands: they are multiplied along it and summed";
    return left && right ? "in both operands and the result: one product for each"
           : left        ? "in the left operand and the result"
                         : "in the right operand and the result";
}

static void view_product(const matmul *made)
{
    number text, formula = "2";
    table_begin(2);
    table_align(1, ALIGN_RIGHT);
    for (size_t i = 0; i < made->count; i++) {
        const axis *one = &made->axes[i];
        print_exact(text, one->size.value);
        table_cell(STYLE_NAME, one->name);
        table_cell(STYLE_PLAIN, made->sized ? text : "");
        table_cell(is_summed(one) ? STYLE_WARN : STYLE_PLAIN, place_of(one));
        table_row();
        append(formula, " × %s", made->sized ? one->size.text : one->name);
    }
    table_flush();
    print_exact(text, made->flops);
    if (made->sized)
        append(formula, " = %s", text);
    out_line();
    out_wrapped(2, formula);
}

void view_flops(const flops_budget *made, const options *chosen)
{
    const char *sentences[MOST_ASSUMPTIONS];
    headline(made, chosen);
    if (made->is_matmul)
        view_product(&made->product);
    else
        view_passes(made);
    if (made->has_peak)
        view_run(made, chosen);
    if (chosen->explain)
        explain_flops(made, chosen);
    out_line();
    view_assumptions(sentences, flops_assumptions(sentences, made, chosen));
}
