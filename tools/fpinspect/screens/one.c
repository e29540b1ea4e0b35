/* one.c - one value in one format: fields, exact value, error, range, neighbours
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "kit/rounding.h"
#include "screens/screen.h"

/* Where a field of the code stands on its line, and what it says there. */
typedef struct {
    int start, width;
    style how;
    char text[64];
} place;

static void headline(report *made)
{
    char status[64];
    describe_status(status, made);
    out(STYLE_INPUT, input_name(made->in));
    out(STYLE_PLAIN, " → ");
    out(STYLE_NAME, made->format->name);
    out(STYLE_PLAIN, "   ");
    out(style_of(made), status);
    if (made->flags & FPFMT_FLAG_OVERFLOW || made->status == FPFMT_OUTCOME_DIVIDE_BY_ZERO) {
        number stored;
        show_value(stored, made->format, made->stored, false, LEAD_NONE);
        outf(style_of(made), " → %s", stored);
    } else if (made->error.exists && made->status != FPFMT_OUTCOME_EXACT) {
        outf(STYLE_PLAIN, ", rounded %s", made->error.ratio.negative ? "down" : "up");
    }
    if (strcmp(made->column->row->name, "default") != 0)
        outf(STYLE_DIM, "   policy %s", made->column->row->name);
    show_mode(&made->policy);
    out_line();
    out_line();
}

/* The significand as people write it: value / 2^power. */
static void written_significand(number text, const fpfmt_format *format, fpfmt_value value,
                                int power)
{
    fpfmt_ratio ratio;
    value.negative = false;
    value.exponent -= power;
    fpfmt_ratio_from(&ratio, value);
    show_ratio(text, &ratio, max_digits10(format), LEAD_NONE);
}

/* What the fields mean, in the order of the line: the texts below the fields, and the sentence. */
static void meaning(const report *made, place *exponent, place *mantissa, char sentence[256])
{
    const fpfmt_format *format = made->format;
    fpfmt_value stored = made->stored;
    uint64_t low = made->code & ((UINT64_C(1) << format->fraction_bits) - 1);
    int biased =
        (int)(made->code >> format->fraction_bits & ((UINT64_C(1) << format->exponent_bits) - 1));
    const char *sign = format->sign_bits == 0 ? "no sign" : stored.negative ? "sign -" : "sign +";
    number factor;
    exponent->text[0] = mantissa->text[0] = '\0';
    if (stored.kind == FPFMT_KIND_ZERO) {
        snprintf(mantissa->text, sizeof mantissa->text, "0");
        snprintf(sentence, 256, "%s, all other bits 0: zero", sign);
    } else if (stored.kind == FPFMT_KIND_INFINITE) {
        snprintf(sentence, 256, "%s, %s: infinity", sign,
                 format->infinity == FPFMT_INFINITY_IEEE ? "exponent all ones and mantissa 0"
                                                         : "the largest code that is not NaN");
    } else if (stored.kind > FPFMT_KIND_INFINITE) {
        snprintf(sentence, 256, "%s: NaN",
                 format->nans == FPFMT_NANS_IEEE            ? "exponent all ones and mantissa not 0"
                 : format->nans == FPFMT_NANS_NEGATIVE_ZERO ? "the code that would be -0"
                 : format->sign_bits > 0                    ? "all ones but the sign"
                                                            : "all ones");
    } else if (format->exponent_bits == 0) {
        uint64_t all = low | (UINT64_C(1) << format->fraction_bits);
        snprintf(sentence, 256, "%s %s%" PRIu64,
                 format->sign_bits > 0 ? "two's complement" : "integer", stored.negative ? "-" : "",
                 stored.negative ? (UINT64_C(2) << format->fraction_bits) - all : low);
        if (format->bias != 0)
            sprintf(sentence + strlen(sentence), ", over 2^%d", (int)format->bias);
    } else {
        bool hidden = stored.kind == FPFMT_KIND_NORMAL;
        int power = hidden ? stored.exponent : fpfmt_measure(format).emin;
        written_significand(factor, format, stored, power);
        show_power(exponent->text, power);
        snprintf(mantissa->text, sizeof mantissa->text, "× %.40s", factor);
        if (hidden)
            snprintf(sentence, 256, "%s, exponent %d − bias %d", sign, biased, (int)format->bias);
        else
            snprintf(sentence, 256, "%s, exponent 0: subnormal, 2^%d", sign, power);
        if (format->fraction_bits > 0)
            sprintf(sentence + strlen(sentence), ", mantissa %d + %" PRIu64 "/%" PRIu64, hidden,
                    low, UINT64_C(1) << format->fraction_bits);
    }
}

/* A brace under each field: ───┬──── */
static void braces(const place *places, int count)
{
    int at = 0;
    for (int i = 0; i < count; i++) {
        if (places[i].width == 0)
            continue;
        int tee = (places[i].width - 1) / 2;
        out_repeat(STYLE_PLAIN, " ", places[i].start - at);
        out_repeat(places[i].how, "─", tee);
        out(places[i].how, "┬");
        out_repeat(places[i].how, "─", places[i].width - 1 - tee);
        at = places[i].start + places[i].width;
    }
    out_line();
}

/* The texts below the fields from one to another; returns the columns that they take. */
static int meanings(const place *places, int from, int to)
{
    int at = 0;
    for (int i = from; i < to; i++) {
        int length = width_of(places[i].text), slack = places[i].width - length;
        int start = places[i].start + (i == 1 && slack > 0 ? (slack + 1) / 2 : 0);
        start = at > 0 && start < at + 1 ? at + 1 : start;
        if (length == 0)
            continue;
        out_repeat(STYLE_PLAIN, " ", start - at);
        out(places[i].how, places[i].text);
        at = start + length;
    }
    return at;
}

static void bits_of(const place *places, uint64_t code, int from, int to)
{
    char bits[72];
    for (int i = from, at = 0; i < to; i++) {
        int below = 0;
        for (int j = i + 1; j < 3; j++)
            below += places[j].width;
        if (places[i].width == 0)
            continue;
        out_repeat(STYLE_PLAIN, " ", places[i].start - at);
        out(places[i].how, show_bits(bits, code, below, places[i].width));
        at = places[i].start + places[i].width;
    }
}

/* The sentence stands beside the texts, or below them where it has no room there. */
static void tell_meaning(int at, const char *sentence)
{
    enum { LEFT = 4, GAP = 3 };
    int start = at > 0 ? at + GAP : LEFT;
    bool beside = start + width_of(sentence) <= out_width();
    if (at > 0 && !beside)
        out_line();
    out_blanks(beside ? start - at : LEFT);
    out_hang(LEFT);
    out(STYLE_DIM, sentence);
    out_line();
    out_line();
}

/* Fields that have no room beside each other stand in two bands: sign and exponent, then the
 * fraction. */
static void anatomy(const report *made)
{
    enum { LEFT = 4, GAP = 3 };
    const fpfmt_format *format = made->format;
    char code[24], sentence[256];
    place places[3] = {
        { LEFT, format->sign_bits, STYLE_SIGN, "" },
        { 0, format->exponent_bits, STYLE_EXPONENT, "" },
        { 0, format->fraction_bits, STYLE_FRACTION, "" },
    };
    show_code(code, format, made->code);
    places[1].start = LEFT + (format->sign_bits > 0 ? 2 : 0);
    places[2].start = places[1].start + (format->exponent_bits > 0 ? format->exponent_bits + 1 : 0);
    bool split = places[2].start + places[2].width + GAP + width_of(code) > out_width();
    meaning(made, &places[1], &places[2], sentence);
    if (format->sign_bits > 0 && format->exponent_bits > 0)
        strcpy(places[0].text, made->stored.negative ? "-" : "+");
    bits_of(places, made->code, 0, split ? 2 : 3);
    outf(STYLE_PLAIN, "   %s\n", code);
    braces(places, split ? 2 : 3);
    int at = meanings(places, 0, split ? 2 : 3);
    if (split) {
        out_line();
        places[2].start = LEFT;
        bits_of(places, made->code, 2, 3);
        out_line();
        braces(places + 2, 1);
        at = meanings(places, 2, 3);
    }
    tell_meaning(at, sentence);
}

/* "  stored    TEXT   ASIDE" with the asides of the first rows aligned, or below the text where
 * there is no room. */
static void row(const char *name, style how, const char *text, int column, const char *aside)
{
    enum { LEFT = 12, GAP = 3 };
    int gap = column - width_of(text) + GAP;
    outf(STYLE_DIM, "  %-9s ", name);
    out_hang(LEFT);
    out(how, text);
    if (*aside != '\0') {
        gap = gap < GAP ? GAP : gap;
        if (gap + width_of(aside) > out_left() && GAP + width_of(aside) <= out_left())
            gap = GAP;
        if (gap + width_of(aside) > out_left()) {
            out_line();
            gap = LEFT;
        }
        out_blanks(gap);
        out(STYLE_DIM, aside);
    }
    out_line();
}

static int longest(int a, int b)
{
    return a > b ? a : b;
}

static void facts(report *made, const request *chosen)
{
    number stored, hex, shortest, text, percent, ulps;
    char code[24], aside[64];
    bool finite = made->stored.kind < FPFMT_KIND_INFINITE;
    show_value(stored, made->format, made->stored, true, LEAD_NONE);
    fpfmt_print_hex(hex, sizeof hex, made->stored);
    fpfmt_print_shortest(text, sizeof text, made->format, made->code);
    snprintf(shortest, sizeof shortest, "%s%.100s", finite && strcmp(text, stored) != 0 ? "≈" : "",
             text);
    snprintf(aside, sizeof aside, "reads back as %s", show_code(code, made->format, made->code));
    int column = longest(width_of(stored) <= 44 ? width_of(stored) : 0,
                         longest(width_of(hex), width_of(shortest)));
    if (!finite) {
        row("stored", STYLE_PLAIN, stored, column, "");
        return;
    }
    row("stored", STYLE_PLAIN, stored, column, "exact");
    row("hexfloat", STYLE_PLAIN, hex, column, "exact");
    row("shortest", STYLE_PLAIN, shortest, column, aside);
    if (!made->error.exists)
        return;
    if (fpfmt_ratio_is_zero(&made->error.ratio)) {
        row("error", STYLE_PLAIN, "0", column, "");
        return;
    }
    fpfmt_print_ratio(text, sizeof text, &made->error.ratio);
    if ((strlen(text) > 60 || strchr(text, '/') != NULL) && !chosen->full)
        show_ratio(stored, &made->error.ratio, max_digits10(made->format), LEAD_SIGN);
    else
        snprintf(stored, sizeof stored, "%s%.*s", *text == '-' ? "−" : "+", NUMBER_SIZE - 8,
                 text + (*text == '-'));
    strcpy(aside, "");
    if (made->relative.exists) {
        show_percent(percent, &made->relative.ratio, LEAD_HANG_SIGN);
        show_ulps(ulps, &made->ulps.ratio, LEAD_HANG_SIGN);
        snprintf(aside, sizeof aside, "%.28s   %.28s", percent, ulps);
    }
    row("error", STYLE_PLAIN, stored, column, aside);
}

/* So many codes below and above, largest first as on a number line stood upright. */
static void list_neighbors(const report *made, int count)
{
    uint64_t code = made->code, next;
    int above = 0;
    for (; above < count && (next = fpfmt_next_up(made->format, code, NULL, NULL)) != code; above++)
        code = next;
    table_begin(2);
    table_drop(2, 1); /* the code has these bits, too */
    for (int i = above; i >= -count; i--) {
        char shown[24];
        number value;
        fpfmt_value here = fpfmt_decode(made->format, code);
        show_value(value, made->format, here, true, LEAD_NONE);
        table_cell(i == 0 ? STYLE_NAME : STYLE_DIM, i == 0 ? "●" : " ");
        table_cell(STYLE_PLAIN, show_code(shown, made->format, code));
        table_cell(STYLE_PLAIN, "");
        show_fields(made->format, code, table_piece);
        table_cell(i == 0 ? STYLE_NAME : STYLE_PLAIN, value);
        table_row();
        next = fpfmt_next_down(made->format, code, NULL, NULL);
        if (next == code)
            break;
        code = next;
    }
    table_flush();
}

void screen_one(report *made, const request *chosen)
{
    measure_error(made);
    headline(made);
    anatomy(made);
    facts(made, chosen);
    char reason[REASON_SIZE];
    if (reason_of(reason, made)) {
        out(STYLE_DIM, "  reason    ");
        out_wrapped_from(12, 12, reason);
    }
    if (has_chance(made->policy.rounding)) {
        fpfmt_explanation told = fpfmt_explain(made->format, made->in->value, &made->policy);
        show_chance(made, &told, 9);
    }
    show_range(made);
    if (chosen->neighbors > 0 && made->stored.kind <= FPFMT_KIND_INFINITE) {
        out_line();
        list_neighbors(made, (int)chosen->neighbors);
    } else {
        show_neighbors(made);
    }
}
