/* explain.c - the formulas of a budget with the numbers put in
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "view.h"

static void tell(const char *name, const char *text)
{
    view_item(name, STYLE_NAME, text);
}

/* What is meant, and below it how much that is. */
static void tell_twice(const char *name, const char *why, const char *text)
{
    tell(name, why);
    tell("", text);
}

/* " × 16 / 8": bytes of so many elements, scales included. */
static void append_bytes(number text, const storage *kept, exact elements, exact tensors)
{
    append(text, " × %d", kept->width);
    if (kept->block > 0) {
        append(text, " + ");
        append_exact(text, round_up(over(elements, exact_whole(kept->block))));
        append(text, " × %d", kept->scale_width);
    }
    if (kept->tensor_width > 0) {
        append(text, " + ");
        append_exact(text, tensors);
        append(text, " × %d", kept->tensor_width);
    }
    append(text, kept->block > 0 ? " bits" : " / 8");
}

static void explain_part(const memory_part *part, const memory_budget *made, const options *chosen)
{
    number text = "", count;
    if (part->divided) {
        bool whole = is_whole(over(made->parameters, made->devices));
        append(text, "N / %s%s = ", chosen->devices.text, whole ? "" : ", rounded up,");
        append_exact(text, part->elements);
        append(text, " on a device: ");
        print_exact(count, part->elements);
    } else {
        parameters_text(count, made, chosen);
    }
    append(text, "%s", count);
    append_bytes(text, &part->kept, part->elements, made->tensors);
    append(text, " = ");
    append_exact(text, part->bytes);
    append(text, " bytes");
    tell_twice(part->name, part->why, text);
}

/* N × (2 + 2 + 4/64 + 4/64 + 4/64) */
static void explain_total(const memory_budget *made, const options *chosen)
{
    number text = "N × (", count;
    for (size_t i = 0; i < made->part_count; i++) {
        const memory_part *part = &made->parts[i];
        append(text, i > 0 ? " + " : "");
        append_short(text, over(bits_per_element(&part->kept), exact_whole(8)), 0, 10);
        if (part->divided)
            append(text, "/%s", chosen->devices.text);
    }
    parameters_text(count, made, chosen);
    append(text, ") = %s × ", count);
    append_short(text, made->bytes_each, 0, 10);
    append(text, " bytes%s", made->has_activations ? ", and activations" : "");
    tell("together", text);
}

static void explain_terms(const memory_budget *made)
{
    number text;
    const activations *kept = &made->kept;
    table_begin(2);
    for (int column = 1; column < 6; column++)
        table_align(column, column == 2 ? ALIGN_LEFT : ALIGN_RIGHT);
    static const char *const heads[] = { "of one layer", "elements", "format", "bits", "bytes" };
    for (size_t i = 0; i < 5; i++)
        table_cell(STYLE_DIM, heads[i]);
    table_row();
    for (size_t i = 0; i < kept->count; i++) {
        const activation_term *term = &kept->terms[i];
        int often = term->row->hidden + term->row->scores;
        table_cell(STYLE_PLAIN, term->row->name);
        snprintf(text, sizeof text, "%d %s", often, term->row->hidden > 0 ? "sbh" : "assb");
        table_cell(STYLE_PLAIN, text + (often == 1 ? 2 : 0));
        table_cell(STYLE_PLAIN, term->kept.name);
        print_short(text, bits_per_element(&term->kept), 0, 8);
        table_cell(STYLE_PLAIN, text);
        print_exact(text, term->bytes);
        table_cell(STYLE_PLAIN, text);
        table_row();
    }
    table_flush();
}

static void explain_activations(const memory_budget *made, const options *chosen)
{
    const activations *kept = &made->kept;
    const char *batch = chosen->batch.text != NULL ? chosen->batch.text : "1";
    const char *sequence = chosen->sequence.text;
    number sbh = "", assb = "", layer = "", all = "";
    append(sbh, "sequence × batch × hidden = %s × %s × %s = ", sequence, batch,
           chosen->hidden.text);
    append_exact(sbh, kept->hidden);
    append(assb, "heads × sequence × sequence × batch = %s × %s × %s × %s = ", chosen->heads.text,
           sequence, sequence, batch);
    append_exact(assb, kept->scores);
    append_short(layer, kept->bytes_hidden, 0, 8);
    append(layer, " sbh + ");
    append_short(layer, kept->bytes_scores, 0, 8);
    bool whole = compare(plus(times(kept->bytes_hidden, kept->hidden),
                              times(kept->bytes_scores, kept->scores)),
                         kept->layer) == 0;
    append(layer, " assb%s", whole ? " = " : ", in whole blocks ");
    append_exact(layer, kept->layer);
    append(layer, " bytes");
    append(all, "%s layers × ", chosen->layers.text);
    append_exact(all, kept->layer);
    append(all, " = ");
    append_exact(all, kept->bytes);
    append(all, " bytes");
    out_line();
    explain_terms(made);
    out_line();
    tell("sbh", sbh);
    tell("assb", assb);
    tell("layer", layer);
    tell("activations", all);
}

/* What fits: the capacity over what a parameter takes, rounded down to whole blocks and shares. */
static void explain_largest(const memory_budget *made)
{
    number text = "";
    append_exact(text, made->capacity);
    append(text, made->has_activations ? " bytes less activations, over " : " bytes over ");
    append_short(text, made->bytes_each, 0, 10);
    append(text, " bytes each: ");
    append_exact(text, made->largest);
    append(text, " parameters");
    tell("largest", text);
}

void explain_memory(const memory_budget *made, const options *chosen)
{
    if (made->has_parameters) {
        out_line();
        for (size_t i = 0; i < made->part_count; i++)
            explain_part(&made->parts[i], made, chosen);
        explain_total(made, chosen);
        if (made->has_largest)
            explain_largest(made);
    }
    if (made->has_activations)
        explain_activations(made, chosen);
}

static void explain_pass(const pass *now, const flops_budget *made, const options *chosen)
{
    number text, attention = "", parameters = "";
    append(parameters, "× %s", chosen->parameters.text);
    if (made->has_attention)
        append(attention, "× %s × %s × %s", chosen->layers.text, chosen->hidden.text,
               chosen->sequence.text);
    pass_text(text, now, made, parameters, attention);
    append(text, " = ");
    append_exact(text, now->each);
    if (made->has_tokens) {
        append(text, "; × %s = ", chosen->tokens.text);
        append_exact(text, now->all);
    }
    tell_twice(now->row->name, now->row->why, text);
}

/* Of a run that was measured. */
static void explain_speed(const flops_budget *made, const options *chosen, const char *devices)
{
    number text = "";
    append(text, "%s tokens a second × ", chosen->speed.text);
    append_exact(text, made->passes[PASS_MODEL].each);
    append(text, " / (%s × ", devices);
    append_exact(text, made->peak);
    append(text, ")");
    append_result(text, made->mfu, 10);
    tell("MFU", text);
    if (!made->has_time)
        return;
    *text = '\0';
    append(text, "%s / %s", chosen->tokens.text, chosen->speed.text);
    append_result(text, made->seconds, 10);
    append(text, " seconds");
    tell("time", text);
}

static void explain_time(const flops_budget *made, const options *chosen, const char *devices)
{
    number text = "";
    append_exact(text, made->is_matmul ? made->product.flops : made->passes[PASS_MODEL].all);
    append(text, " / (%s × ", devices);
    append_exact(text, made->peak);
    append(text, " × %s)", chosen->mfu.text != NULL ? chosen->mfu.text : "0.5");
    append_result(text, made->seconds, 10);
    append(text, " seconds");
    tell("time", text);
}

void explain_flops(const flops_budget *made, const options *chosen)
{
    out_line();
    for (size_t i = 0; i < made->pass_count; i++)
        explain_pass(&made->passes[i], made, chosen);
    if (made->is_matmul) {
        tell("why names", "a name says which axes meet: what is in both operands and not in the "
                          "result is summed, and no position or transpose has to be remembered");
        tell("backward", "the gradients of the two operands each cost as many FLOPs: twice this");
    }
    const char *devices = chosen->devices.text != NULL ? chosen->devices.text : "1";
    if (chosen->speed.text != NULL)
        explain_speed(made, chosen, devices);
    else if (made->has_time)
        explain_time(made, chosen, devices);
}
