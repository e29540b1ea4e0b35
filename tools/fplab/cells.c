/* cells.c - cells of rows that hold numbers
 * SPDX-License-Identifier: MIT */

#include "cells.h"

#include <inttypes.h>

#include "figures.h"

void cell_none(lab_page *page)
{
    lab_cell(page, "-", NULL);
}

void cell_code(lab_page *page, const fpfmt_format *format, uint64_t code)
{
    char text[24];
    lab_cell(page, show_code(text, format, code), NULL);
}

void cell_value(lab_page *page, const fpfmt_format *format, uint64_t code)
{
    number exact, shown;
    fpfmt_value value = fpfmt_decode(format, code);
    fpfmt_print_exact(exact, sizeof exact, value);
    show_number(shown, format, value);
    lab_cell(page, exact, shown);
}

void cell_count(lab_page *page, uint64_t n)
{
    lab_cellf(page, "%" PRIu64, n);
}

void cell_double(lab_page *page, double value, int digits)
{
    char plain[DOUBLE_SIZE];
    number shown;
    lab_cell(page, print_double(plain, value), show_double(shown, value, digits));
}

void cell_relative(lab_page *page, fpfmt_value value, const fpfmt_ratio *exact)
{
    fpfmt_ratio off;
    number plain, shown;
    if (!fpfmt_ratio_from(&off, value) || !fpfmt_ratio_subtract(&off, &off, exact) ||
        !fpfmt_ratio_divide(&off, &off, exact)) {
        cell_none(page);
        return;
    }
    off.negative = off.negative && !fpfmt_ratio_is_zero(&off);
    fpfmt_print_rounded(plain, sizeof plain, &off, SHOWN_DIGITS, NULL);
    show_percent(shown, &off, LEAD_SIGN);
    lab_cell(page, plain, shown);
}

static void cell_percent(lab_page *page, double part, lead how)
{
    char plain[DOUBLE_SIZE];
    number shown;
    fpfmt_ratio ratio;
    if (!fpfmt_ratio_from(&ratio, fpfmt_from_f64(part))) {
        cell_none(page);
        return;
    }
    show_percent(shown, &ratio, how);
    lab_cell(page, print_double(plain, part), shown);
}

void cell_error(lab_page *page, double part)
{
    cell_percent(page, part, LEAD_SIGN);
}

void cell_share(lab_page *page, double part)
{
    char plain[DOUBLE_SIZE];
    if (part > 0 && part < 1e-6)
        lab_cell(page, print_double(plain, part), "<0.0001 %");
    else
        cell_percent(page, part, LEAD_NONE);
}
