/* expression.c - exact rational expressions: + - * / ^ and parentheses over numbers of any kind
 * SPDX-License-Identifier: MIT
 *
 *     sum    = product { (+|-) product }
 *     product = signed { (*|/) signed }
 *     signed = { +|- } power
 *     power  = atom [ ^ signed ]              so that 2^3^2 is 2^9 and -2^2 is -4
 *     atom   = number | format:bits | format:landmark | constant | ( sum )
 */

#include "expression.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "targets.h"

enum { DEEPEST = 100, LONGEST_ATOM = 6000 };

typedef struct {
    const char *text, *at, *where;
    int depth;
    bool cut;
} parser;

/* A ratio on the heap: depth may reach 100, and a ratio is 4 KiB. */
typedef fpfmt_ratio *term;

static bool parse_sum(parser *in, term result);

static bool fail(const parser *in, const char *why)
{
    complain("%s'%s': %s", in->where, quoted(in->text, strlen(in->text)), why);
    return false;
}

static bool too_large(const parser *in)
{
    return fail(in, "it is too large to evaluate exactly");
}

static char next(parser *in)
{
    while (*in->at == ' ' || *in->at == '\t')
        in->at++;
    return *in->at;
}

static bool take(parser *in, char c)
{
    bool there = next(in) == c;
    in->at += there;
    return there;
}

/* The characters of one number: digits, points, and a sign only behind an exponent's letter. */
static size_t number_length(const char *at)
{
    bool hexadecimal = at[0] == '0' && tolower(at[1]) == 'x';
    char exponent = hexadecimal ? 'p' : 'e';
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '.' || at[n] == '_' ||
           ((at[n] == '+' || at[n] == '-') && n > 0 && tolower(at[n - 1]) == exponent))
        n++;
    return n;
}

static bool parse_number(parser *in, term result)
{
    const char *why = NULL;
    size_t length = number_length(in->at);
    size_t n = fpfmt_parse_ratio(result, in->at, length, &why);
    if (n == 0 || n < length || why != NULL) {
        char text[300];
        snprintf(text, sizeof text, "'%s' is not a number: %s", quoted(in->at, length),
                 why != NULL ? why : "something follows it");
        return fail(in, text);
    }
    in->at += length;
    return true;
}

/* format:bits or format:landmark. */
static bool parse_typed(parser *in, term result, size_t length)
{
    static input typed;
    char text[LONGEST_ATOM];
    if (length >= sizeof text)
        return fail(in, "a part of it is too long");
    memcpy(text, in->at, length);
    text[length] = '\0';
    if (!read_typed(&typed, text, strcspn(text, ":"), in->where))
        return false;
    if (!fpfmt_ratio_from(result, typed.value))
        return fail(in, "infinity and NaN do not take part in exact arithmetic");
    in->at += length;
    return true;
}

static bool parse_name(parser *in, term result)
{
    static const char typed_characters[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'";
    size_t name = 0, length;
    while (isalnum((unsigned char)in->at[name]) || in->at[name] == '_' || in->at[name] == '.')
        name++;
    if (in->at[name] == ':') {
        length = name + 1 + strspn(in->at + name + 1, typed_characters);
        return parse_typed(in, result, length);
    }
    const char *digits = constant_digits(in->at, name);
    if (digits == NULL && (strncmp(in->at, "inf", 3) == 0 || strncmp(in->at, "nan", 3) == 0))
        return fail(in, "infinity and NaN do not take part in exact arithmetic");
    if (digits == NULL) {
        char text[300];
        snprintf(text, sizeof text, "'%s' is neither a number nor a constant; constants are",
                 quoted(in->at, name));
        for (size_t i = 0; constant_name(i) != NULL; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s %s", i > 0 ? "," : "",
                     constant_name(i));
        return fail(in, text);
    }
    fpfmt_parse_ratio(result, digits, strlen(digits), NULL);
    in->cut = true;
    in->at += name;
    return true;
}

static bool parse_atom(parser *in, term result)
{
    char c = next(in);
    if (take(in, '(')) {
        if (!parse_sum(in, result))
            return false;
        return take(in, ')') || fail(in, "a closing parenthesis is missing");
    }
    if (isdigit((unsigned char)c) || c == '.')
        return parse_number(in, result);
    if (isalpha((unsigned char)c))
        return parse_name(in, result);
    return fail(in, c == '\0' ? "a number is missing at its end"
                              : "a number was expected before an operator");
}

/* base^exponent for an integer exponent. */
static bool raise(parser *in, term base, const fpfmt_ratio *exponent)
{
    unsigned flags = 0;
    int64_t n = fpfmt_to_i64(fpfmt_ratio_value(exponent), NULL, &flags);
    if (flags & FPFMT_FLAG_INVALID)
        return too_large(in);
    if (flags != 0)
        return fail(in, "an exponent must be an integer");
    if (n < 0 && fpfmt_ratio_is_zero(base))
        return fail(in, "it divides by zero");
    return fpfmt_ratio_power(base, base, n) || too_large(in);
}

static bool parse_signed(parser *in, term result)
{
    bool negative = false, good = true;
    if (++in->depth > DEEPEST)
        return fail(in, "its parentheses are nested too deeply");
    for (char c = next(in); c == '-' || c == '+'; c = next(in)) {
        negative ^= c == '-';
        in->at++;
    }
    good = parse_atom(in, result);
    if (good && take(in, '^')) {
        term exponent = more(NULL, 0, sizeof *exponent);
        good = parse_signed(in, exponent) && raise(in, result, exponent);
        free(exponent);
    }
    if (negative)
        result->negative = !result->negative;
    in->depth--;
    return good;
}

static bool combine(parser *in, term left, char symbol, const fpfmt_ratio *right)
{
    bool fits;
    if (symbol == '/' && fpfmt_ratio_is_zero(right))
        return fail(in, "it divides by zero");
    switch (symbol) {
    case '+': fits = fpfmt_ratio_add(left, left, right); break;
    case '-': fits = fpfmt_ratio_subtract(left, left, right); break;
    case '*': fits = fpfmt_ratio_multiply(left, left, right); break;
    default: fits = fpfmt_ratio_divide(left, left, right); break;
    }
    return fits || too_large(in);
}

/* Operands of one level of precedence, joined from left to right. */
static bool parse_chain(parser *in, term result, const char *symbols,
                        bool (*operand)(parser *, term))
{
    if (!operand(in, result))
        return false;
    term right = more(NULL, 0, sizeof *right);
    bool good = true;
    while (good && next(in) != '\0' && strchr(symbols, *in->at) != NULL) {
        char symbol = *in->at++;
        good = operand(in, right) && combine(in, result, symbol, right);
    }
    free(right);
    return good;
}

static bool parse_product(parser *in, term result)
{
    return parse_chain(in, result, "*/", parse_signed);
}

static bool parse_sum(parser *in, term result)
{
    return parse_chain(in, result, "+-", parse_product);
}

bool evaluate(fpfmt_ratio *result, bool *cut, const char *text, const char *where)
{
    parser in = { .text = text, .at = text, .where = where };
    if (!parse_sum(&in, result))
        return false;
    *cut = in.cut;
    if (next(&in) == ')')
        return fail(&in, "a parenthesis is closed that was not opened");
    if (*in.at != '\0') {
        char text_left[200];
        snprintf(text_left, sizeof text_left, "'%s' is not understood",
                 quoted(in.at, strlen(in.at)));
        return fail(&in, text_left);
    }
    return true;
}
