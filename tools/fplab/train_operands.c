/* train_operands.c - what became of the numbers that a training run rounded to operands
 * SPDX-License-Identifier: MIT */

#include "train_operands.h"

#include "figures.h"
#include "kit/text.h"

enum { TEXT_ROOM = 256 };

double share(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : divide64(from_count(part), from_count(whole));
}

char *show_share(number text, double part)
{
    fpfmt_ratio ratio;
    fpfmt_ratio_from(&ratio, fpfmt_from_f64(part));
    show_percent(text, &ratio, LEAD_NONE);
    return text;
}

/* Both operands that are made of one tensor. Of one that both products share there are no counts.
 */
static operand_counts counts_of(const train_run *run, operand_use a, operand_use b)
{
    const operand_counts *counts = run->net.counts;
    operand_counts both = counts[a];
    both.rounded += counts[b].rounded;
    both.zeroed += counts[b].zeroed;
    both.beyond += counts[b].beyond;
    fpfmt_stats_add(&both.stats, &counts[b].stats);
    return both;
}

operand_counts counts_of_gradients(const train_run *run)
{
    return counts_of(run, OPERAND_GRADIENT_DW, OPERAND_GRADIENT_DX);
}

double zeroed_gradients(const train_run *run)
{
    operand_counts gradients = counts_of_gradients(run);
    return share(gradients.zeroed, gradients.rounded);
}

/* Tensors as users know them, each in both of its operands. */
enum { TENSORS = 3 };
static const struct {
    const char *name;
    operand_use uses[2];
} tensors[TENSORS] = {
    { "inputs", { OPERAND_INPUT, OPERAND_INPUT_DW } },
    { "weights", { OPERAND_WEIGHT, OPERAND_WEIGHT_DX } },
    { "gradients", { OPERAND_GRADIENT_DW, OPERAND_GRADIENT_DX } },
};

/* Of numbers in blocks. */
typedef double measure(const operand_counts *of);

static double share_of_zeros(const operand_counts *of)
{
    return share(of->zeroed, of->rounded);
}

static double share_beyond(const operand_counts *of)
{
    return share(of->beyond, of->rounded);
}

/* The root of the squared errors' sum over that of the squares. */
static double relative_error(const operand_counts *of)
{
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    fpfmt_value noise = fpfmt_stats_noise(&of->stats), signal = fpfmt_stats_signal(&of->stats);
    if (fpfmt_value_is_zero(signal))
        return 0;
    fpfmt_value part = operate(binary64, FPFMT_OPERATION_DIVIDE, noise, signal);
    return fpfmt_to_f64(operate(binary64, FPFMT_OPERATION_SQRT, part, part), NULL, NULL);
}

/* "1 % of inputs, 2 % of weights and 3 % of gradients", of tensors that are in blocks and where it
 * is more than a thousandth; how many these are. */
static size_t tell_tensors(char text[TEXT_ROOM], const train_run *run, measure *of)
{
    char parts[TENSORS][TEXT_ROOM / 4];
    number shown;
    size_t n = 0;
    for (size_t t = 0; t < TENSORS; t++) {
        operand_counts counts = counts_of(run, tensors[t].uses[0], tensors[t].uses[1]);
        double part = of(&counts);
        if (counts.stats.count == 0 || !(part > 0.001))
            continue;
        show_share(shown, part);
        print_text(parts[n++], sizeof parts[0], "%s of %s", shown, tensors[t].name);
    }
    *text = '\0';
    for (size_t i = 0; i < n; i++)
        append_text(text, TEXT_ROOM, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", parts[i]);
    return n;
}

/* The first operand that is in blocks; NULL if none is. */
static const operand_format *first_blocks(const train_run *run)
{
    for (operand_use use = 0; use < OPERANDS; use++)
        if (run->policy->numbers.operands[use].has_blocks)
            return &run->policy->numbers.operands[use];
    return NULL;
}

/* "its loss is 2.3 times that of bf16. ", of a run that is far from the best one. */
static void tell_loss(char text[TEXT_ROOM], const train_results *results, const train_run *run)
{
    const train_run *best = run;
    number times;
    double least = fpfmt_to_f64(run->total, NULL, NULL), own = least;
    for (size_t i = 0; i < results->count; i++) {
        double loss = fpfmt_to_f64(results->runs[i].total, NULL, NULL);
        best = loss < least ? &results->runs[i] : best;
        least = loss < least ? loss : least;
    }
    *text = '\0';
    if (!(least > 0 && own > multiply64(1.05, least)))
        return;
    show_double(times, divide64(own, least), 3);
    print_text(text, TEXT_ROOM, "its loss is %s times that of %s. ", times, best->policy->label);
}

static void explain_clamped(const lab_page *page, const char *tensors_of, const operand_format *how)
{
    lab_say(page,
            "%s were clamped to the largest element, since %s chose a smaller scale than they "
            "need.%s",
            tensors_of, how->recipe.name,
            how->recipe.rule == FPFMT_SCALE_FLOOR
                ? " It looks at the binade of the largest alone; --recipe rceil clamps none."
                : "");
}

void explain_blocks(const lab_page *page, const train_results *results, const train_run *run)
{
    char text[TEXT_ROOM], loss[TEXT_ROOM];
    const operand_format *how = first_blocks(run);
    if (how == NULL || run->broken > 0)
        return;
    tell_loss(loss, results, run);
    if (tell_tensors(text, run, relative_error) > 0)
        lab_say(page, "%s: %s%counding to blocks is off by %s, in root mean square.",
                run->policy->label, loss, *loss == '\0' ? 'r' : 'R', text);
    if (tell_tensors(text, run, share_of_zeros) > 0)
        lab_say(page, "%s became 0, too small beside the largest that shares their scale.", text);
    if (tell_tensors(text, run, share_beyond) > 0)
        explain_clamped(page, text, how);
}
