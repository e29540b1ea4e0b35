/* optimizer.c - rules that move parameters down a gradient, as rows of one table
 * SPDX-License-Identifier: MIT */

#include "optimizer.h"

#include <string.h>

#include <fpfmt_mpfr.h>

#define OPERATE(name) FPFMT_OPERATION_##name
#define PLACE(name) OPTIMIZER_##name

/* to = a operation b operation c, in the order in which fpfmt_operate takes them. */
#define STEP(operation, to, a, b, c)                                                               \
    {                                                                                              \
        OPERATE(operation), PLACE(to), PLACE(a), PLACE(b), PLACE(c)                                \
    }

/* m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2 */
#define MEAN STEP(MULTIPLY, T, REST_1, GRADIENT, NONE), STEP(FMA, STATE_1, BETA_1, STATE_1, T)
#define SQUARE(state)                                                                              \
    STEP(MULTIPLY, T, GRADIENT, GRADIENT, NONE), STEP(MULTIPLY, T, REST_2, T, NONE),               \
        STEP(FMA, state, BETA_2, state, T)

/* t = (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon) */
#define CORRECTED                                                                                  \
    STEP(DIVIDE, U, STATE_2, BIAS_2, NONE), STEP(SQRT, U, U, NONE, NONE),                          \
        STEP(ADD, U, U, EPSILON, NONE), STEP(DIVIDE, T, STATE_1, BIAS_1, NONE),                    \
        STEP(DIVIDE, T, T, U, NONE)

/* t = g / (sqrt(s) + epsilon), where s is the state that is told */
#define NORMALISED(state)                                                                          \
    STEP(SQRT, U, state, NONE, NONE), STEP(ADD, U, U, EPSILON, NONE),                              \
        STEP(DIVIDE, T, GRADIENT, U, NONE)

#define MOVE_BY(place) STEP(FMA, PARAMETER, MINUS_RATE, place, PARAMETER)

static const optimizer table[] = {
    { .name = "sgd",
      .title = "stochastic gradient descent",
      .formula = "w -= rate g",
      .rate = "0.1",
      .steps = { MOVE_BY(GRADIENT) } },
    { .name = "momentum",
      .title = "the heavy ball (Polyak 1964)",
      .formula = "m = 0.9 m + g;  w -= rate m",
      .states = { "m" },
      .rate = "0.02",
      .beta = { "0.9" },
      .steps = { STEP(FMA, STATE_1, BETA_1, STATE_1, GRADIENT), MOVE_BY(STATE_1) } },
    { .name = "adagrad",
      .title = "a rate for each parameter (Duchi, Hazan, Singer 2011)",
      .formula = "v += g^2;  w -= rate g / (sqrt v + 1e-10)",
      .states = { "v" },
      .root = 1,
      .rate = "0.1",
      .epsilon = "1e-10",
      .steps = { STEP(FMA, STATE_1, GRADIENT, GRADIENT, STATE_1), NORMALISED(STATE_1),
                 MOVE_BY(T) } },
    { .name = "rmsprop",
      .title = "the same with a fading memory (Hinton 2012)",
      .formula = "v = 0.9 v + 0.1 g^2;  w -= rate g / (sqrt v + 1e-8)",
      .states = { "v" },
      .root = 1,
      .rate = "0.01",
      .beta = { NULL, "0.9" },
      .epsilon = "1e-8",
      .steps = { SQUARE(STATE_1), NORMALISED(STATE_1), MOVE_BY(T) } },
    { .name = "adam",
      .title = "adaptive moments (Kingma, Ba 2014)",
      .formula = "m = 0.9 m + 0.1 g;  v = 0.999 v + 0.001 g^2;  "
                 "w -= rate (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)",
      .states = { "m", "v" },
      .root = 2,
      .rate = "0.01",
      .beta = { "0.9", "0.999" },
      .epsilon = "1e-8",
      .steps = { MEAN, SQUARE(STATE_2), CORRECTED, MOVE_BY(T) } },
    { .name = "adamw",
      .title = "Adam with decoupled weight decay (Loshchilov, Hutter 2017)",
      .formula = "m = 0.9 m + 0.1 g;  v = 0.999 v + 0.001 g^2;  "
                 "w -= rate ((m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8) + 0.01 w)",
      .states = { "m", "v" },
      .root = 2,
      .rate = "0.01",
      .beta = { "0.9", "0.999" },
      .epsilon = "1e-8",
      .decay = "0.01",
      .steps = { MEAN, SQUARE(STATE_2), CORRECTED, STEP(FMA, T, DECAY, PARAMETER, T),
                 MOVE_BY(T) } },
};
enum { ROWS = sizeof table / sizeof table[0] };

const optimizer *optimizer_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

const optimizer *optimizer_named(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

/* sign x decimal + offset, rounded once. */
static fpfmt_value constant(const fpfmt_format *work, const char *decimal, int64_t sign,
                            int64_t offset)
{
    fpfmt_ratio ratio, other;
    if (decimal == NULL)
        return fpfmt_from_u64(0);
    fpfmt_parse_ratio(&ratio, decimal, strlen(decimal), NULL);
    fpfmt_ratio_from(&other, fpfmt_from_i64(sign));
    fpfmt_ratio_multiply(&ratio, &ratio, &other);
    fpfmt_ratio_from(&other, fpfmt_from_i64(offset));
    fpfmt_ratio_add(&ratio, &ratio, &other);
    return fpfmt_decode(work, fpfmt_encode(work, fpfmt_ratio_value(&ratio), NULL, NULL));
}

void optimizer_prepare(optimizer_use *use, const optimizer *rule, const char *rate)
{
    const fpfmt_format *work = &use->work;
    fpfmt_value *constants = use->constants;
    use->rule = rule;
    for (size_t i = 0; i < OPTIMIZER_PLACES; i++)
        constants[i] = fpfmt_from_u64(0);
    constants[OPTIMIZER_MINUS_RATE] = constant(work, rate != NULL ? rate : rule->rate, -1, 0);
    constants[OPTIMIZER_DECAY] = constant(work, rule->decay, 1, 0);
    constants[OPTIMIZER_EPSILON] = constant(work, rule->epsilon, 1, 0);
    for (size_t i = 0; i < OPTIMIZER_STATES; i++) {
        constants[OPTIMIZER_BETA_1 + i] = constant(work, rule->beta[i], 1, 0);
        constants[OPTIMIZER_REST_1 + i] = constant(work, rule->beta[i], -1, 1);
    }
}

/* 1 - beta^t, rounded once. beta^t is no short binary fraction, so the loop ends; and once it is
 * below 2^-70, that it is there is all that matters. */
static fpfmt_value bias(const fpfmt_format *work, const char *beta, uint64_t t)
{
    fpfmt_value result = fpfmt_from_u64(0);
    bool good = false;
    for (mpfr_prec_t precision = 128; !good; precision *= 2) {
        mpfr_t rest;
        mpfr_init2(rest, precision);
        mpfr_set_str(rest, beta, 10, MPFR_RNDN);
        mpfr_pow_ui(rest, rest, (unsigned long)t, MPFR_RNDN);
        bool tiny = mpfr_get_exp(rest) < -70;
        int ternary = mpfr_ui_sub(rest, 1, rest, MPFR_RNDN);
        /* beta is off by 2^-precision at the most, its power by t times that, and 1 - beta^t is at
         * least 2^-10: 12 bits and those of t. */
        mpfr_prec_t exact = precision - 12 - (64 - __builtin_clzll(t));
        good = tiny ||
               mpfr_can_round(rest, exact, MPFR_RNDN, MPFR_RNDZ, fpfmt_measure(work).precision + 1);
        result = fpfmt_decode(work, fpfmt_encode(work, fpfmt_from_mpfr(rest, ternary), NULL, NULL));
        mpfr_clear(rest);
    }
    return result;
}

void optimizer_begin(optimizer_use *use, uint64_t t)
{
    bool corrects = false;
    for (const optimizer_step *step = use->rule->steps; step->to != OPTIMIZER_NONE; step++)
        corrects |= step->b == OPTIMIZER_BIAS_1 || step->b == OPTIMIZER_BIAS_2;
    for (size_t i = 0; corrects && i < OPTIMIZER_STATES; i++)
        use->constants[OPTIMIZER_BIAS_1 + i] = bias(&use->work, use->rule->beta[i], t);
}

static bool is_state(uint8_t place)
{
    return place == OPTIMIZER_STATE_1 || place == OPTIMIZER_STATE_2;
}

/* Are they one value, but for NaN? */
static bool is_same(fpfmt_value a, fpfmt_value b)
{
    return fpfmt_compare_quiet(a, b, NULL) == FPFMT_EQUAL;
}

bool optimizer_update(const optimizer_use *use, fpfmt_value *parameter,
                      fpfmt_value states[OPTIMIZER_STATES], fpfmt_value gradient, uint64_t index)
{
    fpfmt_value places[OPTIMIZER_PLACES];
    fpfmt_policy policy = use->policy;
    bool lost = false;
    policy.first = index;
    memcpy(places, use->constants, sizeof places);
    places[OPTIMIZER_PARAMETER] = *parameter;
    places[OPTIMIZER_GRADIENT] = gradient;
    memcpy(&places[OPTIMIZER_STATE_1], states, OPTIMIZER_STATES * sizeof *states);
    for (const optimizer_step *step = use->rule->steps; step->to != OPTIMIZER_NONE; step++) {
        bool last = step->to == OPTIMIZER_PARAMETER;
        const fpfmt_format *to = last                 ? &use->parameter
                                 : is_state(step->to) ? &use->state
                                                      : &use->work;
        uint64_t code = fpfmt_operate(to, step->operation, places[step->a], places[step->b],
                                      places[step->c], last ? &policy : NULL, NULL);
        places[step->to] = fpfmt_decode(to, code);
        lost = last && is_same(places[step->to], *parameter) &&
               places[step->b].kind != FPFMT_KIND_ZERO;
    }
    *parameter = places[OPTIMIZER_PARAMETER];
    memcpy(states, &places[OPTIMIZER_STATE_1], OPTIMIZER_STATES * sizeof *states);
    return lost;
}

static bool is_nonzero(fpfmt_value value)
{
    return value.kind != FPFMT_KIND_ZERO;
}

bool optimizer_vanished(const optimizer *rule, size_t state,
                        const fpfmt_value before[OPTIMIZER_STATES],
                        const fpfmt_value after[OPTIMIZER_STATES], fpfmt_value gradient)
{
    bool is_root = rule->root == (int)state + 1;
    if (rule->states[state] == NULL || is_nonzero(after[state]))
        return false;
    return (is_nonzero(gradient) && !is_nonzero(before[state])) ||
           (is_root && state > 0 && is_nonzero(after[0]));
}
