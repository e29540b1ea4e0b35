/* activations.h - what a transformer keeps of its forward pass for its backward pass, by term
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_ACTIVATIONS_H
#define FPBUDGET_ACTIVATIONS_H

#include "facts/rows.h"
#include "facts/storage.h"
#include "kit/records.h"

/* The shape of a model, and of the batch that one device takes at a time. All are whole numbers
 * from 1. */
typedef struct {
    exact layers, hidden, heads, sequence, batch;
} model_shape;

/* What the backward pass computes again, in the order of ever less that is kept. */
typedef enum { RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL } recompute_kind;

/* A word of --recompute. */
typedef struct {
    const char *name, *summary;
    recompute_kind kind;
    bool as_published; /* FLOPs are those of Korthikanti et al., arXiv 2205.05198, table 5 */
} recompute_row;
extern const row_table recompute_table;

/* What the format of a term follows, unless --store names the term itself. */
typedef enum { TERM_ACTIVATION, TERM_INPUT, TERM_MASK } term_role;

/* A term has hidden s b h elements and scores a s s b elements a layer, for a sequence s, a batch
 * b, a hidden size h and a heads. */
typedef struct {
    const char *name, *summary;
    int hidden, scores;
    term_role role;
    recompute_kind until; /* the term is kept up to this way of recomputing */
} term_row;
extern const row_table term_table;

enum { TERM_COUNT = 14 };

/* A term of one layer. */
typedef struct {
    const term_row *row;
    const char *name;
    storage kept;
    exact bits; /* of an element */
    exact elements, bytes;
} activation_term;
extern const field term_fields[]; /* the schema of an activation_term */

typedef struct {
    exact hidden, scores;             /* s b h and a s s b */
    exact bytes_hidden, bytes_scores; /* what one more of each takes, all terms together */
    activation_term terms[TERM_COUNT];
    size_t count;
    exact layer, bytes; /* of one layer, and of all layers */
} activations;

/* Fills in *made. kept[i] is how term i of term_table is kept; a width of 0 means not at all. */
void count_activations(activations *made, const model_shape *shape, recompute_kind recompute,
                       const storage kept[TERM_COUNT]);

#endif
