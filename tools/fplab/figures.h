/* figures.h - arithmetic in binary64 by the library, and cells that hold numbers
 * SPDX-License-Identifier: MIT */

#ifndef FIGURES_H
#define FIGURES_H

#include "lab.h"

/* Operations of the library, rounded to nearest even: the bits do not hang on the compiler. */
double add64(double a, double b);
double subtract64(double a, double b);
double multiply64(double a, double b);
double divide64(double a, double b);
double sqrt64(double a);
double floor64(double a); /* of what is not negative */
double from_count(uint64_t n);

/* n numbers: the exact sum rounded once, over n; and the root of the mean square of what they are
 * off the mean, over n - 1. */
double mean64(const double *numbers, size_t n);
double deviation64(const double *numbers, size_t n, double mean);

/* The row of 0..rows - 1 in which a value between least and most is drawn. */
int row_of(double value, double least, double most, int rows);

/* Cells. A value of a format is exact for programs; people see at most 17 digits of it, or ≈. */
void cell_none(void);
void cell_code(const fpfmt_format *format, uint64_t code);
void cell_value(const fpfmt_format *format, uint64_t code);
void cell_count(uint64_t n);
void cell_double(double value, int digits); /* people see so many digits */

/* What a value is off the exact number, in percent of it: "≈+0.117 %"; programs get the ratio of
 * both as a decimal of 17 digits. */
void cell_relative(fpfmt_value value, const fpfmt_ratio *exact);

/* A part of something, for people as a percentage of 3 digits: an error has a sign, a share none.
 */
void cell_error(double part);
void cell_share(double part);

/* A double as people read it; text has room for a number. Returns text. */
char *show_double(char *text, double value, int digits);

#endif
