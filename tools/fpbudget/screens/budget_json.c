/* budget_json.c - a budget as JSON: every number exact, and a text
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/json.h"
#include "kit/run.h"
#include "kit/text.h"
#include "screens/screens.h"

/* Line breaks, each with the indent of what follows: a member of the whole, an element of its
 * lists, and members and elements inside the activations. */
static const char member_line[] = "\n ", element_line[] = "\n  ";
static const char inner_member_line[] = "\n  ", inner_element_line[] = "\n   ";

static json_writer begin(const char *command)
{
    json_writer to = json_to(this_run()->out);
    json_members(&to);
    json_member(&to, "schema", "fpbudget/1");
    json_member(&to, "command", command);
    return to;
}

static void end(json_writer *to, const char *const sentences[], size_t count)
{
    json_gap(to, member_line);
    json_name(to, "assumptions");
    json_list(to);
    for (size_t i = 0; i < count; i++) {
        json_gap(to, element_line);
        json_text(to, sentences[i]);
    }
    json_end(to, "");
    json_end(to, "");
    putc('\n', to->to);
}

/* A member that is a number, or null where there is none; it begins a line behind a gap. */
static void put_exact(json_writer *to, const char *name, bool exists, exact value)
{
    number text;
    if (exists)
        print_exact(text, value);
    json_member(to, name, exists ? text : NULL);
}

/* A member that programs compute with: a decimal, which is rounded to 17 digits where none ends,
 * and beside it, as NAME_fraction, p/q in that case, else null. */
static void put_number(json_writer *to, const char *name, bool exists, exact value)
{
    number text, fraction, beside;
    bool ends = true;
    if (exists) {
        print_exact(fraction, value);
        ends = strchr(fraction, '/') == NULL;
        if (ends)
            print_text(text, sizeof text, "%s", fraction);
        else
            fpfmt_print_rounded(text, sizeof text, &value, SHOWN_DIGITS, NULL);
    }
    print_text(beside, sizeof beside, "%s_fraction", name);
    json_member(to, name, exists ? text : NULL);
    json_member(to, beside, ends ? NULL : fraction);
}

/* A member that is a list of structs with a schema, each in a line of its own. */
static void put_list(json_writer *to, const char *name, const field *schema, fact_list facts,
                     size_t size, const char *line)
{
    json_name(to, name);
    json_list(to);
    for (size_t i = 0; i < facts.count; i++) {
        json_gap(to, line);
        json_facts(to, schema, (const char *)facts.rows + i * size);
    }
    json_end(to, "");
}

static void put_activations(json_writer *to, const memory_budget *made)
{
    const recompute_row *how = row_at(&recompute_table, made->recompute);
    fact_list terms = { made->kept.terms, made->kept.count };
    json_gap(to, member_line);
    json_name(to, "activations");
    if (!made->has_activations) {
        json_text(to, NULL);
        return;
    }
    json_members(to);
    json_member(to, "recompute", how->name);
    put_exact(to, "layers", true, made->shape.layers);
    put_exact(to, "layer_bytes", true, made->kept.layer);
    put_exact(to, "bytes", true, made->kept.bytes);
    json_gap(to, inner_member_line);
    put_list(to, "terms", term_fields, terms, sizeof(activation_term), inner_element_line);
    json_end(to, "");
}

static void put_capacity(json_writer *to, const memory_budget *made, const question *asked)
{
    json_gap(to, member_line);
    json_name(to, "device");
    if (!made->has_capacity) {
        json_text(to, NULL);
        return;
    }
    json_members(to);
    json_member(to, "name", asked->device != NULL ? asked->device->name : NULL);
    put_exact(to, "bytes", true, made->capacity);
    json_name(to, "fits");
    json_bool(to, made->fits);
    put_exact(to, "largest", made->has_largest, made->largest);
    json_end(to, "");
}

void json_memory(const memory_budget *made, const question *asked)
{
    const char *sentences[MOST_ASSUMPTIONS];
    fact_list parts = { made->parts, made->part_count };
    json_writer to = begin("memory");
    json_gap(&to, member_line);
    json_member(&to, "recipe", made->recipe->name);
    json_member(&to, "optimizer", made->optimizer->name);
    put_exact(&to, "parameters", made->has_parameters, made->parameters);
    put_exact(&to, "devices", true, made->devices);
    json_gap(&to, member_line);
    put_list(&to, "parts", part_fields, parts, sizeof(memory_part), element_line);
    put_activations(&to, made);
    json_gap(&to, member_line);
    put_number(&to, "bytes_each", made->has_parameters, made->bytes_each);
    put_exact(&to, "bytes", true, made->bytes);
    put_capacity(&to, made, asked);
    end(&to, sentences, memory_assumptions(sentences, made, asked));
}

static void put_passes(json_writer *to, const flops_budget *made, const question *asked)
{
    fact_list passes = { made->passes, made->pass_count };
    json_gap(to, member_line);
    put_exact(to, "parameters", true, asked->parameters.value);
    put_exact(to, "tokens", made->has_tokens, asked->tokens.value);
    json_gap(to, member_line);
    put_list(to, "passes", pass_fields, passes, sizeof(pass), element_line);
}

static void put_product(json_writer *to, const matmul *product)
{
    fact_list axes = { product->axes, product->count };
    json_gap(to, member_line);
    put_list(to, "axes", axis_fields, axes, sizeof(axis), element_line);
    json_gap(to, member_line);
    put_exact(to, "flops", product->sized, product->flops);
}

void json_flops(const flops_budget *made, const question *asked)
{
    const char *sentences[MOST_ASSUMPTIONS];
    json_writer to = begin("flops");
    if (made->is_matmul)
        put_product(&to, &made->product);
    else
        put_passes(&to, made, asked);
    json_gap(&to, member_line);
    json_member(&to, "device", asked->device != NULL ? asked->device->name : NULL);
    put_exact(&to, "devices", made->has_peak, made->devices);
    put_exact(&to, "peak", made->has_peak, made->peak);
    json_gap(&to, member_line);
    put_number(&to, "mfu", made->has_mfu, made->mfu);
    put_number(&to, "hfu", made->has_mfu && made->pass_count == PASS_COUNT, made->hfu);
    put_number(&to, "seconds", made->has_time, made->seconds);
    end(&to, sentences, flops_assumptions(sentences, made, asked));
}
