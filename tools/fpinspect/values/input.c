/* input.c - an operand or a line of input: a number, raw bits, or a landmark of a format
 * SPDX-License-Identifier: MIT */

#include "values/input.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kit/formats.h"
#include "kit/say.h"
#include "values/literal.h"

/* Has it a form that only expressions have: an operator past the first character, or a constant? */
static bool is_expression(const char *text)
{
    const char *unsigned_text = text + (*text == '-' || *text == '+');
    return *text == '(' || strpbrk(text + 1, "()*/^+-:") != NULL ||
           constant_digits(unsigned_text, strlen(unsigned_text)) != NULL;
}

/* The value of the formula under a policy; else why there is none. */
static const char *calculate(input *in, const fpfmt_policy *policy)
{
    quantity result;
    in->raised = (events){ 0 };
    const char *why = evaluate(&result, &in->formula, 0, in->formula.count, policy, &in->raised);
    if (why == NULL && !is_well_known(&result))
        why = "it cancels more digits of its constants and roots than are known";
    if (why != NULL)
        return why;
    in->settled = *policy;
    in->value = value_of(&result);
    in->ratio_tried = true;
    in->has_ratio = !is_special(&result);
    in->cut = in->has_ratio && result.error != NO_ERROR;
    in->ratio = result.ratio;
    return NULL;
}

static bool read_calculated(input *in, const char *text, const char *where)
{
    const fpfmt_policy usual = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    if (!read_expression(&in->formula, text, where))
        return false;
    const char *why = calculate(in, &usual);
    if (why != NULL)
        complain("%s'%s': %s", where, quoted(text, strlen(text)), why);
    in->calculated = why == NULL;
    return in->calculated;
}

void settle_input(input *in, const fpfmt_policy *policy)
{
    const fpfmt_policy *now = &in->settled;
    bool downward = policy->rounding == FPFMT_ROUND_DOWNWARD;
    if (in->calculated &&
        (downward != (now->rounding == FPFMT_ROUND_DOWNWARD) || policy->specials != now->specials ||
         policy->subnormal != now->subnormal))
        calculate(in, policy);
}

/* An infinity that a division by zero gave is exact, whatever the format makes of it. */
uint64_t encode_input(const input *in, const fpfmt_format *format, const fpfmt_policy *policy,
                      unsigned *flags)
{
    unsigned rounded = 0;
    uint64_t code = in->has_random
                        ? fpfmt_encode_random(format, in->value, in->random, policy, &rounded)
                        : fpfmt_encode(format, in->value, policy, &rounded);
    bool by_zero = in->raised.flags & FPFMT_FLAG_DIVIDE_BY_ZERO;
    *flags |= in->raised.flags;
    if (!by_zero || in->value.kind < FPFMT_KIND_INFINITE)
        *flags |= rounded;
    return code;
}

/* C rounds a constant with a suffix to the type that it names; here 0.1f is 0.1. */
static void note_suffix(const input *in, const char *text, size_t length)
{
    static const struct {
        const char *suffix, *format;
    } types[] = {
        { "bf16", "bf16" }, { "f16", "fp16" }, { "f32", "fp32" }, { "f64", "fp64" }, { "f", "fp32" }
    };
    bool hexadecimal = strncasecmp(text + (*text == '-' || *text == '+'), "0x", 2) == 0;
    if (in->value.kind >= FPFMT_KIND_INFINITE || strpbrk(text, "/^") != NULL ||
        (hexadecimal && strpbrk(text, "pP") == NULL))
        return;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t n = strlen(types[i].suffix);
        unsigned flags = 0;
        if (length <= n || strcasecmp(text + length - n, types[i].suffix) != 0)
            continue;
        fpfmt_encode(fpfmt_named(types[i].format), in->value, NULL, &flags);
        if (flags != 0)
            note("%s was read as the number that is written; C first rounds it to %s: --via %s",
                 quoted(text, length), types[i].format, types[i].format);
        return;
    }
}

/* Bits without a base: whether they are hexadecimal or decimal decides what they are. */
static void complain_about_bits(const char *text, size_t length, const fpfmt_format *format,
                                const char *where)
{
    const char *shown = quoted(text, length);
    int width = fpfmt_measure(format).width;
    bool bare = length <= 20 && strspn(text, "0123456789") == length;
    bool binary = bare && strspn(text, "01") == length;
    if (bare)
        complain("%s'%s' could be the bits 0x%s%s%s or %d'd%s: with --from write which", where,
                 shown, text, binary ? ", 0b" : "", binary ? text : "", width, text);
    else
        complain("%s'%s' is not raw bits: with --from write 0x1f, 0b11111, 5'h1f or 5'd31", where,
                 shown);
}

static bool read_plain(input *in, const char *text, size_t length, const char *where)
{
    const char *why, *shown = quoted(text, length);
    size_t n = fpfmt_parse(&in->value, text, length, &why);
    const char *digits = text + (*text == '-' || *text == '+');
    fpfmt_format format;
    char name[FPFMT_NAME_SIZE];
    in->looks_like_bits =
        digits[0] == '0' && digits[1] != '\0' &&
        ((tolower(digits[1]) == 'x' &&
          digits[2 + strspn(digits + 2, "0123456789abcdefABCDEF")] == '\0') ||
         (tolower(digits[1]) == 'b' && digits[2 + strspn(digits + 2, "01_")] == '\0'));
    if (n == length && why == NULL) {
        note_suffix(in, text, length);
        return true;
    }
    if (is_expression(text))
        return read_calculated(in, text, where);
    if (length < FPFMT_NAME_SIZE && fpfmt_find(&format, text) == FPFMT_FOUND)
        complain("%s'%s' is a format, not a value; write fpinspect 1e-8 --as %s, or %s:max", where,
                 shown, text, text);
    else if (explain_missing_format(where, text))
        return false;
    else if (isalpha((unsigned char)*text) && fpfmt_suggest(name, sizeof name, text, 0) > 0)
        complain("%s'%s' is neither a number nor a format; did you mean the format '%s'?", where,
                 shown, name);
    else if (n == 0)
        complain("%s'%s' is not a number: %s", where, shown, why);
    else
        complain("%s'%s' is not a number: after '%s', %s", where, shown, quoted(text, n), why);
    return false;
}

void hint_at_bits_of(const input *in, const fpfmt_format *format)
{
    fpfmt_value value = in->value;
    unsigned flags = 0;
    value.negative = false;
    uint64_t integer = fpfmt_to_u64(value, NULL, &flags);
    if (*in->text != '-' && *in->text != '+' && flags == 0)
        note("%s was read as the integer %llu; for raw bits write %s:%s", in->text,
             (unsigned long long)integer, format->name, in->text);
}

/* Only the characters of ASCII that print; complains about the first other one. */
static bool is_clean(const char *text, size_t length, const char *where)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c >= 0x20 && c < 0x7f) || c == '\t')
            continue;
        complain("%s'%s' is not a number: byte %zu is %s", where, quoted(text, length), i + 1,
                 c == 0     ? "NUL"
                 : c < 0x80 ? "a control character"
                            : "not ASCII");
        return false;
    }
    return true;
}

static bool read_value(input *in, const fpfmt_format *from, const char *text, size_t length,
                       const char *where)
{
    in->text = text;
    in->typed = in->looks_like_bits = in->ratio_tried = in->has_ratio = in->cut = false;
    in->calculated = false;
    in->raised = (events){ 0 };
    release_expression(&in->formula);
    if (length == 0) {
        complain("%san empty value; a number was expected, as 1e-8", where);
        return false;
    }
    if (!is_clean(text, length, where))
        return false;
    size_t colon;
    if (is_typed(text, &colon)) {
        typed_value read;
        bool good = read_typed(&read, text, colon, where);
        in->format = read.format;
        in->value = read.value;
        in->typed = read.typed;
        in->code = read.code;
        return good;
    }
    if (from == NULL)
        return read_plain(in, text, length, where);

    literal bits;
    const char *shown = quoted(text, length);
    in->format = *from;
    if (!read_literal(&bits, text)) {
        complain_about_bits(text, length, from, where);
        return false;
    }
    if (!literal_fits(&bits, &in->format, shown, where))
        return false;
    in->typed = true;
    in->code = bits.code;
    in->value = fpfmt_decode(&in->format, in->code);
    return true;
}

bool read_input(input *in, const fpfmt_format *from, bool stepwise, const char *text, size_t length,
                const char *where)
{
    if (!read_value(in, from, text, length, where))
        return false;
    if (!stepwise)
        return true;
    if (!in->calculated && !read_expression(&in->formula, text, where))
        return false;
    const char *why = stepwise_defect(&in->formula);
    if (why != NULL)
        complain("%s'%s': %s", where, quoted(text, length), why);
    return why == NULL;
}

bool input_ratio(input *in)
{
    if (in->ratio_tried)
        return in->has_ratio;
    in->ratio_tried = true;
    in->has_ratio = in->value.inexact
                        ? fpfmt_parse_ratio(&in->ratio, in->text, strlen(in->text), NULL) > 0
                        : fpfmt_ratio_from(&in->ratio, in->value);
    return in->has_ratio;
}

void release_input(input *in)
{
    release_expression(&in->formula);
}
