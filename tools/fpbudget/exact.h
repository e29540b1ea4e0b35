/* exact.h - numbers of a budget: exact rationals from the command line to the printed digit
 * SPDX-License-Identifier: MIT */

#ifndef EXACT_H
#define EXACT_H

#include <fpfmt.h>

#include "../fpinspect/number.h"

typedef fpfmt_ratio exact;

exact exact_whole(uint64_t n);

/* A number of a table, as "989.4". */
exact exact_decimal(const char *text);

exact plus(exact a, exact b);
exact minus(exact a, exact b);
exact times(exact a, exact b);
exact over(exact a, exact b); /* b is not 0 */

/* Below 0, 0, or above, as a is less than b, the same or more. */
int compare(exact a, exact b);

/* The whole number that a has, or the next one up. */
exact round_up(exact a);
bool is_whole(exact a);

/* 10^n. */
exact power_of_ten(unsigned n);

/* What may follow a number. */
typedef enum { AMOUNT_COUNT, AMOUNT_RATE, AMOUNT_SHARE, AMOUNT_BYTES } amount_kind;

/* A number of the command line, and how it was written there. */
typedef struct {
    const char *text; /* NULL where it was not given */
    exact value;
} amount;

/* Reads what an option takes: a whole number from 1, a rate above 0, a share above 0 and up to 1,
 * or bytes. False after a complaint. */
bool read_amount(amount *read, const char *option, const char *text, amount_kind kind);

/* As sprintf behind what text already has; what does not fit is left out. */
void append(number text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* All digits: a finite decimal, else p/q. */
void print_exact(number text, exact a);

/* At most so many significant digits, with ≈ unless they are all there are; times 10^-power. */
void print_short(number text, exact a, unsigned power, int digits);

/* The same in units of 2^30. */
void print_gibi(number text, exact a, int digits);

/* The same behind what text already has. */
void append_exact(number text, exact a);
void append_short(number text, exact a, unsigned power, int digits);

/* " = " and the number, or " ≈" where that is not all of it. */
void append_result(number text, exact a, int digits);

#endif
