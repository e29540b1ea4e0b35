/* amount.h - numbers as the command line has them: counts, rates, shares and bytes
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_AMOUNT_H
#define FPBUDGET_AMOUNT_H

#include "facts/exact.h"

/* What a number counts, which decides its range and the suffixes that may follow it. */
typedef enum {
    AMOUNT_COUNT, /* a whole number from 1 to 10^18; K M B T are powers of 1000 */
    AMOUNT_RATE,  /* above 0 and up to 10^18, with the suffixes of a count */
    AMOUNT_SHARE, /* above 0 and up to 1 */
    AMOUNT_BYTES  /* as a count, with the suffixes KB to TB and KiB to TiB */
} amount_kind;

/* A number of the command line, and how a user wrote it, which screens repeat. */
typedef struct {
    const char *text; /* NULL where the number was not given */
    exact value;
} amount;

/* Reads the argument of an option, whose name a complaint tells. Numerator and denominator take
 * 256 bits at the most. False after a complaint, with *read unchanged. text must stay as long as
 * *read is used. */
bool read_amount(amount *read, const char *option, const char *text, amount_kind kind);

/* The number that was given, or otherwise this one. */
exact amount_or(const amount *given, uint64_t otherwise);

#endif
