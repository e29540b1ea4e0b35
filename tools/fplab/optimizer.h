/* optimizer.h - rules that move parameters down a gradient, as rows of one table
 * SPDX-License-Identifier: MIT
 *
 * A rule is a short program. Each of its operations is rounded once, to nearest even, into the
 * working format, but one that gives a state is rounded into the states' format instead, and the
 * last one, which gives the parameter, into the parameters' format by the policy that is chosen. */

#ifndef FPLAB_OPTIMIZER_H
#define FPLAB_OPTIMIZER_H

#include <fpfmt.h>

enum { OPTIMIZER_STATES = 2 };

/* What an operation takes and gives. */
typedef enum {
    OPTIMIZER_NONE,
    OPTIMIZER_PARAMETER,
    OPTIMIZER_GRADIENT,
    OPTIMIZER_STATE_1,
    OPTIMIZER_STATE_2,
    OPTIMIZER_T, /* two places for what is not kept */
    OPTIMIZER_U,
    OPTIMIZER_MINUS_RATE, /* constants, from here on */
    OPTIMIZER_DECAY,
    OPTIMIZER_EPSILON,
    OPTIMIZER_BETA_1,
    OPTIMIZER_BETA_2,
    OPTIMIZER_REST_1, /* 1 - beta */
    OPTIMIZER_REST_2,
    OPTIMIZER_BIAS_1, /* 1 - beta^t in step t */
    OPTIMIZER_BIAS_2,
    OPTIMIZER_PLACES
} optimizer_place;

typedef struct {
    uint8_t operation; /* FPFMT_OPERATION_... */
    uint8_t to, a, b, c;
} optimizer_step;

enum { OPTIMIZER_STEPS = 16 };

/* Constants are decimals, taken exactly and rounded once; NULL where a rule has none. */
typedef struct {
    const char *name, *title, *formula;
    const char *states[OPTIMIZER_STATES]; /* their names, the first ones; NULL for none */
    int root;                             /* the state of squares is number root - 1; 0: none is */
    const char *rate;                     /* unless told otherwise */
    const char *beta[OPTIMIZER_STATES], *epsilon, *decay;
    optimizer_step steps[OPTIMIZER_STEPS]; /* up to one that gives nothing */
} optimizer;

/* Row index of the table, from 0; NULL past the end. */
const optimizer *optimizer_at(size_t index);

/* The row of that name, NULL if there is none. */
const optimizer *optimizer_named(const char *name);

/* A rule made ready. */
typedef struct {
    const optimizer *rule;
    fpfmt_format work, parameter, state;
    fpfmt_policy policy; /* of the rounding into the parameters' format */
    fpfmt_value constants[OPTIMIZER_PLACES];
} optimizer_use;

/* rate is the decimal, NULL for the rule's own. */
void optimizer_prepare(optimizer_use *use, const optimizer *rule, const char *rate);

/* The constants of step t, from 1. */
void optimizer_begin(optimizer_use *use, uint64_t t);

/* One parameter and its states by one gradient; index is that of the random bits. Returns whether
 * the parameter stayed as it was although it should have moved. */
bool optimizer_update(const optimizer_use *use, fpfmt_value *parameter,
                      fpfmt_value states[OPTIMIZER_STATES], fpfmt_value gradient, uint64_t index);

/* Is a state 0 after an update although it should not be: because the gradient was not 0 and the
 * state was, or because it is that of squares, beside a mean that is not 0? Both come from a result
 * that is too small for the state's format, or for the working one. */
bool optimizer_vanished(const optimizer *rule, size_t state,
                        const fpfmt_value before[OPTIMIZER_STATES],
                        const fpfmt_value after[OPTIMIZER_STATES], fpfmt_value gradient);

#endif
