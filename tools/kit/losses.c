/* losses.c - what rounding did to many elements, in figures and against limits
 * SPDX-License-Identifier: MIT */

#include "kit/losses.h"

#include <inttypes.h>
#include <string.h>

#include "kit/number.h"
#include "kit/say.h"
#include "kit/text.h"
#include "kit/words.h"

/* ---- figures ---- */

bool decibels(double *made, fpfmt_value signal, fpfmt_value noise)
{
    if (fpfmt_value_is_zero(signal) || fpfmt_value_is_zero(noise))
        return false;
    double log2 = signal.exponent - noise.exponent, bit = 0.5;
    double left = (double)signal.significand / (double)noise.significand;
    while (left < 1) {
        left *= 2;
        log2--;
    }
    /* Bits of the logarithm's fraction, each by squaring what is left of the number. */
    for (int i = 0; i < 20; i++, bit /= 2) {
        left *= left;
        if (left >= 2) {
            left /= 2;
            log2 += bit;
        }
    }
    *made = log2 * 3.0102999566398120;
    return true;
}

void spell_about(char text[ABOUT_TEXT], bool known, double value)
{
    fpfmt_ratio ratio;
    number digits;
    *text = '\0';
    if (!known || !fpfmt_ratio_from(&ratio, fpfmt_from_f64(value)))
        return;
    fpfmt_print_rounded(digits, sizeof digits, &ratio, 5, NULL);
    print_text(text, ABOUT_TEXT, "≈%.20s", digits);
}

uint64_t count_outcome(const fpfmt_stats *stats, unsigned outcome)
{
    switch ((fpfmt_outcome)outcome) {
    case FPFMT_OUTCOME_EXACT: return stats->exact;
    case FPFMT_OUTCOME_INEXACT: return stats->count - stats->exact;
    case FPFMT_OUTCOME_SUBNORMAL: return stats->subnormal;
    case FPFMT_OUTCOME_UNDERFLOW: return stats->underflow;
    case FPFMT_OUTCOME_OVERFLOW: return stats->overflow + stats->saturated;
    case FPFMT_OUTCOME_SATURATED: return stats->saturated;
    case FPFMT_OUTCOME_INVALID: return stats->invalid;
    default: return 0;
    }
}

void spell_error(char text[ERROR_TEXT], fpfmt_value value)
{
    if (fpfmt_value_is_zero(value))
        print_text(text, ERROR_TEXT, "0");
    else
        print_text(text, ERROR_TEXT, "0x%016" PRIx64 "p%d%s", value.significand,
                   (int)value.exponent - 63, value.inexact ? "+" : "");
}

/* ---- limits ---- */

bool read_share(fail_limit *limit, const char *name, const char *text)
{
    fpfmt_ratio hundred;
    size_t length = text == NULL ? 0 : strlen(text);
    bool percent = length > 1 && text[length - 1] == '%';
    fpfmt_ratio_from(&limit->share, fpfmt_from_i64(0));
    if (text == NULL)
        return true;
    limit->has_share = true;
    fpfmt_ratio_from(&hundred, fpfmt_from_i64(percent ? 100 : 1));
    bool good =
        length > 0 &&
        fpfmt_parse_ratio(&limit->share, text, length - percent, NULL) == length - percent &&
        !limit->share.negative && fpfmt_ratio_divide(&limit->share, &limit->share, &hundred);
    if (!good)
        complain("--fail-on takes a share as %s:1%%, not '%s'", name, quoted(text, length));
    return good;
}

static void tell_past(const fail_limit *limit, uint64_t count, const fpfmt_ratio *share,
                      const char *target)
{
    number part, most;
    const char *word = word_for(&status_words, limit->outcome);
    if (!limit->has_share) {
        note("%s in %s: %" PRIu64 " element%s", word, target, count, count == 1 ? "" : "s");
        return;
    }
    show_percent(part, share, LEAD_NONE);
    show_percent(most, &limit->share, LEAD_NONE);
    note("%s in %s: %s of the values that are not 0, and --fail-on takes %s", word, target, part,
         most);
}

bool is_past_limit(const fail_limit *limit, uint64_t count, uint64_t of, const char *target)
{
    fpfmt_ratio all, share, past;
    fpfmt_ratio_from(&share, fpfmt_from_u64(count));
    fpfmt_ratio_from(&all, fpfmt_from_u64(of));
    if (count == 0 || of == 0 || !fpfmt_ratio_divide(&share, &share, &all) ||
        !fpfmt_ratio_subtract(&past, &share, &limit->share) || past.negative ||
        fpfmt_ratio_is_zero(&past))
        return false;
    tell_past(limit, count, &share, target);
    return true;
}
