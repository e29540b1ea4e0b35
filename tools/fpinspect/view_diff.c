/* view_diff.c - two formats: what differs in their parameters, and which codes decode differently
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "screen.h"
#include "view.h"

enum { COMPARED_BITS = 16, LISTED = 12 };

/* One parameter of a format as text. */
typedef void (*describe)(number text, const fpfmt_format *format, const fpfmt_limits *limits);

static void fields_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    snprintf(text, NUMBER_SIZE, "%d = %d + %d + %d", limits->width, format->sign_bits,
             format->exponent_bits, format->fraction_bits);
}

static void bias_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    (void)limits;
    snprintf(text, NUMBER_SIZE, "%d", (int)format->bias);
}

static void max_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    show_value(text, format, fpfmt_decode(format, limits->max), false, LEAD_NONE);
}

static void lowest_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    show_value(text, format, fpfmt_decode(format, limits->lowest), false, LEAD_NONE);
}

static void min_normal_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    show_value(text, format, fpfmt_decode(format, limits->min_normal), false, LEAD_NONE);
}

static void min_subnormal_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    strcpy(text, "none");
    if (limits->has_subnormals)
        show_value(text, format, fpfmt_decode(format, limits->min_positive), false, LEAD_NONE);
}

static void infinity_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    strcpy(text, "none");
    if (limits->has_infinity)
        show_code(text, format, limits->infinity);
}

static void nan_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    char code[24];
    show_code(code, format, limits->nan);
    snprintf(text, NUMBER_SIZE, "%s%s", limits->has_nan ? code : "none",
             format->nans == FPFMT_NANS_IEEE ? " and others, with payload"
             : format->nans == FPFMT_NANS_ALL_ONES && format->sign_bits > 0 ? ", one per sign"
                                                                            : "");
}

static void zero_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    (void)format;
    strcpy(text, limits->has_negative_zero ? "0 and -0" : limits->has_zero ? "0" : "none");
}

static void overflow_of(number text, const fpfmt_format *format, const fpfmt_limits *limits)
{
    (void)limits;
    strcpy(text, word_for(&overflow_words, format->overflow));
}

static const struct {
    const char *name;
    describe tell;
} parameters[] = {
    { "bits, fields", fields_of },
    { "bias", bias_of },
    { "max", max_of },
    { "lowest", lowest_of },
    { "min normal", min_normal_of },
    { "min subnormal", min_subnormal_of },
    { "infinity", infinity_of },
    { "NaN", nan_of },
    { "zero", zero_of },
    { "overflow", overflow_of },
};

static void parameter_rows(const fpfmt_format *left, const fpfmt_format *right)
{
    static number a, b;
    char same[400] = "";
    fpfmt_limits of_left = fpfmt_measure(left), of_right = fpfmt_measure(right);
    table_begin(2);
    table_cell(STYLE_DIM, "differs");
    table_cell(STYLE_NAME, left->name);
    table_cell(STYLE_NAME, right->name);
    table_row();
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        parameters[i].tell(a, left, &of_left);
        parameters[i].tell(b, right, &of_right);
        if (strcmp(a, b) == 0) {
            snprintf(same + strlen(same), sizeof same - strlen(same), "%s%s %.60s",
                     *same != '\0' ? "; " : "", parameters[i].name, a);
            continue;
        }
        table_cell(STYLE_DIM, parameters[i].name);
        table_cell(STYLE_PLAIN, a);
        table_cell(STYLE_PLAIN, b);
        table_row();
    }
    table_flush();
    if (*same == '\0')
        return;
    out(STYLE_DIM, "  same     ");
    out_wrapped_from(11, 11, same);
}

static bool same_value(fpfmt_value a, fpfmt_value b)
{
    bool nan = a.kind >= FPFMT_KIND_QUIET_NAN && b.kind >= FPFMT_KIND_QUIET_NAN;
    bool finite = a.kind < FPFMT_KIND_INFINITE && b.kind < FPFMT_KIND_INFINITE;
    if (nan || a.negative != b.negative || !finite)
        return nan || (a.negative == b.negative && a.kind == b.kind);
    return a.exponent == b.exponent && a.significand == b.significand;
}

/* The one power of two between the values of each code, where both are finite. */
static bool constant_factor(const fpfmt_format *left, const fpfmt_format *right, uint64_t end,
                            int *power)
{
    bool any = false;
    for (uint64_t code = 0; code < end; code++) {
        fpfmt_value a = fpfmt_decode(left, code), b = fpfmt_decode(right, code);
        if (a.kind >= FPFMT_KIND_INFINITE || b.kind >= FPFMT_KIND_INFINITE ||
            (a.kind == FPFMT_KIND_ZERO && b.kind == FPFMT_KIND_ZERO))
            continue;
        int factor = b.exponent - a.exponent;
        if (a.significand != b.significand || (any && factor != *power))
            return false;
        *power = factor;
        any = true;
    }
    return any && *power != 0;
}

static void code_rows(const fpfmt_format *left, const fpfmt_format *right, uint64_t end,
                      bool scaled)
{
    static number a, b;
    char code_text[24];
    uint64_t differing = 0, listed = 0, specials = 0;
    table_begin(2);
    for (uint64_t code = 0; code < end; code++) {
        fpfmt_value x = fpfmt_decode(left, code), y = fpfmt_decode(right, code);
        bool special = x.kind >= FPFMT_KIND_INFINITE || y.kind >= FPFMT_KIND_INFINITE ||
                       (x.kind == FPFMT_KIND_ZERO) != (y.kind == FPFMT_KIND_ZERO);
        if (same_value(x, y))
            continue;
        differing++;
        specials += special;
        if ((scaled && !special) || listed == LISTED)
            continue;
        listed++;
        show_value(a, left, x, false, LEAD_HANG);
        show_value(b, right, y, false, LEAD_HANG);
        table_cell(STYLE_DIM, show_code(code_text, left, code));
        table_cell(STYLE_PLAIN, a);
        table_cell(STYLE_PLAIN, b);
        table_row();
    }
    uint64_t left_out = (scaled ? specials : differing) - listed;
    outf(STYLE_PLAIN, "  %" PRIu64 " of %" PRIu64 " codes decode differently%s", differing, end,
         differing == 0 ? ".\n"
         : listed == 0  ? ".\n"
         : scaled       ? "; beyond the factor, these:\n"
                        : ":\n");
    table_flush();
    if (left_out > 0)
        outf(STYLE_DIM, "  and %" PRIu64 " more\n", left_out);
}

void view_diff(const fpfmt_format *left, const fpfmt_format *right)
{
    int power = 0, width = fpfmt_measure(left).width;
    bool comparable = width == fpfmt_measure(right).width && width <= COMPARED_BITS;
    parameter_rows(left, right);
    out_line();
    if (!comparable) {
        out_wrapped(2, width != fpfmt_measure(right).width
                           ? "Their codes differ in width and are not compared one by one."
                           : "Codes of more than 16 bits are not compared one by one.");
    } else {
        uint64_t end = UINT64_C(1) << width;
        bool scaled = constant_factor(left, right, end, &power);
        if (scaled)
            outf(STYLE_PLAIN, "  The same code means 2^%d times as much in %s as in %s.\n", power,
                 right->name, left->name);
        code_rows(left, right, end, scaled);
    }
    bool outer = fpfmt_contains(left, right), inner = fpfmt_contains(right, left);
    outf(STYLE_PLAIN, "  %s.\n",
         outer && inner ? "Each holds every value of the other"
         : outer        ? "The first holds every value of the second"
         : inner        ? "The second holds every value of the first"
                        : "Neither holds every value of the other");
}
