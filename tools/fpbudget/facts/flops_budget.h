/* flops_budget.h - what training a model computes, and how long a share of the peak takes for it
 * SPDX-License-Identifier: MIT */

#ifndef FPBUDGET_FLOPS_BUDGET_H
#define FPBUDGET_FLOPS_BUDGET_H

#include "facts/matmul.h"
#include "facts/question.h"

/* The FLOPs of a pass over one token: of_parameters N + of_attention L h s, for N parameters, L
 * layers, a hidden size h and a sequence s. */
typedef struct {
    const char *name, *why;
    int of_parameters, of_attention;
} pass_row;

/* The passes of a budget, sums among them. */
enum { PASS_FORWARD, PASS_BACKWARD, PASS_MODEL, PASS_RECOMPUTED, PASS_HARDWARE, PASS_COUNT };

/* What a formula takes: "2" and all axes of a product, with a blank before each. */
enum { FORMULA_SIZE = 2 + MOST_AXES * (AXIS_SIZE + 1) };

typedef struct {
    const pass_row *row;        /* NULL for one product of tensors */
    const char *name;           /* that of the row */
    char formula[FORMULA_SIZE]; /* "6 N + 12 L h s" */
    maybe_ratio each, all;      /* for a token, which one product has not; for all, if known */
} pass;
extern const field pass_fields[]; /* the schema of a pass */

typedef struct {
    bool is_matmul;
    matmul product; /* of that one product; else passes */
    pass passes[PASS_COUNT];
    size_t pass_count; /* up to PASS_MODEL, or with recomputing up to PASS_HARDWARE */
    bool has_attention, has_tokens;
    exact attention; /* L h s */
    bool has_peak;   /* a device's is known */
    bool has_mfu;    /* there is a run, asked for or measured */
    bool has_time;   /* of all tokens */
    exact peak;      /* of one device, in FLOP/s */
    bool sums_wide;  /* the peak is of sums in fp32, and others may be faster */
    exact devices;
    exact mfu, hfu; /* shares of the peak: of the model, and of all that was computed */
    exact seconds;
} flops_budget;

/* Fills in *made. False after a complaint. */
bool count_flops(flops_budget *made, const question *asked);

/* Rows for programs: the passes, or the product as one. Memory of the run. */
fact_list flops_rows(const flops_budget *made);

/* Writes the formula of a pass, as "6 N + 12 L h s", with what stands there for N and for L h s. */
void pass_text(char *text, size_t size, const pass *now, bool has_attention, const char *parameters,
               const char *attention);

/* The format of products, which picks the peak of a device: what was asked for, else bf16, or fp16
 * on devices without bf16. */
const compute_row *compute_of(const question *asked);

/* What an MFU is worth, as a sentence without a full stop, and whether that is good. */
const char *mfu_verdict(const flops_budget *made);
bool is_good_mfu(const flops_budget *made);

/* As memory_assumptions. */
size_t flops_assumptions(const char *sentences[MOST_ASSUMPTIONS], const flops_budget *made,
                         const question *asked);

#endif
