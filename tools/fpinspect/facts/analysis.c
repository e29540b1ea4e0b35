/* analysis.c - can a chain of conversions ever differ from the direct one?
 * SPDX-License-Identifier: MIT
 *
 * A source of up to 16 bits is tried whole. Of a larger one all values are tried that can matter:
 * both ways are monotone step functions as long as no inner step overflows, so that where they
 * differ, they do so on intervals that end at a boundary of the direct conversion: a value of the
 * target, 0 among them, or the middle between two. Trying the boundaries and their neighbours, then
 * halving, finds the first difference. Past the largest value of an inner step the chain is
 * constant, which leaves that end, the infinities and the ends of the source. Targets of more than
 * 16 bits have too many boundaries: in each binade the first and the last ones stand for the rest,
 * as what happens there depends on the binade and on the parity of the significand alone. */

#include "facts/analysis.h"

#include <string.h>

#include "facts/report.h"
#include "kit/memory.h"
#include "kit/number.h"
#include "kit/rounding.h"
#include "kit/say.h"
#include "kit/text.h"

enum { EVERY_CODE = 16 };

typedef struct {
    const request *chosen;
    const fpfmt_format *source, *target;
    fpfmt_policy policy;
    uint64_t tried;
    bool found;
    uint64_t code;      /* of the counterexample, in the source */
    uint64_t agreed[2]; /* of the last value of each sign for which both ways agree */
} search;

/* The first format of the chain is the source; its values are what the steps begin with. */
static uint64_t chained(const search *now, fpfmt_value value)
{
    const request *chosen = now->chosen;
    value = through_steps(chosen, &chosen->columns[0], value, 0, 1, chosen->via_count, NULL);
    return fpfmt_encode(now->target, value, &now->policy, NULL);
}

static bool disagrees(const search *now, uint64_t code)
{
    fpfmt_value value = fpfmt_decode(now->source, code);
    return value.kind < FPFMT_KIND_QUIET_NAN &&
           chained(now, value) != fpfmt_encode(now->target, value, &now->policy, NULL);
}

/* Up to a boundary where the ways differ they agree first: halving finds where that ends. */
static uint64_t first_disagreeing(const search *now, uint64_t agreed, uint64_t code)
{
    while (code - agreed > 1 && agreed - code > 1) {
        uint64_t middle =
            agreed < code ? agreed + (code - agreed) / 2 : agreed - (agreed - code) / 2;
        if (disagrees(now, middle))
            code = middle;
        else
            agreed = middle;
    }
    return code;
}

/* Tries one code of the source; true if the two ways differ there. */
static bool differs(search *now, uint64_t code)
{
    uint64_t *agreed = &now->agreed[fpfmt_is_negative(now->source, code)];
    now->tried++;
    if (!disagrees(now, code)) {
        *agreed = code;
        return false;
    }
    now->found = true;
    now->code = first_disagreeing(now, *agreed, code);
    return true;
}

/* The code of the source at a value and those on both sides, the smaller magnitude first. */
static bool differs_around(search *now, fpfmt_value value)
{
    fpfmt_policy nearest = { .overflow = FPFMT_OVERFLOW_MAX };
    uint64_t code = fpfmt_encode(now->source, value, &nearest, NULL);
    uint64_t up = fpfmt_next_up(now->source, code, NULL, NULL);
    uint64_t down = fpfmt_next_down(now->source, code, NULL, NULL);
    return differs(now, value.negative ? up : down) || differs(now, code) ||
           differs(now, value.negative ? down : up);
}

/* A value of a format, and the middle between it and the next one away from zero. */
static bool differs_at(search *now, const fpfmt_format *format, uint64_t magnitude, bool negative)
{
    fpfmt_value value = fpfmt_decode(format, magnitude), middle;
    fpfmt_ratio sum, half;
    if (value.kind >= FPFMT_KIND_INFINITE)
        return false;
    fpfmt_value step = fpfmt_ulp(format, value);
    step.exponent--;
    fpfmt_ratio_from(&sum, value);
    fpfmt_ratio_from(&half, step);
    fpfmt_ratio_add(&sum, &sum, &half);
    middle = fpfmt_ratio_value(&sum);
    middle.negative = value.negative = negative;
    return differs_around(now, value) || differs_around(now, middle);
}

static bool is_representative(const fpfmt_format *format, uint64_t magnitude)
{
    int bits = format->fraction_bits;
    uint64_t last = (UINT64_C(1) << bits) - 1, fraction = magnitude & last;
    return fpfmt_measure(format).width <= EVERY_CODE || fraction < 4 || fraction + 2 > last;
}

/* The next magnitude to look at. */
static uint64_t following(const fpfmt_format *format, uint64_t magnitude)
{
    uint64_t last = (UINT64_C(1) << format->fraction_bits) - 1;
    magnitude++;
    if (!is_representative(format, magnitude))
        magnitude = (magnitude & ~last) | (last - 1);
    return magnitude;
}

static void try_boundaries(search *now, const fpfmt_format *format, uint64_t first)
{
    uint64_t max = fpfmt_measure(format).max;
    bool is_signed = now->source->sign_bits > 0;
    for (uint64_t magnitude = first; magnitude <= max; magnitude = following(format, magnitude))
        if (differs_at(now, format, magnitude, false) ||
            (is_signed && differs_at(now, format, magnitude, true)))
            return;
}

/* The ends of the inner steps and of the source, and its infinities. */
static void try_ends(search *now)
{
    fpfmt_limits limits = fpfmt_measure(now->source);
    for (size_t i = 1; i < now->chosen->via_count && !now->found; i++)
        try_boundaries(now, &now->chosen->via[i].format,
                       fpfmt_measure(&now->chosen->via[i].format).max);
    const uint64_t ends[] = { limits.max, limits.lowest, limits.infinity,
                              fpfmt_negate(now->source, limits.infinity) };
    for (size_t i = 0; i < (limits.has_infinity ? 4 : 2) && !now->found; i++)
        differs(now, ends[i]);
}

/* Every code of the source, by magnitude; in two's complement the negative ones mirror it. */
static void try_every_code(search *now)
{
    fpfmt_limits limits = fpfmt_measure(now->source);
    bool fixed = now->source->exponent_bits == 0, is_signed = now->source->sign_bits > 0;
    uint64_t half = UINT64_C(1) << (limits.width - 1), all = 2 * half;
    for (uint64_t magnitude = 0; magnitude < (is_signed ? half + 1 : all); magnitude++) {
        uint64_t negative = fixed ? (all - magnitude) % all : magnitude | half;
        const uint64_t codes[] = { magnitude % all, is_signed ? negative % all : magnitude % all };
        for (int i = 0; i < 2; i++) {
            now->tried += magnitude < half || !is_signed;
            if (!disagrees(now, codes[i]))
                continue;
            now->found = true;
            now->code = codes[i];
            return;
        }
    }
}

static void find_smallest(search *now)
{
    bool is_signed = now->source->sign_bits > 0;
    uint64_t zero = fpfmt_encode(now->source, fpfmt_from_i64(0), NULL, NULL);
    if (fpfmt_measure(now->source).width <= EVERY_CODE) {
        try_every_code(now);
        return;
    }
    now->agreed[0] = zero;
    now->agreed[1] = fpfmt_next_down(now->source, zero, NULL, NULL);
    if (differs(now, zero) || differs(now, fpfmt_negate(now->source, zero)) ||
        differs(now, fpfmt_next_up(now->source, zero, NULL, NULL)) ||
        (is_signed && differs(now, now->agreed[1])))
        return;
    try_boundaries(now, now->target, 0);
    if (!now->found)
        try_ends(now);
}

static const char *reason(const request *chosen, const fpfmt_format *target)
{
    bool all_hold = true, to_odd = true, same_directed = true;
    int target_bits = fpfmt_measure(target).precision;
    for (size_t i = 1; i < chosen->via_count; i++) {
        const via_step *step = &chosen->via[i];
        fpfmt_policy policy = column_policy(chosen, &chosen->columns[0], target);
        int mode = step->rounding >= 0 ? step->rounding : policy.rounding;
        all_hold &= fpfmt_contains(&step->format, &chosen->via[0].format);
        to_odd &=
            mode == FPFMT_ROUND_TO_ODD && fpfmt_measure(&step->format).precision >= target_bits + 2;
        same_directed &= mode == policy.rounding && mode > FPFMT_ROUND_NEAREST_ZERO &&
                         mode != FPFMT_ROUND_TO_ODD && fpfmt_contains(&step->format, target);
    }
    if (all_hold)
        return "every step before the last is exact";
    if (to_odd)
        return "the inner steps round to odd and keep two bits more than the last: nothing about the value is forgotten that its rounding needs";
    if (same_directed)
        return "all steps round in the same direction, and the inner formats hold every value of the last";
    return NULL;
}

/* The command that shows the difference, with what was asked of the rounding. */
static const char *command_of(const search *now)
{
    enum { SIZE = 400 };
    const request *chosen = now->chosen;
    const policy_choice *column = &chosen->columns[0];
    char text[SIZE], code[24];
    print_text(text, SIZE, "fpinspect %s:%s --via ", now->source->name,
               show_code(code, now->source, now->code));
    for (size_t i = 1; i < chosen->via_count; i++) {
        const via_step *step = &chosen->via[i];
        append_text(text, SIZE, "%s%s", i > 1 ? "," : "", step->format.name);
        if (step->rounding >= 0)
            append_text(text, SIZE, ":%s", word_for(&rounding_words, (unsigned)step->rounding));
    }
    append_text(text, SIZE, " --as %s", now->target->name);
    if (column->row != fpfmt_policy_at(0))
        append_text(text, SIZE, " --policy %s", column->row->name);
    if (column->rounding >= 0)
        append_text(text, SIZE, " --round %s",
                    word_for(&rounding_words, (unsigned)column->rounding));
    if (column->overflow >= 0)
        append_text(text, SIZE, " --overflow %s",
                    word_for(&overflow_words, (unsigned)column->overflow));
    append_text(text, SIZE, "%s%s",
                chosen->subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS ? " --ftz" : "",
                chosen->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS ? " --daz" : "");
    return copy_text(text, strlen(text));
}

/* The source and the steps before the target, as "fp64 fp32". */
static const char *chain_of(const request *chosen)
{
    enum { SIZE = (MOST_STEPS + 1) * FPFMT_NAME_SIZE };
    char text[SIZE] = "";
    for (size_t i = 0; i < chosen->via_count; i++)
        append_text(text, SIZE, "%s%s", i > 0 ? " " : "", chosen->via[i].format.name);
    return copy_text(text, strlen(text));
}

const field analysis_fields[] = {
    FIELD("chain", FIELD_NAMES, analysis, chain),
    FIELD("target", FIELD_TEXT, analysis, target),
    FIELD("differs", FIELD_BOOL, analysis, differs),
    FIELD("tried", FIELD_COUNT, analysis, tried),
    FIELD("every_code", FIELD_BOOL, analysis, every_code),
    FIELD("code", FIELD_CODE, analysis, smallest),
    FIELD("exact", FIELD_EXACT, analysis, smallest),
    FIELD("chain_code", FIELD_CODE, analysis, chained),
    FIELD("chain_exact", FIELD_EXACT, analysis, chained),
    FIELD("direct_code", FIELD_CODE, analysis, direct),
    FIELD("direct_exact", FIELD_EXACT, analysis, direct),
    FIELD("reason", FIELD_TEXT, analysis, reason),
    FIELD("command", FIELD_TEXT, analysis, command),
    { .name = NULL },
};

static void analyze_target(analysis *made, const request *chosen, const fpfmt_format *target)
{
    search now = { .chosen = chosen, .target = target, .source = &chosen->via[0].format };
    now.policy = column_policy(chosen, &chosen->columns[0], target);
    find_smallest(&now);
    *made = (analysis){ .chain = chain_of(chosen),
                        .target = target->name,
                        .differs = now.found,
                        .tried = now.tried,
                        .every_code = fpfmt_measure(now.source).width <= EVERY_CODE };
    if (!now.found) {
        made->reason = reason(chosen, target);
        return;
    }
    fpfmt_value value = fpfmt_decode(now.source, now.code);
    made->smallest = (coded){ now.source, now.code };
    made->chained = (coded){ target, chained(&now, value) };
    made->direct = (coded){ target, fpfmt_encode(target, value, &now.policy, NULL) };
    made->command = command_of(&now);
}

static bool is_random(const request *chosen)
{
    bool random = has_chance(chosen->columns[0].rounding);
    for (size_t i = 0; i < chosen->via_count; i++)
        random |= has_chance(chosen->via[i].rounding);
    return random;
}

bool gather_analyses(fact_list *facts, const request *chosen)
{
    size_t count = chosen->formats.count;
    analysis *rows = allocate(count, sizeof *rows);
    if (chosen->via_count < 2)
        complain("--analyze needs a chain: --via with the source and at least one step, as "
                 "--via fp64,fp32 --as fp16");
    else if (!chosen->formats_given)
        complain("--analyze needs a target: --as FORMAT");
    else if (chosen->column_count > 1)
        complain("--analyze takes one way of rounding, not a list");
    else if (is_random(chosen))
        complain("--analyze is about certainty; with stochastic rounding there is none");
    else {
        for (size_t i = 0; i < count; i++)
            analyze_target(&rows[i], chosen, &chosen->formats.rows[i]);
        *facts = (fact_list){ rows, count };
        return true;
    }
    return false;
}
