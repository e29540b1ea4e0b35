/* story.c - which formats kept the value and which lost it, and why: range or precision
 * SPDX-License-Identifier: MIT */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "screens/screen.h"

enum { STORY = 2048 };

static void add(char story[STORY], const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(char story[STORY], const char *format, ...)
{
    size_t length = strlen(story);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(story + length, STORY - length, format, arguments);
    va_end(arguments);
}

/* The command that explains a result, its value quoted where a shell needs that. */
static void name_command(char story[STORY], const report *made)
{
    const char *name = input_name(made->in), *quote = "";
    if (strpbrk(name, " *()^") != NULL)
        quote = strchr(name, '\'') == NULL ? "'" : "\"";
    add(story, "\nSee fpinspect %s%s%s --as %s --explain", quote, name, quote, made->format->name);
}

static bool lost_below(const report *made)
{
    return made->status == FPFMT_OUTCOME_UNDERFLOW;
}

static bool lost_above(const report *made)
{
    return (made->flags & FPFMT_FLAG_OVERFLOW) != 0;
}

static bool kept(const report *made)
{
    return made->status <= FPFMT_OUTCOME_SUBNORMAL && made->stored.kind != FPFMT_KIND_ZERO &&
           made->format->exponent_bits > 0;
}

static bool is_subnormal(const report *made)
{
    return made->status == FPFMT_OUTCOME_SUBNORMAL;
}

static int width_of_format(const report *made)
{
    return fpfmt_measure(made->format).width;
}

/* The widest report of those for which test holds, or the narrowest; NULL if there is none. */
static const report *extreme(const report *reports, size_t count, bool (*test)(const report *),
                             bool widest)
{
    const report *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (test(&reports[i]) && reports[i].format->exponent_bits > 0 &&
            (best == NULL || (widest ? width_of_format(&reports[i]) > width_of_format(best)
                                     : width_of_format(&reports[i]) < width_of_format(best))))
            best = &reports[i];
    return best;
}

/* Another format, wider than this one, with as many exponent bits. */
static const report *same_range(const report *reports, size_t count, const report *keeper)
{
    for (size_t i = 0; i < count; i++)
        if (reports[i].format->exponent_bits == keeper->format->exponent_bits &&
            width_of_format(&reports[i]) > width_of_format(keeper) && kept(&reports[i]))
            return &reports[i];
    return NULL;
}

static void name_keeper(char story[STORY], const report *reports, size_t count,
                        const report *keeper)
{
    const char *name = input_name(keeper->in);
    const report *kin = same_range(reports, count, keeper);
    if (keeper->format->exponent_bits == 0)
        return;
    if (kin != NULL)
        add(story, "%s has the %d exponent bits of %s and keeps %s; ", keeper->format->name,
            keeper->format->exponent_bits, kin->format->name, name);
    else
        add(story, "%s has %d exponent bits and keeps %s; ", keeper->format->name,
            keeper->format->exponent_bits, name);
}

/* The power of two from which on a value is nonzero, and from which on it is normal. */
static void name_scaling(char story[STORY], const report *lost)
{
    fpfmt_value value = lost->in->value;
    fpfmt_limits limits = fpfmt_measure(lost->format);
    int nonzero = 0, normal = limits.emin - value.exponent;
    for (; nonzero < 5000; nonzero++, value.exponent++)
        if (!fpfmt_is_zero(lost->format, fpfmt_encode(lost->format, value, &lost->policy, NULL)))
            break;
    if (nonzero >= 5000 || normal > 5000)
        return;
    if (nonzero == normal)
        add(story, "Scaling by 2^%d keeps it.", normal);
    else
        add(story, "Scaling by 2^%d keeps it nonzero, by 2^%d normal.", nonzero, normal);
}

static void tell_underflow(char story[STORY], const report *reports, size_t count,
                           const report *lost)
{
    number shown;
    const report *keeper = extreme(reports, count, kept, false);
    const char *who = lost->format->name, *unit = keeper == NULL ? " exponent bits" : "";
    fpfmt_limits limits = fpfmt_measure(lost->format);
    fpfmt_value least = fpfmt_decode(lost->format, limits.min_positive);
    bool nearest = lost->policy.rounding <= FPFMT_ROUND_NEAREST_ZERO;
    bool flushed = (lost->policy.subnormal & FPFMT_SUBNORMAL_FLUSH_RESULTS) != 0;
    if (keeper != NULL)
        name_keeper(story, reports, count, keeper);
    if (flushed)
        add(story, "%s has %d%s and flushes every |x| < 2^%d, its smallest normal, to 0. ", who,
            lost->format->exponent_bits, unit, limits.emin);
    else if (nearest && is_power_of_two(least)) {
        fpfmt_value half = least;
        fpfmt_ratio ratio;
        half.exponent--;
        fpfmt_ratio_from(&ratio, half);
        bool exact;
        fpfmt_print_rounded(shown, sizeof shown, &ratio, 3, &exact);
        add(story,
            "%s has %d%s and turns every |x| %s 2^%d (%s%.40s, half its smallest %s) into 0. ", who,
            lost->format->exponent_bits, unit,
            lost->policy.rounding == FPFMT_ROUND_NEAREST_AWAY ? "<" : "≤", (int)half.exponent,
            exact ? "" : "≈", shown, limits.has_subnormals ? "subnormal" : "value");
    } else
        add(story, "%s has %d%s, and under %s turns it into 0. ", who, lost->format->exponent_bits,
            unit, rounding_name((char[ROUNDING_SIZE]){ 0 }, &lost->policy));
    name_scaling(story, lost);
}

static void tell_overflow(char story[STORY], const report *reports, size_t count,
                          const report *lost)
{
    number largest, became;
    const report *keeper = extreme(reports, count, kept, false);
    const char *unit = keeper == NULL ? " exponent bits" : "";
    fpfmt_limits limits = fpfmt_measure(lost->format);
    show_value(largest, lost->format, fpfmt_decode(lost->format, limits.max), false, LEAD_NONE);
    show_value(became, lost->format, lost->stored, false, LEAD_NONE);
    if (keeper != NULL)
        name_keeper(story, reports, count, keeper);
    add(story, "%s has %d%s, ends at %.40s, and turns it into %.40s. ", lost->format->name,
        lost->format->exponent_bits, unit, largest, became);
    int down = lost->in->value.exponent - limits.emax;
    fpfmt_value scaled = lost->in->value;
    for (scaled.exponent -= down; down < 5000; down++, scaled.exponent--) {
        unsigned flags = 0;
        fpfmt_encode(lost->format, scaled, &lost->policy, &flags);
        if (!(flags & FPFMT_FLAG_OVERFLOW))
            break;
    }
    if (down > 0 && down < 5000 && !(lost->in->value.kind >= FPFMT_KIND_INFINITE))
        add(story, "Scaling by 2^-%d makes it fit.", down);
}

static void list_exact(char story[STORY], const report *reports, size_t count)
{
    size_t exact = 0, named = 0;
    const report *best = NULL;
    for (size_t i = 0; i < count; i++) {
        exact += reports[i].status == FPFMT_OUTCOME_EXACT;
        if (reports[i].status == FPFMT_OUTCOME_EXACT &&
            (best == NULL || width_of_format(&reports[i]) < width_of_format(best)))
            best = &reports[i];
    }
    if (exact == count) {
        add(story, "All hold it exactly, %s in %d bits.", best->format->name,
            width_of_format(best));
        return;
    }
    for (size_t i = 0; i < count && exact > 0; i++)
        if (reports[i].status == FPFMT_OUTCOME_EXACT)
            add(story, "%s%s",
                named++ == 0     ? ""
                : named == exact ? " and "
                                 : ", ",
                reports[i].format->name);
    if (exact > 0)
        add(story, " hold%s it exactly; the others have too few fraction bits.",
            exact == 1 ? "s" : "");
}

static void tell_precision(char story[STORY], report *reports, size_t count)
{
    number least_error, most_error;
    const report *fine = NULL, *coarse = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!reports[i].relative.exists || reports[i].status == FPFMT_OUTCOME_EXACT)
            continue;
        int bits = fpfmt_measure(reports[i].format).precision;
        if (fine == NULL || bits > fpfmt_measure(fine->format).precision)
            fine = &reports[i];
        if (coarse == NULL || bits <= fpfmt_measure(coarse->format).precision)
            coarse = &reports[i];
    }
    const report *tiny = extreme(reports, count, is_subnormal, true);
    if (tiny != NULL && tiny->relative.exists) {
        show_percent(most_error, &tiny->relative.ratio, LEAD_SIGN);
        add(story,
            "In %s it lies below the smallest normal, where fewer bits are left: off by %.40s. ",
            tiny->format->name, most_error);
        return;
    }
    list_exact(story, reports, count);
    if (*story != '\0' || fine == NULL)
        return;
    show_percent(least_error, &fine->relative.ratio, LEAD_SIGN);
    show_percent(most_error, &coarse->relative.ratio, LEAD_SIGN);
    if (fine != coarse)
        add(story,
            "All have the range for it; precision decides: %s has %d significant bits and is off "
            "by "
            "%.40s, %s has %d and is off by %.40s.",
            fine->format->name, fpfmt_measure(fine->format).precision, least_error,
            coarse->format->name, fpfmt_measure(coarse->format).precision, most_error);
}

void tell_story(report *reports, size_t count)
{
    char story[STORY] = "";
    const report *below = extreme(reports, count, lost_below, true);
    const report *above = extreme(reports, count, lost_above, true);
    fpfmt_value value = reports[0].in->value;
    if (value.kind == FPFMT_KIND_INFINITE) {
        if (above != NULL)
            add(story, "%s has no infinity; Inf into such a format counts as overflow.",
                above->format->name);
    } else if (below != NULL) {
        tell_underflow(story, reports, count, below);
        name_command(story, below);
    } else if (above != NULL) {
        tell_overflow(story, reports, count, above);
        name_command(story, above);
    } else {
        tell_precision(story, reports, count);
    }
    if (*story == '\0')
        return;
    out_line();
    out_wrapped(2, story);
}
