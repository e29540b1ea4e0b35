/* exact.h - numbers of a budget: exact rationals, and their text
 * SPDX-License-Identifier: MIT
 *
 * A ratio of the library holds 16256 bits. A budget multiplies about ten numbers of 256 bits at the
 * most (see amount.h), so that results stay far below that; one that did not would end the run with
 * a complaint instead of being wrong. */

#ifndef FPBUDGET_EXACT_H
#define FPBUDGET_EXACT_H

#include <fpfmt.h>

#include "kit/number.h"

typedef fpfmt_ratio exact;

exact exact_whole(uint64_t n);

/* A number of a table, as "989.4" or "2^30". */
exact exact_decimal(const char *text);

exact plus(exact a, exact b);
exact minus(exact a, exact b);
exact times(exact a, exact b);
exact over(exact a, exact b); /* b is not 0 */

/* Below 0 where a is less than b, 0 where both are equal, above 0 where a is more. */
int compare(exact a, exact b);

/* For a from 0 on: the least whole number that is not below a, and whether a is one itself. */
exact round_up(exact a);
bool is_whole(exact a);

/* 10^n. */
exact power_of_ten(unsigned n);

/* ---- text ---- */

/* All digits: a finite decimal, else p/q. */
void print_exact(number text, exact a);

/* a / 10^power with at most so many significant digits, behind ≈ unless these digits are all. */
void print_short(number text, exact a, unsigned power, int digits);

/* As print_short, of a / 2^30. */
void print_gibi(number text, exact a, int digits);

/* As print_exact and print_short, behind the text that is there already. */
void append_exact(number text, exact a);
void append_short(number text, exact a, unsigned power, int digits);

/* Behind the text that is there already " = " and a, or " ≈" and a where digits are missing. */
void append_result(number text, exact a, int digits);

#endif
