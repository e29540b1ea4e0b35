/* flops_budget.c - what training a model computes, and how long a share of the peak takes for it
 * SPDX-License-Identifier: MIT */

#include "facts/flops_budget.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/text.h"

const field pass_fields[] = {
    FIELD("pass", FIELD_TEXT, pass, name),
    FIELD("formula", FIELD_STRING, pass, formula),
    FIELD("flops_per_token", FIELD_DECIMAL, pass, each),
    FIELD("flops", FIELD_DECIMAL, pass, all),
    { .name = NULL },
};

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

/* With selective recomputing only attention's forward pass is computed again: its scores, 2 L h s,
 * and the values that they weigh, 2 L h s. */
static const pass_row selective[PASS_COUNT] = {
    [PASS_RECOMPUTED] = { "recomputed",
                          "scores of attention (2 L h s) and the values they weigh (2 L h s) again",
                          0, 4 },
    [PASS_HARDWARE] = { "hardware", "what the device computes in all", 6, 16 },
};

/* Korthikanti et al. (arXiv 2205.05198) count 72 B L s h^2 (1 + s / 3h + ...) in place of
 * 72 B L s h^2 (1 + s / 6h + ...): 12 L h s more for a token, which is attention forward and
 * backward. Its table 5 has the HFU of that: 43.7, 52.8, 57.0 and 57.0 %. */
static const pass_row published[PASS_COUNT] = {
    [PASS_RECOMPUTED] = { "recomputed",
                          "attention again as Korthikanti et al. count it, as much as forward and "
                          "backward",
                          0, 12 },
    [PASS_HARDWARE] = { "hardware", "what the device computes in all", 6, 24 },
};

/* The rows of the passes that a way of recomputing adds. */
static const pass_row *recomputed_rows(const recompute_row *how)
{
    return how->kind != RECOMPUTE_SELECTIVE ? usual : how->as_published ? published : selective;
}

void pass_text(char *text, size_t size, const pass *now, bool has_attention, const char *parameters,
               const char *attention)
{
    bool both = now->row->of_parameters > 0 && has_attention;
    *text = '\0';
    if (now->row->of_parameters > 0)
        append_text(text, size, "%d %s", now->row->of_parameters, parameters);
    if (has_attention)
        append_text(text, size, "%s%d %s", both ? " + " : "", now->row->of_attention, attention);
}

static void count_pass(pass *now, const flops_budget *made, const question *asked)
{
    exact of_parameters = exact_whole((uint64_t)now->row->of_parameters);
    exact of_attention = exact_whole((uint64_t)now->row->of_attention);
    now->name = now->row->name;
    pass_text(now->formula, sizeof now->formula, now, made->has_attention, "N", "L h s");
    now->each = (maybe_ratio){ true, plus(times(of_parameters, asked->parameters.value),
                                          times(of_attention, made->attention)) };
    now->all.exists = made->has_tokens;
    if (made->has_tokens)
        now->all.ratio = times(now->each.ratio, asked->tokens.value);
}

static void count_passes(flops_budget *made, const question *asked)
{
    recompute_kind how = asked->recompute != NULL ? asked->recompute->kind : RECOMPUTE_NONE;
    made->pass_count = how == RECOMPUTE_NONE ? PASS_MODEL + 1 : PASS_COUNT;
    made->has_attention = asked->layers.text != NULL;
    made->has_tokens = asked->tokens.text != NULL;
    made->attention = exact_whole(0);
    if (made->has_attention)
        made->attention =
            times(times(asked->layers.value, asked->hidden.value), asked->sequence.value);
    for (size_t i = 0; i < made->pass_count; i++) {
        bool again = i > PASS_MODEL;
        made->passes[i].row = again ? &recomputed_rows(asked->recompute)[i] : &usual[i];
        count_pass(&made->passes[i], made, asked);
    }
}

const compute_row *compute_of(const question *asked)
{
    const device_row *device = asked->device;
    bool old = device != NULL && device->peak[PEAK_BF16] == NULL;
    return asked->compute != NULL ? asked->compute
                                  : find_row(&compute_table, old ? "fp16" : "bf16");
}

static void find_peak(flops_budget *made, const question *asked)
{
    made->has_peak = asked->device != NULL || asked->peak.text != NULL;
    made->devices = amount_or(&asked->devices, 1);
    if (!made->has_peak)
        return;
    if (asked->peak.text != NULL) {
        made->peak = asked->peak.value;
        return;
    }
    const char *peak = asked->device->peak[compute_of(asked)->peak];
    made->peak = times(exact_decimal(peak), power_of_ten(12));
    made->sums_wide = asked->device->of_peaks != NULL;
}

/* How long the work of a budget takes, at the MFU asked for. */
static void take_time(flops_budget *made, const question *asked, exact work)
{
    made->mfu = asked->mfu.text != NULL ? asked->mfu.value : exact_decimal("0.5");
    made->has_mfu = made->has_time = true;
    made->seconds = over(work, times(made->mfu, times(made->peak, made->devices)));
}

static void measure(flops_budget *made, const question *asked)
{
    exact each = made->passes[PASS_MODEL].each.ratio;
    made->mfu = over(times(asked->speed.value, each), times(made->peak, made->devices));
    made->has_mfu = true;
    made->has_time = made->has_tokens;
    if (made->has_time)
        made->seconds = over(asked->tokens.value, asked->speed.value);
}

bool count_flops(flops_budget *made, const question *asked)
{
    memset(made, 0, sizeof *made);
    made->is_matmul = asked->matmul != NULL;
    find_peak(made, asked);
    if (made->is_matmul) {
        if (!read_matmul(&made->product, asked->matmul))
            return false;
        if (made->has_peak && made->product.sized)
            take_time(made, asked, made->product.flops);
        return true;
    }
    count_passes(made, asked);
    if (asked->speed.text != NULL)
        measure(made, asked);
    else if (made->has_peak && made->has_tokens)
        take_time(made, asked, made->passes[PASS_MODEL].all.ratio);
    if (made->has_mfu && made->pass_count == PASS_COUNT)
        made->hfu = over(times(made->mfu, made->passes[PASS_HARDWARE].each.ratio),
                         made->passes[PASS_MODEL].each.ratio);
    return true;
}

/* One product as a row: its formula has the names of its axes. */
static pass *pass_of_product(const matmul *product)
{
    pass *made = allocate(1, sizeof *made);
    made->name = "product";
    print_text(made->formula, sizeof made->formula, "2");
    for (size_t i = 0; i < product->count; i++)
        append_text(made->formula, sizeof made->formula, " %s", product->axes[i].name);
    made->all = (maybe_ratio){ product->sized, product->flops };
    return made;
}

fact_list flops_rows(const flops_budget *made)
{
    if (made->is_matmul)
        return (fact_list){ pass_of_product(&made->product), 1 };
    return (fact_list){ made->passes, made->pass_count };
}

bool is_good_mfu(const flops_budget *made)
{
    return compare(made->mfu, exact_decimal("0.5")) >= 0;
}

const char *mfu_verdict(const flops_budget *made)
{
    if (compare(made->mfu, exact_whole(1)) > 0)
        return made->sums_wide ? "more than the peak: sums are not in fp32, or a figure is wrong"
                               : "more than the peak: one of these figures is wrong";
    if (is_good_mfu(made))
        return "good: half of the peak or more goes into the model";
    return "not yet good: 0.5 of the peak and more is";
}

static bool is_selective(const question *asked)
{
    return asked->recompute != NULL && asked->recompute->kind == RECOMPUTE_SELECTIVE;
}

size_t flops_assumptions(const char *sentences[MOST_ASSUMPTIONS], const flops_budget *made,
                         const question *asked)
{
    static const device_row none = { .name = NULL };
    const device_row *device = asked->device != NULL ? asked->device : &none;
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
        { made->has_attention && is_selective(asked) && !asked->recompute->as_published,
          "the forward pass of attention is computed again, 4 L h s; the table of Korthikanti et "
          "al. (arXiv 2205.05198) counts 12 L h s: --recompute selective-paper" },
        { asked->speed.text != NULL, "--tokens-per-second is of all devices together" },
        { made->has_time && asked->mfu.text == NULL && asked->speed.text == NULL,
          "an MFU of 0.5; --mfu says another" },
        { made->has_peak && asked->peak.text == NULL,
          "the peak is dense; data sheets that count sparsity show twice as much" },
        { made->has_peak && asked->peak.text == NULL, device->of_peaks },
        { true, device->assumption },
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].holds && all[i].sentence != NULL)
            sentences[count++] = all[i].sentence;
    return count;
}
