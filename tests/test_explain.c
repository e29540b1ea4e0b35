/* test_explain.c - what an explanation tells, recomputed from exact numbers
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

static oracle_number operand;
static oracle_place place;

/* The bits of a magnitude from 2^quantum up and below. */
typedef struct {
    uint64_t kept;
    int guard, round, sticky, remainder;
} cut;

static cut cut_at(const mpfr_t magnitude, long quantum)
{
    cut result;
    unsigned long quarters;
    mpfr_t steps, rest;
    mpfr_inits2(192, steps, rest, (mpfr_ptr)NULL);
    mpfr_div_2si(steps, magnitude, quantum, MPFR_RNDN);
    result.kept = mpfr_get_uj(steps, MPFR_RNDZ);
    mpfr_frac(rest, steps, MPFR_RNDN);
    mpfr_mul_2ui(rest, rest, 2, MPFR_RNDN);
    quarters = mpfr_get_ui(rest, MPFR_RNDZ);
    result.guard = quarters >= 2;
    result.round = quarters % 2 != 0;
    result.sticky = !mpfr_integer_p(rest);
    result.remainder = mpfr_cmp_ui(rest, 2) > 0    ? FPFMT_REMAINDER_ABOVE_HALF
                       : mpfr_cmp_ui(rest, 2) == 0 ? FPFMT_REMAINDER_HALF
                       : mpfr_zero_p(rest)         ? FPFMT_REMAINDER_NONE
                                                   : FPFMT_REMAINDER_BELOW_HALF;
    mpfr_clears(steps, rest, (mpfr_ptr)NULL);
    return result;
}

static int range_of(const oracle_format *reference)
{
    int range = FPFMT_RANGE_NORMAL;
    mpfr_t mark;
    mpfr_init2(mark, 64);
    oracle_magnitude(mark, reference, oracle_min_normal(reference));
    if (mpfr_less_p(operand.magnitude, mark))
        range = FPFMT_RANGE_SUBNORMAL;
    oracle_magnitude(mark, reference, oracle_has_zero(reference) ? 1 : 0);
    if (mpfr_less_p(operand.magnitude, mark))
        range = FPFMT_RANGE_BELOW;
    oracle_magnitude(mark, reference, oracle_limit(reference, operand.negative));
    if (mpfr_get_exp(operand.magnitude) > mpfr_get_exp(mark))
        range = FPFMT_RANGE_ABOVE;
    mpfr_clear(mark);
    return range;
}

/* A finite nonzero operand, where steps are those of the format: not in the gap below DLFloat16's
 * or E8M0's smallest value. */
static void check_steps(const oracle_format *reference, const fpfmt_explanation *told)
{
    const char *name = reference->name;
    long exponent = mpfr_get_exp(operand.magnitude) - 1;
    long quantum =
        (exponent > reference->emin ? exponent : reference->emin) - reference->precision + 1;
    cut expected;
    if (reference->kind == ORACLE_INTEGER)
        quantum = reference->emin; /* one step from end to end, and beyond */
    expected = cut_at(operand.magnitude, quantum);
    /* Where the 64 bits of the value end with the steps, its tail is told by where it lies beside
     * half of a step: without a second bit. Elsewhere, where fewer than two of its bits lie below
     * the steps, the tail is sticky alone. Where 64 bits count no more steps, kept is the most. */
    if (told->value.inexact && exponent == quantum + 63) {
        expected.guard = expected.remainder >= FPFMT_REMAINDER_HALF;
        expected.round = 0;
        expected.sticky = expected.remainder & 1;
    } else if (told->value.inexact && exponent > quantum + 61) {
        mpfr_t bits;
        mpfr_init2(bits, 64);
        mpfr_set_uj_2exp(bits, told->value.significand, exponent - 63, MPFR_RNDN);
        expected = cut_at(bits, quantum);
        expected.sticky = 1;
        expected.remainder |= 1;
        mpfr_clear(bits);
    }
    if (exponent > quantum + 63)
        expected.kept = UINT64_MAX;
    CHECK(told->quantum == quantum, "%s: %016" PRIx64 " * 2^(%d-63): quantum %d, not %ld", name,
          told->value.significand, (int)told->value.exponent, (int)told->quantum, quantum);
    CHECK(told->kept == expected.kept,
          "%s: %016" PRIx64 " * 2^(%d-63): kept 0x%" PRIx64 ", not 0x%" PRIx64, name,
          told->value.significand, (int)told->value.exponent, told->kept, expected.kept);
    CHECK(told->guard == expected.guard && told->round == expected.round &&
              told->sticky == expected.sticky && told->remainder == expected.remainder,
          "%s: %016" PRIx64
          "%s * 2^(%d-63): guard %d round %d sticky %d remainder %d, not %d %d %d %d",
          name, told->value.significand, told->value.inexact ? "+" : "", (int)told->value.exponent,
          told->guard, told->round, told->sticky, told->remainder, expected.guard, expected.round,
          expected.sticky, expected.remainder);
}

/* Was the magnitude rounded up? Seen from the result, where it is a rounded number. */
static void check_away(const oracle_format *reference, const fpfmt_explanation *told)
{
    oracle_number result;
    if (told->flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID))
        return;
    oracle_start(&result);
    oracle_decode(reference, told->code, &result);
    CHECK(told->away == (mpfr_greater_p(result.magnitude, operand.magnitude) != 0),
          "%s: %016" PRIx64 " * 2^(%d-63): away %d", reference->name, told->value.significand,
          (int)told->value.exponent, told->away);
    oracle_stop(&result);
}

static void check_explanation(const fpfmt_format *format, const oracle_format *reference,
                              fpfmt_value value, fpfmt_policy policy)
{
    fpfmt_explanation told = fpfmt_explain(format, value, &policy);
    bool special = value.kind == FPFMT_KIND_ZERO || value.kind >= FPFMT_KIND_INFINITE;
    bool negative_refused = value.negative && !reference->is_signed;
    unsigned flags = 0;
    int range = FPFMT_RANGE_SPECIAL;
    oracle_set_value(&operand, value);
    if (!special) {
        oracle_find(reference, &operand, &place);
        range = range_of(reference);
    }
    CHECK(told.code == oracle_choose(reference, &operand, &place, &policy, &flags) &&
              told.flags == flags,
          "%s: %016" PRIx64 " * 2^(%d-63), rounding %d: 0x%" PRIx64 " flags %x", format->name,
          value.significand, (int)value.exponent, policy.rounding, told.code, told.flags);
    CHECK(told.range == range, "%s: %016" PRIx64 " * 2^(%d-63): range %d, not %d", format->name,
          value.significand, (int)value.exponent, told.range, range);
    CHECK(told.emin == reference->emin, "%s: emin %d", format->name, (int)told.emin);
    CHECK(told.value.significand == value.significand && told.value.exponent == value.exponent &&
              told.value.kind == value.kind && told.value.negative == value.negative &&
              told.value.inexact == value.inexact,
          "%s: the value changed", format->name);
    if (!special &&
        !(place.subnormal && oracle_min_normal(reference) <= 1 && reference->precision > 1) &&
        !place.under)
        check_steps(reference, &told);
    if (!special && !place.under && !negative_refused)
        check_away(reference, &told);
    for (policy.rounding = 0; policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT;
         policy.rounding++) {
        uint64_t code = oracle_choose(reference, &operand, &place, &policy, &flags);
        CHECK(told.otherwise[policy.rounding] == code,
              "%s: %016" PRIx64 " * 2^(%d-63), otherwise %d: 0x%" PRIx64 ", not 0x%" PRIx64,
              format->name, value.significand, (int)value.exponent, policy.rounding,
              told.otherwise[policy.rounding], code);
    }
}

/* The code to try after this one: each one near zero and the maximum, some between. */
static uint64_t next_code(const oracle_format *reference, uint64_t code)
{
    uint64_t stride = 1 + reference->max / 300, near_max = reference->max - reference->max % 8;
    if (code < 32 || code >= near_max)
        return code + SAMPLE;
    return near_max - code < stride * SAMPLE ? near_max : code + stride * SAMPLE;
}

static void explain_format(const oracle_format *reference)
{
    fpfmt_format format = found(reference);
    mpfr_t low, high;
    mpfr_inits2(64, low, high, (mpfr_ptr)NULL);
    for (uint64_t code = 0; code < reference->max + 4; code = next_code(reference, code))
        for (int middle = 0; middle < 2; middle++) {
            fpfmt_value values[NEIGHBORS];
            size_t count;
            oracle_magnitude(low, reference, code);
            oracle_magnitude(high, reference, code + 1);
            if (middle) {
                mpfr_add(low, low, high, MPFR_RNDN);
                mpfr_div_2ui(low, low, 1, MPFR_RNDN);
            }
            count = neighbors_of(values, low);
            for (size_t i = 0; i < count; i++) {
                values[i].negative = i % 2;
                check_explanation(&format, reference, values[i],
                                  (fpfmt_policy){ .rounding = (uint8_t)((code + i) % 8) });
            }
        }
    for (unsigned n = 0; n < 2000; n += SAMPLE)
        check_explanation(
            &format, reference, sample_value(n),
            (fpfmt_policy){ .rounding = (uint8_t)(n % 8), .overflow = (uint8_t)(n / 8 % 6) });
    mpfr_clears(low, high, (mpfr_ptr)NULL);
}

static void rows(void)
{
    print_seed();
    for (size_t i = 0; i < oracle_format_count; i++)
        explain_format(&oracle_formats[i]);
}

static void p3109(void)
{
    oracle_each_p3109(3, 8, explain_format);
}

static void default_policy(void)
{
    const fpfmt_format *half = fpfmt_named("fp16");
    fpfmt_explanation told = fpfmt_explain(half, fpfmt_from_f64(1e-8), NULL);
    CHECK(told.code == 0 && told.flags == (FPFMT_FLAG_INEXACT | FPFMT_FLAG_UNDERFLOW),
          "1e-8 in fp16 is 0x%" PRIx64 " flags %x", told.code, told.flags);
    CHECK(told.range == FPFMT_RANGE_BELOW && told.quantum == -24 && told.emin == -14,
          "1e-8 in fp16: range %d", told.range);
    CHECK(told.otherwise[FPFMT_ROUND_UPWARD] == 1 && told.otherwise[FPFMT_ROUND_DOWNWARD] == 0,
          "1e-8 in fp16: the other modes");
}

/* 301 = 2 x 127 + 47 is past twice the largest int8, in whole steps of 1 all the same. */
static void fixed_point_beyond(void)
{
    static const struct {
        const char *format;
        double x;
        int quantum, guard, round, sticky, remainder, away;
        uint64_t kept, chance;
    } rows[] = {
        { "int8", 301, 0, 0, 0, 0, FPFMT_REMAINDER_NONE, 0, 301, 0 },
        { "int8", -300.5, 0, 1, 0, 0, FPFMT_REMAINDER_HALF, 0, 300, UINT64_C(1) << 63 },
        { "int8", -128, 0, 0, 0, 0, FPFMT_REMAINDER_NONE, 0, 128, 0 },
        { "int8", 301.5, 0, 1, 0, 0, FPFMT_REMAINDER_HALF, 1, 301, UINT64_C(1) << 63 },
        { "int8", 130.75, 0, 1, 1, 0, FPFMT_REMAINDER_ABOVE_HALF, 1, 130, UINT64_C(3) << 62 },
        { "int8f6", 4.7109375, -6, 1, 0, 0, FPFMT_REMAINDER_HALF, 1, 301, UINT64_C(1) << 63 },
        { "int4", 0x1.8p70, 0, 0, 0, 0, FPFMT_REMAINDER_NONE, 0, UINT64_MAX, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_explanation told =
            fpfmt_explain(fpfmt_named(rows[i].format), fpfmt_from_f64(rows[i].x), NULL);
        CHECK(told.quantum == rows[i].quantum && told.kept == rows[i].kept,
              "%g in %s: %" PRIu64 " steps of 2^%d", rows[i].x, rows[i].format, told.kept,
              (int)told.quantum);
        CHECK(told.guard == rows[i].guard && told.round == rows[i].round &&
                  told.sticky == rows[i].sticky && told.remainder == rows[i].remainder,
              "%g in %s: cut %d%d%d, remainder %d", rows[i].x, rows[i].format, told.guard,
              told.round, told.sticky, told.remainder);
        CHECK(told.range == (rows[i].x == -128 ? FPFMT_RANGE_NORMAL : FPFMT_RANGE_ABOVE),
              "%g in %s: range %d", rows[i].x, rows[i].format, told.range);
        CHECK(told.away == (rows[i].away != 0) && told.chance == rows[i].chance,
              "%g in %s: away %d, chance 0x%" PRIx64, rows[i].x, rows[i].format, told.away,
              told.chance);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "the formats of the table explain themselves", rows },
        { "P3109 formats of 3 to 8 bits explain themselves", p3109 },
        { "a NULL policy is the default one", default_policy },
        { "past its ends fixed point goes on in its one step", fixed_point_beyond },
    };
    oracle_start(&operand);
    return run_tests("explain", tests, sizeof tests / sizeof tests[0]);
}
