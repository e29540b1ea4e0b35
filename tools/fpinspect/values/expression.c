/* expression.c - reads expressions: operators, functions and parentheses over numbers of any kind
 * SPDX-License-Identifier: MIT
 *
 *     sum    = product { (+|-) product }
 *     product = signed { (*|/) signed }
 *     signed = { +|- } power
 *     power  = atom [ ^ signed ]              so that 2^3^2 is 2^9 and -2^2 is -4
 *     atom   = number | format:bits | format:landmark | constant | ( sum )
 *            | function ( sum { , sum } )
 */

#include "values/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kit/distance.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "values/typed.h"

enum { DEEPEST = 100, LONGEST_ATOM = 6000 };

typedef struct {
    expression *made;
    const char *text, *at, *where;
    int depth;
} parser;

static bool parse_sum(parser *in);

static bool fail(const parser *in, const char *why)
{
    complain("%s'%s': %s", in->where, quoted(in->text, strlen(in->text)), why);
    return false;
}

/* why about a part of the text. */
static bool fail_at(const parser *in, const char *part, size_t length, const char *why)
{
    char text[ALL_NAMES_SIZE + 300];
    snprintf(text, sizeof text, "'%s' %s", quoted(part, length), why);
    return fail(in, text);
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

static bool take_end(parser *in)
{
    return take(in, ')') ||
           fail(in, next(in) == ',' ? "a comma stands only between the operands of a function"
                                    : "a closing parenthesis is missing");
}

/* Adds a token whose text is from start up to here. */
static token *add(parser *in, token_kind kind, const char *start)
{
    expression *made = in->made;
    made->tokens = more(made->tokens, made->count, sizeof *made->tokens);
    token *added = &made->tokens[made->count++];
    *added = (token){ .kind = kind,
                      .start = (size_t)(start - in->text),
                      .length = (size_t)(in->at - start) };
    return added;
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

static bool parse_number(parser *in)
{
    fpfmt_ratio ratio;
    const char *why = NULL, *start = in->at;
    size_t length = number_length(start);
    size_t n = fpfmt_parse_ratio(&ratio, start, length, &why);
    if (n == 0 || n < length || why != NULL) {
        char text[300];
        snprintf(text, sizeof text, "is not a number: %s",
                 why != NULL ? why : "something follows it");
        return fail_at(in, start, length, text);
    }
    in->at += length;
    add(in, TOKEN_NUMBER, start);
    return true;
}

bool is_p3109(const fpfmt_format *format)
{
    return format->specials == FPFMT_SPECIALS_P3109;
}

/* format:bits or format:landmark. */
static bool parse_typed(parser *in, size_t length)
{
    typed_value typed;
    char text[LONGEST_ATOM];
    const char *start = in->at;
    if (length >= sizeof text)
        return fail(in, "a part of it is too long");
    memcpy(text, start, length);
    text[length] = '\0';
    if (!read_typed(&typed, text, strcspn(text, ":"), in->where))
        return false;
    in->at += length;
    token *made = add(in, TOKEN_VALUE, start);
    made->value = typed.value;
    made->p3109 = is_p3109(&typed.format);
    made->has_format = true;
    made->format = typed.format;
    return true;
}

/* inf, nan, nan(0x20) and snan(1). */
static bool parse_special(parser *in)
{
    const char *start = in->at, *why = NULL;
    fpfmt_value value;
    size_t n = fpfmt_parse(&value, start, strlen(start), &why);
    if (n == 0 || isalnum((unsigned char)start[n]) || start[n] == '(') {
        char text[200];
        snprintf(text, sizeof text, "is not a number: %s", why);
        return fail_at(in, start, strcspn(start, " "), text);
    }
    in->at += n;
    add(in, TOKEN_VALUE, start)->value = value;
    return true;
}

static bool unknown_function(const parser *in, size_t length)
{
    char name[64], why[ALL_NAMES_SIZE + 40];
    const operation *here;
    name_search search = { .typed = name };
    snprintf(name, sizeof name, "%.*s", (int)length, in->at);
    for (size_t i = 0; (here = function_at(i)) != NULL; i++)
        consider_name(&search, here->name);
    snprintf(why, sizeof why, "is not a function%s", hint_of(&search, ""));
    return fail_at(in, in->at, length, why);
}

static bool parse_call(parser *in, size_t length)
{
    const char *start = in->at;
    const operation *what = find_operation(start, length);
    unsigned count = 0;
    char why[100];
    if (what == NULL)
        return unknown_function(in, length);
    in->at += length;
    take(in, '(');
    for (bool another = next(in) != ')'; another; another = take(in, ',')) {
        if (!parse_sum(in))
            return false;
        count++;
    }
    if (!take_end(in))
        return false;
    if (count != what->operands) {
        snprintf(why, sizeof why, "%s takes %u operand%s, not %u", what->name, what->operands,
                 what->operands == 1 ? "" : "s", count);
        return fail(in, why);
    }
    add(in, TOKEN_OPERATION, start)->what = what;
    return true;
}

/* The letters of a name, and what comes after them. */
static size_t name_length(const char *at, const char **behind)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '.')
        n++;
    *behind = at + n + strspn(at + n, " \t");
    return n;
}

bool is_call(const char *text)
{
    const char *behind;
    size_t length = name_length(text, &behind);
    return *behind == '(' && isalpha((unsigned char)*text) && find_operation(text, length) != NULL;
}

static bool parse_name(parser *in)
{
    static const char typed_characters[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'";
    const char *start = in->at, *behind;
    size_t name = name_length(start, &behind);
    if (start[name] == ':')
        return parse_typed(in, name + 1 + strspn(start + name + 1, typed_characters));
    if (strncasecmp(start, "inf", 3) == 0 || strncasecmp(start, "nan", 3) == 0 ||
        strncasecmp(start, "snan", 4) == 0 || strncasecmp(start, "qnan", 4) == 0)
        return parse_special(in);
    if (*behind == '(')
        return parse_call(in, name);
    if (constant_digits(start, name) != NULL) {
        in->at += name;
        add(in, TOKEN_CONSTANT, start);
        return true;
    }
    char why[200] = "is neither a number nor a constant; constants are";
    if (find_operation(start, name) != NULL)
        snprintf(why, sizeof why, "is a function; its operands stand in parentheses");
    for (size_t i = 0; constant_name(i) != NULL && find_operation(start, name) == NULL; i++)
        snprintf(why + strlen(why), sizeof why - strlen(why), "%s %s", i > 0 ? "," : "",
                 constant_name(i));
    return fail_at(in, start, name, why);
}

static bool parse_atom(parser *in)
{
    char c = next(in);
    if (take(in, '(')) {
        if (!parse_sum(in))
            return false;
        return take_end(in);
    }
    if (isdigit((unsigned char)c) || c == '.')
        return parse_number(in);
    if (isalpha((unsigned char)c))
        return parse_name(in);
    return fail(in, c == '\0'              ? "a number is missing at its end"
                    : c == ',' || c == ')' ? "a number was expected before a comma or parenthesis"
                                           : "a number was expected before an operator");
}

static bool parse_signed(parser *in);

/* ^ and the exponent, which is evaluated at once: it is an integer, and never rounded. */
static bool parse_power(parser *in, const char *start, size_t base_length)
{
    quantity exponent;
    const fpfmt_policy nothing = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    events raised = { 0 };
    unsigned flags = 0;
    size_t first = in->made->count;
    if (!parse_signed(in))
        return false;
    const char *why = evaluate(&exponent, in->made, first, in->made->count, &nothing, &raised);
    if (why != NULL)
        return fail(in, why);
    fpfmt_value value = value_of(&exponent);
    int64_t n = fpfmt_to_i64(value, NULL, &flags);
    if (flags & FPFMT_FLAG_INVALID && !is_special(&exponent))
        return fail(in, "it is too large to evaluate exactly");
    if (flags != 0)
        return fail(in, "an exponent must be an integer");
    in->made->count = first;
    token *made = add(in, TOKEN_POWER, start);
    made->exponent = n;
    made->base_length = base_length;
    return true;
}

static bool parse_signed(parser *in)
{
    bool negative = false;
    if (++in->depth > DEEPEST)
        return fail(in, "its parentheses are nested too deeply");
    next(in);
    const char *start = in->at;
    for (char c = next(in); c == '-' || c == '+'; c = next(in)) {
        negative ^= c == '-';
        in->at++;
    }
    const char *base = in->at;
    if (!parse_atom(in))
        return false;
    size_t base_length = (size_t)(in->at - base);
    if (take(in, '^') && !parse_power(in, base, base_length))
        return false;
    if (negative)
        add(in, TOKEN_NEGATE, start);
    in->depth--;
    return true;
}

/* Operands of one level of precedence, joined from left to right. */
static bool parse_chain(parser *in, const char *symbols, bool (*operand)(parser *))
{
    next(in);
    const char *start = in->at;
    bool good = operand(in);
    while (good && next(in) != '\0' && strchr(symbols, *in->at) != NULL) {
        const operation *what = find_operation(in->at++, 1);
        good = operand(in);
        if (good)
            add(in, TOKEN_OPERATION, start)->what = what;
    }
    return good;
}

static bool parse_product(parser *in)
{
    return parse_chain(in, "*/", parse_signed);
}

static bool parse_sum(parser *in)
{
    return parse_chain(in, "+-", parse_product);
}

bool read_expression(expression *made, const char *text, const char *where)
{
    *made = (expression){ .text = text };
    parser in = { .made = made, .text = text, .at = text, .where = where };
    bool good = parse_sum(&in);
    if (good && next(&in) == ')')
        good = fail(&in, "a parenthesis is closed that was not opened");
    else if (good && *in.at != '\0')
        good = fail_at(&in, in.at, strlen(in.at), "is not understood");
    if (!good)
        release_expression(made);
    return good;
}

void release_expression(expression *made)
{
    release(made->tokens);
    *made = (expression){ .text = NULL };
}
