/* block_rule.c - in words and numbers: how a scale came about, and what it cost
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/memory.h"
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

/* 10 log10 of a positive number: the binade, and sixteen bits of the fraction of its logarithm,
 * each by squaring what is left. */
static double decibels(double ratio)
{
    fpfmt_value value = fpfmt_from_f64(ratio);
    double log2 = value.exponent, bit = 0.5;
    value.exponent = 0;
    double left = fpfmt_to_f64(value, NULL, NULL);
    for (int i = 0; i < 16; i++, bit /= 2) {
        left *= left;
        if (left >= 2) {
            left /= 2;
            log2 += bit;
        }
    }
    return log2 * 3.0102999566398120;
}

void show_loss(number text, const block_loss *loss)
{
    number rms, sqnr;
    fpfmt_ratio mean;
    bool known = loss->finite > 0 && loss->noise > 0 &&
                 fpfmt_ratio_from(&mean, fpfmt_from_f64(loss->noise / (double)loss->finite)) &&
                 fpfmt_ratio_sqrt(&mean, &mean, NULL);
    *text = '\0';
    if (!known)
        return;
    show_ratio(rms, &mean, 3, LEAD_NONE);
    show_about(sqnr, decibels(loss->signal / loss->noise), 3);
    const char *about = strncmp(rms, "≈", strlen("≈")) == 0 ? "" : "≈";
    const char *near = strncmp(sqnr, "≈", strlen("≈")) == 0 ? "" : "≈";
    snprintf(text, NUMBER_SIZE, "rms error %s%.40s   SQNR %s%.40s dB", about, rms, near, sqnr);
}

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
    if (how->recipe.rule == FPFMT_SCALE_EVEN)
        snprintf(text, RULE_SIZE,
                 "floor(log2 r) − emax = %d − %d%s, with r: amax rounded half up to %d bits",
                 logarithm, scale->emax, last, fpfmt_measure(&how->block->element).precision);
    else
        snprintf(text, RULE_SIZE, "%s(log2 %.40s) − emax = %d − %d%s", way, amax, logarithm,
                 scale->emax, last);
}

/* Blocks that no rule decides. */
static bool tell_special(char text[RULE_SIZE], const quantization *how, const block_facts *block)
{
    const fpfmt_block_scale *scale = &block->scale;
    if (scale->is_nan)
        snprintf(text, RULE_SIZE, "a value is %s, which makes the scale NaN, and with it the block",
                 fpfmt_value_is_finite(scale->extreme) ? "NaN or too large" : "infinite or NaN");
    else if (fpfmt_value_is_infinite(scale->extreme))
        snprintf(text, RULE_SIZE, "a value is infinite");
    else if (fpfmt_value_is_zero(scale->extreme))
        snprintf(text, RULE_SIZE, "all values are 0%s",
                 how->recipe.zero == FPFMT_BLOCK_ZERO_LEAST || how->recipe.rule <= FPFMT_SCALE_EVEN
                     ? ": the smallest scale"
                 : how->recipe.zero == FPFMT_BLOCK_ZERO_ONE ? ": a scale of 1"
                                                            : "");
    else
        return false;
    return true;
}

void show_amax(number text, const quantization *how, const block_facts *block)
{
    fpfmt_ratio *amax = allocate(1, sizeof *amax);
    if (amax_of(amax, how, block))
        show_ratio(text, amax, 9, LEAD_NONE);
    else
        strcpy(text, fpfmt_value_is_infinite(block->scale.extreme) ? "Inf" : "NaN");
    release(amax);
}

/* amax / M = 460 / 448 = ≈1.02679, rounded up */
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
    snprintf(text, RULE_SIZE, "amax / M = %.40s / %.20s = %.40s, rounded %s", amax, largest,
             quotient, how->recipe.scale_rounding == FPFMT_ROUND_UPWARD ? "up" : "to nearest");
    release(ratios);
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
