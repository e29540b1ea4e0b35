/* memory_budget.c - what training a model keeps on one device
 * SPDX-License-Identifier: MIT */

#include "facts/memory_budget.h"

#include <string.h>

#include "facts/store.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"

const field part_fields[] = {
    FIELD("part", FIELD_TEXT, memory_part, name),
    FIELD("format", FIELD_STRING, memory_part, kept.name),
    FIELD("bits", FIELD_RATIO, memory_part, bits),
    FIELD("elements", FIELD_RATIO, memory_part, elements),
    FIELD("bytes", FIELD_RATIO, memory_part, bytes),
    FIELD("divided", FIELD_BOOL, memory_part, divided),
    { .name = NULL },
};

static void add_part(memory_budget *made, const question *asked, const part_row *row,
                     const char *group, const char *format)
{
    const char *const names[PART_NAMES] = { row->name, group, NULL };
    memory_part *part = &made->parts[made->part_count];
    if (!storage_of(&part->kept, asked, names, format))
        return;
    part->name = row->name;
    part->why = row->why;
    part->bits = bits_per_element(&part->kept);
    part->divided = (made->recipe->divides & row->divided_with) != 0;
    made->part_count++;
}

static void choose_parts(memory_budget *made, const question *asked)
{
    const optimizer_row *optimizer = made->optimizer;
    const char *state = optimizer->format != NULL ? optimizer->format : made->recipe->state;
    for (size_t i = 0; i < PART_STATE; i++)
        add_part(made, asked, row_at(&part_table, i), NULL, made->recipe->formats[i]);
    for (size_t i = 0; i < MOST_STATES && optimizer->states[i].name != NULL; i++)
        add_part(made, asked, &optimizer->states[i], "state", state);
}

static void choose_activations(memory_budget *made, const question *asked)
{
    storage kept[TERM_COUNT];
    for (size_t i = 0; i < TERM_COUNT; i++) {
        const term_row *term = row_at(&term_table, i);
        bool input = term->role == TERM_INPUT, mask = term->role == TERM_MASK;
        const char *const names[PART_NAMES] = { term->name, mask ? "masks" : "activations",
                                                input ? "inputs" : NULL };
        storage_of(&kept[i], asked, names,
                   mask    ? "int8"
                   : input ? made->recipe->inputs
                           : made->recipe->activations);
    }
    made->shape = (model_shape){ asked->layers.value, asked->hidden.value, asked->heads.value,
                                 asked->sequence.value, amount_or(&asked->batch, 1) };
    made->recompute = asked->recompute != NULL ? asked->recompute->kind : RECOMPUTE_NONE;
    count_activations(&made->kept, &made->shape, made->recompute, kept);
}

/* The bytes of everything on one device, for a model of so many parameters, which may be 0. Each
 * part begins a byte of its own, and its elements and bytes are those of that model from now on. */
static exact bytes_with(memory_budget *made, exact parameters)
{
    exact eight = exact_whole(8), bytes = exact_whole(0);
    exact share = round_up(over(parameters, made->devices));
    for (size_t i = 0; i < made->part_count; i++) {
        memory_part *part = &made->parts[i];
        part->elements = part->divided ? share : parameters;
        part->bytes = round_up(over(bits_of(&part->kept, part->elements, made->tensors), eight));
        bytes = plus(bytes, part->bytes);
    }
    return made->has_activations ? plus(bytes, made->kept.bytes) : bytes;
}

static exact bytes_of_one(const memory_budget *made)
{
    exact eight = exact_whole(8), bytes = exact_whole(0);
    for (size_t i = 0; i < made->part_count; i++) {
        exact each = over(made->parts[i].bits, eight);
        bytes = plus(bytes, made->parts[i].divided ? over(each, made->devices) : each);
    }
    return bytes;
}

static bool fit(memory_budget *made, exact parameters)
{
    return compare(bytes_with(made, parameters), made->capacity) <= 0;
}

/* The largest number of parameters that fit, bit by bit: bytes only grow with parameters, and by a
 * bit and more for so many of them as there are devices, so that some power of 2 does not fit.
 * False if one parameter is too many. */
static bool find_largest(memory_budget *made)
{
    exact two = exact_whole(2), step = exact_whole(1), largest = exact_whole(0);
    while (fit(made, step))
        step = times(step, two);
    while (compare(step, exact_whole(1)) > 0) {
        step = over(step, two);
        exact more_of_them = plus(largest, step);
        if (fit(made, more_of_them))
            largest = more_of_them;
    }
    made->largest = largest;
    return !fpfmt_ratio_is_zero(&largest);
}

static void find_capacity(memory_budget *made, const question *asked)
{
    if (asked->memory.text != NULL)
        made->capacity = asked->memory.value;
    else if (asked->device != NULL)
        made->capacity = times(exact_decimal(asked->device->memory), power_of_ten(9));
    made->has_capacity = asked->memory.text != NULL || asked->device != NULL;
}

/* Is some part kept as the optimizer says, against the recipe? */
static bool keeps_optimizer_format(const memory_budget *made)
{
    for (size_t i = 0; i < made->part_count && made->optimizer->format != NULL; i++)
        if (strcmp(made->parts[i].kept.name, made->optimizer->format) == 0)
            return true;
    return false;
}

static bool has_tensor_scale(const memory_budget *made)
{
    for (size_t i = 0; i < made->part_count; i++)
        if (made->parts[i].kept.tensor_width > 0)
            return true;
    return false;
}

bool count_memory(memory_budget *made, const question *asked)
{
    memset(made, 0, sizeof *made);
    made->recipe =
        asked->recipe != NULL ? asked->recipe : require_row(&recipe_table, "mixed-adamw");
    made->optimizer = asked->optimizer != NULL
                          ? asked->optimizer
                          : require_row(&optimizer_table, made->recipe->optimizer);
    made->devices = amount_or(&asked->devices, 1);
    made->tensors = amount_or(&asked->tensors, 1);
    choose_parts(made, asked);
    if (asked->tensors.text != NULL && !has_tensor_scale(made)) {
        complain("--tensors counts scales of tensors, and no part has any; nvfp4 has");
        return false;
    }
    made->has_activations = asked->layers.text != NULL;
    if (made->has_activations)
        choose_activations(made, asked);
    made->bytes_each = bytes_of_one(made);
    find_capacity(made, asked);
    made->has_largest = made->has_capacity && find_largest(made);
    made->has_parameters = asked->parameters.text != NULL || made->has_largest;
    made->parameters = asked->parameters.text != NULL ? asked->parameters.value
                       : made->has_largest            ? made->largest
                                                      : exact_whole(0);
    if (!made->has_parameters && made->has_capacity) {
        complain("no model fits: %s alone %s more than the device holds",
                 made->has_activations ? "activations" : "one parameter",
                 made->has_activations ? "take" : "takes");
        return false;
    }
    made->bytes = bytes_with(made, made->parameters);
    if (!made->has_parameters)
        made->part_count = 0;
    made->fits = made->has_capacity && compare(made->bytes, made->capacity) <= 0;
    return true;
}

/* A term of all layers, as a part that every device has. */
static memory_part part_of_term(const activation_term *term, exact layers)
{
    return (memory_part){ .name = term->name,
                          .kept = term->kept,
                          .bits = term->bits,
                          .elements = times(layers, term->elements),
                          .bytes = times(layers, term->bytes) };
}

fact_list memory_rows(const memory_budget *made)
{
    size_t terms = made->has_activations ? made->kept.count : 0;
    memory_part *rows = allocate(made->part_count + terms, sizeof *rows);
    for (size_t i = 0; i < made->part_count; i++)
        rows[i] = made->parts[i];
    for (size_t i = 0; i < terms; i++)
        rows[made->part_count + i] = part_of_term(&made->kept.terms[i], made->shape.layers);
    return (fact_list){ rows, made->part_count + terms };
}

void parameters_text(number text, const memory_budget *made, const question *asked)
{
    if (asked->parameters.text != NULL)
        print_text(text, NUMBER_SIZE, "%s", asked->parameters.text);
    else
        print_exact(text, made->parameters);
}

size_t memory_assumptions(const char *sentences[MOST_ASSUMPTIONS], const memory_budget *made,
                          const question *asked)
{
    const struct {
        bool holds;
        const char *sentence;
    } all[] = {
        { made->has_activations && made->has_parameters && asked->parameters.text == NULL,
          "activations are those of the shape given, whatever the number of parameters" },
        { made->has_activations,
          "activations by Korthikanti et al. (arXiv 2205.05198), without embeddings, logits and "
          "loss" },
        { made->has_activations && made->recompute != RECOMPUTE_NONE,
          "the layer that is computed again is not counted" },
        { !made->has_activations,
          "activations are not counted; they need --layers --hidden --heads --sequence" },
        { made->has_parameters && keeps_optimizer_format(made), made->optimizer->assumption },
        { made->has_parameters, made->recipe->assumption },
        { made->has_parameters && has_tensor_scale(made) && asked->tensors.text == NULL,
          "the parameters are one tensor, with one scale" },
        { compare(made->devices, exact_whole(1)) > 0 && made->recipe->divides == 0,
          "each device holds a copy of everything; recipes zero-1 to zero-3 divide it" },
        { made->has_capacity && asked->memory.text == NULL,
          "the memory of the device is in units of 10^9 bytes, all of it free for training" },
        { asked->device != NULL, asked->device != NULL ? asked->device->assumption : NULL },
        { true, "buffers of frameworks, allocators and communication are not counted" },
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].holds && all[i].sentence != NULL)
            sentences[count++] = all[i].sentence;
    return count;
}
