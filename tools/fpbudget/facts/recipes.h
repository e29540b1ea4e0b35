/* recipes.h - what a way of training keeps, and in which formats
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_RECIPES_H
#define FPBUDGET_RECIPES_H

#include "facts/rows.h"

/* What is kept for every parameter. */
enum {
    PART_PARAMETERS,
    PART_COPY,
    PART_TRANSPOSE,
    PART_GRADIENTS,
    PART_MASTER,
    PART_STATE,                 /* the first of the optimizer's */
    PART_COUNT = PART_STATE + 2 /* MOST_STATES */
};

/* Bits of what devices divide among themselves; the rest each of them holds whole. */
enum { DIVIDES_STATE = 1, DIVIDES_GRADIENTS = 2, DIVIDES_PARAMETERS = 4 };

/* A part: the word for it in --store, and why training keeps it. Parts of the optimizer are in the
 * row of the optimizer. */
typedef struct {
    const char *name, *why;
    int divided_with; /* DIVIDES_... */
} part_row;
extern const row_table part_table;

/* A way of training. Formats are names that find_storage knows. */
typedef struct {
    const char *name, *summary;
    const char *optimizer;           /* a name of optimizer_table */
    const char *formats[PART_STATE]; /* by PART_...; NULL: there is no such part */
    const char *state;               /* the format of the optimizer's state */
    const char *activations;         /* of what the forward pass keeps for the backward pass */
    const char *inputs;              /* of the part of the activations that products read */
    int divides;                     /* DIVIDES_... */
    const char *assumption;          /* a sentence without a full stop; NULL for none */
} recipe_row;
extern const row_table recipe_table;

enum { MOST_STATES = 2 };
typedef struct {
    const char *name, *summary;
    part_row states[MOST_STATES]; /* what the optimizer keeps; a name of NULL ends them */
    const char *format;           /* of the state, whatever the recipe says; NULL: the recipe's */
    const char *assumption;       /* as that of a recipe, where the format is the optimizer's */
} optimizer_row;
extern const row_table optimizer_table;

#endif
