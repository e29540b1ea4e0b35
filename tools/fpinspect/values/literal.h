/* literal.h - raw bits as people write them: 0x7f, 0b0111_1111, 0o177, or Verilog's 8'h7f or 8'd127
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_LITERAL_H
#define FPINSPECT_LITERAL_H

#include <fpfmt.h>

typedef struct {
    uint64_t code;
    int digits, per_digit, size; /* size: of Verilog's form, else 0 */
    bool too_long;               /* more than 64 bits */
} literal;

/* Reads all of a text; false if it is no literal. */
bool read_literal(literal *bits, const char *text);

/* Is the literal as wide as a format or as its whole bytes, and Verilog's size one of these? False
 * after a complaint, in which shown is the text, and where says which line it is. */
bool literal_fits(const literal *bits, const fpfmt_format *format, const char *shown,
                  const char *where);

#endif
