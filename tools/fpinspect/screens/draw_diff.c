/* draw_diff.c - two formats: what differs in their parameters, and which codes decode differently
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "facts/diff.h"
#include "kit/number.h"
#include "screens/screen.h"
#include "screens/view.h"

enum { LISTED = 12 };

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
    number a, b;
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

/* The first codes that differ; of those that differ by the factor alone, none. */
static void code_rows(const format_difference *made)
{
    const difference *rows = made->differences.rows;
    const fpfmt_format *left = made->left.format, *right = made->right.format;
    uint64_t shown = 0, wanted = made->scaled ? made->specials : made->differing;
    number text;
    outf(STYLE_PLAIN, "  %" PRIu64 " of %" PRIu64 " codes decode differently%s", made->differing,
         made->codes,
         made->differing == 0 || wanted == 0 ? ".\n"
         : made->scaled                      ? "; beyond the factor, these:\n"
                                             : ":\n");
    table_begin(2);
    for (size_t i = 0; i < made->differences.count && shown < LISTED; i++) {
        const difference *here = &rows[i];
        if (strcmp(here->what, "code") != 0 || (made->scaled && !here->special))
            continue;
        shown++;
        table_cell(STYLE_DIM, here->name);
        show_value(text, left, fpfmt_decode(left, here->code), false, LEAD_HANG);
        table_cell(STYLE_PLAIN, text);
        show_value(text, right, fpfmt_decode(right, here->code), false, LEAD_HANG);
        table_cell(STYLE_PLAIN, text);
        table_row();
    }
    table_flush();
    if (wanted > shown)
        outf(STYLE_DIM, "  and %" PRIu64 " more\n", wanted - shown);
}

void draw_difference(const format_difference *made)
{
    bool outer = made->left_holds_right, inner = made->right_holds_left;
    parameter_rows(made->left.format, made->right.format);
    out_line();
    if (!made->same_width)
        out_wrapped(2, "Their codes differ in width and are not compared one by one.");
    else if (!made->compared)
        out_wrapped(2, "Codes of more than 16 bits are not compared one by one.");
    if (made->scaled)
        outf(STYLE_PLAIN, "  The same code means 2^%d times as much in %s as in %s.\n", made->power,
             made->right.name, made->left.name);
    if (made->compared)
        code_rows(made);
    outf(STYLE_PLAIN, "  %s.\n",
         outer && inner ? "Each holds every value of the other"
         : outer        ? "The first holds every value of the second"
         : inner        ? "The second holds every value of the first"
                        : "Neither holds every value of the other");
}
