/* activations.h - what a transformer keeps of its forward pass for its backward pass, by term
 * SPDX-License-Identifier: MIT */

#ifndef ACTIVATIONS_H
#define ACTIVATIONS_H

#include "storage.h"

/* The shape of a model, and of the batch that one device takes at a time. */
typedef struct {
    exact layers, hidden, heads, sequence, batch;
} model_shape;

/* From keeping all to keeping the least. */
typedef enum { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL } recompute_kind;

/* A word of --recompute. */
typedef struct {
    const char *name, *summary;
    recompute_kind kind;
} recompute_row;
extern const row_table recompute_table;

/* What a term is kept in unless --store says otherwise. */
typedef enum { TERM_ACTIVATION, TERM_INPUT, TERM_MASK } term_role;

/* How often a term has s b h elements, or a s s b of them. */
typedef struct {
    const char *name;
    int hidden, scores;
    term_role role;
    recompute_kind until; /* kept up to this */
} term_row;
extern const row_table term_table;

enum { TERM_COUNT = 14 };

/* A term of one layer. */
typedef struct {
    const term_row *row;
    storage kept;
    exact elements, bytes;
} activation_term;

typedef struct {
    exact hidden, scores;             /* s b h and a s s b */
    exact bytes_hidden, bytes_scores; /* of one element each, all terms together */
    activation_term terms[TERM_COUNT];
    size_t count;
    exact layer, bytes; /* of one layer, of all */
} activations;

/* kept[i] is how term i of term_table is kept; a width of 0 means not at all. */
void count_activations(activations *made, const model_shape *shape, recompute_kind recompute,
                       const storage kept[TERM_COUNT]);

#endif
