/* test_accumulate.c - sums by exact and by rounded steps, each held to MPFR
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "elements.h"
#include "oracle_arith.h"
#include "runner.h"

/* A sum underway: where its steps are rounded to, and how many were. */
typedef struct {
    const fpfmt_accumulator *how;
    const oracle_format *to, *inner;
    const elements *factors;
    const fpfmt_policy *policy;
    uint64_t roundings;
    unsigned flags;
} task;

/* All numbers here live as long as the program. */
static oracle_number left, right, third, result, one, zero;

static void start_numbers(void)
{
    oracle_number *const all[] = { &left, &right, &third, &result, &one, &zero };
    if (one.kind == FPFMT_KIND_NORMAL)
        return;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        oracle_start(all[i]);
    mpfr_set_ui(one.magnitude, 1, MPFR_RNDN);
    one.kind = FPFMT_KIND_NORMAL;
}

/* The value of what was computed, of which 64 bits and whether there is more are enough. */
static fpfmt_value value_of(const oracle_number *number)
{
    fpfmt_value value = { .kind = number->kind,
                          .negative = number->negative,
                          .significand = number->payload,
                          .payload_bits = number->payload_bits };
    mpfr_t cut;
    if (number->kind != FPFMT_KIND_NORMAL && number->kind != FPFMT_KIND_SUBNORMAL)
        return value;
    mpfr_init2(cut, 64);
    value.inexact = mpfr_set(cut, number->magnitude, MPFR_RNDZ) != 0;
    value.exponent = (int32_t)mpfr_get_exp(cut) - 1;
    mpfr_mul_2si(cut, cut, 63L - value.exponent, MPFR_RNDZ);
    value.significand = mpfr_get_uj(cut, MPFR_RNDZ);
    value.payload_bits = 0;
    mpfr_clear(cut);
    return value;
}

/* Rounding number r of the sum, of a number in hand. With chance the library's one rounding serves,
 * which has tests of its own. */
static uint64_t round_step(task *it, const oracle_format *format, const oracle_number *number)
{
    fpfmt_policy policy = *it->policy;
    policy.first += it->roundings++;
    if (policy.rounding < FPFMT_ROUND_DETERMINISTIC_COUNT)
        return oracle_encode(format, number, &policy, &it->flags);
    return fpfmt_encode(fpfmt_named(format->name), value_of(number), &policy, &it->flags);
}

static uint64_t operate(task *it, int operation, const oracle_number *a, const oracle_number *b)
{
    const oracle_number *operand[OPERANDS] = { a, b, &third };
    oracle_operate(&result, operation, operand, it->policy, &it->flags);
    return round_step(it, it->inner, &result);
}

static uint64_t combine(task *it, int operation, uint64_t a, uint64_t b)
{
    oracle_decode(it->inner, a, &left);
    oracle_decode(it->inner, b, &right);
    return operate(it, operation, &left, &right);
}

/* Factor 0 or 1 of element i. */
static void get(const task *it, int factor, size_t i, oracle_number *number)
{
    oracle_decode(oracle_named(it->factors->from[factor]->name), it->factors->codes[factor][i],
                  number);
}

static uint64_t product(task *it, size_t i)
{
    get(it, 0, i, &left);
    get(it, 1, i, &right);
    return operate(it, FPFMT_OPERATION_MULTIPLY, &left, &right);
}

static uint64_t by_fma(task *it, uint64_t sum, size_t i, size_t end)
{
    for (; i < end; i++) {
        get(it, 0, i, &left);
        get(it, 1, i, &right);
        oracle_decode(it->inner, sum, &third);
        sum = operate(it, FPFMT_OPERATION_FMA, &left, &right);
    }
    return sum;
}

static uint64_t by_multiply_add(task *it, uint64_t sum, size_t i, size_t end)
{
    for (; i < end; i++) {
        uint64_t more = product(it, i);
        sum = combine(it, FPFMT_OPERATION_ADD, sum, more);
    }
    return sum;
}

static uint64_t halves(task *it, size_t i, size_t end)
{
    size_t middle = i + (end - i) / 2;
    if (end - i == 1)
        return product(it, i);
    uint64_t first = halves(it, i, middle), second = halves(it, middle, end);
    return combine(it, FPFMT_OPERATION_ADD, first, second);
}

static uint64_t by_pairs(task *it, uint64_t sum, size_t i, size_t end)
{
    uint64_t all = halves(it, i, end);
    return combine(it, FPFMT_OPERATION_ADD, sum, all);
}

static uint64_t by_compensation(task *it, uint64_t sum, size_t i, size_t end)
{
    uint64_t lost = 0;
    for (; i < end; i++) {
        uint64_t term = product(it, i);
        term = combine(it, FPFMT_OPERATION_SUBTRACT, term, lost);
        uint64_t next = combine(it, FPFMT_OPERATION_ADD, sum, term);
        lost = combine(it, FPFMT_OPERATION_SUBTRACT, next, sum);
        lost = combine(it, FPFMT_OPERATION_SUBTRACT, lost, term);
        sum = next;
    }
    return sum;
}

static bool is_ordinary(const oracle_number *number, const fpfmt_policy *policy)
{
    return number->kind == FPFMT_KIND_NORMAL ||
           (number->kind == FPFMT_KIND_SUBNORMAL &&
            !(policy->subnormal & FPFMT_SUBNORMAL_FLUSH_INPUTS));
}

/* In enough bits for all products of binary64. Terms that are zero, infinite or NaN are added up
 * among themselves, the start last: they decide where there are others, and the sign of zero. */
static uint64_t exactly(task *it, uint64_t sum, size_t i, size_t end)
{
    enum { ALL_BITS = 4400 };
    static oracle_number total, special;
    const oracle_number *operand[OPERANDS] = { &left, &right, &zero };
    const oracle_number *const terms[OPERANDS] = { &special, &result, &zero };
    bool ordinary = false, first = true;
    if (total.magnitude->_mpfr_prec == 0) {
        oracle_start(&special);
        mpfr_init2(total.magnitude, ALL_BITS);
    }
    mpfr_set_zero(total.magnitude, 1);
    special.kind = FPFMT_KIND_ZERO;
    for (; i <= end; i++) {
        if (i < end)
            get(it, 0, i, &left), get(it, 1, i, &right);
        else
            oracle_decode(it->to, sum, &left), operand[1] = &one;
        if (is_ordinary(&left, it->policy) && is_ordinary(operand[1], it->policy)) {
            bool negative = left.negative != operand[1]->negative;
            mpfr_setsign(left.magnitude, left.magnitude, negative, MPFR_RNDN);
            mpfr_fma(total.magnitude, left.magnitude, operand[1]->magnitude, total.magnitude,
                     MPFR_RNDN);
            ordinary = true;
            continue;
        }
        oracle_operate(&result, FPFMT_OPERATION_MULTIPLY, operand, it->policy, &it->flags);
        if (!first)
            oracle_operate(&result, FPFMT_OPERATION_ADD, terms, it->policy, &it->flags);
        special.kind = result.kind; /* it has no magnitude */
        special.negative = result.negative;
        special.payload = result.payload;
        special.payload_bits = result.payload_bits;
        first = false;
    }
    total.kind = mpfr_zero_p(total.magnitude) ? FPFMT_KIND_ZERO : FPFMT_KIND_NORMAL;
    total.negative = total.kind == FPFMT_KIND_ZERO ? it->policy->rounding == FPFMT_ROUND_DOWNWARD
                                                   : mpfr_signbit(total.magnitude) != 0;
    mpfr_abs(total.magnitude, total.magnitude, MPFR_RNDN);
    return round_step(it, it->to, ordinary && special.kind == FPFMT_KIND_ZERO ? &total : &special);
}

static uint64_t by_way(task *it, uint64_t sum, size_t i, size_t end)
{
    switch (it->how->method) {
    case FPFMT_ACCUMULATE_EXACT: return exactly(it, sum, i, end);
    case FPFMT_ACCUMULATE_FMA: return by_fma(it, sum, i, end);
    case FPFMT_ACCUMULATE_MULTIPLY_ADD: return by_multiply_add(it, sum, i, end);
    case FPFMT_ACCUMULATE_PAIRWISE: return by_pairs(it, sum, i, end);
    default: return by_compensation(it, sum, i, end);
    }
}

static uint64_t promoted(task *it, uint64_t sum, size_t n)
{
    const fpfmt_policy nearest = { .rounding = FPFMT_ROUND_NEAREST_EVEN };
    const oracle_number *operand[OPERANDS] = { &left, &right, &zero };
    for (size_t i = 0; i < n; i += it->how->promote) {
        size_t end = n - i < it->how->promote ? n : i + it->how->promote;
        uint64_t part = by_way(it, 0, i, end);
        oracle_decode(it->to, sum, &left);
        oracle_decode(it->inner, part, &right);
        oracle_operate(&result, FPFMT_OPERATION_ADD, operand, &nearest, &it->flags);
        sum = oracle_encode(it->to, &result, &nearest, &it->flags);
    }
    return sum;
}

static uint64_t expected_of(const fpfmt_accumulator *how, const elements *factors,
                            const fpfmt_policy *policy, unsigned *flags)
{
    const oracle_format *to = oracle_named(factors->to->name);
    task it = { .how = how, .to = to, .inner = to, .factors = factors, .policy = policy };
    uint64_t sum = factors->start;
    if (how->inner != NULL)
        it.inner = oracle_named(how->inner->name);
    if (how->promote != 0) {
        sum = promoted(&it, sum, factors->n);
    } else if (how->inner != NULL) {
        oracle_decode(to, sum, &left);
        sum = by_way(&it, round_step(&it, it.inner, &left), 0, factors->n);
        oracle_decode(it.inner, sum, &left);
        sum = round_step(&it, to, &left);
    } else {
        sum = by_way(&it, sum, 0, factors->n);
    }
    *flags = it.flags;
    return sum;
}

static void check(const fpfmt_accumulator *how, const elements *it, const fpfmt_policy *policy)
{
    unsigned flags = 0, expected_flags;
    uint64_t got = fpfmt_dot(it->to, how, it->start, series_of(it, 0), series_of(it, 1), it->n,
                             policy, &flags);
    uint64_t expected = expected_of(how, it, policy, &expected_flags);
    CHECK(got == expected && flags == expected_flags,
          "%s%s%s/%" PRIu32 " of %zu %s and %s to %s from 0x%" PRIx64 ", first 0x%" PRIx64
          " by 0x%" PRIx64 ", rounding %d overflow %d subnormal %d tininess %d nan %d: 0x%" PRIx64
          " flags %x, not 0x%" PRIx64 " flags %x",
          how->name, how->inner ? ":" : "", how->inner ? how->inner->name : "", how->promote, it->n,
          it->from[0]->name, it->from[1]->name, it->to->name, it->start, it->codes[0][0],
          it->codes[1][0], policy->rounding, policy->overflow, policy->subnormal, policy->tininess,
          policy->nan, got, flags, expected, expected_flags);
}

/* Any format into any other, in every mode. */
static void check_sums(uint8_t way, unsigned long count)
{
    static const char names[] = "e4m3 e5m2 bf16 fp16 tf32 fp32 fp64";
    static elements it;
    start_numbers();
    for (unsigned long n = count; n > 0; n--) {
        fpfmt_accumulator how = *fpfmt_accumulator_at(way);
        fpfmt_policy policy;
        array_policy(&policy, n % 3 == 0 ? random_below(9) : 0);
        it.to = format_in(names, random_below(7));
        for (int k = 0; k < 2; k++)
            it.from[k] = n % 2 ? it.to : format_in(names, random_below(7));
        if (n % 4 == 0 && way != FPFMT_ACCUMULATE_EXACT)
            how.inner = format_in(names, random_below(7));
        how.promote = n % 5 == 0 ? (uint32_t)(1 + random_below(20)) : 0;
        make_elements(&it, 1 + random_below(n % 32 == 0 ? 200 : 24), n % 16 == 0);
        for (size_t mode = 0; array_mode(&policy, mode); mode++)
            check(&how, &it, &policy);
    }
    printf("# %lu sums\n", count);
}

static unsigned long count_of(unsigned long quick)
{
    return (is_exhaustive() ? 50 * quick : quick) / SAMPLE;
}

static void exact_sums(void)
{
    check_sums(FPFMT_ACCUMULATE_EXACT, count_of(4000));
}

static void fused_sums(void)
{
    check_sums(FPFMT_ACCUMULATE_FMA, count_of(1500));
}

static void sequential_sums(void)
{
    check_sums(FPFMT_ACCUMULATE_MULTIPLY_ADD, count_of(1000));
}

static void pairwise_sums(void)
{
    check_sums(FPFMT_ACCUMULATE_PAIRWISE, count_of(1000));
}

static void compensated_sums(void)
{
    check_sums(FPFMT_ACCUMULATE_KAHAN, count_of(400));
}

/* n times a number times another, from 0. Worked out with binary64 and integers elsewhere, and to
 * be read in the formats' steps: counting ones stops at 2^precision. */
static void figures(void)
{
    static const struct {
        const char *name, *from, *to;
        double x, y;
        size_t n;
        double sum;
    } cases[] = {
        { "fma", "fp32", "fp32", 0.1, 1, 10000, 999.9028930664062 },
        { "fma", "fp16", "fp16", 0.1, 1, 10000, 256 },
        { "fma", "fp16", "fp16", 0.1, 1, 2207, 256 },
        { "fma", "fp16", "fp16", 0.1, 1, 2206, 255.875 },
        { "fma", "tf32", "tf32", 0.1, 1, 10000, 256 },
        { "fma", "bf16", "bf16", 0.1, 1, 10000, 32 },
        { "fma", "bf16", "bf16", 0.1, 1, 276, 32 },
        { "fma", "bf16", "bf16", 0.1, 1, 275, 31.875 },
        { "fma", "e4m3", "e4m3", 0.1, 1, 10000, 2 },
        { "fma", "e4m3", "e4m3", 0.1, 1, 17, 2 },
        { "fma", "e4m3", "e4m3", 0.1, 1, 16, 1.875 },
        { "fma", "e5m2", "e5m2", 0.1, 1, 10000, 1 },
        { "fma", "e5m2", "e5m2", 0.1, 1, 9, 1 },
        { "fma", "e5m2", "e5m2", 0.1, 1, 8, 0.875 },
        { "fma", "fp16", "fp32", 0.1, 1, 10000, 999.755859375 },
        { "fma", "bf16", "fp32", 0.1, 1, 10000, 1000.9765625 },
        { "exact", "fp16", "fp32", 0.1, 1, 10000, 999.755859375 },
        { "exact", "bf16", "fp32", 0.1, 1, 10000, 1000.9765625 },
        { "multiply-add", "fp16", "fp16", 0.1, 1, 10000, 256 },
        { "multiply-add:bf16", "fp32", "fp32", 0.1, 1, 10000, 32 },
        { "pairwise", "fp16", "fp16", 0.1, 1, 10000, 999.5 },
        { "pairwise", "bf16", "bf16", 0.1, 1, 10000, 1000 },
        { "pairwise", "fp32", "fp32", 0.1, 1, 10000, 1000 },
        { "kahan", "fp16", "fp16", 0.1, 1, 10000, 1000 },
        { "kahan", "bf16", "bf16", 0.1, 1, 10000, 1004 },
        { "kahan", "fp32", "fp32", 0.1, 1, 10000, 1000 },
        { "fma", "fp16", "fp16", 1, 1, 2048, 2048 },
        { "fma", "fp16", "fp16", 1, 1, 5000, 2048 },
        { "fma", "bf16", "bf16", 1, 1, 5000, 256 },
        { "fma", "e4m3", "e4m3", 1, 1, 5000, 16 },
        { "fma", "e5m2", "e5m2", 1, 1, 5000, 8 },
        { "nv-hopper", "e4m3", "fp32", 0.9375, 0.9375, 4096, 3368.25 },
        { "exact", "e4m3", "fp32", 0.9375, 0.9375, 4096, 3600 },
        { "promote:128", "e4m3", "fp32", 0.9375, 0.9375, 4096, 3596 },
        { "nv-hopper", "e4m3", "fp32", 0.9375, 0.9375, 16384, 8192 },
        { "nv-hopper", "e4m3", "fp32", 0.9375, 0.9375, 65536, 8192 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fpfmt_format *from = fpfmt_named(cases[i].from), *to = fpfmt_named(cases[i].to);
        unsigned char x[8], y[8];
        fpfmt_accumulator how;
        store_word(x, fpfmt_encode(from, fpfmt_from_f64(cases[i].x), NULL, NULL), code_bytes(from));
        store_word(y, fpfmt_encode(from, fpfmt_from_f64(cases[i].y), NULL, NULL), code_bytes(from));
        if (!CHECK(fpfmt_find_accumulator(&how, cases[i].name, to, from, from) == FPFMT_FOUND,
                   "there is no %s", cases[i].name))
            continue;
        uint64_t code = fpfmt_dot(
            to, &how, 0, (fpfmt_series){ .format = from, .codes = x, .stride = 0 },
            (fpfmt_series){ .format = from, .codes = y, .stride = 0 }, cases[i].n, NULL, NULL);
        double sum = fpfmt_to_f64(fpfmt_decode(to, code), NULL, NULL);
        CHECK(sum == cases[i].sum, "%s of %zu %s to %s: %.17g, not %.17g", cases[i].name,
              cases[i].n, cases[i].from, cases[i].to, sum, cases[i].sum);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "exact sums are MPFR's, rounded once", exact_sums },
        { "fused multiplications and additions are MPFR's, step by step", fused_sums },
        { "rounded products are MPFR's, and sums of them", sequential_sums },
        { "sums of halves are MPFR's", pairwise_sums },
        { "compensated sums are MPFR's", compensated_sums },
        { "sums that are known for what they lose come out to the last bit", figures },
    };
    return run_tests("accumulate", tests, sizeof tests / sizeof tests[0]);
}
