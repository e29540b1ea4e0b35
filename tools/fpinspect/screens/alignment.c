/* alignment.c - one group of an aligned accumulator: the bits it keeps, and those it loses
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include "facts/dot.h"
#include "kit/number.h"
#include "kit/out.h"
#include "kit/table.h"
#include "screens/screen.h"

enum { LEFT = 11 };

/* A group, and how its numbers stand: 2^(largest - fraction_bits) is the unit of what is kept. */
typedef struct {
    const dot_product *of;
    const summation *way;
    fpfmt_alignment told;
    int whole_bits; /* before the point */
    int room;       /* for lost bits */
    fpfmt_ratio lost;
} group;

static int bit_length(uint64_t bits)
{
    int n = 0;
    while (n < 64 && bits >> n != 0)
        n++;
    return n;
}

/* The elements of the first group: as many as there are, and not past a promotion. */
static size_t elements(const dot_product *of, const fpfmt_accumulator *how)
{
    return how->promote != 0 && how->promote < of->a.count ? how->promote : of->a.count;
}

/* The element behind term number index, from 1. */
static size_t element_of(const fpfmt_accumulator *how, size_t index)
{
    index--;
    return how->interleaved ? index / 2 * 4 + index % 2 : how->parities ? 2 * index : index;
}

/* How many bits of a term's significand lie below the unit, and more where all of them do. */
static int bits_below(const group *shown, size_t index)
{
    const fpfmt_alignment *told = &shown->told;
    return told->term[index].point - told->term[index].exponent + told->largest -
           shown->way->how.fraction_bits;
}

/* 1.0101, so that points stand below each other, in two styles: sign and bits. */
static void put_kept(const group *shown, bool negative, uint64_t units)
{
    char bits[72], text[80];
    int fraction = shown->way->how.fraction_bits;
    show_bits(bits, units, fraction, shown->whole_bits);
    snprintf(text, sizeof text, "%s.", bits);
    table_cell(STYLE_SIGN, negative ? "− " : "+ ");
    table_piece(STYLE_PLAIN, text);
    table_piece(STYLE_FRACTION, show_bits(bits, units, 0, fraction));
}

/* The bits below the unit at their places, but for zeros at the end; where there is no room, …
 * stands for zeros before them, and for what follows. */
static void put_lost(const group *shown, size_t index)
{
    char bits[72];
    uint64_t lost = shown->told.term[index].lost;
    int below = bits_below(shown, index), count = bit_length(lost), zeros = below - count;
    if (lost == 0)
        return;
    while (lost % 2 == 0) {
        lost /= 2;
        count--;
    }
    table_cell(STYLE_DIM, "│ ");
    if (zeros + count > shown->room && zeros > 1) {
        table_piece(STYLE_LOST, "0…0");
        zeros = width_of("0…0");
    } else {
        for (int i = 0; i < zeros; i++)
            table_piece(STYLE_LOST, "0");
    }
    int most = shown->room - zeros;
    bool cut = count > most;
    if (cut)
        most -= width_of("…");
    show_bits(bits, lost, cut ? count - most : 0, cut ? most : count);
    table_piece(STYLE_LOST, bits);
    table_piece(STYLE_LOST, cut ? "…" : "");
}

static void put_term(const group *shown, size_t index)
{
    char name[48] = "sum", exponent[24];
    const fpfmt_alignment *told = &shown->told;
    const fpfmt_accumulator *how = &shown->way->how;
    bool start = how->promote == 0 && !how->apart && how->late_bits == 0;
    size_t i = index == 0 ? 0 : element_of(&shown->way->how, index);
    if (index > 0)
        snprintf(name, sizeof name, "a%zu×b%zu", i, i);
    else if (start)
        strcpy(name, "start");
    table_cell(STYLE_NAME, name);
    if (told->term[index].significand == 0) {
        table_cell(STYLE_DIM, "");
        table_cell(STYLE_DIM, "  zero");
    } else {
        bool largest = told->term[index].exponent == told->largest;
        table_cell(largest ? STYLE_NAME : STYLE_EXPONENT,
                   show_power(exponent, told->term[index].exponent));
        put_kept(shown, told->term[index].negative, told->term[index].kept);
        put_lost(shown, index);
    }
    table_row();
}

static uint64_t magnitude(int64_t sum)
{
    return sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
}

/* integer * 2^exponent. */
static bool scaled(fpfmt_ratio *made, uint64_t integer, int exponent)
{
    fpfmt_value value = fpfmt_from_u64(integer);
    value.exponent += integer == 0 ? 0 : exponent;
    return fpfmt_ratio_from(made, value);
}

/* What all terms lost, with their signs. */
static void add_lost(group *shown)
{
    enum { BITS = 600 }; /* below one, of any product of values of formats with 8 exponent bits */
    fpfmt_ratio part, unit;
    const fpfmt_alignment *told = &shown->told;
    fpfmt_ratio_from(&shown->lost, fpfmt_from_i64(0));
    for (size_t i = 0; i < told->count; i++) {
        scaled(&part, told->term[i].lost, BITS + told->term[i].exponent - told->term[i].point);
        part.negative = told->term[i].negative;
        fpfmt_ratio_add(&shown->lost, &shown->lost, &part);
    }
    scaled(&unit, 1, BITS);
    fpfmt_ratio_divide(&shown->lost, &shown->lost, &unit);
}

/* Columns: names of terms, exponents, kept bits, and what is left for the lost ones. */
static void measure(group *shown)
{
    enum { NAME = 7, EXPONENT = 8, SIGN = 2, BAR = 2, LEAST = 8 };
    uint64_t sum = magnitude(shown->told.sum);
    int fraction = shown->way->how.fraction_bits, whole = bit_length(sum) - fraction;
    shown->whole_bits = whole < 2 ? 2 : whole;
    int taken = 2 + NAME + 2 + EXPONENT + 2 + SIGN + shown->whole_bits + 1 + fraction + 2 + BAR;
    shown->room = out_width() - taken < LEAST ? LEAST : out_width() - taken;
    add_lost(shown);
}

static void table(const group *shown)
{
    char unit[24], heading[48];
    const fpfmt_alignment *told = &shown->told;
    snprintf(heading, sizeof heading, "  kept, down to %s",
             show_power(unit, told->largest - shown->way->how.fraction_bits));
    table_begin(2);
    table_align(1, ALIGN_RIGHT);
    table_cell(STYLE_DIM, "term");
    table_cell(STYLE_DIM, "exponent");
    table_cell(STYLE_DIM, heading);
    table_cell(STYLE_DIM, fpfmt_ratio_is_zero(&shown->lost) ? "" : "  lost");
    table_row();
    for (size_t i = 0; i < told->count; i++)
        put_term(shown, i);
    table_cell(STYLE_NAME, "total");
    table_cell(STYLE_DIM, "");
    put_kept(shown, told->sum < 0, magnitude(told->sum));
    table_row();
    table_flush();
    out_line();
}

static void put(const char *name, const char *text)
{
    outf(STYLE_DIM, "  %-9s", name);
    out_wrapped_from(LEFT, LEFT, text);
}

static void tell_largest(const group *shown)
{
    char text[200], power[24], unit[24];
    int fraction = shown->way->how.fraction_bits;
    show_power(power, shown->told.largest);
    show_power(unit, shown->told.largest - fraction);
    snprintf(text, sizeof text, "%s: no term keeps a bit below %s, %d places lower", power, unit,
             fraction);
    put("largest", text);
}

static void tell_sum(const group *shown)
{
    number amount;
    char text[200], unit[24];
    show_power(unit, shown->told.largest - shown->way->how.fraction_bits);
    snprintf(text, sizeof text, "%lld × %s", (long long)shown->told.sum, unit);
    if (fpfmt_ratio_is_zero(&shown->lost)) {
        strcat(text, ", and no term lost a bit");
    } else {
        show_ratio(amount, &shown->lost, 4, LEAD_SIGN);
        snprintf(text + strlen(text), 80, "; the terms lost %.40s", amount);
    }
    put("total", text);
}

/* The result less the total; false if that is 0, or the result infinite. */
static bool rounding_error(fpfmt_ratio *error, const group *shown)
{
    fpfmt_ratio total;
    const fpfmt_alignment *told = &shown->told;
    if (!scaled(&total, magnitude(told->sum), told->largest - shown->way->how.fraction_bits))
        return false;
    total.negative = told->sum < 0;
    return fpfmt_ratio_from(error, fpfmt_decode(&shown->way->to, told->code)) &&
           fpfmt_ratio_subtract(error, error, &total) && !fpfmt_ratio_is_zero(error);
}

static void tell_result(const group *shown)
{
    number stored, off;
    fpfmt_ratio error;
    char text[200], code[24], way[48] = "to nearest even";
    const fpfmt_format *to = &shown->way->to;
    const fpfmt_accumulator *how = &shown->way->how;
    bool aligned = !shown->told.special && shown->told.largest != INT32_MIN;
    show_value(stored, to, fpfmt_decode(to, shown->told.code), false, LEAD_NONE);
    if (!how->nearest && how->kept_bits != 0)
        snprintf(way, sizeof way, "cut to %d fraction bits", how->kept_bits);
    else if (!how->nearest)
        strcpy(way, "cut toward zero");
    snprintf(text, sizeof text, "%.40s, %s in %s, %s", stored,
             show_code(code, to, shown->told.code), to->name, way);
    if (aligned && rounding_error(&error, shown)) {
        show_ratio(off, &error, 4, LEAD_SIGN);
        snprintf(text + strlen(text), 60, ": %.40s", off);
    }
    put("result", text);
}

/* Where the result goes. */
static void tell_rest(const group *shown, size_t taken)
{
    char text[200] = "";
    const fpfmt_accumulator *how = &shown->way->how;
    size_t n = elements(shown->of, how);
    if (how->late_bits != 0)
        strcpy(text, how->parities ? "the total joins that of the odd elements, and the start both"
                                   : "the start is added to the total before it is rounded");
    else if (taken < n)
        strcpy(text, "it is the first term of the next group");
    else if (how->promote != 0 && n < shown->of->a.count)
        snprintf(text, sizeof text, "it is added to the start in %s", shown->way->to.name);
    if (how->apart)
        snprintf(text + strlen(text), 120,
                 "%sthe start is added to the sum of the groups of each 32 elements",
                 *text != '\0' ? "; " : "");
    if (*text != '\0')
        put("then", text);
}

void screen_alignment(const dot_product *of, const summation *way)
{
    group shown;
    shown.of = of;
    shown.way = way;
    size_t n = elements(of, &way->how);
    uint64_t start = way->how.promote != 0 ? 0 : way->start;
    if (!fpfmt_align(&way->to, &way->how, &shown.told, start, vector_series(&of->a),
                     vector_series(&of->b), n))
        return;
    size_t taken = shown.told.count - 1;
    out(STYLE_NAME, way->name);
    outf(STYLE_PLAIN, "   first group, %zu of %zu products of %s", taken, of->a.count,
         of->a.format->name);
    if (of->chosen->from_pair)
        outf(STYLE_PLAIN, " and %s", of->b.format->name);
    out_line();
    out_line();
    if (shown.told.special) {
        put("special", "a term is infinite or NaN, and nothing is aligned");
    } else if (shown.told.largest == INT32_MIN) {
        put("zero", "all terms are zero, and nothing is aligned");
    } else {
        measure(&shown);
        table(&shown);
        tell_largest(&shown);
        tell_sum(&shown);
    }
    tell_result(&shown);
    tell_rest(&shown, taken);
}
