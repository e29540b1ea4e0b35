/* cells.h - cells of rows that hold numbers
 * SPDX-License-Identifier: MIT
 *
 * A number is exact for programs; people see at most 17 digits, or ≈ and fewer. */

#ifndef FPLAB_CELLS_H
#define FPLAB_CELLS_H

#include <fpfmt.h>

#include "rows.h"

void cell_none(lab_page *page);
void cell_code(lab_page *page, const fpfmt_format *format, uint64_t code);
void cell_value(lab_page *page, const fpfmt_format *format, uint64_t code);
void cell_count(lab_page *page, uint64_t n);

/* People see so many digits; programs the fewest that read back. */
void cell_double(lab_page *page, double value, int digits);

/* What a value is off the exact number, in percent of that: "≈+0.117 %". Programs get the ratio of
 * both as a decimal of 17 digits. Nothing where the exact number is 0. */
void cell_relative(lab_page *page, fpfmt_value value, const fpfmt_ratio *exact);

/* A part of something, for people as a percentage of 3 digits: an error has a sign, and a share has
 * none. */
void cell_error(lab_page *page, double part);
void cell_share(lab_page *page, double part);

#endif
