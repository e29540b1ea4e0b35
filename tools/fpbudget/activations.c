/* activations.c - what a transformer keeps of its forward pass for its backward pass, by term
 * SPDX-License-Identifier: MIT */

#include "activations.h"

static const recompute_row recomputes[] = {
    { "none", "all is kept", RECOMPUTE_NONE },
    { "selective", "the scores of attention are computed again", RECOMPUTE_SELECTIVE },
    { "full", "each layer keeps its input alone", RECOMPUTE_FULL },
};
const row_table recompute_table = ROW_TABLE("way of recomputing", recomputes, "");

/* Korthikanti et al., arXiv 2205.05198, section 4.1, in its order: with 2 bytes an element and 1 a
 * mask, attention has 11 s b h + 5 a s s b, the MLP 19 s b h, the two norms 4 s b h. */
static const term_row terms[] = {
    { "norm-1", 1, 0, TERM_ACTIVATION, RECOMPUTE_FULL },
    { "qkv-input", 1, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "queries-keys", 2, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "softmax", 0, 1, TERM_ACTIVATION, RECOMPUTE_NONE },
    { "softmax-mask", 0, 1, TERM_MASK, RECOMPUTE_NONE },
    { "softmax-dropout", 0, 1, TERM_ACTIVATION, RECOMPUTE_NONE },
    { "values", 1, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "projection-input", 1, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "attention-mask", 1, 0, TERM_MASK, RECOMPUTE_SELECTIVE },
    { "norm-2", 1, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "mlp-input", 1, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "gelu-input", 4, 0, TERM_ACTIVATION, RECOMPUTE_SELECTIVE },
    { "gelu-output", 4, 0, TERM_INPUT, RECOMPUTE_SELECTIVE },
    { "mlp-mask", 1, 0, TERM_MASK, RECOMPUTE_SELECTIVE },
};
const row_table term_table = ROW_TABLE("term", terms, "");
_Static_assert(sizeof terms / sizeof terms[0] == TERM_COUNT, "a storage for each term");

void count_activations(activations *made, const model_shape *shape, recompute_kind recompute,
                       const storage kept[TERM_COUNT])
{
    exact eight = exact_whole(8), zero = exact_whole(0);
    exact tokens = times(shape->sequence, shape->batch);
    made->hidden = times(tokens, shape->hidden);
    made->scores = times(shape->heads, times(shape->sequence, tokens));
    made->layer = made->bytes_hidden = made->bytes_scores = zero;
    made->count = 0;
    for (size_t i = 0; i < TERM_COUNT; i++) {
        if (recompute > terms[i].until || kept[i].width == 0)
            continue;
        activation_term *term = &made->terms[made->count++];
        exact often_hidden = exact_whole((uint64_t)terms[i].hidden);
        exact often_scores = exact_whole((uint64_t)terms[i].scores);
        exact bytes_each = over(bits_per_element(&kept[i]), eight);
        term->row = &terms[i];
        term->kept = kept[i];
        term->elements = plus(times(often_hidden, made->hidden), times(often_scores, made->scores));
        exact bits = bits_of(&kept[i], term->elements, exact_whole(1));
        term->bytes = round_up(over(bits, eight));
        made->layer = plus(made->layer, term->bytes);
        made->bytes_hidden = plus(made->bytes_hidden, times(often_hidden, bytes_each));
        made->bytes_scores = plus(made->bytes_scores, times(often_scores, bytes_each));
    }
    made->bytes = times(made->layer, shape->layers);
}
