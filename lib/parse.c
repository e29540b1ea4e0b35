/* parse.c - text to an exact value: decimals of any length, hexadecimal, specials, p/q, b^n
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "natural.h"

/* Bounds of what is read exactly. A ratio has room for 16256 bits (ratio.c). A number whose digits,
 * or whose places behind the point, are more than DIGITS or BITS is cut, and has a tail; 4880
 * digits take up to 16212 bits. Within MAGNITUDE at least 190 digits remain of a number that is
 * cut, and within BINADES at least 620 bits, where a value needs 64 bits and a tail. Beyond, a
 * number is far: no format reaches to 10^4690 or has steps below 10^-4690, and any such value does
 * for it. */
enum {
    DIGITS = 4880,    /* decimal digits of a numerator or a power of ten as denominator */
    BITS = 16200,     /* bits of them, where the digits are hexadecimal */
    MAGNITUDE = 4690, /* a decimal is far from 10^MAGNITUDE on, and below 10^-MAGNITUDE */
    BINADES = 15580,  /* a hexadecimal number from 2^BINADES on: about as far */
    CLAMPED = 1 << 24 /* the exponent of a value that is far, or its opposite */
};

/* Text underway. A function that may fail after it has taken something works on a copy, called
 * ahead, so that what it does not understand is left for others to complain about. */
typedef struct {
    const char *at, *end;
    const char *why; /* why the text is not read any further; NULL so far */
} reader;

/* A number as read. The ratio is exact unless tail says that digits were cut off, or unless the
 * number is far: 1 beyond every format's largest value, -1 below every smallest, and the ratio is
 * not set. */
typedef struct {
    bool tail;
    int far;
    fpfmt_ratio *ratio;
} number;

/* Digits from the first to the last that is not 0; the last one weighs base^scale. */
typedef struct {
    const char *first;
    int64_t count, scale;
    bool any;   /* there were digits, if only zeros */
    bool point; /* and a point among them */
} digits;

/* The character so far ahead; NUL at the end, which is part of no number. */
static char peek(const reader *in, size_t ahead)
{
    return (size_t)(in->end - in->at) > ahead ? in->at[ahead] : '\0';
}

/* What a character counts as a digit of a base up to 16; -1 if it is none. */
static int digit_of(char c, int base)
{
    int digit = c >= '0' && c <= '9' ? c - '0' : 99;
    if (c >= 'a' && c <= 'f')
        digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        digit = c - 'A' + 10;
    return digit < base ? digit : -1;
}

/* Takes a word, given in lower case, if it comes next in any case. */
static bool take(reader *in, const char *word)
{
    size_t n = 0;
    for (; word[n] != '\0'; n++) {
        char c = peek(in, n);
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[n])
            return false;
    }
    in->at += n;
    return true;
}

/* Takes a sign, if there is one; whether it is a minus. A minus may be that of people, U+2212,
 * which the screens of fpinspect print for errors. */
static bool take_sign(reader *in)
{
    bool negative = take(in, "-") || take(in, "\xe2\x88\x92");
    if (!negative)
        take(in, "+");
    return negative;
}

static void skip_blanks(reader *in)
{
    while (peek(in, 0) == ' ' || peek(in, 0) == '\t')
        in->at++;
}

/* Takes digits, at most one point among them, and '_' between two digits, and notes where the first
 * and the last digit stand that are not 0; read_digits reads them later, when it is known how many
 * there is room for. index counts digits, whether before the point or behind. */
static digits scan_digits(reader *in, int base)
{
    digits found = { .first = NULL };
    int64_t index = 0, first = 0, last = 0, point = -1;
    for (;; in->at++) {
        char c = peek(in, 0);
        bool between = found.any && digit_of(in->at[-1], base) >= 0;
        if (c == '.' && point < 0) {
            point = index;
            continue;
        }
        if (c == '_' && between && digit_of(peek(in, 1), base) >= 0)
            continue;
        if (digit_of(c, base) < 0)
            break;
        found.any = true;
        if (c != '0') {
            if (found.first == NULL) {
                found.first = in->at;
                first = index;
            }
            last = index;
        }
        index++;
    }
    found.point = point >= 0;
    if (found.first != NULL) {
        found.count = last - first + 1;
        found.scale = (point < 0 ? index : point) - 1 - last;
    }
    return found;
}

/* The first count digits of a number from at on, as an integer; true if all of them fit. Digits are
 * gathered to chunks below 2^32: one more digit of at most 15 fits as long as the factor is at most
 * UINT32_MAX / 256. */
static bool read_digits(fpfmt_natural *n, const char *at, int64_t count, int base)
{
    fpfmt_natural_set(n, 0);
    while (count > 0) {
        uint32_t chunk = 0, factor = 1;
        for (; count > 0 && factor <= UINT32_MAX / 256; at++) {
            if (*at == '.' || *at == '_')
                continue;
            chunk = chunk * (uint32_t)base + (uint32_t)digit_of(*at, base);
            factor *= (uint32_t)base;
            count--;
        }
        if (!fpfmt_natural_multiply_small(n, factor, chunk))
            return false;
    }
    return true;
}

/* An exponent after its letter; false without digits. It stops growing between bound and 10 bound,
 * which is far beyond any use, and leaves room in an int64_t for what is added to it. */
static bool read_exponent(reader *in, int64_t *exponent)
{
    const int64_t bound = INT64_C(1) << 40;
    bool negative = take_sign(in), any = false;
    int64_t n = 0;
    for (;; in->at++) {
        int digit = digit_of(peek(in, 0), 10);
        bool separator = any && peek(in, 0) == '_' && digit_of(peek(in, 1), 10) >= 0;
        if (digit < 0 && !separator)
            break;
        any = true;
        if (digit >= 0)
            n = n > bound ? bound : n * 10 + digit;
    }
    *exponent = negative ? -n : n;
    return any;
}

/* digits * base^scale into the ratio, cut to its room. Bases 16 and 2 have their scale in bits, 4
 * for a digit of 16. The number is below base^magnitude, and not below base^(magnitude - 1). Each
 * digit that is dropped from the end shortens the numerator by one, and a negative scale by one: as
 * many are dropped as the longer of the two has too many. */
static void assemble(number *result, digits found, int base, int64_t scale)
{
    /* Scale, magnitude, room and far count decimal digits, or bits. */
    int per_digit = base == 16 ? 4 : 1;
    int64_t room = base != 10 ? BITS : DIGITS, far = base != 10 ? BINADES : MAGNITUDE;
    int64_t magnitude = scale + found.count * per_digit, count = found.count;
    if (magnitude > far || magnitude < -far) {
        result->far = magnitude > 0 ? 1 : -1;
        return;
    }
    int64_t excess = count * per_digit > -scale ? count * per_digit - room : -scale - room;
    if (excess > 0) {
        int64_t dropped = (excess + per_digit - 1) / per_digit;
        count -= dropped;
        scale += dropped * per_digit;
        result->tail = true;
    }
    fpfmt_natural *numerator = &result->ratio->numerator,
                  *denominator = &result->ratio->denominator;
    read_digits(numerator, found.first, count, base);
    fpfmt_natural_set(denominator, 1);
    fpfmt_natural *scaled = scale < 0 ? denominator : numerator;
    int power = (int)(scale < 0 ? -scale : scale);
    if (base != 10)
        fpfmt_natural_shift_left(scaled, power);
    else
        fpfmt_natural_multiply_power(scaled, 10, power);
}

static bool is_letter_or_digit(char c)
{
    return digit_of(c, 10) >= 0 || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A suffix that C and C++ have for the type of a constant. The number stays the one that is
 * written, though C would round it to that type. Types with values that no format here has are
 * told. */
static void read_suffix(reader *in)
{
    static const struct {
        char text[5];
        const char *refusal;
    } suffixes[] = {
        { "f", NULL },
        { "f16", NULL },
        { "f32", NULL },
        { "f64", NULL },
        { "bf16", NULL },
        { "l",
          "the suffix L is of long double, which is no format here; write the number without" },
        { "f128", "the suffix F128 is of binary128, which is no format here; write the number "
                  "without" },
        { "q", "the suffix Q is of binary128, which is no format here; write the number without" },
        { "f32x", "the suffix F32x is of no one format; write the number without" },
        { "f64x", "the suffix F64x is of no one format; write the number without" },
        { "df", "the suffix DF is of a decimal format; write the number without" },
        { "dd", "the suffix DD is of a decimal format; write the number without" },
        { "dl", "the suffix DL is of a decimal format; write the number without" },
    };
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        reader ahead = *in;
        if (!take(&ahead, suffixes[i].text) || is_letter_or_digit(peek(&ahead, 0)))
            continue;
        in->why = suffixes[i].refusal;
        if (in->why == NULL)
            in->at = ahead.at;
        return;
    }
}

/* The digits of a base after its prefix, 0x or 0b; false, with the reader where it was, if there
 * are none. "0b" without a digit is a 0 that something follows. */
static bool read_base(reader *in, int *base, digits *found)
{
    const char *start = in->at;
    reader ahead = *in;
    *base = take(in, "0x") ? 16 : 10;
    if (take(&ahead, "0b") && digit_of(peek(&ahead, peek(&ahead, 0) == '.'), 2) >= 0) {
        *in = ahead;
        *base = 2;
    }
    *found = scan_digits(in, *base);
    if (found->any)
        return true;
    in->at = start;
    in->why = *base == 16 ? "a hexadecimal number needs a digit after 0x" : "a number was expected";
    return false;
}

/* A plain number without sign: false, with the reader where it was, if there is none. */
static bool read_number(reader *in, number *result)
{
    int64_t exponent = 0;
    int base;
    digits found;
    if (!read_base(in, &base, &found))
        return false;
    /* Without digits the letter is not taken: it may begin something else. */
    reader ahead = *in;
    bool raised = take(&ahead, base == 10 ? "e" : "p");
    if (raised && read_exponent(&ahead, &exponent))
        in->at = ahead.at;
    else if (raised)
        in->why = "the exponent has no digits";
    if (in->why == NULL && base != 2 && (raised || (found.point && base == 10)))
        read_suffix(in);
    result->tail = false;
    result->far = 0;
    result->ratio->negative = false;
    if (found.first == NULL) {
        fpfmt_natural_set(&result->ratio->numerator, 0);
        fpfmt_natural_set(&result->ratio->denominator, 1);
        return true;
    }
    assemble(result, found, base, exponent + found.scale * (base == 16 ? 4 : 1));
    return true;
}

static const char too_large[] = "it is too large to evaluate exactly";

/* number [^ integer]. False, with the reason, if there is no number, or its power has no value; an
 * exponent without digits is not taken. */
static bool read_power(reader *in, number *result)
{
    if (!read_number(in, result))
        return false;
    reader ahead = *in;
    int64_t exponent;
    skip_blanks(&ahead);
    if (in->why != NULL || !take(&ahead, "^"))
        return true;
    skip_blanks(&ahead);
    if (!read_exponent(&ahead, &exponent)) {
        in->why = "a power needs an integer after ^";
        return true;
    }
    in->at = ahead.at;
    if (fpfmt_ratio_is_zero(result->ratio) && exponent < 0 && result->far == 0) {
        in->why = "it divides by zero";
        return false;
    }
    if (result->far != 0 || result->tail ||
        !fpfmt_ratio_power(result->ratio, result->ratio, exponent)) {
        in->why = too_large;
        return false;
    }
    return true;
}

/* [sign] power [/ [sign] power]. False, with the reason, if there is no number, or no quotient. */
static bool read_fraction(reader *in, number *result)
{
    bool negative = take_sign(in);
    if (!read_power(in, result))
        return false;
    reader ahead = *in;
    skip_blanks(&ahead);
    if (in->why == NULL && take(&ahead, "/")) {
        fpfmt_ratio divisor;
        number below = { .ratio = &divisor };
        skip_blanks(&ahead);
        bool below_negative = take_sign(&ahead);
        if (!read_power(&ahead, &below)) {
            in->why = ahead.why;
            return false;
        }
        *in = ahead;
        if (below.far == 0 && fpfmt_ratio_is_zero(&divisor)) {
            in->why = "it divides by zero";
            return false;
        }
        if (result->far != 0 || result->tail || below.far != 0 || below.tail ||
            !fpfmt_ratio_divide(result->ratio, result->ratio, &divisor)) {
            in->why = too_large;
            return false;
        }
        negative = negative != below_negative;
    }
    result->ratio->negative = negative;
    return true;
}

/* (payload), decimal or hexadecimal, of a NaN; nothing if there is no parenthesis. */
static void read_payload(reader *in, uint64_t *payload)
{
    reader ahead = *in;
    if (!take(&ahead, "("))
        return;
    in->why = "a payload is written as (0x20) or (32), up to 64 bits";
    bool hexadecimal = take(&ahead, "0x");
    int base = hexadecimal ? 16 : 10, digit;
    if (hexadecimal && digit_of(peek(&ahead, 0), base) < 0)
        return;
    uint64_t n = 0;
    while ((digit = digit_of(peek(&ahead, 0), base)) >= 0) {
        if (n > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base)
            return;
        n = n * (uint64_t)base + (uint64_t)digit;
        ahead.at++;
    }
    if (!take(&ahead, ")"))
        return;
    in->at = ahead.at;
    in->why = NULL;
    *payload = n;
}

/* inf, infinity, nan or snan, with a sign and for NaN a payload. */
static bool read_special(reader *in, fpfmt_value *value)
{
    reader ahead = *in;
    *value = (fpfmt_value){ .negative = take_sign(&ahead) };
    if (take(&ahead, "infinity") || take(&ahead, "inf"))
        value->kind = FPFMT_KIND_INFINITE;
    else if (take(&ahead, "nan") || take(&ahead, "qnan"))
        value->kind = FPFMT_KIND_QUIET_NAN;
    else if (take(&ahead, "snan"))
        value->kind = FPFMT_KIND_SIGNALING_NAN;
    else
        return false;
    *in = ahead;
    if (value->kind != FPFMT_KIND_INFINITE)
        read_payload(in, &value->significand);
    return true;
}

/* What the public functions return: how much was taken of a good number, and why no more. */
static size_t finish(const reader *in, const char *text, bool good, const char **why)
{
    const char *reason = in->why;
    if (good && reason == NULL && in->at < in->end)
        reason = "something follows the number";
    if (why != NULL)
        *why = reason;
    return good ? (size_t)(in->at - text) : 0;
}

size_t fpfmt_parse(fpfmt_value *value, const char *text, size_t length, const char **why)
{
    fpfmt_ratio ratio;
    number result = { .ratio = &ratio };
    reader in = { .at = text, .end = text + length };
    if (read_special(&in, value))
        return finish(&in, text, true, why);
    bool good = read_fraction(&in, &result);
    if (good && result.far != 0)
        *value = (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                                .negative = ratio.negative,
                                .inexact = FPFMT_REMAINDER_BELOW_HALF,
                                .exponent = result.far * CLAMPED,
                                .significand = UINT64_C(1) << 63 };
    else if (good)
        *value = fpfmt_ratio_value(&ratio);
    /* Halves of a bit are whole in the digits that were read: those cut off lead past none. */
    if (good && result.tail)
        value->inexact |= FPFMT_REMAINDER_BELOW_HALF;
    return finish(&in, text, good, why);
}

size_t fpfmt_parse_ratio(fpfmt_ratio *ratio, const char *text, size_t length, const char **why)
{
    number result = { .ratio = ratio };
    fpfmt_value special;
    reader in = { .at = text, .end = text + length };
    if (read_special(&in, &special)) {
        in.why = "infinity and NaN are no ratios";
        return finish(&in, text, false, why);
    }
    bool good = read_fraction(&in, &result);
    if (good && (result.far != 0 || result.tail)) {
        in.why = too_large;
        good = false;
    }
    return finish(&in, text, good, why);
}
