/* screen.h - what people see
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_SCREEN_H
#define FPINSPECT_SCREEN_H

#include "facts/dot.h"
#include "facts/report.h"
#include "kit/out.h"
#include "kit/table.h"

/* One value in one format: fields, exact value, error, range, neighbours. */
void screen_one(report *made, const request *chosen);

/* One value in several formats, a row each, and the story behind them. */
void screen_all(input *in, const request *chosen);

/* A NaN in several formats: what becomes of its payload. */
void screen_nan(input *in, const fpfmt_format *formats, size_t count, const request *chosen);

/* One rounding, step by step. */
void screen_explain(report *made);

/* A conversion by --via, step by step, beside the direct one. */
void screen_chain(report *made, const request *chosen);

/* An expression rounded at every step, beside its one rounding. */
void screen_stepwise(report *made);

/* Several values, or several policies: a row for each value and each of its targets, and remarks on
 * what the rows showed. Where the request has one format, that is the target of every value. */
typedef struct {
    bool infinite_overflow, finite_overflow, near_end;
    bool stacked; /* each policy has a row of its own, as there is no room for them side by side */
} list_remarks;
void list_begin(list_remarks *seen, const request *chosen);
void list_row(list_remarks *seen, input *in, format_list targets, const request *chosen);
void list_end(const list_remarks *seen, const request *chosen);

/* The table of terms of the first group, for an accumulator that aligns and at least one product.
 */
void screen_alignment(const dot_product *of, const summation *way);

/* ---- pieces that screens share ---- */

style style_of(const report *made);

/* The input's text for people: shortened where it is very long. */
const char *input_name(const input *in);

/* The fields of a code, spaced and coloured. */
void show_fields(const fpfmt_format *format, uint64_t code, void (*put)(style, const char *));

/* The fields of a code, spaced, as plain text. */
enum { SPACED_SIZE = 80 };
void spaced_bits(char text[SPACED_SIZE], const fpfmt_format *format, uint64_t code);

/* A rounding mode in two or three words, as "toward zero". */
const char *mode_in_words(unsigned rounding);

/* "   rto, to odd" behind a headline, where a policy does not round to nearest even. */
void show_mode(const fpfmt_policy *policy);

/* 1.0101…₂ × 2^-27: at most most fraction bits. */
void show_binary(char *text, size_t size, fpfmt_value value, int most);

/* "sr → 0x0001 in 16.777216 % of cases", with the chance as a fraction, behind a name so wide;
 * false and nothing where a rounding by chance has no choice. */
bool show_chance(report *made, const fpfmt_explanation *told, int width);

/* Of a rounding whose exact value lies close to one of the format or to a midpoint: which, in
 * halves of a step above what was kept, and the value's distance from it, as a number and in steps.
 */
typedef struct {
    bool close;
    int halves;
    fpfmt_ratio boundary, distance, steps;
} tail;
void find_tail(tail *found, report *made, const fpfmt_explanation *told);

/* "½ − 2^-93", of a step. */
void show_remainder(char text[80], const tail *found);

/* Lines of --explain: an expression's exact result, and the tail that may have decided. */
void tell_exact(report *made, const tail *found);
void tell_tail(report *made, const fpfmt_explanation *told, const tail *found);

/* The range of a format as a bar, with the value in it; then its neighbours on a line. */
void show_range(report *made);
void show_neighbors(report *made);

/* Which formats kept the value and which lost it, and why. */
void tell_story(report *reports, size_t count);

#endif
