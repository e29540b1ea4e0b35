/* figures.c - arithmetic in binary64 by the library, and doubles as text
 * SPDX-License-Identifier: MIT */

#include "figures.h"

#include <stdio.h>

#include "kit/memory.h"

/* Finding the row by its name takes longer than 50 operations, so that single ones do without. */
static const fpfmt_format *binary64(void)
{
    return fpfmt_named("fp64");
}

static double operate64(fpfmt_operation operation, double a, double b)
{
    fpfmt_value x = fpfmt_from_f64(a), y = fpfmt_from_f64(b);
    return fpfmt_to_f64(fpfmt_exact(operation, x, y, y, NULL, NULL), NULL, NULL);
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

/* From 2^53 on every double is whole, and below it every whole number is a double. */
double floor64(double a)
{
    const fpfmt_policy cut = { .rounding = FPFMT_ROUND_TOWARD_ZERO };
    return a < 0x1p53 ? from_count(fpfmt_to_u64(fpfmt_from_f64(a), &cut, NULL)) : a;
}

double from_count(uint64_t n)
{
    return fpfmt_to_f64(fpfmt_from_u64(n), NULL, NULL);
}

/* Of the numbers times others, or of the numbers where these are NULL. */
static double exact_sum(const double *numbers, const double *others, size_t n)
{
    const fpfmt_format *format = binary64();
    const fpfmt_accumulator exact = { .method = FPFMT_ACCUMULATE_EXACT };
    const fpfmt_series a = { .format = format, .codes = numbers, .stride = 1 },
                       b = { .format = format, .codes = others, .stride = 1 };
    uint64_t sum = fpfmt_dot(format, &exact, 0, a, b, n, NULL, NULL);
    return fpfmt_to_f64(fpfmt_decode(format, sum), NULL, NULL);
}

double mean64(const double *numbers, size_t n)
{
    return divide64(exact_sum(numbers, NULL, n), from_count(n));
}

double deviation64(const double *numbers, size_t n, double mean)
{
    double *off = allocate(n, sizeof *off);
    for (size_t i = 0; i < n; i++)
        off[i] = subtract64(numbers[i], mean);
    double squares = exact_sum(off, off, n);
    release(off);
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

char *show_number(number text, const fpfmt_format *format, fpfmt_value value)
{
    value.negative = value.negative && !fpfmt_value_is_nan(value);
    show_value(text, format, value, false, LEAD_NONE);
    return text;
}

char *show_double(number text, double value, int digits)
{
    fpfmt_ratio ratio;
    number plain;
    bool exact;
    if (!fpfmt_ratio_from(&ratio, fpfmt_from_f64(value)))
        return show_number(text, binary64(), fpfmt_from_f64(value));
    fpfmt_print_rounded(plain, sizeof plain, &ratio, digits, &exact);
    snprintf(text, NUMBER_SIZE, "%s%.*s", exact ? "" : "≈", NUMBER_SIZE - 8, plain);
    return text;
}

char *print_double(char text[DOUBLE_SIZE], double value)
{
    const fpfmt_format *format = binary64();
    uint64_t code = fpfmt_encode(format, fpfmt_from_f64(value), NULL, NULL);
    fpfmt_print_shortest(text, DOUBLE_SIZE, format, code);
    return text;
}
