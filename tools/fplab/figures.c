/* figures.c - arithmetic in binary64 by the library, and cells that hold numbers
 * SPDX-License-Identifier: MIT */

#include "figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fpinspect/number.h"

static const fpfmt_format *binary64(void)
{
    static const fpfmt_format *format;
    if (format == NULL)
        format = fpfmt_named("fp64");
    return format;
}

static double of_code(uint64_t code)
{
    return fpfmt_to_f64(fpfmt_decode(binary64(), code), NULL, NULL);
}

static double operate64(fpfmt_operation operation, double a, double b)
{
    fpfmt_value x = fpfmt_from_f64(a), y = fpfmt_from_f64(b);
    return of_code(fpfmt_operate(binary64(), operation, x, y, y, NULL, NULL));
}

double add64(double a, double b)
{
    return operate64(FPFMT_OPERATION_ADD, a, b);
}

double subtract64(double a, double b)
{
    return operate64(FPFMT_OPERATION_SUBTRACT, a, b);
}

double multiply64(double a, double b)
{
    return operate64(FPFMT_OPERATION_MULTIPLY, a, b);
}

double divide64(double a, double b)
{
    return operate64(FPFMT_OPERATION_DIVIDE, a, b);
}

double sqrt64(double a)
{
    return operate64(FPFMT_OPERATION_SQRT, a, 0);
}

double floor64(double a)
{
    const fpfmt_policy cut = { .rounding = FPFMT_ROUND_TOWARD_ZERO };
    return of_code(fpfmt_round_to_integral(binary64(), fpfmt_from_f64(a), &cut, NULL));
}

double from_count(uint64_t n)
{
    return fpfmt_to_f64(fpfmt_from_u64(n), NULL, NULL);
}

/* Of the numbers times others, or of the numbers where these are NULL. */
static double exact_sum(const double *numbers, const double *others, size_t n)
{
    const fpfmt_accumulator exact = { .method = FPFMT_ACCUMULATE_EXACT };
    const fpfmt_series a = { .format = binary64(), .codes = numbers, .stride = 1 },
                       b = { .format = binary64(), .codes = others, .stride = 1 };
    return of_code(fpfmt_dot(binary64(), &exact, 0, a, b, n, NULL, NULL));
}

double mean64(const double *numbers, size_t n)
{
    return divide64(exact_sum(numbers, NULL, n), from_count(n));
}

double deviation64(const double *numbers, size_t n, double mean)
{
    double *off = lab_allocate(n, sizeof *off);
    for (size_t i = 0; i < n; i++)
        off[i] = subtract64(numbers[i], mean);
    double squares = exact_sum(off, off, n);
    free(off);
    return n > 1 ? sqrt64(divide64(squares, from_count(n - 1))) : 0;
}

int row_of(double value, double least, double most, int rows)
{
    if (!(least < most))
        return 0;
    double part = divide64(subtract64(value, least), subtract64(most, least));
    double row = multiply64(part, from_count((uint64_t)rows - 1));
    return (int)fpfmt_to_i64(fpfmt_from_f64(row), NULL, NULL);
}

void cell_none(void)
{
    lab_cell("-", NULL);
}

void cell_code(const fpfmt_format *format, uint64_t code)
{
    char text[24];
    lab_cell(show_code(text, format, code), NULL);
}

void cell_value(const fpfmt_format *format, uint64_t code)
{
    static number exact, shown;
    fpfmt_value value = fpfmt_decode(format, code);
    fpfmt_print_exact(exact, sizeof exact, value);
    show_value(shown, format, value, false, LEAD_NONE);
    lab_cell(exact, shown);
}

void cell_count(uint64_t n)
{
    lab_cellf("%" PRIu64, n);
}

char *show_double(char *text, double value, int digits)
{
    fpfmt_ratio ratio;
    number plain;
    bool exact;
    if (!fpfmt_ratio_from(&ratio, fpfmt_from_f64(value))) {
        show_value(text, binary64(), fpfmt_from_f64(value), false, LEAD_NONE);
        return text;
    }
    fpfmt_print_rounded(plain, sizeof plain, &ratio, digits, &exact);
    snprintf(text, NUMBER_SIZE, "%s%.*s", exact ? "" : "≈", NUMBER_SIZE - 8, plain);
    return text;
}

/* The fewest digits that read back, for programs. */
static char *print_double(char text[64], double value)
{
    uint64_t code = fpfmt_encode(binary64(), fpfmt_from_f64(value), NULL, NULL);
    fpfmt_print_shortest(text, 64, binary64(), code);
    return text;
}

void cell_double(double value, int digits)
{
    char plain[64];
    static number shown;
    lab_cell(print_double(plain, value), show_double(shown, value, digits));
}

void cell_relative(fpfmt_value value, const fpfmt_ratio *exact)
{
    fpfmt_ratio off;
    static number plain, shown;
    if (!fpfmt_ratio_from(&off, value) || !fpfmt_ratio_subtract(&off, &off, exact) ||
        !fpfmt_ratio_divide(&off, &off, exact)) {
        cell_none();
        return;
    }
    off.negative = off.negative && !fpfmt_ratio_is_zero(&off);
    fpfmt_print_rounded(plain, sizeof plain, &off, SHOWN_DIGITS, NULL);
    show_percent(shown, &off, LEAD_SIGN);
    lab_cell(plain, shown);
}

static void cell_percent(double part, lead how)
{
    char plain[64];
    static number shown;
    fpfmt_ratio ratio;
    if (!fpfmt_ratio_from(&ratio, fpfmt_from_f64(part))) {
        cell_none();
        return;
    }
    show_percent(shown, &ratio, how);
    lab_cell(print_double(plain, part), shown);
}

void cell_error(double part)
{
    cell_percent(part, LEAD_SIGN);
}

void cell_share(double part)
{
    char plain[64];
    if (part > 0 && part < 1e-6)
        lab_cell(print_double(plain, part), "<0.0001 %");
    else
        cell_percent(part, LEAD_NONE);
}
