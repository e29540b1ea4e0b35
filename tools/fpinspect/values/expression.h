/* expression.h - expressions: operators, functions and parentheses over numbers of any kind
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_EXPRESSION_H
#define FPINSPECT_EXPRESSION_H

#include <fpfmt.h>

#include "values/operations.h"

typedef enum {
    TOKEN_NUMBER,   /* as written */
    TOKEN_CONSTANT, /* as pi */
    TOKEN_VALUE,    /* of a format, or infinite or NaN */
    TOKEN_NEGATE,
    TOKEN_POWER,
    TOKEN_OPERATION
} token_kind;

/* An operand, or what is done to those before it. */
typedef struct {
    token_kind kind;
    size_t start, length; /* where it stands in the text, its operands included */
    fpfmt_value value;    /* of VALUE, and of what kind of format that is */
    bool p3109, has_format;
    fpfmt_format format; /* of VALUE, if it has one */
    int64_t exponent;    /* of POWER, and how long the text of its base is */
    size_t base_length;
    const operation *what; /* of OPERATION */
} token;

/* In the order in which a program computes it: operands before what is done to them. */
typedef struct {
    const char *text; /* the caller's */
    token *tokens;
    size_t count;
} expression;

/* Reads text, which must end with a NUL; where says which line it is. False after a complaint. */
bool read_expression(expression *made, const char *text, const char *where);
void release_expression(expression *made);

/* Does its specification, IEEE P3109, divide by zero to NaN? */
bool is_p3109(const fpfmt_format *format);

/* Is the name at text that of a function, with its parenthesis? */
bool is_call(const char *text);

/* The exact result of tokens first up to end. Of the policy matter the direction, specials, and
 * flushed inputs, which are subnormal values of formats. NULL, or why there is none. */
const char *evaluate(quantity *result, const expression *of, size_t first, size_t end,
                     const fpfmt_policy *policy, events *raised);

/* The token after the operand at first and the signs and powers that belong to it: those of a
 * number make another number, those of a value only its sign. */
size_t end_of_operand(const expression *of, size_t first);

/* Why an expression cannot be taken step by step, as a sentence; NULL if it can. */
const char *stepwise_defect(const expression *of);

/* The decimal digits of a constant; NULL if there is none of that name. */
const char *constant_digits(const char *name, size_t length);

/* Constant number index, from 0; NULL past the last. */
const char *constant_name(size_t index);

#endif
