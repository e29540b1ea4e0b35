/* explain.c - one rounding, step by step
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "kit/rounding.h"
#include "kit/text.h"
#include "screens/screen.h"

enum { LEFT = 13, WIDE_ASIDE = 45, NARROW_ASIDE = 27, WIDEST_ASIDE = 40 };

static void step(int index, const char *name, const char *text, const char *aside)
{
    if (index > 0)
        outf(STYLE_DIM, "  %d ", index);
    else
        out(STYLE_DIM, "  ");
    outf(STYLE_NAME, "%-9s", name);
    out_hang(LEFT);
    out(STYLE_PLAIN, text);
    bool wide = out_width() >= LEFT + WIDE_ASIDE + WIDEST_ASIDE;
    int gap = (wide ? WIDE_ASIDE : NARROW_ASIDE) - width_of(text);
    gap = gap < 3 ? 3 : gap;
    if (*aside != '\0' && LEFT + width_of(text) + gap + width_of(aside) > out_width()) {
        out_line(); /* no room beside it: below */
        out_blanks(LEFT);
        out_hang(LEFT);
        out(STYLE_DIM, aside);
    } else if (*aside != '\0') {
        out_repeat(STYLE_PLAIN, " ", gap);
        out(STYLE_DIM, aside);
    }
    out_line();
}

static void step_range(const fpfmt_explanation *told, const fpfmt_format *format)
{
    char text[128] = "", aside[128] = "";
    fpfmt_limits limits = fpfmt_measure(format);
    int e = told->value.exponent, low = told->emin - e, emax = limits.emax;
    if (told->value.negative && format->exponent_bits == 0 && format->sign_bits != 0)
        emax++; /* the lowest code of two's complement, in a binade of its own */
    int high = e - emax;
    switch ((fpfmt_range)told->range) {
    case FPFMT_RANGE_ABOVE:
        snprintf(text, sizeof text, "2^%d > 2^%d, the largest binade", e, emax);
        snprintf(aside, sizeof aside, "%d binade%s too high", high, high == 1 ? "" : "s");
        break;
    case FPFMT_RANGE_NORMAL:
        snprintf(text, sizeof text, "2^%d ≤ 2^%d ≤ 2^%d", told->emin, e, emax);
        snprintf(aside, sizeof aside, "normal, in a binade of the format");
        break;
    case FPFMT_RANGE_SPECIAL:
    case FPFMT_RANGE_BELOW:
    case FPFMT_RANGE_SUBNORMAL:
        snprintf(text, sizeof text, "2^%d < 2^%d, the smallest normal", e, told->emin);
        snprintf(aside, sizeof aside, "subnormal, %d binade%s too low", low, low == 1 ? "" : "s");
        if (!limits.has_subnormals)
            snprintf(aside, sizeof aside, "%d binade%s too low, and there are no subnormals", low,
                     low == 1 ? "" : "s");
        break;
    }
    step(2, "range", text, aside);
}

static int length_of_kept(const fpfmt_explanation *told)
{
    int bits = 0;
    while (bits < 64 && told->kept >> bits != 0)
        bits++;
    return bits;
}

/* kept.fraction in binary, in units of 2^quantum; what is long is shortened in the middle. */
static void aligned(char text[200], const fpfmt_explanation *told)
{
    char whole[72], fraction[40];
    int bits = length_of_kept(told), n = 0, zeros = told->quantum - told->value.exponent - 1;
    show_bits(whole, told->kept, 0, bits == 0 ? 1 : bits);
    if (bits > 24)
        snprintf(whole + 10, sizeof whole - 10, "…%s",
                 show_bits((char[72]){ 0 }, told->kept, 0, 10));
    uint64_t rest = told->value.significand;
    if (told->kept != 0)
        rest = told->quantum - told->value.exponent + 63 == 0
                   ? 0
                   : rest << (told->value.exponent - told->quantum + 1);
    for (; n < 24 && told->kept == 0 && zeros > 0; zeros--)
        fraction[n++] = '0';
    for (; n < 24 && rest != 0; rest <<= 1)
        fraction[n++] = (char)('0' + (rest >> 63));
    fraction[n] = '\0';
    bool more = rest != 0 || told->value.inexact;
    snprintf(text, 200, "%s%s%s%s₂ × 2^%d", whole, n > 0 || more ? "." : "", fraction,
             more ? "…" : "", (int)told->quantum);
}

/* The bits before the cut, without the hidden one; of fixed point, where none is hidden, all. */
static void show_fraction(char text[72], const fpfmt_format *format, const fpfmt_explanation *told)
{
    enum { SHOWN = 24 };
    int bits = format->fraction_bits, counted = length_of_kept(told);
    bool all = format->exponent_bits == 0 && counted > bits;
    if (all && counted > SHOWN)
        snprintf(text, 72, "…%s", show_bits((char[72]){ 0 }, told->kept, 0, 10));
    else
        show_bits(text, told->kept, 0, all ? counted : bits);
}

static void step_decide(report *made, const fpfmt_explanation *told, const tail *found)
{
    static const char *const orders[] = { [FPFMT_REMAINDER_NONE] = "000: exact",
                                          [FPFMT_REMAINDER_BELOW_HALF] = "< 100",
                                          [FPFMT_REMAINDER_HALF] = "= 100",
                                          [FPFMT_REMAINDER_ABOVE_HALF] = "> 100" };
    static const char *const halves[] = { "nothing is cut off", ", below ½", ", just ½",
                                          ", above ½" };
    number remainder;
    char text[160], aside[128] = "";
    const char *verdict = told->away ? "add one" : "add nothing";
    unsigned rounding = made->policy.rounding;
    const char *sign = told->value.negative ? "negative" : "positive";
    char tie[40] = "";
    if (told->remainder == FPFMT_REMAINDER_HALF)
        snprintf(tie, sizeof tie, "a tie, last bit %d, ", (int)(told->kept & 1));
    if (told->remainder == FPFMT_REMAINDER_NONE)
        snprintf(text, sizeof text, "%s: 000, exact, add nothing", mode_in_words(rounding));
    else if (has_chance((int)rounding))
        snprintf(text, sizeof text, "%s, seed %" PRIu64 ", element %" PRIu64 ": %s",
                 rounding_name((char[ROUNDING_SIZE]){ 0 }, &made->policy), made->policy.seed,
                 made->policy.first, verdict);
    else if (rounding <= FPFMT_ROUND_NEAREST_ZERO)
        snprintf(text, sizeof text, "%s: %d%d%d %s, %s%s", mode_in_words(rounding), told->guard,
                 told->round, told->sticky, orders[told->remainder], tie, verdict);
    else if (rounding == FPFMT_ROUND_UPWARD || rounding == FPFMT_ROUND_DOWNWARD)
        snprintf(text, sizeof text, "%s: inexact and %s, %s", mode_in_words(rounding), sign,
                 verdict);
    else
        snprintf(text, sizeof text, "%s: inexact, %s", mode_in_words(rounding), verdict);

    fpfmt_ratio exact;
    if (told->remainder == FPFMT_REMAINDER_NONE) {
        snprintf(aside, sizeof aside, "%s", halves[0]);
    } else if (found->close) {
        char shown[80];
        show_remainder(shown, found);
        snprintf(aside, sizeof aside, "remainder %s of a step", shown);
    } else if (remainder_of(&exact, made, told)) {
        show_ratio(remainder, &exact, 9, LEAD_NONE);
        snprintf(aside, sizeof aside, "remainder %.40s of a step%s", remainder,
                 halves[told->remainder]);
    }
    step(5, "decide", text, aside);
}

/* Below the smallest value of a format without subnormals there is nothing to cut. */
/* More whole steps than kept counts: of fixed point only, whose steps do not grow. */
static bool is_past_counting(const fpfmt_explanation *told)
{
    return told->value.exponent > told->quantum + 63;
}

static void step_gap(const report *made, const fpfmt_explanation *told)
{
    number smallest;
    static const char *const halves[] = { "", "below half of it", "just half of it",
                                          "above half of it" };
    char text[160];
    fpfmt_limits limits = fpfmt_measure(made->format);
    show_value(smallest, made->format, fpfmt_decode(made->format, limits.min_positive), false,
               LEAD_NONE);
    snprintf(text, sizeof text, "between 0 and %.40s, the smallest value", smallest);
    step(3, "align", text, halves[told->remainder]);
    if (!limits.has_zero)
        step(5, "decide", "there is no zero: the smallest value stands for all below", "");
    else
        step(5, "decide", told->away ? "the smallest value" : "zero", "");
}

static void tell_reason(const report *made)
{
    char reason[REASON_SIZE];
    if (!reason_of(reason, made))
        return;
    out(STYLE_DIM, "    reason   ");
    out_wrapped_from(LEFT, LEFT, reason);
}

static void step_result(report *made)
{
    number stored, error, percent, ulps;
    char code[24], aside[200] = "", line[256];
    show_value(stored, made->format, made->stored, false, LEAD_NONE);
    spaced_bits(line, made->format, made->code);
    if (LEFT + width_of(line) + 24 + width_of(stored) > out_width())
        line[0] = '\0'; /* no room: the code must do */
    snprintf(line + strlen(line), sizeof line - strlen(line), "%s%s  %.60s",
             *line != '\0' ? "  " : "", show_code(code, made->format, made->code), stored);
    measure_error(made);
    if (made->error.exists && fpfmt_ratio_is_zero(&made->error.ratio)) {
        snprintf(aside, sizeof aside, "error 0");
    } else if (made->error.exists && made->relative.exists) {
        show_ratio(error, &made->error.ratio, max_digits10(made->format), LEAD_SIGN);
        show_percent(percent, &made->relative.ratio, LEAD_SIGN);
        show_ulps(ulps, &made->ulps.ratio, LEAD_SIGN);
        snprintf(aside, sizeof aside, "error %.40s  %.40s  %.40s", error, percent, ulps);
    }

    step(6, "result", line, aside);
    if (made->from.kind != FPFMT_KIND_ZERO && made->from.kind < FPFMT_KIND_INFINITE)
        tell_reason(made);
}

/* What the words of the other modes mean, and sr where a line above tells its chance. */
static void spell_modes(const report *made, bool by_chance)
{
    char text[400] = "";
    for (unsigned i = 0; i < FPFMT_ROUND_DETERMINISTIC_COUNT; i++)
        if (i != made->policy.rounding)
            append_text(text, sizeof text, "%s%s %s", *text != '\0' ? ", " : "",
                        word_for(&rounding_words, i), mode_in_words(i));
    if (by_chance)
        append_text(text, sizeof text, ", sr by chance");
    out_blanks(LEFT);
    out_wrapped_from(LEFT, LEFT, text);
}

static void otherwise(report *made, const fpfmt_explanation *told)
{
    char text[512] = "", code[24];
    bool done[FPFMT_ROUND_DETERMINISTIC_COUNT] = { false };
    if (made->policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT)
        done[made->policy.rounding] = true;
    for (int i = 0; i < FPFMT_ROUND_DETERMINISTIC_COUNT; i++) {
        if (done[i])
            continue;
        if (*text != '\0')
            strcat(text, "   ");
        for (int j = i; j < FPFMT_ROUND_DETERMINISTIC_COUNT; j++) {
            if (done[j] || told->otherwise[j] != told->otherwise[i])
                continue;
            done[j] = true;
            sprintf(text + strlen(text), "%s ", word_for(&rounding_words, (unsigned)j));
        }
        sprintf(text + strlen(text), "→ %s", show_code(code, made->format, told->otherwise[i]));
    }
    out_line();
    outf(STYLE_DIM, "  %-10s ", "otherwise");
    out_hang(LEFT);
    out(STYLE_PLAIN, text);
    out_line();
    bool by_chance = show_chance(made, told, 10);
    spell_modes(made, by_chance);
}

static void conclude(report *made, const fpfmt_explanation *told)
{
    step_result(made);
    otherwise(made, told);
}

void screen_explain(report *made)
{
    char text[200], aside[200], status[64], fraction[72];
    fpfmt_explanation told = fpfmt_explain(made->format, made->in->value, &made->policy);
    number stored;
    measure_error(made);
    strcpy(status, word_for(&status_words, (unsigned)made->status));
    show_value(stored, made->format, made->stored, false, LEAD_NONE);
    out(STYLE_INPUT, input_name(made->in));
    out(STYLE_PLAIN, " → ");
    out(STYLE_NAME, made->format->name);
    out(STYLE_PLAIN, "   ");
    out(style_of(made), status);
    if (made->error.exists && made->status != FPFMT_OUTCOME_EXACT)
        outf(STYLE_PLAIN, ", rounded %s to %s%.60s", made->error.ratio.negative ? "down" : "up",
             made->stored.kind == FPFMT_KIND_ZERO && !made->stored.negative ? "+" : "", stored);
    else if (made->status != FPFMT_OUTCOME_EXACT)
        outf(STYLE_PLAIN, " → %.60s", stored);
    out_line();
    out_line();

    if (told.range == FPFMT_RANGE_SPECIAL) {
        char reason[REASON_SIZE];
        out_wrapped(2,
                    reason_of(reason, made)
                        ? reason
                        : "Zero, infinity and NaN are not rounded: they have codes of their own.");
        step_result(made);
        return;
    }
    if (is_clamped(told.value)) {
        bool high = told.value.exponent > 0;
        step(1, "input", input_name(made->in), "");
        step(2, "range", high ? "far above the largest binade" : "far below the smallest value",
             high ? "beyond 10^4690" : "below 10^-4690");
        conclude(made, &told);
        return;
    }
    tail found;
    find_tail(&found, made, &told);
    show_binary(text, sizeof text, told.value, 24);
    snprintf(aside, sizeof aside, "%.150s%s", input_name(made->in),
             made->in->cut        ? ", cut after 1000 bits"
             : told.value.inexact ? ", exactly"
                                  : "");
    step(1, "input", text, aside);
    tell_exact(made, &found);
    if (told.value.negative && made->format->sign_bits == 0) {
        step(2, "range", "below 0", "the format has no sign");
        conclude(made, &told);
        return;
    }
    step_range(&told, made->format);
    if (told.range == FPFMT_RANGE_BELOW &&
        made->format->exponent_zero != FPFMT_EXPONENT_ZERO_SUBNORMALS) {
        step_gap(made, &told);
        conclude(made, &told);
        return;
    }
    if (is_past_counting(&told)) {
        step_result(made);
        otherwise(made, &told);
        return;
    }
    aligned(text, &told);
    snprintf(aside, sizeof aside, "unit 2^%d is one %sstep", (int)told.quantum,
             told.range == FPFMT_RANGE_NORMAL || told.range == FPFMT_RANGE_ABOVE ? ""
                                                                                 : "subnormal ");
    step(3, "align", text, aside);
    show_fraction(fraction, made->format, &told);
    snprintf(text, sizeof text, "%s │ %d %d %d", fraction, told.guard, told.round, told.sticky);
    step(4, "cut", text, "fraction (mantissa) │ guard round sticky");
    tell_tail(made, &told, &found);
    step_decide(made, &told, &found);
    conclude(made, &told);
}
