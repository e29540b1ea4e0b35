/* tail.c - what lies close to a value or to a midpoint, and by how much
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "kit/number.h"
#include "kit/rounding.h"
#include "screens/screen.h"

enum { LEFT = 13, CLOSE = -12 }; /* log2 of the part of a step that counts as close */

static void set_power(fpfmt_ratio *ratio, int exponent)
{
    fpfmt_value value = fpfmt_from_i64(1);
    value.exponent = exponent;
    fpfmt_ratio_from(ratio, value);
}

/* halves / 2 steps above what was kept, as a number with the sign of the input. */
static bool boundary_at(fpfmt_ratio *boundary, const fpfmt_explanation *told, int halves)
{
    fpfmt_ratio part, unit;
    set_power(&unit, told->quantum);
    if (!fpfmt_ratio_from(boundary, fpfmt_from_u64(told->kept)) ||
        !fpfmt_ratio_from(&part, fpfmt_from_i64(halves)))
        return false;
    part.denominator.limb[0] = 2;
    if (!fpfmt_ratio_add(boundary, boundary, &part) ||
        !fpfmt_ratio_multiply(boundary, boundary, &unit))
        return false;
    boundary->negative = told->value.negative;
    return true;
}

void find_tail(tail *found, report *made, const fpfmt_explanation *told)
{
    fpfmt_ratio remainder, place;
    found->close = false;
    if (told->range == FPFMT_RANGE_ABOVE || told->remainder == FPFMT_REMAINDER_NONE ||
        !remainder_of(&remainder, made, told))
        return;
    for (int halves = told->kept == 0; halves <= 2; halves++) {
        fpfmt_ratio_from(&place, fpfmt_from_i64(halves));
        place.denominator.limb[0] = 2;
        if (!fpfmt_ratio_subtract(&found->steps, &remainder, &place) ||
            fpfmt_ratio_is_zero(&found->steps) ||
            fpfmt_ratio_value(&found->steps).exponent >= CLOSE ||
            !boundary_at(&found->boundary, told, halves) ||
            !fpfmt_ratio_subtract(&found->distance, &made->in->ratio, &found->boundary))
            continue;
        found->close = true;
        found->halves = halves;
        return;
    }
}

/* A magnitude: 2^-100, or at most 17 digits if these are all, or four and ≈. */
static void show_magnitude(number text, const fpfmt_ratio *ratio)
{
    fpfmt_value value = fpfmt_ratio_value(ratio);
    fpfmt_ratio positive;
    positive = *ratio;
    positive.negative = false;
    if (is_power_of_two(value))
        show_power(text, value.exponent);
    else
        show_ratio(text, &positive, 4, LEAD_NONE);
}

void show_remainder(char text[80], const tail *found)
{
    number distance;
    static const char *const places[] = { "", "½", "1" };
    show_magnitude(distance, &found->steps);
    snprintf(text, 80, "%s%s%.40s", places[found->halves],
             found->halves == 0      ? ""
             : found->steps.negative ? " − "
                                     : " + ",
             distance);
}

static void put(const char *name, const char *text)
{
    outf(STYLE_DIM, "    %-9s", name);
    out_wrapped_from(LEFT, LEFT, text);
}

/* All digits if these are not too many; else ≈ and 17 of them. */
static bool show_in_full(number text, const fpfmt_ratio *ratio)
{
    enum { MANY = 56 };
    if (fpfmt_print_ratio(text, NUMBER_SIZE, ratio) <= MANY)
        return true;
    show_ratio(text, ratio, SHOWN_DIGITS, LEAD_NONE);
    return false;
}

void tell_exact(report *made, const tail *found)
{
    number text, distance;
    if (!made->in->calculated || !input_ratio(made->in))
        return;
    bool exact = show_in_full(text, found->close ? &found->boundary : &made->in->ratio);
    if (found->close) {
        show_magnitude(distance, &found->distance);
        snprintf(text + strlen(text), 64, " %s %.40s", found->distance.negative ? "−" : "+",
                 distance);
    }
    put(exact ? "exact" : "value", text);
}

void tell_tail(report *made, const fpfmt_explanation *told, const tail *found)
{
    number distance, low, high;
    fpfmt_ratio end;
    char text[400];
    if (!found->close || !boundary_at(&end, told, 0))
        return;
    fpfmt_value boundary = fpfmt_ratio_value(&found->boundary);
    bool decides = fpfmt_encode(made->format, boundary, &made->policy, NULL) != made->code;
    bool chance = has_chance(made->policy.rounding);
    show_magnitude(distance, &found->distance);
    show_ratio(low, found->halves == 1 ? &end : &found->boundary, max_digits10(made->format),
               LEAD_NONE);
    snprintf(text, sizeof text, "%.40s %s %s%.40s", distance,
             found->distance.negative ? "below" : "above",
             found->halves == 1 ? "the midpoint of " : "", low);
    if (found->halves == 1 && boundary_at(&end, told, 2)) {
        show_ratio(high, &end, max_digits10(made->format), LEAD_NONE);
        snprintf(text + strlen(text), 64, " and %.40s", high);
    }
    if (!chance)
        strcat(text, decides ? ": it decides" : ": it makes no difference here");
    put("tail", text);
}
