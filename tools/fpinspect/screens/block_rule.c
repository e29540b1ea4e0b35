/* block_rule.c - in words and numbers: how a scale came about, and what it cost
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/losses.h"
#include "kit/memory.h"
#include "kit/text.h"
#include "screens/draw_block.h"

void show_scale(number text, const fpfmt_format *format, fpfmt_value value)
{
    if (is_power_of_two(value) && !value.negative &&
        (value.exponent < -9 || value.exponent > 9 || format->fraction_bits == 0))
        show_power(text, value.exponent);
    else
        show_value(text, format, value, false, LEAD_NONE);
}

void show_about(number text, double value, int digits)
{
    fpfmt_ratio ratio;
    if (fpfmt_ratio_from(&ratio, fpfmt_from_f64(value)))
        show_ratio(text, &ratio, digits, LEAD_NONE);
    else
        strcpy(text, value > 0 ? "Inf" : "NaN");
}

/* A sum and its power of two as one value. */
static fpfmt_value power_of(double sum, int exponent)
{
    fpfmt_value value = fpfmt_from_f64(sum);
    value.exponent += 2 * exponent;
    return value;
}

bool show_rms(number text, const block_loss *loss)
{
    fpfmt_ratio *numbers = allocate(2, sizeof *numbers);
    fpfmt_value mean = fpfmt_from_f64(loss->noise.sum / (double)(loss->measured + !loss->measured));
    bool known = loss->noise.sum > 0 && fpfmt_ratio_from(&numbers[0], mean) &&
                 fpfmt_ratio_sqrt(&numbers[0], &numbers[0], NULL) &&
                 fpfmt_ratio_from(&numbers[1], fpfmt_from_i64(2)) &&
                 fpfmt_ratio_power(&numbers[1], &numbers[1], loss->noise.exponent) &&
                 fpfmt_ratio_multiply(&numbers[0], &numbers[0], &numbers[1]);
    number rms;
    *text = '\0';
    if (known) {
        show_ratio(rms, &numbers[0], 3, LEAD_NONE);
        const char *about = strncmp(rms, "≈", strlen("≈")) == 0 ? "" : "≈";
        snprintf(text, NUMBER_SIZE, "rms error %s%.40s", about, rms);
        if (loss->measured < loss->count)
            append_text(text, NUMBER_SIZE, " of the other%s", loss->measured == 1 ? "" : "s");
    }
    release(numbers);
    return known;
}

bool show_sqnr(number text, const block_loss *loss)
{
    number sqnr;
    double ratio;
    *text = '\0';
    if (!decibels(&ratio, power_of(loss->signal.sum, loss->signal.exponent),
                  power_of(loss->noise.sum, loss->noise.exponent)))
        return false;
    show_about(sqnr, ratio, 3);
    const char *near = strncmp(sqnr, "≈", strlen("≈")) == 0 ? "" : "≈";
    snprintf(text, NUMBER_SIZE, "SQNR %s%.40s dB", near, sqnr);
    return true;
}

bool is_lossless(const block_loss *loss)
{
    return loss->changed + loss->to_nan + loss->to_infinite + loss->from_nan == 0;
}

void show_counts(char text[COUNTS_SIZE], const block_loss *loss)
{
    const struct {
        size_t count;
        const char *what;
    } rows[] = { { loss->clipped, "clipped" },
                 { loss->to_nan, "became NaN" },
                 { loss->to_infinite, "became Inf" },
                 { loss->from_nan, "NaN lost" } };
    *text = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].count > 0)
            append_text(text, COUNTS_SIZE, "%s%zu %s", *text != '\0' ? ", " : "", rows[i].count,
                        rows[i].what);
}

/* A number past this binade was too long for its logarithm to be known. */
enum { FAR = 1 << 20 };

/* The rules that give powers of two: floor(log2 2.5) − emax = 1 − 2. */
static void tell_power(char text[RULE_SIZE], const quantization *how, const block_facts *block,
                       const char *amax)
{
    const fpfmt_block_scale *scale = &block->scale;
    int logarithm = scale->exponent + scale->emax;
    char last[80] = "";
    fpfmt_value held = fpfmt_decode(&how->block->scale, scale->code);
    if (held.exponent != scale->exponent)
        snprintf(last, sizeof last, ", and the scale's %s is 2^%d",
                 held.exponent > scale->exponent ? "smallest" : "largest", held.exponent);
    const char *way = how->recipe.rule == FPFMT_SCALE_CEIL ? "ceil" : "floor";
    const char *by = how->has_tensor_scale ? " / tensor scale" : "";
    if (logarithm < -FAR || logarithm > FAR)
        snprintf(text, RULE_SIZE, "the scale's %s is 2^%d", logarithm < 0 ? "smallest" : "largest",
                 held.exponent);
    else if (how->recipe.rule == FPFMT_SCALE_EVEN)
        snprintf(text, RULE_SIZE,
                 "floor(log2 r) − emax = %d − %d%s, with r: amax%s rounded half up to %d bits",
                 logarithm, scale->emax, last, by, fpfmt_measure(&how->block->element).precision);
    else
        snprintf(text, RULE_SIZE, "%s(log2 %s%.40s%s%s) − emax = %d − %d%s", way,
                 *by != '\0' ? "(" : "", amax, by, *by != '\0' ? ")" : "", logarithm, scale->emax,
                 last);
}

/* Which kinds of values a block has. */
typedef struct {
    bool nan, infinite, number, nonzero;
} kinds;

static kinds kinds_of(const quantization *how, const block_facts *block)
{
    kinds made = { .nan = false };
    for (size_t i = block->first; i < block->first + block->count; i++) {
        fpfmt_value value = how->of->values[i];
        if (is_gap(how->of, i))
            continue;
        made.nan |= fpfmt_value_is_nan(value);
        made.infinite |= fpfmt_value_is_infinite(value);
        made.number |= !fpfmt_value_is_nan(value);
        made.nonzero |= fpfmt_value_is_finite(value) && !fpfmt_value_is_zero(value);
    }
    return made;
}

/* Why amax is no number above 0, though for the recipe, which may see values in binary32. */
static const char *why_infinite(const kinds *has)
{
    return has->infinite ? "a value is infinite"
                         : "a value is past binary32's largest, so that amax is Inf there";
}

static const char *why_zero(const quantization *how, const kinds *has)
{
    if (!has->number)
        return "there is no number, only NaN";
    if (!has->nonzero)
        return "all values are 0";
    return how->recipe.subnormal == FPFMT_BLOCK_SUBNORMAL_FLUSH
               ? "no value reaches 2^-126, below which the recipe takes all for 0"
               : "no value is above half of binary32's least, so that amax is 0 there";
}

/* Blocks that no rule decides. */
static bool tell_special(char text[RULE_SIZE], const quantization *how, const block_facts *block)
{
    const fpfmt_block_scale *scale = &block->scale;
    const fpfmt_recipe *recipe = &how->recipe;
    kinds has = kinds_of(how, block);
    bool infinite = fpfmt_value_is_infinite(scale->extreme);
    bool nan = has.nan && recipe->nan == FPFMT_BLOCK_NAN_SCALE;
    bool power = recipe->rule <= FPFMT_SCALE_EVEN;
    if (nan || infinite) {
        const char *then = "";
        if (scale->is_nan)
            then = ", which makes the scale NaN, and with it the block";
        else if (nan || recipe->infinite != FPFMT_BLOCK_INFINITE_RULE || power)
            then = ": the largest scale";
        snprintf(text, RULE_SIZE, "%s%s", nan ? "a value is NaN" : why_infinite(&has), then);
    } else if (scale->is_nan) {
        snprintf(text, RULE_SIZE,
                 "the scale would be past the largest of %s, which makes it NaN, and with it the "
                 "block",
                 how->block->scale.name);
    } else if (fpfmt_value_is_zero(scale->extreme)) {
        bool one = recipe->zero == FPFMT_BLOCK_ZERO_ONE;
        bool least = recipe->zero == FPFMT_BLOCK_ZERO_LEAST || power;
        snprintf(text, RULE_SIZE, "%s%s", why_zero(how, &has),
                 one     ? ": a scale of 1"
                 : least ? ": the smallest scale"
                         : "");
    } else {
        return false;
    }
    return true;
}

void show_amax(number text, const quantization *how, const block_facts *block)
{
    fpfmt_ratio *amax = allocate(1, sizeof *amax);
    if (amax_of(amax, how, block))
        show_ratio(text, amax, 9, LEAD_NONE);
    else if (fpfmt_value_is_finite(block->scale.extreme))
        strcpy(text, block->scale.extreme.exponent < 0 ? "below 10^-4690" : "beyond 10^4690");
    else
        strcpy(text, fpfmt_value_is_infinite(block->scale.extreme) ? "Inf" : "NaN");
    release(amax);
}

/* amax / M = 460 / 448 ≈1.02679, rounded up */
static void tell_quotient(char text[RULE_SIZE], const quantization *how, const block_facts *block)
{
    number amax, largest, quotient = "?";
    fpfmt_ratio *ratios = allocate(2, sizeof *ratios);
    fpfmt_value top = fpfmt_block_largest(how->block);
    top.negative = false;
    show_amax(amax, how, block);
    show_value(largest, &how->block->element, top, false, LEAD_NONE);
    if (amax_of(&ratios[0], how, block) && fpfmt_ratio_from(&ratios[1], top) &&
        fpfmt_ratio_divide(&ratios[0], &ratios[0], &ratios[1]))
        show_ratio(quotient, &ratios[0], 6, LEAD_NONE);
    snprintf(text, RULE_SIZE, "amax / M = %.40s / %.20s %s%.40s, rounded %s", amax, largest,
             strncmp(quotient, "≈", strlen("≈")) == 0 ? "" : "= ", quotient,
             how->recipe.scale_rounding == FPFMT_ROUND_UPWARD ? "up" : "to nearest");
    release(ratios);
}

void show_scaled(number text, const element_facts *made)
{
    fpfmt_value value = made->scaled_value.value;
    if (made->quotient.exists)
        show_ratio(text, &made->quotient.ratio, 6, LEAD_NONE);
    else if (!fpfmt_value_is_finite(value))
        show_value(text, fpfmt_named("fp32"), value, false, LEAD_NONE);
    else /* so many digits that they were not kept */
        strcpy(text, value.exponent < 0 ? "≈0" : "beyond 10^4690");
}

void tell_rule(char text[RULE_SIZE], const quantization *how, const block_facts *block)
{
    number amax;
    if (tell_special(text, how, block))
        return;
    show_amax(amax, how, block);
    if (how->recipe.rule <= FPFMT_SCALE_EVEN)
        tell_power(text, how, block, amax);
    else if (how->recipe.rule == FPFMT_SCALE_QUOTIENT && !how->has_tensor_scale)
        tell_quotient(text, how, block);
    else
        snprintf(text, RULE_SIZE, "%s", how->recipe.summary);
}
