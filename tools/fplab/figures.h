/* figures.h - arithmetic in binary64 by the library, and doubles as text
 * SPDX-License-Identifier: MIT
 *
 * The machine's own arithmetic would hang on the compiler and its flags: a multiplication and an
 * addition may become one operation. Here each operation is one call, rounded to nearest even. */

#ifndef FPLAB_FIGURES_H
#define FPLAB_FIGURES_H

#include <fpfmt.h>

#include "kit/number.h"

double add64(double a, double b);
double subtract64(double a, double b);
double multiply64(double a, double b);
double divide64(double a, double b);
double sqrt64(double a);
double floor64(double a); /* of what is not negative */
double from_count(uint64_t n);

/* The mean of n numbers: their exact sum rounded once, over n. */
double mean64(const double *numbers, size_t n);

/* The root of the mean square of what n numbers are off their mean, over n - 1. */
double deviation64(const double *numbers, size_t n, double mean);

/* The row of 0..rows - 1 in which a value between least and most is drawn. */
int row_of(double value, double least, double most, int rows);

/* A value of a format as show_value of kit/number.h writes it, but NaN has no sign: which sign the
 * NaN of an operation has says nothing about the experiment. Returns text. */
char *show_number(number text, const fpfmt_format *format, fpfmt_value value);

/* A double for people, to so many digits, with ≈ before it where these are not exact. Returns
 * text. */
char *show_double(number text, double value, int digits);

/* A double for programs: the fewest digits that read back. Returns text. */
enum { DOUBLE_SIZE = 64 };
char *print_double(char text[DOUBLE_SIZE], double value);

#endif
