/* flops.c - what training a model computes, and how long a share of the peak takes for it
 * SPDX-License-Identifier: MIT */

#include "flops.h"

#include <string.h>

/* In the order of PASS_... A parameter takes part in one product with each token, and a product is
 * a multiplication and an addition. Attention has 2 s h FLOPs in each layer for its scores, and as
 * many for its values (PaLM, arXiv 2204.02311, appendix B: 12 L H Q T in all). */
static const pass_row usual[PASS_COUNT] = {
    { "forward", "each parameter is multiplied once and added once", 2, 4 },
    { "backward", "the gradients of weights and of inputs each cost a forward pass", 4, 8 },
    { "model", "forward and backward", 6, 12 },
    { "recomputed", "the forward pass again, for the backward pass", 2, 4 },
    { "hardware", "what the device computes in all", 8, 16 },
};

/* With selective recomputing only the scores are computed again. */
static const pass_row selective[PASS_COUNT] = {
    [PASS_RECOMPUTED] = { "recomputed", "attention again, for the backward pass", 0, 4 },
    [PASS_HARDWARE] = { "hardware", "what the device computes in all", 6, 16 },
};

static void count_passes(flops_budget *made, const options *chosen)
{
    recompute_kind how = chosen->recompute != NULL ? chosen->recompute->kind : RECOMPUTE_NONE;
    made->pass_count = how == RECOMPUTE_NONE ? PASS_MODEL + 1 : PASS_COUNT;
    made->has_attention = chosen->layers.text != NULL;
    made->has_tokens = chosen->tokens.text != NULL;
    made->attention = exact_whole(0);
    if (made->has_attention)
        made->attention =
            times(times(chosen->layers.value, chosen->hidden.value), chosen->sequence.value);
    for (size_t i = 0; i < made->pass_count; i++) {
        pass *now = &made->passes[i];
        now->row = how == RECOMPUTE_SELECTIVE && i > PASS_MODEL ? &selective[i] : &usual[i];
        now->each =
            plus(times(exact_whole((uint64_t)now->row->of_parameters), chosen->parameters.value),
                 times(exact_whole((uint64_t)now->row->of_attention), made->attention));
        if (made->has_tokens)
            now->all = times(now->each, chosen->tokens.value);
    }
}

static void find_peak(flops_budget *made, const options *chosen)
{
    made->has_peak = chosen->device != NULL || chosen->peak.text != NULL;
    made->devices = chosen->devices.text != NULL ? chosen->devices.value : exact_whole(1);
    if (!made->has_peak)
        return;
    if (chosen->peak.text != NULL) {
        made->peak = chosen->peak.value;
        return;
    }
    int column = chosen->compute != NULL ? chosen->compute->peak : PEAK_HALF;
    made->peak = times(exact_decimal(chosen->device->peak[column]), power_of_ten(12));
}

/* How long the work of a budget takes, at the MFU asked for. */
static void take_time(flops_budget *made, const options *chosen, exact work)
{
    made->mfu = chosen->mfu.text != NULL ? chosen->mfu.value : exact_decimal("0.5");
    made->has_mfu = made->has_time = true;
    made->seconds = over(work, times(made->mfu, times(made->peak, made->devices)));
}

static void measure(flops_budget *made, const options *chosen)
{
    exact each = made->passes[PASS_MODEL].each;
    made->mfu = over(times(chosen->speed.value, each), times(made->peak, made->devices));
    made->has_mfu = true;
    made->has_time = made->has_tokens;
    if (made->has_time)
        made->seconds = over(chosen->tokens.value, chosen->speed.value);
}

bool count_flops(flops_budget *made, const options *chosen)
{
    memset(made, 0, sizeof *made);
    made->is_matmul = chosen->matmul != NULL;
    find_peak(made, chosen);
    if (made->is_matmul) {
        if (!read_matmul(&made->product, chosen->matmul))
            return false;
        if (made->has_peak && made->product.sized)
            take_time(made, chosen, made->product.flops);
        return true;
    }
    count_passes(made, chosen);
    if (chosen->speed.text != NULL)
        measure(made, chosen);
    else if (made->has_peak && made->has_tokens)
        take_time(made, chosen, made->passes[PASS_MODEL].all);
    if (made->has_mfu && made->pass_count == PASS_COUNT)
        made->hfu =
            over(times(made->mfu, made->passes[PASS_HARDWARE].each), made->passes[PASS_MODEL].each);
    return true;
}

const char *mfu_verdict(const flops_budget *made)
{
    if (compare(made->mfu, exact_whole(1)) > 0)
        return "more than the peak: one of these figures is wrong";
    if (compare(made->mfu, exact_decimal("0.5")) >= 0)
        return "good: half of the peak or more goes into the model";
    return "not yet good: 0.5 of the peak and more is";
}

size_t flops_assumptions(const char *sentences[MOST_ASSUMPTIONS], const flops_budget *made,
                         const options *chosen)
{
    const struct {
        bool holds;
        const char *sentence;
    } all[] = {
        { true, "a multiplication and its addition are 2 FLOPs" },
        { !made->is_matmul, "--params counts what takes part in products: with or without "
                            "embeddings is up to the number given" },
        { !made->is_matmul && !made->has_attention,
          "attention is not counted; it needs --layers --hidden --sequence" },
        { made->has_attention,
          "attention over whole sequences, half of which a causal mask wastes" },
        { !made->is_matmul && made->has_mfu && made->pass_count == PASS_COUNT,
          "the MFU does not count what is computed again, the HFU does" },
        { chosen->speed.text != NULL, "--tokens-per-second is of all devices together" },
        { made->has_time && chosen->mfu.text == NULL && chosen->speed.text == NULL,
          "an MFU of 0.5; --mfu says another" },
        { made->has_peak && chosen->peak.text == NULL,
          "the peak is dense; data sheets that count sparsity show twice as much" },
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].holds)
            sentences[count++] = all[i].sentence;
    return count;
}
