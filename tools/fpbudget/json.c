/* json.c - a budget as JSON: every number exact, and a text
 * SPDX-License-Identifier: MIT */

#include <stdio.h>

#include "members.h"
#include "view.h"

static void begin(const char *command)
{
    printf("{\"schema\": \"fpbudget/1\", \"command\": \"%s\"", command);
}

/* The next member begins a line. */
static const char *const next_line = ",\n ";

static void end(const char *const sentences[], size_t count)
{
    printf("%s\"assumptions\": [", next_line);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",\n  " : "\n  ", stdout);
        text_item(sentences[i]);
    }
    fputs("]}\n", stdout);
}

/* The members that every kept thing has. */
static void json_kept(const char *what, const char *name, const storage *kept, exact elements,
                      exact bytes)
{
    const char *comma = "";
    putchar('{');
    text_member(&comma, what, name);
    text_member(&comma, "format", kept->name);
    exact_member(&comma, "bits", true, bits_per_element(kept));
    exact_member(&comma, "elements", true, elements);
    exact_member(&comma, "bytes", true, bytes);
}

static void json_activations(const memory_budget *made)
{
    const recompute_row *how = row_at(&recompute_table, made->recompute);
    const char *comma = next_line;
    name_member(&comma, "activations");
    if (!made->has_activations) {
        fputs("null", stdout);
        return;
    }
    comma = "";
    putchar('{');
    text_member(&comma, "recompute", how->name);
    exact_member(&comma, "layers", true, made->shape.layers);
    exact_member(&comma, "layer_bytes", true, made->kept.layer);
    exact_member(&comma, "bytes", true, made->kept.bytes);
    fputs(",\n  \"terms\": [", stdout);
    for (size_t i = 0; i < made->kept.count; i++) {
        const activation_term *term = &made->kept.terms[i];
        fputs(i > 0 ? ",\n   " : "\n   ", stdout);
        json_kept("term", term->row->name, &term->kept, term->elements, term->bytes);
        putchar('}');
    }
    fputs("]}", stdout);
}

static void json_parts(const memory_budget *made)
{
    const char *comma = next_line;
    name_member(&comma, "parts");
    putchar('[');
    for (size_t i = 0; i < made->part_count; i++) {
        const memory_part *part = &made->parts[i];
        fputs(i > 0 ? ",\n  " : "\n  ", stdout);
        json_kept("part", part->name, &part->kept, part->elements, part->bytes);
        comma = ", ";
        bool_member(&comma, "divided", part->divided);
        putchar('}');
    }
    putchar(']');
}

static void json_capacity(const memory_budget *made, const options *chosen)
{
    const char *comma = next_line;
    name_member(&comma, "device");
    if (!made->has_capacity) {
        fputs("null", stdout);
        return;
    }
    comma = "";
    putchar('{');
    text_member(&comma, "name", chosen->device != NULL ? chosen->device->name : NULL);
    exact_member(&comma, "bytes", true, made->capacity);
    bool_member(&comma, "fits", made->fits);
    exact_member(&comma, "largest", made->has_largest, made->largest);
    putchar('}');
}

void json_memory(const memory_budget *made, const options *chosen)
{
    const char *sentences[MOST_ASSUMPTIONS], *comma = next_line;
    begin("memory");
    text_member(&comma, "recipe", made->recipe->name);
    text_member(&comma, "optimizer", made->optimizer->name);
    exact_member(&comma, "parameters", made->has_parameters, made->parameters);
    exact_member(&comma, "devices", true, made->devices);
    json_parts(made);
    json_activations(made);
    comma = next_line;
    exact_member(&comma, "bytes_each", made->has_parameters, made->bytes_each);
    exact_member(&comma, "bytes", true, made->bytes);
    json_capacity(made, chosen);
    end(sentences, memory_assumptions(sentences, made, chosen));
}

static void json_passes(const flops_budget *made, const options *chosen)
{
    const char *comma = next_line;
    exact_member(&comma, "parameters", !made->is_matmul, chosen->parameters.value);
    exact_member(&comma, "tokens", made->has_tokens, chosen->tokens.value);
    comma = next_line;
    name_member(&comma, "passes");
    putchar('[');
    for (size_t i = 0; i < made->pass_count; i++) {
        const pass *now = &made->passes[i];
        number formula;
        pass_text(formula, now, made, "N", "L h s");
        printf(i > 0 ? ",\n  {" : "\n  {");
        comma = "";
        text_member(&comma, "pass", now->row->name);
        text_member(&comma, "formula", formula);
        exact_member(&comma, "flops_per_token", true, now->each);
        exact_member(&comma, "flops", made->has_tokens, now->all);
        putchar('}');
    }
    putchar(']');
}

static void json_product(const matmul *made)
{
    const char *comma = next_line;
    name_member(&comma, "axes");
    putchar('[');
    for (size_t i = 0; i < made->count; i++) {
        const axis *one = &made->axes[i];
        printf(i > 0 ? ",\n  {" : "\n  {");
        comma = "";
        text_member(&comma, "axis", one->name);
        exact_member(&comma, "size", one->size.text != NULL, one->size.value);
        bool_member(&comma, "summed", is_summed(one));
        putchar('}');
    }
    putchar(']');
    comma = next_line;
    exact_member(&comma, "flops", made->sized, made->flops);
}

void json_flops(const flops_budget *made, const options *chosen)
{
    const char *sentences[MOST_ASSUMPTIONS], *comma = next_line;
    begin("flops");
    if (made->is_matmul)
        json_product(&made->product);
    else
        json_passes(made, chosen);
    text_member(&comma, "device", chosen->device != NULL ? chosen->device->name : NULL);
    exact_member(&comma, "devices", made->has_peak, made->devices);
    exact_member(&comma, "peak", made->has_peak, made->peak);
    comma = next_line;
    exact_member(&comma, "mfu", made->has_mfu, made->mfu);
    exact_member(&comma, "hfu", made->has_mfu && made->pass_count == PASS_COUNT, made->hfu);
    exact_member(&comma, "seconds", made->has_time, made->seconds);
    end(sentences, flops_assumptions(sentences, made, chosen));
}
