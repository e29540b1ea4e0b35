/* memory.h - what training a model keeps on one device
 * SPDX-License-Identifier: MIT */

#ifndef MEMORY_H
#define MEMORY_H

#include "options.h"

/* A part that is kept for every parameter. */
typedef struct {
    const char *name, *why;
    storage kept;
    bool divided;          /* each device has its share */
    exact elements, bytes; /* on one device */
} memory_part;

typedef struct {
    const optimizer_row *optimizer;
    const recipe_row *recipe;
    exact devices, tensors;
    memory_part parts[PART_COUNT];
    size_t part_count;
    bool has_parameters; /* given, or the largest that fit */
    exact parameters;
    bool has_activations;
    model_shape shape;
    recompute_kind recompute;
    activations kept;
    exact bytes;      /* of all parts and activations */
    exact bytes_each; /* for one more parameter, scales included */
    bool has_capacity, fits;
    exact capacity;
    bool has_largest; /* some model fits */
    exact largest;
} memory_budget;

/* Fills in *made. False after a complaint. */
bool count_memory(memory_budget *made, const options *chosen);

/* What was taken for granted, as sentences without a full stop; returns how many there are. */
size_t memory_assumptions(const char *sentences[MOST_ASSUMPTIONS], const memory_budget *made,
                          const options *chosen);

#endif
