/* memory.c - what training a model keeps on one device
 * SPDX-License-Identifier: MIT */

#include "memory.h"

#include <string.h>

#include "../fpinspect/say.h"
#include "combinations.h"
#include "store.h"

static exact amount_or(const amount *given, uint64_t otherwise)
{
    return given->text != NULL ? given->value : exact_whole(otherwise);
}

static void add_part(memory_budget *made, const options *chosen, const part_row *row,
                     const char *group, const char *format)
{
    const char *const names[PART_NAMES] = { row->name, group, NULL };
    memory_part *part = &made->parts[made->part_count];
    if (!storage_of(&part->kept, chosen, names, format))
        return;
    part->name = row->name;
    part->why = row->why;
    part->divided = (made->recipe->divides & row->divided_with) != 0;
    made->part_count++;
}

static void choose_parts(memory_budget *made, const options *chosen)
{
    const optimizer_row *optimizer = made->optimizer;
    const char *state = optimizer->format != NULL ? optimizer->format : made->recipe->state;
    for (size_t i = 0; i < PART_STATE; i++)
        add_part(made, chosen, row_at(&part_table, i), NULL, made->recipe->formats[i]);
    for (size_t i = 0; i < 2 && optimizer->states[i].name != NULL; i++)
        add_part(made, chosen, &optimizer->states[i], "state", state);
}

static void choose_activations(memory_budget *made, const options *chosen)
{
    storage kept[TERM_COUNT];
    for (size_t i = 0; i < TERM_COUNT; i++) {
        const term_row *term = row_at(&term_table, i);
        bool input = term->role == TERM_INPUT, mask = term->role == TERM_MASK;
        const char *const names[PART_NAMES] = { term->name, mask ? "masks" : "activations",
                                                input ? "inputs" : NULL };
        storage_of(&kept[i], chosen, names,
                   mask    ? "int8"
                   : input ? made->recipe->inputs
                           : made->recipe->activations);
    }
    made->shape = (model_shape){ chosen->layers.value, chosen->hidden.value, chosen->heads.value,
                                 chosen->sequence.value, amount_or(&chosen->batch, 1) };
    made->recompute = chosen->recompute != NULL ? chosen->recompute->kind : RECOMPUTE_NONE;
    count_activations(&made->kept, &made->shape, made->recompute, kept);
}

/* The bytes of everything on one device, for a model of so many parameters; 0 for none. */
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
        exact each = over(bits_per_element(&made->parts[i].kept), eight);
        bytes = plus(bytes, made->parts[i].divided ? over(each, made->devices) : each);
    }
    return bytes;
}

/* The largest number of parameters whose bytes the capacity holds, by halves: bytes only grow with
 * parameters. False if one is too many. */
static bool find_largest(memory_budget *made)
{
    uint64_t fits = 0, too_many = UINT64_C(1) << 62;
    while (too_many - fits > 1) {
        uint64_t middle = fits + (too_many - fits) / 2;
        if (compare(bytes_with(made, exact_whole(middle)), made->capacity) <= 0)
            fits = middle;
        else
            too_many = middle;
    }
    made->largest = exact_whole(fits);
    return fits > 0;
}

static void find_capacity(memory_budget *made, const options *chosen)
{
    if (chosen->memory.text != NULL)
        made->capacity = chosen->memory.value;
    else if (chosen->device != NULL)
        made->capacity = times(exact_decimal(chosen->device->memory), power_of_ten(9));
    made->has_capacity = chosen->memory.text != NULL || chosen->device != NULL;
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

bool count_memory(memory_budget *made, const options *chosen)
{
    memset(made, 0, sizeof *made);
    made->recipe =
        chosen->recipe != NULL ? chosen->recipe : require_row(&recipe_table, "mixed-adamw");
    made->optimizer = chosen->optimizer != NULL
                          ? chosen->optimizer
                          : require_row(&optimizer_table, made->recipe->optimizer);
    made->devices = amount_or(&chosen->devices, 1);
    made->tensors = amount_or(&chosen->tensors, 1);
    choose_parts(made, chosen);
    if (chosen->tensors.text != NULL && !has_tensor_scale(made)) {
        complain("--tensors counts scales of tensors, and no part has any; nvfp4 has");
        return false;
    }
    made->has_activations = has_shape(chosen);
    if (made->has_activations)
        choose_activations(made, chosen);
    made->bytes_each = bytes_of_one(made);
    find_capacity(made, chosen);
    made->has_largest = made->has_capacity && find_largest(made);
    made->has_parameters = chosen->parameters.text != NULL || made->has_largest;
    made->parameters = chosen->parameters.text != NULL ? chosen->parameters.value
                       : made->has_largest             ? made->largest
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

size_t memory_assumptions(const char *sentences[MOST_ASSUMPTIONS], const memory_budget *made,
                          const options *chosen)
{
    const struct {
        bool holds;
        const char *sentence;
    } all[] = {
        { made->has_activations && made->has_parameters && chosen->parameters.text == NULL,
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
        { made->has_parameters && has_tensor_scale(made) && chosen->tensors.text == NULL,
          "the parameters are one tensor, with one scale" },
        { compare(made->devices, exact_whole(1)) > 0 && made->recipe->divides == 0,
          "each device holds a copy of everything; recipes zero-1 to zero-3 divide it" },
        { made->has_capacity && chosen->memory.text == NULL,
          "the memory of the device is in units of 10^9 bytes, all of it free for training" },
        { true, "buffers of frameworks, allocators and communication are not counted" },
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].holds && all[i].sentence != NULL)
            sentences[count++] = all[i].sentence;
    return count;
}
