/* test_optimizers.c - the rules of fplab train against their publications, computed in MPFR
 * SPDX-License-Identifier: MIT
 *
 * Each rule is written out here again, from its paper. A result of MPFR has the precision of the
 * format it stands for, and no exponent comes near the ends of the formats' ranges. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>
#include <fpfmt_mpfr.h>

#include "fplab/optimizer.h"
#include "runner.h"

enum { STEPS = 400, EXACT = 400, WORK = 24 };

/* A parameter and its states on their way; t and u are what is not kept. */
typedef struct {
    mpfr_t w, m, v, t, u, g;
    mpfr_t rate, beta1, beta2, rest1, rest2, epsilon, decay;
    unsigned step;
    mpfr_ptr moved; /* by so much, times the rate */
} reference;

static mpfr_ptr numbers_of(reference *of, size_t index)
{
    mpfr_ptr all[] = { of->w,     of->m,     of->v,     of->t,     of->u,       of->g,    of->rate,
                       of->beta1, of->beta2, of->rest1, of->rest2, of->epsilon, of->decay };
    return index < sizeof all / sizeof all[0] ? all[index] : NULL;
}

static void start(reference *of, mpfr_prec_t parameter, mpfr_prec_t state)
{
    for (size_t i = 0; numbers_of(of, i) != NULL; i++) {
        mpfr_init2(numbers_of(of, i), i == 0 ? parameter : i <= 2 ? state : WORK);
        mpfr_set_zero(numbers_of(of, i), 1);
    }
    mpfr_set_str(of->beta1, "0.9", 10, MPFR_RNDN);
    mpfr_set_str(of->beta2, "0.999", 10, MPFR_RNDN);
    mpfr_set_str(of->rest1, "0.1", 10, MPFR_RNDN);
    mpfr_set_str(of->rest2, "0.001", 10, MPFR_RNDN);
    mpfr_set_str(of->epsilon, "1e-8", 10, MPFR_RNDN);
    mpfr_set_str(of->decay, "0.01", 10, MPFR_RNDN);
}

static void stop(reference *of)
{
    for (size_t i = 0; numbers_of(of, i) != NULL; i++)
        mpfr_clear(numbers_of(of, i));
}

/* 1 - beta^t of the decimal. */
static void correction(mpfr_t to, const char *beta, unsigned step)
{
    mpfr_t exact;
    mpfr_init2(exact, 2000);
    mpfr_set_str(exact, beta, 10, MPFR_RNDN);
    mpfr_pow_ui(exact, exact, step, MPFR_RNDN);
    mpfr_ui_sub(exact, 1, exact, MPFR_RNDN);
    mpfr_set(to, exact, MPFR_RNDN);
    mpfr_clear(exact);
}

/* w = w - rate g */
static void sgd(reference *of)
{
    of->moved = of->g;
}

/* m = 0.9 m + g;  w = w - rate m */
static void momentum(reference *of)
{
    mpfr_fma(of->m, of->beta1, of->m, of->g, MPFR_RNDN);
    of->moved = of->m;
}

/* t = g / (sqrt(state) + epsilon) */
static void normalise(reference *of, mpfr_srcptr state)
{
    mpfr_sqrt(of->u, state, MPFR_RNDN);
    mpfr_add(of->u, of->u, of->epsilon, MPFR_RNDN);
    mpfr_div(of->t, of->g, of->u, MPFR_RNDN);
    of->moved = of->t;
}

/* G = G + g^2;  w = w - rate g / (sqrt(G) + epsilon), where G is the first state */
static void adagrad(reference *of)
{
    mpfr_set_str(of->epsilon, "1e-10", 10, MPFR_RNDN);
    mpfr_fma(of->m, of->g, of->g, of->m, MPFR_RNDN);
    normalise(of, of->m);
}

/* The state fades by beta and takes (1 - beta) of the square. */
static void fade_in(reference *of, mpfr_ptr state, mpfr_srcptr beta, mpfr_srcptr rest)
{
    mpfr_sqr(of->t, of->g, MPFR_RNDN);
    mpfr_mul(of->t, rest, of->t, MPFR_RNDN);
    mpfr_fma(state, beta, state, of->t, MPFR_RNDN);
}

/* v = 0.9 v + 0.1 g^2;  w = w - rate g / (sqrt(v) + epsilon), where v is the first state */
static void rmsprop(reference *of)
{
    fade_in(of, of->m, of->beta1, of->rest1);
    normalise(of, of->m);
}

/* m = beta1 m + (1 - beta1) g;  v = beta2 v + (1 - beta2) g^2;  the moments over 1 - beta^t;
 * w = w - rate m / (sqrt(v) + epsilon) */
static void adam(reference *of)
{
    mpfr_t first, second;
    mpfr_inits2(WORK, first, second, (mpfr_ptr)NULL);
    mpfr_mul(of->t, of->rest1, of->g, MPFR_RNDN);
    mpfr_fma(of->m, of->beta1, of->m, of->t, MPFR_RNDN);
    fade_in(of, of->v, of->beta2, of->rest2);
    correction(first, "0.9", of->step);
    correction(second, "0.999", of->step);
    mpfr_div(second, of->v, second, MPFR_RNDN);
    mpfr_sqrt(second, second, MPFR_RNDN);
    mpfr_add(second, second, of->epsilon, MPFR_RNDN);
    mpfr_div(first, of->m, first, MPFR_RNDN);
    mpfr_div(of->t, first, second, MPFR_RNDN);
    of->moved = of->t;
    mpfr_clears(first, second, (mpfr_ptr)NULL);
}

/* The same, and rate times decay times w less. */
static void adamw(reference *of)
{
    adam(of);
    mpfr_fma(of->t, of->decay, of->w, of->t, MPFR_RNDN);
}

static const struct {
    const char *name, *rate;
    void (*move)(reference *of);
} rules[] = {
    { "sgd", "0.1", sgd },          { "momentum", "0.02", momentum }, { "adagrad", "0.1", adagrad },
    { "rmsprop", "0.01", rmsprop }, { "adam", "0.01", adam },         { "adamw", "0.01", adamw },
};
enum { RULES = sizeof rules / sizeof rules[0] };

/* Is the value that number? */
static bool is_equal(fpfmt_value value, mpfr_srcptr number)
{
    mpfr_t x;
    mpfr_init2(x, 64);
    fpfmt_to_mpfr(x, value, MPFR_RNDN);
    bool same = mpfr_equal_p(x, number) != 0;
    mpfr_clear(x);
    return same;
}

/* w - rate moved, rounded to nearest, or away from 0 where the 64 bits are not less than what is
 * missing to 1: the distance is cut to 64 bits. */
static void move_parameter(reference *of, bool stochastic, uint64_t random)
{
    mpfr_t exact, low, high, away;
    mpfr_inits2(EXACT, exact, low, high, away, (mpfr_ptr)NULL);
    mpfr_mul(exact, of->rate, of->moved, MPFR_RNDN);
    mpfr_sub(exact, of->w, exact, MPFR_RNDN);
    if (!stochastic) {
        mpfr_set(of->w, exact, MPFR_RNDN);
    } else {
        mpfr_set(of->w, exact, MPFR_RNDA);
        mpfr_set(high, of->w, MPFR_RNDN);
        mpfr_set(away, high, MPFR_RNDN);
        mpfr_set(of->w, exact, MPFR_RNDZ);
        mpfr_set(low, of->w, MPFR_RNDN);
        if (!mpfr_equal_p(low, high)) {
            mpfr_sub(exact, exact, low, MPFR_RNDN);
            mpfr_sub(high, high, low, MPFR_RNDN);
            mpfr_div(exact, exact, high, MPFR_RNDN);
            mpfr_mul_2ui(exact, exact, 64, MPFR_RNDN);
            mpfr_floor(exact, exact);
            mpfr_set_ui_2exp(low, 1, 64, MPFR_RNDN);
            mpfr_sub(low, low, exact, MPFR_RNDN);
            if (mpfr_cmp_ui(low, random) <= 0)
                mpfr_set(of->w, away, MPFR_RNDN);
        }
    }
    mpfr_clears(exact, low, high, away, (mpfr_ptr)NULL);
}

/* Gradients of a few binades, the same in every run. */
static fpfmt_value draw_gradient(uint64_t index)
{
    static const fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = 7 };
    uint64_t bits = fpfmt_random_bits(index, &policy);
    fpfmt_value value = fpfmt_from_u64(bits >> 41 | 1 << 22);
    value.negative = bits & 1;
    value.exponent += -24 - (int32_t)(bits >> 1 & 7);
    return value;
}

typedef struct {
    const char *parameter, *state;
    bool stochastic;
} formats;

static void follow(size_t rule, const formats *in)
{
    const char *name = rules[rule].name;
    const fpfmt_format *work = fpfmt_named("fp32");
    optimizer_use use = { .work = *work,
                          .parameter = *fpfmt_named(in->parameter),
                          .state = *fpfmt_named(in->state),
                          .policy = { .seed = 11 } };
    reference expected;
    fpfmt_value w = fpfmt_from_u64(1),
                states[OPTIMIZER_STATES] = { fpfmt_from_u64(0), fpfmt_from_u64(0) };
    if (in->stochastic)
        use.policy.rounding = FPFMT_ROUND_STOCHASTIC;
    start(&expected, fpfmt_measure(&use.parameter).precision, fpfmt_measure(&use.state).precision);
    mpfr_set_ui(expected.w, 1, MPFR_RNDN);
    mpfr_set_str(expected.rate, rules[rule].rate, 10, MPFR_RNDN);
    if (CHECK(optimizer_named(name) != NULL, "there is no %s", name)) {
        optimizer_prepare(&use, optimizer_named(name), NULL);
        for (expected.step = 1; expected.step <= STEPS; expected.step++) {
            fpfmt_value gradient = draw_gradient(expected.step);
            fpfmt_to_mpfr(expected.g, gradient, MPFR_RNDN);
            rules[rule].move(&expected);
            move_parameter(&expected, in->stochastic,
                           fpfmt_random_bits(expected.step, &use.policy));
            optimizer_begin(&use, expected.step);
            optimizer_update(&use, &w, states, gradient, expected.step);
            if (!CHECK(is_equal(w, expected.w), "%s in %s, states in %s: parameter of step %u",
                       name, in->parameter, in->state, expected.step) ||
                !CHECK(is_equal(states[0], expected.m), "%s, states in %s: state 1 of step %u",
                       name, in->state, expected.step) ||
                !CHECK(is_equal(states[1], expected.v), "%s, states in %s: state 2 of step %u",
                       name, in->state, expected.step))
                break;
        }
    }
    stop(&expected);
}

static void follow_all(const formats *in)
{
    for (size_t i = 0; i < RULES; i++)
        follow(i, in);
}

static void in_binary32(void)
{
    follow_all(&(formats){ "fp32", "fp32", false });
}

static void in_bfloat16(void)
{
    follow_all(&(formats){ "bf16", "fp32", false });
    follow_all(&(formats){ "fp32", "bf16", false });
    follow_all(&(formats){ "bf16", "bf16", false });
}

static void stochastically(void)
{
    follow_all(&(formats){ "bf16", "fp32", true });
    follow_all(&(formats){ "tf32", "bf16", true });
}

/* The first step of Adam is the rate, whatever the gradient, and that of Adagrad, too. */
static void first_steps(void)
{
    static const char *const names[] = { "adagrad", "adam" };
    for (size_t i = 0; i < 2; i++)
        for (int32_t exponent = -6; exponent < 6; exponent++) {
            optimizer_use use = { .work = *fpfmt_named("fp64"),
                                  .parameter = *fpfmt_named("fp16"),
                                  .state = *fpfmt_named("fp64") };
            fpfmt_value w = fpfmt_from_u64(1),
                        states[OPTIMIZER_STATES] = { fpfmt_from_u64(0), fpfmt_from_u64(0) };
            fpfmt_value gradient = fpfmt_from_u64(1);
            gradient.exponent = exponent;
            optimizer_prepare(&use, optimizer_named(names[i]), "0.25");
            optimizer_begin(&use, 1);
            CHECK(!optimizer_update(&use, &w, states, gradient, 0) &&
                      fpfmt_to_f64(w, NULL, NULL) == 0.75,
                  "%s: the first step by 2^%" PRId32 " leads to %g", names[i], exponent,
                  fpfmt_to_f64(w, NULL, NULL));
        }
}

/* 2^-9 is half of the distance from 1 to the bf16 value below, and less of that above. */
static void lost_updates(void)
{
    static const struct {
        const char *rate;
        bool negative, lost;
    } cases[] = { { "0.001953125", false, true },
                  { "0.00195313", false, false },
                  { "0.00390625", true, true },
                  { "0.0039063", true, false } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        optimizer_use use = { .work = *fpfmt_named("fp32"),
                              .parameter = *fpfmt_named("bf16"),
                              .state = *fpfmt_named("fp32") };
        fpfmt_value w = fpfmt_from_u64(1), gradient = w;
        fpfmt_value states[OPTIMIZER_STATES] = { fpfmt_from_u64(0), fpfmt_from_u64(0) };
        gradient.negative = cases[i].negative;
        optimizer_prepare(&use, optimizer_named("sgd"), cases[i].rate);
        CHECK(optimizer_update(&use, &w, states, gradient, 0) == cases[i].lost &&
                  (fpfmt_to_f64(w, NULL, NULL) == 1) == cases[i].lost,
              "an update of 1 by %s is not as it should be", cases[i].rate);
        w = fpfmt_from_u64(1);
        CHECK(!optimizer_update(&use, &w, states, fpfmt_from_u64(0), 0),
              "an update by 0 counts as lost");
    }
}

/* Far out, 1 - beta^t is the format's 1, and comes there without taking long. */
static void late_steps(void)
{
    optimizer_use use = { .work = *fpfmt_named("fp64") };
    optimizer_prepare(&use, optimizer_named("adam"), NULL);
    for (uint64_t t = 100000; t < UINT64_C(1) << 60; t *= 10) {
        optimizer_begin(&use, t);
        CHECK(fpfmt_to_f64(use.constants[OPTIMIZER_BIAS_2], NULL, NULL) == 1,
              "1 - 0.999^%" PRIu64 " is not 1", t);
    }
}

static void names(void)
{
    size_t count = 0;
    while (optimizer_at(count) != NULL) {
        CHECK(optimizer_named(optimizer_at(count)->name) == optimizer_at(count),
              "row %zu is not found by its name", count);
        count++;
    }
    CHECK(count == RULES, "%zu rules, not %d", count, (int)RULES);
    CHECK(optimizer_named("adma") == NULL, "adma is a rule");
}

static const struct test tests[] = {
    { "400 steps of every rule are those of its publication in binary32", in_binary32 },
    { "and with parameters or states in bfloat16", in_bfloat16 },
    { "and with parameters rounded stochastically", stochastically },
    { "the first step of adagrad and adam is the rate", first_steps },
    { "an update is lost at half of the distance to the next value", lost_updates },
    { "corrections of late steps are 1", late_steps },
    { "rules are found by name", names },
};

int main(void)
{
    return run_tests("optimizers", tests, sizeof tests / sizeof tests[0]);
}
