/* report.h - one value in one format under one policy: everything a screen or a field may need
 * SPDX-License-Identifier: MIT */

#ifndef REPORT_H
#define REPORT_H

#include <fpfmt.h>

#include "input.h"
#include "options.h"

typedef enum {
    STATUS_EXACT,
    STATUS_INEXACT,
    STATUS_SUBNORMAL, /* tiny, inexact, not zero */
    STATUS_UNDERFLOW, /* became zero */
    STATUS_OVERFLOW,
    STATUS_SATURATED,
    STATUS_INVALID,
    STATUS_DIVIDE_BY_ZERO /* became infinite or NaN by that */
} status_kind;

typedef struct {
    input *in;
    const fpfmt_format *format;
    const policy_choice *column;
    fpfmt_policy policy;
    uint64_t code;
    unsigned flags;
    fpfmt_value from, stored; /* what the last step rounded, and to what */
    status_kind status;
    bool measured, has_error, has_relative, has_ulps;
    fpfmt_ratio error, relative,
        ulps; /* stored - input; over the input; over the step at the input */
    bool stepwise_done, has_stepwise_ulps; /* of stepwise.h: rounded at every step */
    uint64_t stepwise_code;
    unsigned stepwise_flags;
    fpfmt_value stepwise_stored;
    fpfmt_ratio stepwise_ulps;
} report;

void make_report(report *made, const options *chosen, input *in, const fpfmt_format *format,
                 const policy_choice *column);

/* The value after the steps of --via from first up to end, their flags OR-ed in. */
fpfmt_value through_steps(const options *chosen, const policy_choice *column, fpfmt_value value,
                          uint64_t element, size_t first, size_t end, unsigned *flags);

/* The policy of one step, for the value of this index. */
fpfmt_policy step_policy(const options *chosen, const policy_choice *column, size_t index,
                         uint64_t element);

/* The same without --via: the direct result. */
void make_direct(report *made, const options *chosen, input *in, const fpfmt_format *format,
                 const policy_choice *column);

/* Fills in error, relative and ulps, where these exist. */
void measure_error(report *made);

/* The distance from the lower neighbour in steps, exactly. */
bool remainder_of(fpfmt_ratio *remainder, report *made, const fpfmt_explanation *told);

/* The chance that stochastic rounding goes away from zero: that distance, or what the policy's mode
 * makes of it. */
bool chance_of(fpfmt_ratio *chance, report *made, const fpfmt_explanation *told);

/* --fail-on: whether one of its conditions is met. */
bool meets_condition(const report *made, const options *chosen);

/* Why a value has no place in its format, as a sentence; false if it has one. */
enum { REASON_SIZE = 240 };
bool reason_of(char text[REASON_SIZE], const report *made);

/* zero, subnormal, normal, inf or nan. */
const char *class_name(fpfmt_value value);

/* "inexact, tie → even" and its like; why a zero or an overflow came about is in the word. */
void describe_status(char text[64], const report *made);

#endif
