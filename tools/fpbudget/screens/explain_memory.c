/* explain_memory.c - the formulas of a memory budget with the numbers put in
 * SPDX-License-Identifier: MIT */

#include "kit/table.h"
#include "kit/text.h"
#include "screens/items.h"
#include "screens/screens.h"

/* " × 16 / 8": bytes of so many elements; with scales the bits, " × 8 + 4 × 8 bits". */
static void append_bytes(number text, const storage *kept, exact elements, exact tensors)
{
    append_text(text, NUMBER_SIZE, " × %d", kept->width);
    if (kept->block > 0) {
        append_text(text, NUMBER_SIZE, " + ");
        append_exact(text, round_up(over(elements, exact_whole(kept->block))));
        append_text(text, NUMBER_SIZE, " × %d", kept->scale_width);
    }
    if (kept->tensor_width > 0) {
        append_text(text, NUMBER_SIZE, " + ");
        append_exact(text, tensors);
        append_text(text, NUMBER_SIZE, " × %d", kept->tensor_width);
    }
    append_text(text, NUMBER_SIZE, kept->block > 0 ? " bits" : " / 8");
}

static void explain_part(const memory_part *part, const memory_budget *made, const question *asked)
{
    number text = "", count;
    if (part->divided) {
        bool whole = is_whole(over(made->parameters, made->devices));
        append_text(text, sizeof text, "N / %s%s = ", asked->devices.text,
                    whole ? "" : ", rounded up,");
        append_exact(text, part->elements);
        append_text(text, sizeof text, " on a device: ");
        print_exact(count, part->elements);
    } else {
        parameters_text(count, made, asked);
    }
    append_text(text, sizeof text, "%s", count);
    append_bytes(text, &part->kept, part->elements, made->tensors);
    append_text(text, sizeof text, " = ");
    append_exact(text, part->bytes);
    append_text(text, sizeof text, " bytes");
    tell_twice(part->name, part->why, text);
}

/* N × (2 + 2 + 4/64 + 4/64 + 4/64): the bytes of each part for a parameter. */
static void explain_total(const memory_budget *made, const question *asked)
{
    number text = "N × (", count;
    for (size_t i = 0; i < made->part_count; i++) {
        const memory_part *part = &made->parts[i];
        append_text(text, sizeof text, i > 0 ? " + " : "");
        append_short(text, over(part->bits, exact_whole(8)), 0, 10);
        if (part->divided)
            append_text(text, sizeof text, "/%s", asked->devices.text);
    }
    parameters_text(count, made, asked);
    append_text(text, sizeof text, ") = %s × ", count);
    append_short(text, made->bytes_each, 0, 10);
    append_text(text, sizeof text, " bytes%s", made->has_activations ? ", and activations" : "");
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
        table_cell(STYLE_PLAIN, term->name);
        print_text(text, sizeof text, "%d %s", often, term->row->hidden > 0 ? "sbh" : "assb");
        table_cell(STYLE_PLAIN, text + (often == 1 ? 2 : 0));
        table_cell(STYLE_PLAIN, term->kept.name);
        print_short(text, term->bits, 0, 8);
        table_cell(STYLE_PLAIN, text);
        print_exact(text, term->bytes);
        table_cell(STYLE_PLAIN, text);
        table_row();
    }
    table_flush();
}

static void explain_activations(const memory_budget *made, const question *asked)
{
    const activations *kept = &made->kept;
    const char *batch = asked->batch.text != NULL ? asked->batch.text : "1";
    const char *sequence = asked->sequence.text;
    number sbh = "", assb = "", layer = "", all = "";
    append_text(sbh, sizeof sbh, "sequence × batch × hidden = %s × %s × %s = ", sequence, batch,
                asked->hidden.text);
    append_exact(sbh, kept->hidden);
    append_text(assb, sizeof assb,
                "heads × sequence × sequence × batch = %s × %s × %s × %s = ", asked->heads.text,
                sequence, sequence, batch);
    append_exact(assb, kept->scores);
    append_short(layer, kept->bytes_hidden, 0, 8);
    append_text(layer, sizeof layer, " sbh + ");
    append_short(layer, kept->bytes_scores, 0, 8);
    bool whole = compare(plus(times(kept->bytes_hidden, kept->hidden),
                              times(kept->bytes_scores, kept->scores)),
                         kept->layer) == 0;
    append_text(layer, sizeof layer, " assb%s", whole ? " = " : ", in whole blocks ");
    append_exact(layer, kept->layer);
    append_text(layer, sizeof layer, " bytes");
    append_text(all, sizeof all, "%s layers × ", asked->layers.text);
    append_exact(all, kept->layer);
    append_text(all, sizeof all, " = ");
    append_exact(all, kept->bytes);
    append_text(all, sizeof all, " bytes");
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
    append_text(text, sizeof text,
                made->has_activations ? " bytes less activations, over " : " bytes over ");
    append_short(text, made->bytes_each, 0, 10);
    append_text(text, sizeof text, " bytes each: ");
    append_exact(text, made->largest);
    append_text(text, sizeof text, " parameters");
    tell("largest", text);
}

void explain_memory(const memory_budget *made, const question *asked)
{
    if (made->has_parameters) {
        out_line();
        for (size_t i = 0; i < made->part_count; i++)
            explain_part(&made->parts[i], made, asked);
        explain_total(made, asked);
        if (made->has_largest)
            explain_largest(made);
    }
    if (made->has_activations)
        explain_activations(made, asked);
}
