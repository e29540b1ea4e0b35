/* input.c - an operand or a line of input: a number, raw bits, or a landmark of a format
 * SPDX-License-Identifier: MIT */

#include "input.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "say.h"
#include "stepwise.h"
#include "targets.h"
#include "view.h"

/* Bits as written: 0x7f, 0b0111_1111, 0o177, or Verilog's 8'h7f. */
typedef struct {
    uint64_t code;
    int digits, per_digit, size; /* size: of Verilog's form, else 0 */
    bool too_long;
} literal;

static int digit_of(char c)
{
    return isdigit((unsigned char)c)   ? c - '0'
           : isalpha((unsigned char)c) ? tolower(c) - 'a' + 10
                                       : 99;
}

static bool read_literal(literal *bits, const char *text)
{
    static const struct {
        char letter;
        int per_digit;
    } bases[] = { { 'x', 4 }, { 'h', 4 }, { 'b', 1 }, { 'o', 3 } };
    const char *quote = strchr(text, '\'');
    char letter;
    memset(bits, 0, sizeof *bits);
    if (quote != NULL) {
        char *end;
        bits->size = (int)strtol(text, &end, 10);
        if (end != quote || bits->size < 1 || bits->size > 64)
            return false;
        letter = (char)tolower(quote[1]);
        if (letter == 'x')
            return false;
        text = quote + 1 + (letter != '\0');
    } else {
        letter = text[0] == '0' ? (char)tolower(text[1]) : '\0';
        if (letter == '\0' || letter == 'h')
            return false;
        text += 2;
    }
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
        if (letter == bases[i].letter)
            bits->per_digit = bases[i].per_digit;
    if (bits->per_digit == 0)
        return false;
    for (; *text != '\0'; text++) {
        if (*text == '_' && bits->digits > 0 && text[1] != '\0')
            continue;
        int digit = digit_of(*text);
        if (digit >= 1 << bits->per_digit)
            return false;
        bits->too_long |= bits->code >> (64 - bits->per_digit) != 0;
        bits->code = bits->code << bits->per_digit | (uint64_t)digit;
        bits->digits++;
    }
    return bits->digits > 0;
}

/* The row of this width that holds the format: a long literal may be a pattern of it. */
static const fpfmt_format *wider_row(const fpfmt_format *format, int width)
{
    for (size_t i = 0; fpfmt_at(i) != NULL; i++) {
        const fpfmt_format *row = fpfmt_at(i);
        if (fpfmt_measure(row).width == width && row->exponent_bits == format->exponent_bits &&
            fpfmt_contains(row, format))
            return row;
    }
    return NULL;
}

/* As wide as the format or its whole bytes; Verilog's size must be one of these. */
static bool fits(const literal *bits, const fpfmt_format *format, const char *shown,
                 const char *where)
{
    int width = fpfmt_measure(format).width, bytes = (width + 7) / 8 * 8;
    int written = bits->size > 0 ? bits->size : bits->digits * bits->per_digit;
    int room = (width + bits->per_digit - 1) / bits->per_digit * bits->per_digit;
    bool sized = bits->size > 0 ? bits->size == width || bits->size == bytes
                                : written <= (room > bytes ? room : bytes);
    bool high = bits->too_long || (width < 64 && bits->code >> width != 0);
    if (sized && !high)
        return true;
    const fpfmt_format *wider = written > bytes ? wider_row(format, written) : NULL;
    if (wider != NULL)
        complain("%s'%s' does not fit: %s has %d bits; a %d-bit pattern of that range is one of "
                 "%s, write %s:0x%llx",
                 where, shown, format->name, width, written, wider->name, wider->name,
                 (unsigned long long)bits->code);
    else
        complain("%s'%s' does not fit: %s has %d bits", where, shown, format->name, width);
    return false;
}

typedef enum {
    AT_MAX,
    AT_LOWEST,
    AT_MIN_NORMAL,
    AT_MIN_SUBNORMAL,
    AT_MIN_POSITIVE,
    AT_EPSILON,
    AT_INFINITY,
    AT_NAN
} landmark;

static const word landmarks[] = {
    { "max", "", AT_MAX },
    { "lowest", "", AT_LOWEST },
    { "minnorm", "min tiny smallest_normal", AT_MIN_NORMAL },
    { "minsub", "smallest_subnormal", AT_MIN_SUBNORMAL },
    { "minpos", "", AT_MIN_POSITIVE },
    { "eps", "epsilon", AT_EPSILON },
    { "inf", "infinity", AT_INFINITY },
    { "nan", "", AT_NAN },
};
static const word_table landmark_words = { "landmark", landmarks,
                                           sizeof landmarks / sizeof landmarks[0] };

static bool read_landmark(input *in, int which, const char *shown, const char *where)
{
    fpfmt_limits limits = fpfmt_measure(&in->format);
    const char *missing = NULL;
    in->typed = true;
    switch ((landmark)which) {
    case AT_MAX: in->code = limits.max; break;
    case AT_LOWEST: in->code = limits.lowest; break;
    case AT_MIN_NORMAL: in->code = limits.min_normal; break;
    case AT_MIN_SUBNORMAL:
        in->code = limits.min_positive;
        missing =
            limits.has_subnormals ? NULL : "subnormals; its smallest positive value is minpos";
        break;
    case AT_MIN_POSITIVE: in->code = limits.min_positive; break;
    case AT_INFINITY:
        in->code = limits.infinity;
        missing = limits.has_infinity ? NULL : "infinity";
        break;
    case AT_NAN:
        in->code = limits.nan;
        missing = limits.has_nan ? NULL : "NaN";
        break;
    case AT_EPSILON:
        in->typed = false;
        missing = epsilon_of(&in->format, &in->value) ? NULL : "value 1, and so no step from it";
        break;
    }
    if (missing != NULL)
        complain("%s'%s': %s has no %s", where, shown, in->format.name, missing);
    if (in->typed)
        in->value = fpfmt_decode(&in->format, in->code);
    return missing == NULL;
}

bool read_typed(input *in, const char *text, size_t colon, const char *where)
{
    const char *shown = quoted(text, strlen(text));
    bool negative = *text == '-';
    const char *name_at = text + (*text == '-' || *text == '+'), *rest = text + colon + 1;
    char name[FPFMT_NAME_SIZE + 16];
    snprintf(name, sizeof name, "%.*s", (int)(text + colon - name_at), name_at);
    fpfmt_status status = fpfmt_find(&in->format, name);
    literal bits;
    in->typed = false;
    if (status != FPFMT_FOUND) {
        complain_about_format(where, name, status, &in->format);
        return false;
    }
    const word *found = find_word(&landmark_words, rest);
    if (found != NULL) {
        if (!read_landmark(in, found->meaning, shown, where))
            return false;
    } else if (read_literal(&bits, rest)) {
        if (!fits(&bits, &in->format, shown, where))
            return false;
        in->typed = true;
        in->code = bits.code;
        in->value = fpfmt_decode(&in->format, in->code);
    } else {
        complain(
            "%s'%s': after '%s:' come bits as 0x1f, 0b11111 or 5'h1f, or one of max lowest minnorm "
            "minsub minpos eps inf nan",
            where, shown, name);
        return false;
    }
    if (negative && in->value.kind < FPFMT_KIND_QUIET_NAN) {
        unsigned flags = 0;
        in->value.negative = !in->value.negative;
        in->code = fpfmt_encode(&in->format, in->value, NULL, &flags);
        in->typed &= flags == 0; /* else it has no code: the negative of an unsigned value */
    } else if (negative) {
        in->code = fpfmt_negate(&in->format, in->code);
        in->value = fpfmt_decode(&in->format, in->code);
    }
    return true;
}

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
    static quantity result;
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
    uint64_t code = fpfmt_encode(format, in->value, policy, &rounded);
    bool by_zero = in->raised.flags & FPFMT_FLAG_DIVIDE_BY_ZERO;
    *flags |= in->raised.flags;
    if (!by_zero || in->value.kind < FPFMT_KIND_INFINITE)
        *flags |= rounded;
    return code;
}

static bool read_plain(input *in, const char *text, size_t length, const char *where)
{
    const char *why, *shown = quoted(text, length);
    size_t n = fpfmt_parse(&in->value, text, length, &why);
    const char *digits = text + (*text == '-' || *text == '+');
    fpfmt_format format;
    in->hexadecimal_integer = digits[0] == '0' && tolower(digits[1]) == 'x' &&
                              digits[2 + strspn(digits + 2, "0123456789abcdefABCDEF")] == '\0';
    if (n == length && why == NULL)
        return true;
    if (is_expression(text))
        return read_calculated(in, text, where);
    if (length < FPFMT_NAME_SIZE && fpfmt_find(&format, text) == FPFMT_FOUND)
        complain("%s'%s' is a format, not a value; write fpinspect 1e-8 --as %s, or %s:max", where,
                 shown, text, text);
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

/* One format:something, and nothing else but a sign. A '-' may belong to a format's name. */
static bool is_typed(const char *text, size_t *colon)
{
    const char *name_at = text + (*text == '-' || *text == '+');
    size_t length = strcspn(name_at, ":");
    char name[FPFMT_NAME_SIZE + 16];
    fpfmt_format format;
    *colon = (size_t)(name_at - text) + length;
    if (text[*colon] != ':' || strpbrk(text + *colon, "()*/^+-, ") != NULL ||
        !isalpha((unsigned char)*name_at) || strcspn(name_at, "()*/^+ ") < length)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, name_at);
    return strchr(name, '-') == NULL || fpfmt_find(&format, name) == FPFMT_FOUND;
}

static bool read_value(input *in, const options *chosen, const char *text, size_t length,
                       const char *where)
{
    in->text = text;
    in->typed = in->hexadecimal_integer = in->ratio_tried = in->has_ratio = in->cut = false;
    in->calculated = false;
    in->raised = (events){ 0 };
    free_expression(&in->formula);
    if (length == 0) {
        complain("%san empty value; a number was expected, as 1e-8", where);
        return false;
    }
    if (!is_clean(text, length, where))
        return false;
    size_t colon;
    if (is_typed(text, &colon))
        return read_typed(in, text, colon, where);
    if (!chosen->has_from)
        return read_plain(in, text, length, where);

    literal bits;
    const char *shown = quoted(text, length);
    in->format = chosen->from;
    if (!read_literal(&bits, text)) {
        complain("%s'%s' is not raw bits: with --from write 0x1f, 0b11111 or 5'h1f", where, shown);
        return false;
    }
    if (!fits(&bits, &in->format, shown, where))
        return false;
    in->typed = true;
    in->code = bits.code;
    in->value = fpfmt_decode(&in->format, in->code);
    return true;
}

bool read_input(input *in, const options *chosen, const char *text, size_t length,
                const char *where)
{
    if (!read_value(in, chosen, text, length, where))
        return false;
    if (!chosen->stepwise)
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
