/* memory_budget.h - what training a model keeps on one device
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_MEMORY_BUDGET_H
#define FPBUDGET_MEMORY_BUDGET_H

#include "facts/question.h"

/* A part that is kept for every parameter. */
typedef struct {
    const char *name, *why;
    storage kept;
    bool divided;          /* each device has its share */
    exact bits;            /* of one element */
    exact elements, bytes; /* on one device */
} memory_part;
extern const field part_fields[]; /* the schema of a memory_part */

typedef struct {
    const optimizer_row *optimizer;
    const recipe_row *recipe;
    exact devices, tensors;
    memory_part parts[PART_COUNT];
    size_t part_count;
    bool has_parameters; /* given, or the largest number that fits */
    exact parameters;
    bool has_activations;
    model_shape shape;
    recompute_kind recompute;
    activations kept;
    exact bytes;      /* of all parts and activations */
    exact bytes_each; /* for one more parameter, its part of scales included */
    bool has_capacity, fits;
    exact capacity;   /* bytes that a device holds */
    bool has_largest; /* some model fits */
    exact largest;    /* parameters of the largest one */
} memory_budget;

/* Fills in *made. False after a complaint. */
bool count_memory(memory_budget *made, const question *asked);

/* Rows for programs: all parts, and each term of the activations in all layers together, as a
 * memory_part. The bytes of all rows add up to those of the budget. Memory of the run. */
fact_list memory_rows(const memory_budget *made);

/* What was taken for granted, as sentences without a full stop; returns how many there are. */
size_t memory_assumptions(const char *sentences[MOST_ASSUMPTIONS], const memory_budget *made,
                          const question *asked);

/* Parameters as a user wrote them, or all digits of the number that was found. */
void parameters_text(number text, const memory_budget *made, const question *asked);

#endif
