/* diff.c - how two formats differ: in their parameters, and in what their codes mean
 * SPDX-License-Identifier: MIT */

#include "facts/diff.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/number.h"

enum { COMPARED_BITS = 16 };

const field difference_fields[] = {
    FIELD("what", FIELD_TEXT, difference, what),
    FIELD("name", FIELD_TEXT, difference, name),
    FIELD("left", FIELD_TEXT, difference, left),
    FIELD("right", FIELD_TEXT, difference, right),
    { .name = NULL },
};

static void add(format_difference *made, difference row)
{
    difference *rows = (difference *)made->differences.rows;
    rows = more(rows, made->differences.count, sizeof *rows);
    rows[made->differences.count++] = row;
    made->differences.rows = rows;
}

/* A copy of a field's text; NULL where it does not exist. */
static const char *text_of(const field *of, const format_facts *facts)
{
    number text;
    return field_text(text, of, facts) ? copy_text(text, strlen(text)) : NULL;
}

static bool alike(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* What a format is called, and what it is related to, is no parameter. */
static bool is_parameter(const field *of)
{
    return of->kind != FIELD_TEXT || of->offset == offsetof(format_facts, zeros) ||
           of->offset == offsetof(format_facts, nans) ||
           of->offset == offsetof(format_facts, overflow);
}

static void compare_parameters(format_difference *made)
{
    for (const field *of = format_fields; of->name != NULL; of++) {
        if (!is_parameter(of) || of->kind == FIELD_NAMES)
            continue;
        const char *left = text_of(of, &made->left), *right = text_of(of, &made->right);
        if (!alike(left, right))
            add(made, (difference){
                          .what = "parameter", .name = of->name, .left = left, .right = right });
    }
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

static const char *exact_text(fpfmt_value value)
{
    number text;
    size_t length = fpfmt_print_exact(text, sizeof text, value);
    return copy_text(text, length);
}

static void compare_codes(format_difference *made)
{
    const fpfmt_format *left = made->left.format, *right = made->right.format;
    char name[24];
    for (uint64_t code = 0; code < made->codes; code++) {
        fpfmt_value x = fpfmt_decode(left, code), y = fpfmt_decode(right, code);
        if (same_value(x, y))
            continue;
        bool special = x.kind >= FPFMT_KIND_INFINITE || y.kind >= FPFMT_KIND_INFINITE ||
                       (x.kind == FPFMT_KIND_ZERO) != (y.kind == FPFMT_KIND_ZERO);
        made->differing++;
        made->specials += special;
        show_code(name, left, code);
        add(made, (difference){ .what = "code",
                                .name = copy_text(name, strlen(name)),
                                .left = exact_text(x),
                                .right = exact_text(y),
                                .code = code,
                                .special = special });
    }
}

void compare_formats(format_difference *made, const fpfmt_format *left, const fpfmt_format *right)
{
    *made = (format_difference){ .power = 0 };
    describe_format(&made->left, left);
    describe_format(&made->right, right);
    made->same_width = made->left.width == made->right.width;
    made->compared = made->same_width && made->left.width <= COMPARED_BITS;
    made->left_holds_right = fpfmt_contains(left, right);
    made->right_holds_left = fpfmt_contains(right, left);
    compare_parameters(made);
    if (!made->compared)
        return;
    made->codes = UINT64_C(1) << made->left.width;
    made->scaled = constant_factor(left, right, made->codes, &made->power);
    compare_codes(made);
}
