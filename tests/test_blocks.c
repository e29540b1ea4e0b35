/* test_blocks.c - scales, elements, flags and statistics of blocks, held to exact arithmetic
 * SPDX-License-Identifier: MIT
 *
 * Every recipe with every element that it fits, and blocks that sit on and beside what decides. */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "block_trial.h"
#include "blocks.h"
#include "runner.h"
#include "samples.h"

static const char *const elements[] = {
    "e4m3", "e5m2", "e3m2", "e2m3",  "e2m1",     "int8f6",   "int8",    "int4",    "uint4", "uint8",
    "fp16", "bf16", "e3m4", "ue4m3", "e4m3fnuz", "e5m2fnuz", "offset4", "bnb-fp4", "nf4",
};
static const char *const scales[] = { "e8m0", "e4m3", "fp32", "fp16", "ue4m3", "bf16", "e5m2" };
static const char *const carriers[] = { "fp32", "fp64", "bf16", "fp16", "fp32" };
enum {
    ELEMENTS = sizeof elements / sizeof elements[0],
    SCALES = sizeof scales / sizeof scales[0],
    CARRIERS = sizeof carriers / sizeof carriers[0],
    KINDS = 8 /* of blocks, see fill() */
};

static uint64_t below(uint64_t bound)
{
    return random_word() % bound;
}

/* ---- blocks ---- */

/* A number of the carrier, and so many codes from there. */
static uint64_t carried(const block_trial *trial, double x, int steps)
{
    uint64_t code = fpfmt_encode(trial->carrier, fpfmt_from_f64(x), NULL, NULL);
    return steps < 0 && code == 0 ? code : code + (uint64_t)(int64_t)steps;
}

/* The largest element, as a double. */
static double largest(const block_trial *trial)
{
    return fabs(fpfmt_to_f64(fpfmt_block_largest(&trial->block), NULL, NULL));
}

/* An exponent of the carrier: near 0, or at its ends. */
static int exponent(const block_trial *trial)
{
    bool wide = trial->carrier->exponent_bits >= 8;
    switch (below(4)) {
    case 0: return wide ? -149 + (int)below(40) : -24 + (int)below(20);
    case 1: return wide ? 127 - (int)below(12) : 15 - (int)below(6);
    default: return (int)below(24) - 12;
    }
}

/* A number that decides about scales: a power of two, M times one, one of as many bits as elements
 * have, or just beside. */
static uint64_t deciding(const block_trial *trial)
{
    double x;
    switch (below(4)) {
    case 0: x = 1; break;
    case 1: x = largest(trial); break;
    case 2: x = 1 + (double)(2 * below(64) + 1) / 128; break;
    default: x = 1 + (double)below(1024) / 1024;
    }
    return carried(trial, ldexp(x, exponent(trial)), (int)below(3) - 1);
}

/* The middle of two neighbouring elements, or a threshold, by this scale, and beside. */
static uint64_t tie(const block_trial *trial, double scale)
{
    const oracle_book *book = trial->reference.book;
    double x;
    if (book != NULL) {
        x = (double)book->thresholds[below(book->count - 1)];
    } else {
        uint64_t code = below(trial->reference.element->max + 1);
        double a = fpfmt_to_f64(fpfmt_decode(&trial->block.element, code), NULL, NULL);
        double b = fpfmt_to_f64(fpfmt_decode(&trial->block.element, code + 1), NULL, NULL);
        x = isfinite(b) ? (a + b) / 2 : a;
    }
    return carried(trial, (below(2) ? x : -x) * scale, (int)below(3) - 1);
}

static uint64_t special(const block_trial *trial)
{
    fpfmt_limits limits = fpfmt_measure(trial->carrier);
    uint64_t sign = below(2) << (limits.width - 1);
    return sign | (below(2) ? limits.infinity : limits.nan);
}

static uint64_t plain(const block_trial *trial, int near)
{
    double x = 1 + (double)below(1 << 23) / (1 << 23);
    return carried(trial, ldexp(below(2) ? x : -x, near - (int)below(9)), 0);
}

/* Ties by the scale that the first value alone gives; where all are ties, so is the largest. */
static void fill_ties(block_trial *trial)
{
    size_t n = trial->n;
    trial->values[0] = deciding(trial);
    trial->n = 1;
    double scale = scale_of_trial(trial);
    trial->n = n;
    for (size_t i = 1; i < n; i++)
        trial->values[i] = tie(trial, isfinite(scale) ? scale : 1);
}

static void fill(block_trial *trial, unsigned kind)
{
    int near = exponent(trial);
    uint64_t sign = UINT64_C(1) << (fpfmt_measure(trial->carrier).width - 1);
    for (size_t i = 0; i < trial->n; i++)
        switch (kind) {
        case 0: trial->values[i] = plain(trial, near); break;
        case 1: trial->values[i] = i == 0 ? deciding(trial) : plain(trial, near - 12); break;
        case 2: trial->values[i] = below(4) == 0 ? special(trial) : plain(trial, near); break;
        case 3: trial->values[i] = below(2) ? sign : 0; break;
        case 4:
            trial->values[i] = below(2) ? deciding(trial) : carried(trial, 0, (int)below(9));
            break;
        case 5: trial->values[i] = random_word() & (2 * sign - 1); break;
        default: fill_ties(trial); return;
        }
    if (kind == 3 && below(2))
        trial->values[below(trial->n)] = deciding(trial);
}

/* ---- trials ---- */

/* Any mode in turn, with random bits of any number, and other rules for the ends of the range. */
static void set_policy(block_trial *trial, unsigned turn)
{
    trial->policy = (fpfmt_policy){ .rounding = trial->recipe.rounding };
    if (turn % 3 == 0)
        return;
    trial->policy.rounding = (uint8_t)below(FPFMT_ROUND_COUNT);
    if (turn % 3 == 1) {
        trial->policy.overflow = (uint8_t)below(FPFMT_OVERFLOW_COUNT);
        trial->policy.overflow_test = (uint8_t)below(2);
        trial->policy.subnormal = (uint8_t)below(4);
        trial->policy.tininess = (uint8_t)below(2);
    }
    trial->policy.seed = random_word();
    trial->policy.first = below(1000);
    if (trial->policy.rounding >= FPFMT_ROUND_STOCHASTIC_A &&
        trial->policy.rounding <= FPFMT_ROUND_STOCHASTIC_C)
        trial->policy.random_bits = (uint8_t)(1 + below(32));
}

static void set_tensor(block_trial *trial)
{
    double x = ldexp(1 + (double)below(1 << 23) / (1 << 23), (int)below(40) - 20);
    trial->has_tensor = below(3) != 0;
    trial->tensor.decode = (float)x;
    trial->tensor.encode = below(2) ? 0 : (float)(1 / x);
}

static void try_block(block_trial *trial, unsigned turn)
{
    trial->carrier = fpfmt_named(carriers[turn % CARRIERS]);
    trial->n = 1 + below(below(4) ? 20 : trial->block.size);
    if (trial->n > trial->block.size)
        trial->n = trial->block.size;
    trial->first = below(2) ? 0 : random_word();
    set_policy(trial, turn);
    set_tensor(trial);
    fill(trial, turn % KINDS);
    run_block_trial(trial);
}

static const char *const options[] = {
    "",
    ":zero=rule:nan=element",
    ":zero=least:inf=max",
    ":zero=one:inf=nan:subnormal=flush",
    ":zero=zeros:inf=rule:nan=scale",
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/* Every recipe, all its options, every scale and one or two levels, with one element; returns how
 * many of these fit. */
static size_t try_element(const char *element)
{
    static block_trial trial;
    size_t fitting = 0;
    char recipe[FPFMT_RECIPE_NAME_SIZE];
    for (size_t r = 0; r < oracle_recipe_count; r++)
        for (size_t k = 0; k < SCALES * 2; k++) {
            size_t o = (r + k) % OPTIONS;
            for (size_t j = 0; j < 2; j++, o = 0) {
                snprintf(recipe, sizeof recipe, "%s%s", oracle_recipes[r].name, options[o]);
                if (!set_block_trial(&trial, element, scales[k / 2], 1 + (int)k % 2,
                                     1 + below(LONGEST_BLOCK), recipe))
                    continue;
                if (fitting++ % SAMPLE != 0)
                    continue;
                for (unsigned turn = 0; turn < 2 * KINDS; turn++)
                    try_block(&trial, turn + (unsigned)j * 5);
            }
        }
    return fitting;
}

static void formats(void)
{
    size_t fitting = 0;
    print_seed();
    for (size_t i = 0; i < ELEMENTS; i++)
        if (oracle_named(elements[i]) != NULL)
            fitting += try_element(elements[i]);
    printf("# %zu recipes with a format of elements and of scales\n", fitting);
    CHECK(fitting > 1000, "%zu fit", fitting);
}

static void books(void)
{
    size_t fitting = 0;
    for (size_t i = 0; i < ELEMENTS; i++)
        if (oracle_book_named(elements[i]) != NULL)
            for (int again = 0; again < 3; again++)
                fitting += try_element(elements[i]);
    CHECK(fitting > 100, "%zu fit", fitting);
}

/* The library's tables of recipes and books have no row that the oracle does not know. */
static void tables(void)
{
    for (size_t i = 0; fpfmt_recipe_at(i) != NULL; i++)
        CHECK(i < oracle_recipe_count &&
                  strcmp(fpfmt_recipe_at(i)->name, oracle_recipes[i].name) == 0,
              "recipe %s is not tried", fpfmt_recipe_at(i)->name);
    for (size_t i = 0; fpfmt_book_at(i) != NULL; i++) {
        const fpfmt_book *book = fpfmt_book_at(i);
        const oracle_book *reference = oracle_book_named(book->name);
        if (!CHECK(reference != NULL, "book %s is not tried", book->name))
            continue;
        CHECK(book->count == reference->count, "%s has %d entries", book->name, book->count);
        for (size_t k = 0; k < book->count; k++)
            CHECK(book->values[k] == reference->values[k] &&
                      (k == 0 || book->thresholds[k - 1] == reference->thresholds[k - 1]),
                  "%s: entry %zu is %a, not %a, above %a, not %a", book->name, k,
                  (double)book->values[k], (double)reference->values[k],
                  (double)(k ? book->thresholds[k - 1] : 0),
                  (double)(k ? reference->thresholds[k - 1] : 0));
    }
}

/* An entry and a tail that was cut off lies between two entries. */
static void try_tail(const fpfmt_book *book, float entry, uint8_t tail, uint8_t mode)
{
    const oracle_block block = { .scale = oracle_named("fp32"),
                                 .book = oracle_book_named(book->name) };
    const oracle_recipe exact = { .step = 'x' };
    const fpfmt_policy policy = { .rounding = mode };
    fpfmt_value value = fpfmt_from_f32(entry);
    oracle_number number;
    oracle_scale one = { .is_nan = false };
    unsigned flags = 0, expected_flags = 0;
    value.inexact = tail;
    oracle_start(&number);
    oracle_set_value(&number, value);
    oracle_start_scale(&one);
    mpfr_set_ui(one.stored, 1, MPFR_RNDN);
    mpfr_set_ui(one.factor, 1, MPFR_RNDN);
    uint64_t code = fpfmt_book_encode(book, value, &policy, &flags);
    uint64_t expected =
        oracle_block_element(&block, &exact, &one, &number, &policy, &expected_flags);
    CHECK(code == expected && flags == expected_flags,
          "%s, mode %d: %a and a tail %d is %" PRIx64 " %x, not %" PRIx64 " %x", book->name, mode,
          (double)entry, tail, code, flags, expected, expected_flags);
    oracle_stop(&number);
    mpfr_clears(one.stored, one.factor, (mpfr_ptr)NULL);
}

static void tails(void)
{
    for (size_t i = 0; fpfmt_book_at(i) != NULL; i++)
        for (size_t k = 0; k < fpfmt_book_at(i)->count; k++)
            for (uint8_t tail = 1; tail <= 3; tail++)
                for (uint8_t mode = 0; mode < FPFMT_ROUND_DETERMINISTIC_COUNT; mode++) {
                    float entry = fpfmt_book_at(i)->values[k];
                    if (entry == 0)
                        continue;
                    try_tail(fpfmt_book_at(i), entry, tail, mode);
                    if (fpfmt_book_at(i)->has_sign)
                        try_tail(fpfmt_book_at(i), -entry, tail, mode);
                }
}

/* a / b in binary32, no more than the largest. */
static float quotient(float a, float b)
{
    volatile float q = a / b;
    return q > FLT_MAX ? FLT_MAX : q;
}

/* The scale of a tensor, whose largest block is to have the largest scale: TransformerEngine rounds
 * its inverse first, others the scale itself. What would be 0 is 1. */
static void check_tensor(const block_trial *trial, float amax)
{
    bool engine = trial->how.rule == ORACLE_ENGINE, better = trial->how.rule == ORACLE_BETTER;
    double bound = better ? 256
                          : fpfmt_to_f64(fpfmt_decode(&trial->block.scale,
                                                      fpfmt_measure(&trial->block.scale).max),
                                         NULL, NULL);
    volatile float top = (float)(largest(trial) * bound), plain = amax / top;
    float encode = engine ? quotient(top, amax) : quotient(1, plain);
    float decode = engine ? quotient(1, encode) : plain;
    fpfmt_tensor_scale scale = { 0, 0 };
    if (amax == 0 || decode == 0 || encode == 0)
        decode = encode = 1;
    CHECK(fpfmt_scale_tensor(&scale, &trial->block, &trial->recipe, amax) &&
              scale.decode == decode && scale.encode == encode,
          "%s %s: the scale of %a is %a, %a, not %a, %a", trial->block.name, trial->recipe.name,
          (double)amax, (double)scale.decode, (double)scale.encode, (double)decode, (double)encode);
}

static void tensors(void)
{
    static block_trial trial;
    static const char *const narrow[] = { "e4m3", "fp16", "ue4m3", "e8m0" };
    static const float refused[] = { -1, INFINITY, NAN, -INFINITY };
    fpfmt_tensor_scale scale = { 3, 5 };
    for (size_t r = 0; r < oracle_recipe_count; r++)
        for (size_t i = 0; i < ELEMENTS * 4; i++) {
            if (!set_block_trial(&trial, elements[i / 4], narrow[i % 4], 2, 16,
                                 oracle_recipes[r].name))
                continue;
            check_tensor(&trial, 0);
            for (int k = 0; k < 40; k++)
                check_tensor(&trial, float_of(random_word() % 0x7F800000));
            for (int k = 0; k < 4; k++)
                CHECK(!fpfmt_scale_tensor(&scale, &trial.block, &trial.recipe, refused[k]) &&
                          scale.decode == 3 && scale.encode == 5,
                      "amax %g is taken", (double)refused[k]);
        }
}

int main(void)
{
    static const struct test tests[] = {
        { "books have the entries and thresholds of their makers, found again", tables },
        { "every recipe with every format agrees with exact arithmetic", formats },
        { "and with code books, in every mode", books },
        { "what a division has cut off still lies beside an entry", tails },
        { "scales of tensors follow from amax in the order of each maker", tensors },
    };
    return run_tests("blocks", tests, sizeof tests / sizeof tests[0]);
}
