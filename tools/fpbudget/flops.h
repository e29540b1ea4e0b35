/* flops.h - what training a model computes, and how long a share of the peak takes for it
 * SPDX-License-Identifier: MIT */

#ifndef FLOPS_H
#define FLOPS_H

#include "matmul.h"
#include "options.h"

/* A pass over one token: of_parameters N + of_attention L h s. */
typedef struct {
    const char *name, *why;
    int of_parameters, of_attention;
} pass_row;

/* The passes of a budget, sums among them. */
enum { PASS_FORWARD, PASS_BACKWARD, PASS_MODEL, PASS_RECOMPUTED, PASS_HARDWARE, PASS_COUNT };

typedef struct {
    const pass_row *row;
    exact each, all; /* for a token, for all */
} pass;

typedef struct {
    bool is_matmul;
    matmul product;
    pass passes[PASS_COUNT];
    size_t pass_count; /* up to PASS_MODEL, or with recomputing up to PASS_HARDWARE */
    bool has_attention, has_tokens;
    exact attention;                  /* L h s */
    bool has_peak, has_mfu, has_time; /* of a device; of the run; of all tokens */
    exact peak, devices;              /* of one device in FLOP/s; how many */
    exact mfu, hfu; /* shares of the peak: of the model, of all that was computed */
    exact seconds;
} flops_budget;

/* Fills in *made. False after a complaint. */
bool count_flops(flops_budget *made, const options *chosen);

/* What an MFU is worth, as a sentence without a full stop. */
const char *mfu_verdict(const flops_budget *made);

/* As memory_assumptions. */
size_t flops_assumptions(const char *sentences[MOST_ASSUMPTIONS], const flops_budget *made,
                         const options *chosen);

#endif
