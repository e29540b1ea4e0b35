/* scan_fields.h - a scan as records: for programs, and to be added up
 * SPDX-License-Identifier: MIT */

#ifndef FPINSPECT_SCAN_FIELDS_H
#define FPINSPECT_SCAN_FIELDS_H

#include "facts/scan.h"
#include "kit/losses.h"

enum { SUM_TEXT = 18 * FPFMT_SUM_LIMBS };

/* A binade in which there are values. */
typedef struct {
    int exponent;
    uint64_t count, powers;
} binade_facts;

/* One of --worst. */
typedef struct {
    uint64_t index;
    fpfmt_value value, result;
    coded code, scale;
    unsigned status;
} loss_facts;

/* What became of a tensor in one target. Sums are integers in hexadecimal, in the units of
 * fpfmt_stats; an error that was cut to 64 bits has a + behind it. */
typedef struct {
    const char *file, *tensor; /* of flat forms, which have a row for each target */
    const char *format, *variant, *policy, *round, *recipe;
    unsigned overflow_rule;              /* FPFMT_OVERFLOW_... */
    uint64_t flush;                      /* FPFMT_SUBNORMAL_... */
    uint64_t count, zero, nan, infinite; /* of the values before, in flat forms */
    uint64_t exact, inexact, subnormal, underflow, overflow, saturated, invalid, finite;
    char absolute[ERROR_TEXT], relative[ERROR_TEXT];
    uint64_t absolute_index, relative_index;
    char *signal, *noise, *relative_squares;
    char rms_relative[ABOUT_TEXT], sqnr[ABOUT_TEXT]; /* with ≈ */
    int best_scale;                                  /* a power of two; NO_INTEGER */
    fact_list worst;
} column_facts;

typedef struct {
    const char *file, *tensor, *type, *read_as, *scheme, *shape;
    uint64_t count, zero, nan, infinite;
    fpfmt_value least, largest;
    fact_list binades, columns;
} tensor_facts;

extern const field tensor_fields[], scan_row_fields[];

/* The facts of a result; their memory is the run's. */
void make_tensor_facts(tensor_facts *made, const scan_result *of, const target_list *targets);
void release_tensor_facts(tensor_facts *made);

/* A sum as an integer in hexadecimal, and back; false where the text is none. */
void spell_sum(char text[SUM_TEXT], const uint64_t *sum, size_t limbs);
bool read_sum(uint64_t *sum, size_t limbs, const char *text);

/* What spell_error wrote; false where the text is something else. */
bool read_error(fpfmt_value *value, const char *text);

#endif
