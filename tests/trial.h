/* trial.h - one operation on operands in hand, the library against the oracle
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_TESTS_TRIAL_H
#define FPFMT_TESTS_TRIAL_H

#include "oracle_arith.h"

/* One more operation, of a trial: the first operand to an integral value. */
enum { ROUND_TO_INTEGRAL = FPFMT_OPERATION_COUNT, OPERATIONS };

/* One operation on operands in hand, held to the oracle under any number of policies. The caller
 * fills in the first part, and again for other operands, then calls trial_pose. */
typedef struct {
    const oracle_format *reference; /* the target */
    fpfmt_format format;
    int operation;
    fpfmt_value value[OPERANDS]; /* what the library is given, and the same for the oracle */
    const oracle_number *operand[OPERANDS];

    oracle_number exact;
    oracle_place place; /* of exact in the target, where it is finite and not zero */
    unsigned raised;
    int context; /* what of a policy the exact result depends on */
} trial;

void trial_start(trial *the);

/* Compute the exact result, for the default policy. */
void trial_pose(trial *the);

/* Does the result come near the end of the range, so that overflow policies matter? */
bool trial_is_large(const trial *the);

/* Is the library's result the oracle's, code and flags? A policy without chance. */
bool trial_check(trial *the, const fpfmt_policy *policy);

/* And in every mode without chance, tininess before and after where that may matter, and where the
 * result is large with overflow to the largest value too. */
void trial_check_modes(trial *the, fpfmt_policy policy);

/* Is fpfmt_exact's result the exact one cut to 64 bits, with its tail told? */
bool trial_check_exact(trial *the, const fpfmt_policy *policy);

#endif
