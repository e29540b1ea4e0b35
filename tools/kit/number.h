/* number.h - numbers as people read them: exact, or marked ≈
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_KIT_NUMBER_H
#define FPFMT_KIT_NUMBER_H

#include <fpfmt.h>

enum {
    NUMBER_SIZE = 10240, /* any ratio as text */
    SHOWN_DIGITS = 17    /* what takes more significant digits is rounded for people */
};

typedef char number[NUMBER_SIZE];

/* The significant digits that tell any two values of a format apart. */
int max_digits10(const fpfmt_format *format);

/* How a number leads: nothing, a blank where ≈ would hang, a sign in any case. */
typedef enum { LEAD_NONE, LEAD_HANG, LEAD_SIGN, LEAD_HANG_SIGN } lead;

/* A ratio with at most 17 significant digits if that is exact, else ≈ and digits of them. With
 * LEAD_SIGN minus is −, as errors are no values to paste back. */
void show_ratio(number text, const fpfmt_ratio *ratio, int digits, lead how);

/* A value of a format by the same rule; full: all digits whatever they are. */
void show_value(number text, const fpfmt_format *format, fpfmt_value value, bool full, lead how);

/* A value for a sentence in ASCII: exactly if that is short, else "about" and a few digits. */
void tell_value(char text[40], fpfmt_value value);

/* A percentage to 3 digits, and a count of ulps: "≈+0.117 %", "−0.5 ulp". */
void show_percent(number text, const fpfmt_ratio *ratio, lead how);
void show_ulps(number text, const fpfmt_ratio *ratio, lead how);

/* A code in hexadecimal, as wide as its format; returns text. */
char *show_code(char text[24], const fpfmt_format *format, uint64_t code);

/* count bits of code from bit position up, the highest first; returns text. */
char *show_bits(char text[72], uint64_t code, int position, int count);

/* Is x = 2^k for some k? */
bool is_power_of_two(fpfmt_value value);

/* So far from every format that the exact value was not kept. */
bool is_clamped(fpfmt_value value);

/* log2 of |value|'s binade as a power: "2^-25". */
char *show_power(char text[24], int exponent);

#endif
