/* recipes.h - what a way of training keeps, and in which formats
 * SPDX-License-Identifier: MIT */

#ifndef RECIPES_H
#define RECIPES_H

#include "rows.h"

/* What is kept for every parameter. */
enum {
    PART_PARAMETERS,
    PART_COPY,
    PART_TRANSPOSE,
    PART_GRADIENTS,
    PART_MASTER,
    PART_STATE, /* of the optimizer: this one and the next */
    PART_COUNT = PART_STATE + 2
};

/* Bits of what devices divide among themselves; the rest each of them holds whole. */
enum { DIVIDES_STATE = 1, DIVIDES_GRADIENTS = 2, DIVIDES_PARAMETERS = 4 };

/* A part, the word for it in --store, and why it is there. The optimizer names its own. */
typedef struct {
    const char *name, *why;
    int divided_with; /* DIVIDES_... */
} part_row;
extern const row_table part_table;

typedef struct {
    const char *name, *summary, *optimizer;
    const char *formats[PART_STATE];  /* NULL: there is no such part */
    const char *state;                /* the format of the optimizer's state */
    const char *activations, *inputs; /* of what is kept for backward; of inputs of products */
    int divides;                      /* DIVIDES_... */
    const char *assumption;           /* NULL for none */
} recipe_row;
extern const row_table recipe_table;

typedef struct {
    const char *name, *summary;
    part_row states[2]; /* a name of NULL: there is none */
    const char *format; /* of its state, whatever the recipe says; NULL: the recipe's */
    const char *assumption;
} optimizer_row;
extern const row_table optimizer_table;

#endif
