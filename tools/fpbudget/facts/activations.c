/* activations.c - what a transformer keeps of its forward pass for its backward pass, by term
 * SPDX-License-Identifier: MIT */

#include "facts/activations.h"

static const recompute_row recomputes[] = {
    { "none", "all is kept", RECOMPUTE_NONE, false },
    { "selective", "the scores of attention are computed again", RECOMPUTE_SELECTIVE, false },
    { "full", "each layer keeps its input alone", RECOMPUTE_FULL, false },
    { "selective-paper", "selective, with the FLOPs of the paper's table", RECOMPUTE_SELECTIVE,
      true },
};
const row_table recompute_table = ROW_TABLE("way of recomputing", recomputes, "");

/* Korthikanti et al., arXiv 2205.05198, section 4.1, in its order: with 2 bytes an element and 1 a
 * mask, attention has 11 s b h + 5 a s s b, the MLP 19 s b h, the two norms 4 s b h. */
static const term_row terms[] = {
    { "norm-1", NULL, 1, 0, TERM_ACTIVATION, RECOMPUTE_FULL },
    { "qkv-input", NULL, 1, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "queries-keys", NULL, 2, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "softmax", NULL, 0, 1, TERM_ACTIVATION, RECOMPUTE_NONE },
    { "softmax-mask", NULL, 0, 1, TERM_MASK, RECOMPUTE_NONE },
    { "softmax-dropout", NULL, 0, 1, TERM_ACTIVATION, RECOMPUTE_NONE },
    { "values", NULL, 1, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "projection-input", NULL, 1, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "attention-mask", NULL, 1, 0, TERM_MASK, RECOMPUTE_SELECTIVE },
    { "norm-2", NULL, 1, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "mlp-input", NULL, 1, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "gelu-input", NULL, 4, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "gelu-output", NULL, 4, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "mlp-mask", NULL, 1, 0, TERM_MASK, RECOMPUTE_SELECTIVE },
};
const row_table term_table = ROW_TABLE("term", terms, "");
_Static_assert(sizeof terms / sizeof terms[0] == TERM_COUNT, "a storage for each term");

const field term_fields[] = {
    FIELD("term", FIELD_TEXT, activation_term, name),
    FIELD("format", FIELD_STRING, activation_term, kept.name),
    FIELD("bits", FIELD_RATIO, activation_term, bits),
    FIELD("elements", FIELD_RATIO, activation_term, elements),
    FIELD("bytes", FIELD_RATIO, activation_term, bytes),
    { .name = NULL },
};

/* Fills in a term, and adds its bytes to those of the layer. Each term begins a byte of its own. */
static void count_term(activations *made, activation_term *term, const term_row *row,
                       const storage *kept)
{
    exact eight = exact_whole(8);
    exact often_hidden = exact_whole((uint64_t)row->hidden);
    exact often_scores = exact_whole((uint64_t)row->scores);
    term->row = row;
    term->name = row->name;
    term->kept = *kept;
    term->bits = bits_per_element(kept);
    term->elements = plus(times(often_hidden, made->hidden), times(often_scores, made->scores));
    term->bytes = round_up(over(bits_of(kept, term->elements, exact_whole(1)), eight));
    exact bytes_each = over(term->bits, eight);
    made->layer = plus(made->layer, term->bytes);
    made->bytes_hidden = plus(made->bytes_hidden, times(often_hidden, bytes_each));
    made->bytes_scores = plus(made->bytes_scores, times(often_scores, bytes_each));
}

void count_activations(activations *made, const model_shape *shape, recompute_kind recompute,
                       const storage kept[TERM_COUNT])
{
    exact tokens = times(shape->sequence, shape->batch);
    made->hidden = times(tokens, shape->hidden);
    made->scores = times(shape->heads, times(shape->sequence, tokens));
    made->layer = made->bytes_hidden = made->bytes_scores = exact_whole(0);
    made->count = 0;
    for (size_t i = 0; i < TERM_COUNT; i++)
        if (recompute <= terms[i].until && kept[i].width > 0)
            count_term(made, &made->terms[made->count++], &terms[i], &kept[i]);
    made->bytes = times(made->layer, shape->layers);
}
