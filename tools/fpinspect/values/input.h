/* input.h - an operand or a line of input: a number, raw bits, or a landmark of a format
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_INPUT_H
#define FPINSPECT_INPUT_H

#include <fpfmt.h>

#include "values/expression.h"
#include "values/typed.h"

typedef struct {
    uint64_t index;   /* position among the values, from 0 */
    const char *text; /* as given, outer blanks stripped */
    fpfmt_value value;
    bool typed; /* raw bits or a landmark: code in format */
    fpfmt_format format;
    uint64_t code;
    bool looks_like_bits; /* could also have been meant as raw bits */
    bool ratio_tried, has_ratio;
    bool cut; /* a constant as pi or a root took part: the ratio is cut off after 1000 bits */
    fpfmt_ratio ratio;
    bool calculated; /* by an expression, under these settings of a policy */
    expression formula;
    fpfmt_policy settled;
    events raised;   /* by its operations, before any rounding */
    bool has_random; /* its rounding has these random bits, and not those of the policy's seed */
    uint64_t random;
} input;

/* Reads text of this length, which must end with a NUL and stays the caller's; where says which
 * line it is, "" for an operand. Numbers are raw bits of the format from, unless that is NULL.
 * stepwise: what is no expression is read as one too, and must be fit to be computed step by step.
 * False after a complaint. *in was all 0 or an input before. */
bool read_input(input *in, const fpfmt_format *from, bool stepwise, const char *text, size_t length,
                const char *where);

/* Ends what an input holds beside itself. */
void release_input(input *in);

/* Notes that an input was read as an integer, and how its text is written as bits of a format, if
 * it could have been meant so. */
void hint_at_bits_of(const input *in, const fpfmt_format *format);

/* An expression's value under a policy, which may flush its operands, and decides the sign of a sum
 * of zero and the result of a division by zero. */
void settle_input(input *in, const fpfmt_policy *policy);

/* The input's code in a format, with the flags of its operations. */
uint64_t encode_input(const input *in, const fpfmt_format *format, const fpfmt_policy *policy,
                      unsigned *flags);

/* The exact value as a ratio; false if it is not finite or too long. */
bool input_ratio(input *in);

#endif
