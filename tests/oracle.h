/* oracle.h - a slow, clear reference for formats and rounding, on MPFR and GMP
 * SPDX-License-Identifier: MIT
 *
 * It shares no code and no table with lib/: formats are described by precision, emin and special
 * codes as their standards print them, and a code is found by search among the values, not by
 * shifting. From fpfmt.h it takes the enumerators and fpfmt_policy, which are the question. */

#ifndef FPFMT_TESTS_ORACLE_H
#define FPFMT_TESTS_ORACLE_H

#include <stdint.h>

#include <gmp.h>
#include <mpfr.h>

#include <fpfmt.h>

enum oracle_kind {
    ORACLE_IEEE,    /* NaN is every code above infinity's, quiet from the code nan up */
    ORACLE_FN,      /* the top code is NaN, of either sign */
    ORACLE_FNUZ,    /* code 2^(bits-1) is NaN, there is no -0 */
    ORACLE_FINITE,  /* every code is finite */
    ORACLE_P3109,   /* one NaN, no -0, infinities just below the top or none */
    ORACLE_E8M0,    /* 2^(code-127), no zero */
    ORACLE_DLFLOAT, /* as FN, but exponent field 0 is a binade and its first code is zero */
    ORACLE_INTEGER  /* integers, in two's complement if signed, in steps of 2^emin */
};

typedef struct {
    char name[24];
    enum oracle_kind kind;
    int bits, precision, emin; /* emin: log2 of the smallest normal; of the step for INTEGER */
    bool is_signed;
    uint64_t max, infinity, nan; /* codes of positive values; 0 where there is none */
    uint8_t overflow;            /* FPFMT_OVERFLOW_... of the specification */
    bool tie_larger;
} oracle_format;

extern const oracle_format oracle_formats[];
extern const size_t oracle_format_count;

/* The row of that name, NULL if there is none. */
const oracle_format *oracle_named(const char *name);

/* IEEE P3109's format of these parameters, from the report's clause 4.4. */
oracle_format oracle_p3109(int bits, int precision, bool is_signed, bool extended);

/* Call visit with every P3109 format from bits low to high, and with its place in the order. */
void oracle_each_p3109(int low, int high, void (*visit)(const oracle_format *format));

typedef struct {
    uint8_t kind; /* FPFMT_KIND_... */
    bool negative;
    uint8_t payload_bits; /* of NaN; 0: the payload is a plain integer */
    uint64_t payload;
    mpfr_t magnitude; /* exact */
} oracle_number;

void oracle_start(oracle_number *number);
void oracle_stop(oracle_number *number);

/* The number of a code. */
void oracle_decode(const oracle_format *format, uint64_t code, oracle_number *number);

/* The number that a fpfmt_value states; a cut tail becomes a quarter, half or three quarters of a
 * unit, whichever FPFMT_REMAINDER_... it is. */
void oracle_set_value(oracle_number *number, fpfmt_value value);

/* A rational, to 192 bits and jammed: on the same side of every value and midpoint as itself. */
void oracle_set_ratio(oracle_number *number, const mpq_t ratio);

/* The finite value of a positive magnitude of at most 64 bits. */
fpfmt_value oracle_value(const mpfr_t magnitude);

/* What lies below the first 64 bits of a magnitude that is not 0, beside half of the last one:
 * FPFMT_REMAINDER_... */
uint8_t oracle_remainder(const mpfr_t magnitude);

/* Is the value this number, field by field, in the form that fpfmt.h promises? */
bool oracle_agrees(const oracle_number *number, fpfmt_value value);

enum { ORACLE_EXACT, ORACLE_BELOW_HALF, ORACLE_HALF, ORACLE_ABOVE_HALF };

/* Where a magnitude lies among a format's values, continued past the largest one. */
typedef struct {
    uint64_t below; /* the largest magnitude code that is not above it */
    int remainder;  /* ORACLE_...: how far it is towards the next */
    bool under;     /* below the smallest value of a format without zero */
    bool subnormal; /* below the smallest normal */
    int edge;       /* ORACLE_...: how far from the last value of the normal precision below the
                       smallest normal to it; -1 if it is not above that value */
} oracle_place;

void oracle_find(const oracle_format *format, const oracle_number *number, oracle_place *place);

/* The code of a number that was found, by the decisions of the policy; flags are OR-ed in. */
uint64_t oracle_choose(const oracle_format *format, const oracle_number *number,
                       const oracle_place *place, const fpfmt_policy *policy, unsigned *flags);

/* Both. */
uint64_t oracle_encode(const oracle_format *format, const oracle_number *number,
                       const fpfmt_policy *policy, unsigned *flags);

/* The exact magnitude of a finite magnitude code, and of those past the largest. */
void oracle_magnitude(mpfr_t magnitude, const oracle_format *format, uint64_t code);

/* The mask of the sign bit, 0 for unsigned formats and integers. */
uint64_t oracle_sign(const oracle_format *format);

bool oracle_has_zero(const oracle_format *format);
bool oracle_has_negative_zero(const oracle_format *format);
bool oracle_is_nan(const oracle_format *format, uint64_t code);
bool oracle_is_infinite(const oracle_format *format, uint64_t code);

/* The magnitude code of the smallest normal. */
uint64_t oracle_min_normal(const oracle_format *format);

/* The largest magnitude code of a sign. */
uint64_t oracle_limit(const oracle_format *format, bool negative);

/* The code of a sign and a finite magnitude code. */
uint64_t oracle_code(const oracle_format *format, bool negative, uint64_t magnitude);

#endif
