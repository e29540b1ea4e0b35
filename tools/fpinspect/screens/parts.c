/* parts.c - pieces that several screens share
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "kit/rounding.h"
#include "kit/say.h"
#include "kit/text.h"
#include "screens/screen.h"

style style_of(const report *made)
{
    switch (made->status) {
    case FPFMT_OUTCOME_EXACT: return STYLE_GOOD;
    case FPFMT_OUTCOME_INEXACT:
    case FPFMT_OUTCOME_SUBNORMAL: return STYLE_WARN;
    default: return STYLE_LOST;
    }
}

const char *input_name(const input *in)
{
    return quoted(in->text, strlen(in->text));
}

void show_fields(const fpfmt_format *format, uint64_t code, void (*put)(style, const char *))
{
    char bits[72];
    int mantissa = format->fraction_bits, exponent = format->exponent_bits;
    if (format->sign_bits > 0)
        put(STYLE_SIGN, show_bits(bits, code, mantissa + exponent, 1));
    if (exponent > 0) {
        put(STYLE_PLAIN, format->sign_bits > 0 ? " " : "");
        put(STYLE_EXPONENT, show_bits(bits, code, mantissa, exponent));
    }
    if (mantissa > 0) {
        put(STYLE_PLAIN, format->sign_bits + exponent > 0 ? " " : "");
        put(STYLE_FRACTION, show_bits(bits, code, 0, mantissa));
    }
}

/* The bits of a field behind what is there, and a blank between two fields. */
static void append_bits(char text[SPACED_SIZE], uint64_t code, int position, int count)
{
    char bits[72];
    if (count > 0)
        append_text(text, SPACED_SIZE, "%s%s", *text != '\0' ? " " : "",
                    show_bits(bits, code, position, count));
}

void spaced_bits(char text[SPACED_SIZE], const fpfmt_format *format, uint64_t code)
{
    int mantissa = format->fraction_bits, exponent = format->exponent_bits;
    *text = '\0';
    append_bits(text, code, mantissa + exponent, format->sign_bits);
    append_bits(text, code, mantissa, exponent);
    append_bits(text, code, 0, mantissa);
}

const char *mode_in_words(unsigned rounding)
{
    static const char *const modes[] = {
        [FPFMT_ROUND_NEAREST_EVEN] = "nearest-even",
        [FPFMT_ROUND_NEAREST_AWAY] = "nearest-away",
        [FPFMT_ROUND_NEAREST_ZERO] = "nearest-zero",
        [FPFMT_ROUND_TOWARD_ZERO] = "toward zero",
        [FPFMT_ROUND_AWAY_FROM_ZERO] = "away from zero",
        [FPFMT_ROUND_UPWARD] = "up",
        [FPFMT_ROUND_DOWNWARD] = "down",
        [FPFMT_ROUND_TO_ODD] = "to odd",
    };
    return rounding < FPFMT_ROUND_DETERMINISTIC_COUNT ? modes[rounding] : "stochastic";
}

void show_mode(const fpfmt_policy *policy)
{
    char name[ROUNDING_SIZE];
    if (policy->rounding != FPFMT_ROUND_NEAREST_EVEN)
        outf(STYLE_DIM, "   %s, %s", rounding_name(name, policy), mode_in_words(policy->rounding));
}

void show_binary(char *text, size_t size, fpfmt_value value, int most)
{
    char digits[72];
    uint64_t fraction = value.significand << 1;
    int count = 0;
    for (; count < most && count < 63 && fraction != 0; fraction <<= 1)
        digits[count++] = (char)('0' + (fraction >> 63));
    digits[count] = '\0';
    snprintf(text, size, "%s1%s%s%s₂ × 2^%d", value.negative ? "-" : "", count > 0 ? "." : "",
             digits, fraction != 0 || value.inexact ? "…" : "", (int)value.exponent);
}

bool show_chance(report *made, const fpfmt_explanation *told, int width)
{
    number percent, fraction;
    fpfmt_ratio chance, hundred, scaled;
    char code[24];
    bool own = has_chance(made->policy.rounding);
    fpfmt_ratio_from(&hundred, fpfmt_from_i64(100));
    if (told->remainder == FPFMT_REMAINDER_NONE || told->toward == told->from_zero ||
        !chance_of(&chance, made, told) || !fpfmt_ratio_multiply(&scaled, &chance, &hundred))
        return false;
    show_ratio(percent, &scaled, 9, LEAD_NONE);
    fpfmt_print_fraction(fraction, sizeof fraction, &chance);
    char away[200], toward[64];
    snprintf(away, sizeof away, "%s → %s in %.40s %% of cases",
             own ? rounding_name((char[ROUNDING_SIZE]){ 0 }, &made->policy) : "sr",
             show_code(code, made->format, told->from_zero), percent);
    snprintf(toward, sizeof toward, ", else %s", show_code(code, made->format, told->toward));
    outf(STYLE_DIM, "  %-*s ", width, own ? "chance" : "");
    out_hang(width + 3);
    out(STYLE_PLAIN, away);
    if (3 + width + width_of(away) + 2 + (int)strlen(fraction) + width_of(toward) <= out_width())
        outf(STYLE_PLAIN, ", %s", fraction);
    out(STYLE_PLAIN, toward);
    out_line();
    return true;
}
