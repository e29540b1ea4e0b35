/* losses.h - what rounding did to many elements, in figures and against limits
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_LOSSES_H
#define FPFMT_KIT_LOSSES_H

#include <fpfmt.h>

/* 10 log10 of signal / noise, to about 5 digits, alike on every machine; false where it is infinite
 * or there is none. */
bool decibels(double *made, fpfmt_value signal, fpfmt_value noise);

/* A figure that is not exact, with 5 digits and ≈; "" where it is not known. */
enum { ABOUT_TEXT = 32 };
void spell_about(char text[ABOUT_TEXT], bool known, double value);

/* Elements with an outcome, FPFMT_OUTCOME_...: inexact are all that are not exact, and past the
 * largest value is past it, whatever it became. */
uint64_t count_outcome(const fpfmt_stats *stats, unsigned outcome);

/* An error as a hexadecimal number, "0x1.8p-9", with a + where it was cut. */
enum { ERROR_TEXT = 40 };
void spell_error(char text[ERROR_TEXT], fpfmt_value value);

/* A condition of --fail-on: more of the elements that are not 0 than that share. */
typedef struct {
    unsigned outcome; /* FPFMT_OUTCOME_... */
    bool has_share;   /* else share is 0 */
    fpfmt_ratio share;
} fail_limit;

/* The share of a condition of this name, as the 1 % of underflow:1%; NULL: it has none. False after
 * a complaint. */
bool read_share(fail_limit *limit, const char *name, const char *text);

/* Are so many elements of so many past it? Then a note says so, of what became of this. */
bool is_past_limit(const fail_limit *limit, uint64_t count, uint64_t of, const char *target);

#endif
