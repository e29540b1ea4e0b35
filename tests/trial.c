/* trial.c - results of the library against those of the oracle, before and after rounding
 * SPDX-License-Identifier: MIT */

#include "trial.h"

#include <inttypes.h>
#include <stdio.h>

#include "runner.h"

static bool is_finite_nonzero(const oracle_number *number)
{
    return number->kind == FPFMT_KIND_SUBNORMAL || number->kind == FPFMT_KIND_NORMAL;
}

void trial_start(trial *the)
{
    mpfr_set_emin(mpfr_get_emin_min()); /* products of values of any exponent stay within */
    mpfr_set_emax(mpfr_get_emax_max());
    *the = (trial){ .reference = NULL };
    oracle_start(&the->exact);
}

static unsigned operands_of(const trial *the)
{
    return the->operation == ROUND_TO_INTEGRAL ? 1 : oracle_operands(the->operation);
}

/* Each number is a set of policies under which the exact result is one. Results to integers depend
 * on the mode. */
static int context_of(const trial *the, const fpfmt_policy *policy)
{
    int mode = the->operation == ROUND_TO_INTEGRAL ? policy->rounding
                                                   : policy->rounding == FPFMT_ROUND_DOWNWARD;
    return mode << 3 | policy->specials << 2 | (policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS);
}

static void pose(trial *the, const fpfmt_policy *policy)
{
    the->raised = 0;
    the->context = context_of(the, policy);
    if (the->operation == ROUND_TO_INTEGRAL)
        oracle_to_integral(&the->exact, the->reference, the->operand[0], policy, &the->raised);
    else
        oracle_operate(&the->exact, the->operation, the->operand, policy, &the->raised);
    if (is_finite_nonzero(&the->exact))
        oracle_find(the->reference, &the->exact, &the->place);
}

void trial_pose(trial *the)
{
    pose(the, &(fpfmt_policy){ .rounding = 0 });
}

bool trial_is_large(const trial *the)
{
    return the->exact.kind == FPFMT_KIND_INFINITE ||
           (is_finite_nonzero(&the->exact) && the->place.below >= the->reference->max);
}

static bool report(const trial *the, const fpfmt_policy *policy, uint64_t code, unsigned flags,
                   uint64_t expected, unsigned expected_flags)
{
    char text[OPERANDS][64] = { "", "", "" };
    for (unsigned i = 0; i < operands_of(the); i++)
        snprintf(text[i], sizeof text[i], " kind %d %s%016" PRIx64 "*2^(%" PRId32 "-63)",
                 the->value[i].kind, the->value[i].negative ? "-" : "+", the->value[i].significand,
                 the->value[i].exponent);
    return CHECK(false,
                 "%s, operation %d of%s%s%s: rounding %d overflow %d subnormal %d tininess %d "
                 "specials %d: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x",
                 the->format.name, the->operation, text[0], text[1], text[2], policy->rounding,
                 policy->overflow, policy->subnormal, policy->tininess, policy->specials, code,
                 flags, expected, expected_flags);
}

bool trial_check(trial *the, const fpfmt_policy *policy)
{
    unsigned flags = 0, rounded = 0;
    int context = context_of(the, policy);
    bool by_mode = the->operation == ROUND_TO_INTEGRAL || the->exact.kind == FPFMT_KIND_ZERO;
    if (context % 8 != the->context % 8 || (by_mode && context != the->context))
        pose(the, policy);
    uint64_t expected = oracle_choose(the->reference, &the->exact, &the->place, policy, &rounded);
    /* An infinity that a division by zero gave is exact: it does not overflow. */
    unsigned expected_flags =
        the->raised & FPFMT_FLAG_DIVIDE_BY_ZERO ? the->raised : the->raised | rounded;
    uint64_t code = the->operation == ROUND_TO_INTEGRAL
                        ? fpfmt_round_to_integral(&the->format, the->value[0], policy, &flags)
                        : fpfmt_operate(&the->format, the->operation, the->value[0], the->value[1],
                                        the->value[2], policy, &flags);
    return count_check(code == expected && flags == expected_flags) ||
           report(the, policy, code, flags, expected, expected_flags);
}

void trial_check_modes(trial *the, fpfmt_policy policy)
{
    bool small = is_finite_nonzero(&the->exact) && the->place.subnormal,
         large = trial_is_large(the);
    for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT;
         policy.rounding++) {
        policy.overflow = FPFMT_OVERFLOW_SPEC;
        trial_check(the, &policy);
        if (large) {
            policy.overflow = FPFMT_OVERFLOW_MAX;
            trial_check(the, &policy);
        }
        if (small) {
            policy.tininess = FPFMT_TININESS_BEFORE_ROUNDING;
            trial_check(the, &policy);
            policy.tininess = FPFMT_TININESS_AFTER_ROUNDING;
        }
    }
}

/* Past these exponents every format has long overflowed or underflowed. */
static long clamped(long exponent)
{
    enum { FAR = 1 << 24 };
    return exponent > FAR ? FAR : exponent < -FAR ? -FAR : exponent;
}

bool trial_check_exact(trial *the, const fpfmt_policy *policy)
{
    static mpfr_t top;
    static bool ready;
    unsigned flags = 0;
    bool right;
    pose(the, policy);
    fpfmt_value value =
        fpfmt_exact(the->operation, the->value[0], the->value[1], the->value[2], policy, &flags);
    if (is_finite_nonzero(&the->exact)) {
        if (!ready)
            mpfr_init2(top, 64);
        ready = true;
        mpfr_set(top, the->exact.magnitude, MPFR_RNDZ);
        long exponent = (long)mpfr_get_exp(top) - 1;
        mpfr_mul_2si(top, top, 63 - exponent, MPFR_RNDN);
        right = (value.kind == FPFMT_KIND_NORMAL || value.kind == FPFMT_KIND_SUBNORMAL) &&
                value.negative == the->exact.negative &&
                (value.exponent == exponent || value.exponent == clamped(exponent)) &&
                value.significand == mpfr_get_uj(top, MPFR_RNDZ) &&
                value.inexact == oracle_remainder(the->exact.magnitude);
    } else {
        right = oracle_agrees(&the->exact, value);
    }
    return count_check(right && flags == the->raised) ||
           report(the, policy, value.significand, flags, 0, the->raised);
}
