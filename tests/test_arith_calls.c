/* test_arith_calls.c - arithmetic by name, by chance, and with operands that it does not take
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "arrays.h"
#include "operands.h"
#include "oracle_arith.h"
#include "runner.h"
#include "samples.h"
#include "stops.h"
#include "trial.h"

static trial the;
static oracle_number numbers[OPERANDS];

static void take_related(const char *name)
{
    uint64_t codes[OPERANDS];
    the.reference = oracle_named(name);
    the.format = *fpfmt_named(name);
    related_codes(codes, (const fpfmt_format *[]){ &the.format, &the.format, &the.format },
                  &the.format);
    for (int i = 0; i < OPERANDS; i++) {
        the.value[i] = fpfmt_decode(&the.format, codes[i]);
        oracle_decode(the.reference, codes[i], &numbers[i]);
    }
}

static uint64_t by_name(int operation, const fpfmt_policy *policy, unsigned *flags)
{
    const fpfmt_value *x = the.value;
    switch (operation) {
    case FPFMT_OPERATION_ADD: return fpfmt_add(&the.format, x[0], x[1], policy, flags);
    case FPFMT_OPERATION_SUBTRACT: return fpfmt_subtract(&the.format, x[0], x[1], policy, flags);
    case FPFMT_OPERATION_MULTIPLY: return fpfmt_multiply(&the.format, x[0], x[1], policy, flags);
    case FPFMT_OPERATION_DIVIDE: return fpfmt_divide(&the.format, x[0], x[1], policy, flags);
    case FPFMT_OPERATION_SQRT: return fpfmt_sqrt(&the.format, x[0], policy, flags);
    default: return fpfmt_fma(&the.format, x[0], x[1], x[2], policy, flags);
    }
}

/* The same whether flags are wanted or not; they are OR-ed in; no policy is the default one. */
static void names(void)
{
    static const int operations[] = { FPFMT_OPERATION_ADD,      FPFMT_OPERATION_SUBTRACT,
                                      FPFMT_OPERATION_MULTIPLY, FPFMT_OPERATION_DIVIDE,
                                      FPFMT_OPERATION_SQRT,     FPFMT_OPERATION_FMA };
    enum { COUNT = sizeof operations / sizeof operations[0], PRESET = 0x100 };
    for (unsigned n = 0; n < 60000; n += SAMPLE) {
        fpfmt_policy policy = { .rounding =
                                    (uint8_t)(n / COUNT % FPFMT_ROUND_DETERMINISTIC_COUNT) };
        const fpfmt_policy *given = policy.rounding == 0 ? NULL : &policy;
        unsigned flags = 0, named = PRESET;
        int operation = operations[n % COUNT];
        take_related(n % 3 == 0 ? "fp64" : "fp16");
        uint64_t code = fpfmt_operate(&the.format, operation, the.value[0], the.value[1],
                                      the.value[2], &policy, &flags);
        uint64_t same = by_name(operation, given, &named);
        CHECK(same == code && named == (PRESET | flags) && by_name(operation, given, NULL) == code,
              "operation %d by name: 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x", operation,
              same, named, code, flags);
    }
}

/* The chance to go away in units of 2^-bits, by the distance from the lower neighbour in steps. */
static uint64_t chance_of(const fpfmt_policy *policy, const mpfr_t distance, int bits)
{
    mpfr_t scaled;
    uint64_t chance;
    if (policy->rounding == FPFMT_ROUND_STOCHASTIC_EQUAL)
        return !mpfr_zero_p(distance);
    mpfr_init2(scaled, mpfr_get_prec(distance));
    mpfr_mul_2si(scaled, distance, bits, MPFR_RNDN);
    if (policy->rounding == FPFMT_ROUND_STOCHASTIC_B)
        mpfr_round(scaled, scaled);
    if (policy->rounding == FPFMT_ROUND_STOCHASTIC_C)
        mpfr_rint(scaled, scaled, MPFR_RNDN);
    chance = mpfr_get_uj(scaled, MPFR_RNDZ);
    mpfr_clear(scaled);
    return chance;
}

/* How far the exact result is from its lower neighbour, in steps; what is cut off below its 64 bits
 * counts only for being there. */
static void set_distance(mpfr_t distance)
{
    static mpfr_t low, high;
    static bool ready;
    if (!ready)
        mpfr_inits2(128, low, high, (mpfr_ptr)NULL);
    ready = true;
    oracle_magnitude(low, the.reference, the.place.below);
    oracle_magnitude(high, the.reference, the.place.below + 1);
    mpfr_sub(high, high, low, MPFR_RNDN);
    mpfr_set_prec(distance, 64);
    if (mpfr_set(distance, the.exact.magnitude, MPFR_RNDZ) != 0) {
        mpfr_prec_round(distance, 80, MPFR_RNDN);
        mpfr_nextabove(distance);
    }
    mpfr_prec_round(distance, 1500, MPFR_RNDN);
    mpfr_sub(distance, distance, low, MPFR_RNDN);
    mpfr_div(distance, distance, high, MPFR_RNDN);
}

static const struct {
    uint8_t rounding, random_bits, bits;
} chances[] = {
    { FPFMT_ROUND_STOCHASTIC, 0, 64 },    { FPFMT_ROUND_STOCHASTIC_A, 8, 8 },
    { FPFMT_ROUND_STOCHASTIC_A, 32, 32 }, { FPFMT_ROUND_STOCHASTIC_B, 3, 3 },
    { FPFMT_ROUND_STOCHASTIC_C, 5, 5 },   { FPFMT_ROUND_STOCHASTIC_EQUAL, 0, 1 },
};

/* Returns whether the result went away from zero. */
static bool check_chance(const fpfmt_policy *policy, const mpfr_t distance, int bits)
{
    uint64_t random = fpfmt_random_bits(policy->first, policy);
    uint64_t chance = chance_of(policy, distance, bits),
             whole = bits == 64 ? 0 : UINT64_C(1) << bits;
    bool away = chance > 0 && random >= whole - chance;
    unsigned flags = 0, expected_flags = 0;
    if (the.place.remainder != ORACLE_EXACT)
        expected_flags = FPFMT_FLAG_INEXACT | (the.place.subnormal ? FPFMT_FLAG_UNDERFLOW : 0);
    uint64_t expected = oracle_code(the.reference, the.exact.negative, the.place.below + away);
    uint64_t code = fpfmt_operate(&the.format, the.operation, the.value[0], the.value[1],
                                  the.value[2], policy, &flags);
    CHECK(code == expected && flags == expected_flags,
          "%s, operation %d, mode %d of %d bits, seed %" PRIu64 ": 0x%" PRIx64
          " flags %x, not 0x%" PRIx64 " flags %x",
          the.format.name, the.operation, policy->rounding, bits, policy->seed, code, flags,
          expected, expected_flags);
    return away;
}

static void by_chance(void)
{
    static const char *const formats[] = { "fp16", "bf16", "e4m3", "fp64", "e2m3" };
    enum { COUNT = sizeof chances / sizeof chances[0] };
    unsigned long long up = 0, checked = 0;
    mpfr_t distance;
    mpfr_init2(distance, 64);
    for (unsigned n = 0; n < 20000; n += SAMPLE) {
        take_related(formats[n % 5]);
        for (the.operation = 0; the.operation < FPFMT_OPERATION_COUNT; the.operation++) {
            trial_pose(&the);
            if (the.exact.kind != FPFMT_KIND_NORMAL || trial_is_large(&the))
                continue;
            unsigned m = (n + (unsigned)the.operation) % COUNT;
            fpfmt_policy policy = { .rounding = chances[m].rounding,
                                    .random_bits = chances[m].random_bits,
                                    .tininess = FPFMT_TININESS_BEFORE_ROUNDING,
                                    .seed = random_bits_64(),
                                    .first = random_bits_64() };
            set_distance(distance);
            up += check_chance(&policy, distance, chances[m].bits);
            checked++;
        }
    }
    CHECK(up > checked / 8 && up < checked / 2, "%llu of %llu went away", up, checked);
    mpfr_clear(distance);
}

static int refused_operation;

static void operate_refused(void)
{
    fpfmt_operate(&the.format, refused_operation, the.value[0], the.value[1], the.value[2], NULL,
                  NULL);
}

static void exact_refused(void)
{
    fpfmt_exact(refused_operation, the.value[0], the.value[1], the.value[2], NULL, NULL);
}

/* A checking build stops; others give NaN. */
static void unknown_operations(void)
{
    static const int unknown[] = {
        -1, FPFMT_OPERATION_COUNT, FPFMT_OPERATION_COUNT + 1, 255, INT32_MAX, INT32_MIN
    };
    take_related("fp16");
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        refused_operation = unknown[i];
        CHECK(fpfmt_operands(unknown[i]) == 0, "operation %d takes operands", unknown[i]);
#ifdef FPFMT_CHECKING
        CHECK(stops(operate_refused) && stops(exact_refused), "operation %d is taken", unknown[i]);
#else
        unsigned flags = 0;
        CHECK(
            fpfmt_exact(unknown[i], the.value[0], the.value[1], the.value[2], NULL, &flags).kind ==
                    FPFMT_KIND_QUIET_NAN &&
                flags == 0,
            "operation %d has a result", unknown[i]);
        CHECK(fpfmt_operate(&the.format, unknown[i], the.value[0], the.value[1], the.value[2], NULL,
                            &flags) == 0x7E00 &&
                  flags == 0,
              "operation %d is rounded, or raises %x", unknown[i], flags);
#endif
    }
    (void)operate_refused;
    (void)exact_refused;
}

/* What was cut counts as what was kept, and the result as cut; a checking build stops. */
static void cut_operands(void)
{
    unsigned stopped = 0;
    for (unsigned n = 0; n < 3000; n += SAMPLE) {
        related_values(the.value);
        the.format = *fpfmt_named("fp16");
        for (int operation = 0; operation < FPFMT_OPERATION_COUNT; operation++) {
            unsigned operand = n % oracle_operands(operation), flags = 0;
            const fpfmt_value *x = the.value;
            fpfmt_value kept = fpfmt_exact(operation, x[0], x[1], x[2], NULL, NULL);
            if (x[operand].kind == FPFMT_KIND_ZERO)
                continue;
            the.value[operand].inexact = true;
            refused_operation = operation;
#ifdef FPFMT_CHECKING
            if (n % 100 == 0)
                stopped +=
                    CHECK(stops(operate_refused) && stops(exact_refused),
                          "operation %d takes an operand %u that was cut", operation, operand);
#else
            fpfmt_value cut = fpfmt_exact(operation, x[0], x[1], x[2], NULL, &flags);
            stopped++;
            CHECK(cut.kind == kept.kind && cut.significand == kept.significand &&
                      cut.exponent == kept.exponent && cut.negative == kept.negative &&
                      cut.inexact == (kept.kind == FPFMT_KIND_NORMAL ? kept.inexact | 1 : 0),
                  "operation %d of a cut operand %u: kind %d %016" PRIx64 "%s, not %d %016" PRIx64,
                  operation, operand, cut.kind, cut.significand, cut.inexact ? "+" : "", kept.kind,
                  kept.significand);
#endif
            the.value[operand].inexact = false;
            (void)kept;
            (void)flags;
        }
    }
    CHECK(stopped > 0, "nothing was cut");
}

/* Operands that are not taken may be anything, cut ones too. */
static void operands_not_taken(void)
{
    for (unsigned n = 0; n < 3000; n += SAMPLE) {
        take_related("fp16");
        const fpfmt_value *x = the.value;
        fpfmt_value odd = { .kind = (uint8_t)(n % 6), .inexact = true, .significand = n };
        for (int operation = 0; operation < FPFMT_OPERATION_COUNT; operation++) {
            unsigned flags[2] = { 0, 0 }, count = oracle_operands(operation);
            uint64_t code = fpfmt_operate(&the.format, operation, x[0], x[1], x[2], NULL, flags);
            uint64_t same = fpfmt_operate(&the.format, operation, x[0], count < 2 ? odd : x[1],
                                          count < 3 ? odd : x[2], NULL, flags + 1);
            CHECK(code == same && flags[0] == flags[1],
                  "operation %d depends on what it does not take: 0x%" PRIx64 ", 0x%" PRIx64,
                  operation, code, same);
        }
    }
}

/* Results go on to integers; what does not fit is invalid, and the nearest limit. */
static void integers_that_do_not_fit(void)
{
    static const struct {
        int operation;
        double a, b;
        int64_t result;
        uint64_t natural;
        unsigned flags, natural_flags;
    } rows[] = {
        { FPFMT_OPERATION_MULTIPLY, 0x1p62, 2, INT64_MAX, UINT64_C(1) << 63, FPFMT_FLAG_INVALID,
          0 },
        { FPFMT_OPERATION_MULTIPLY, 0x1p62, -2, INT64_MIN, 0, 0, FPFMT_FLAG_INVALID },
        { FPFMT_OPERATION_SUBTRACT, 0x1p63, 1, INT64_MAX, INT64_MAX, 0, 0 },
        { FPFMT_OPERATION_SUBTRACT, 0x1p64, 1, INT64_MAX, UINT64_MAX, FPFMT_FLAG_INVALID, 0 },
        { FPFMT_OPERATION_ADD, 0x1p64, 0, INT64_MAX, UINT64_MAX, FPFMT_FLAG_INVALID,
          FPFMT_FLAG_INVALID },
        { FPFMT_OPERATION_DIVIDE, 7, 2, 4, 4, FPFMT_FLAG_INEXACT, FPFMT_FLAG_INEXACT },
        { FPFMT_OPERATION_DIVIDE, -1, 3, 0, 0, FPFMT_FLAG_INEXACT, FPFMT_FLAG_INEXACT },
        { FPFMT_OPERATION_DIVIDE, 1, 0, INT64_MAX, UINT64_MAX, FPFMT_FLAG_INVALID,
          FPFMT_FLAG_INVALID },
        { FPFMT_OPERATION_DIVIDE, 0, 0, 0, 0, FPFMT_FLAG_INVALID, FPFMT_FLAG_INVALID },
        { FPFMT_OPERATION_SQRT, 2, 0, 1, 1, FPFMT_FLAG_INEXACT, FPFMT_FLAG_INEXACT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned flags = 0, natural_flags = 0;
        fpfmt_value b = fpfmt_from_f64(rows[i].b);
        fpfmt_value value =
            fpfmt_exact(rows[i].operation, fpfmt_from_f64(rows[i].a), b, b, NULL, NULL);
        int64_t result = fpfmt_to_i64(value, NULL, &flags);
        uint64_t natural = fpfmt_to_u64(value, NULL, &natural_flags);
        CHECK(result == rows[i].result && flags == rows[i].flags,
              "row %zu is %" PRId64 ", flags %x", i, result, flags);
        CHECK(natural == rows[i].natural && natural_flags == rows[i].natural_flags,
              "row %zu is %" PRIu64 ", flags %x", i, natural, natural_flags);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "operations by name are the same, flags are OR-ed in or not wanted", names },
        { "results go away from zero by the chance that the distance gives", by_chance },
        { "operations that do not exist are refused", unknown_operations },
        { "operands that were cut are refused, or count as what was kept", cut_operands },
        { "operands that are not taken may be anything", operands_not_taken },
        { "results that do not fit an integer are invalid", integers_that_do_not_fit },
    };
    trial_start(&the);
    for (int i = 0; i < OPERANDS; i++) {
        oracle_start(&numbers[i]);
        the.operand[i] = &numbers[i];
    }
    return run_tests("arith_calls", tests, sizeof tests / sizeof tests[0]);
}
