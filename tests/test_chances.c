/* test_chances.c - rounding by chance, by what the literature and people's faults say
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "oracle.h"
#include "runner.h"
#include "samples.h"

enum {
    EXACT = FPFMT_ROUND_STOCHASTIC,
    A = FPFMT_ROUND_STOCHASTIC_A,
    B = FPFMT_ROUND_STOCHASTIC_B,
    C = FPFMT_ROUND_STOCHASTIC_C,
    EQUAL = FPFMT_ROUND_STOCHASTIC_EQUAL,
    I = FPFMT_FLAG_INEXACT,
    U = FPFMT_FLAG_UNDERFLOW | I,
    O = FPFMT_FLAG_OVERFLOW | I,
    V = FPFMT_FLAG_INVALID
};

/* 1 and this many 2^-bits steps of a format with fraction_bits more. */
static fpfmt_value above_one(int fraction_bits, int bits, uint64_t count)
{
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .significand =
                              (UINT64_C(1) << 63) + (count << (63 - fraction_bits - bits)) };
}

static bool goes_away(const fpfmt_format *format, fpfmt_value value, uint64_t random,
                      const fpfmt_policy *policy)
{
    uint64_t one = fpfmt_encode(format, above_one(0, 0, 0), NULL, NULL);
    uint64_t code = fpfmt_encode_random(format, value, random, policy, NULL);
    CHECK(code == one || code == one + 1, "%s: neither neighbour, but 0x%" PRIx64, format->name,
          code);
    return code != one;
}

/* Two bits, distances in sixteenths: for how many of the four words the value goes away. The last
 * is a whole step, the next value. */
static void two_bits(void)
{
    static const char *const counts[] = { "00001111222233334", "00111122223333444",
                                          "00011122222333444" };
    const fpfmt_format *half = fpfmt_named("fp16");
    for (unsigned i = 0; i < 3; i++)
        for (unsigned sixteenths = 0; sixteenths <= 16; sixteenths++) {
            fpfmt_policy policy = { .rounding = (uint8_t)(A + i), .random_bits = 2 };
            int count = 0;
            for (uint64_t random = 0; random < 4; random++)
                count += goes_away(half, above_one(10, 4, sixteenths), random, &policy);
            CHECK(count == counts[i][sixteenths] - '0', "%c of %u/16 goes away %d times, not %c",
                  "ABC"[i], sixteenths, count, counts[i][sixteenths]);
        }
}

/* The words that go away are the last ones: the number is found by halving. */
static uint64_t count_away(const fpfmt_format *format, fpfmt_value value,
                           const fpfmt_policy *policy)
{
    uint64_t first = 0, last = UINT64_C(1) << policy->random_bits;
    while (first < last) {
        uint64_t middle = first + (last - first) / 2;
        if (goes_away(format, value, middle, policy))
            last = middle;
        else
            first = middle + 1;
    }
    return (UINT64_C(1) << policy->random_bits) - first;
}

/* The mean bias, in steps, of N random bits at the 2^k distances of k bits: of A
 * -(2^-N - 2^-k) / 2, of B 2^-(k+1), of C none; all three are exact where N >= k. */
static void biases(void)
{
    static const struct {
        unsigned bits, distance_bits;
        int64_t a, b, unit; /* a / unit and b / unit */
    } rows[] = {
        { 1, 3, -3, 1, 16 },        { 2, 4, -3, 1, 32 }, { 4, 12, -255, 1, 8192 },
        { 8, 16, -255, 1, 131072 }, { 16, 16, 0, 0, 1 }, { 8, 5, 0, 0, 1 },
    };
    const fpfmt_format *bfloat = fpfmt_named("bf16");
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        for (unsigned i = 0; i < 3; i++) {
            unsigned bits = rows[row].bits, distance_bits = rows[row].distance_bits;
            fpfmt_policy policy = { .rounding = (uint8_t)(A + i), .random_bits = (uint8_t)bits };
            int64_t sum = 0, expected[] = { rows[row].a, rows[row].b, 0 };
            for (uint64_t n = 0; n < UINT64_C(1) << distance_bits; n++) {
                fpfmt_value value = above_one(7, (int)distance_bits, n);
                sum += (int64_t)(count_away(bfloat, value, &policy) << distance_bits);
                sum -= (int64_t)(n << bits);
            }
            CHECK(sum * rows[row].unit == expected[i] * (INT64_C(1) << (bits + 2 * distance_bits)),
                  "%c of %u bits at distances of %u: %" PRId64 " * 2^-%u", "ABC"[i], bits,
                  distance_bits, sum, bits + 2 * distance_bits);
        }
}

/* For how many of the 2^bits words a number becomes away instead of toward. */
static const struct {
    const char *input, *format;
    uint8_t rounding, bits, overflow;
    uint64_t count, toward, away;
    unsigned toward_flags, away_flags;
    const char *source;
} rows[] = {
    { "65512", "fp16", A, 2, 0, 1, 0x7BFF, 0x7C00, I, O, "a quarter of the step past the maximum" },
    { "65512", "fp16", B, 8, 0, 64, 0x7BFF, 0x7C00, I, O, "north-numerical-computing/cpfloat" },
    { "-65512", "fp16", C, 5, 0, 8, 0xFBFF, 0xFC00, I, O, "the same below" },
    { "65520", "fp16", A, 1, 0, 1, 0x7BFF, 0x7C00, I, O, "half of the step" },
    { "65520", "fp16", EQUAL, 1, 0, 1, 0x7BFF, 0x7C00, I, O, "half of the step" },
    { "65535", "fp16", A, 5, 0, 31, 0x7BFF, 0x7C00, I, O, "31/32 of the step" },
    { "65536", "fp16", A, 5, 0, 0, 0x7C00, 0x7C00, O, O, "the step itself" },
    { "65540", "fp16", A, 5, 0, 2, 0x7C00, 0x7C00, O, O, "past it" },
    { "-1e30", "fp16", EQUAL, 1, 0, 0, 0xFC00, 0xFC00, O, O, "far past it" },
    { "65512", "fp16", A, 2, FPFMT_OVERFLOW_MAX, 1, 0x7BFF, 0x7BFF, I, O, "saturating" },
    { "456", "e4m3", A, 2, 0, 1, 0x7E, 0x7F, I, O, "a quarter of the way to 480: NaN" },
    { "490", "e4m3", A, 2, 0, 1, 0x7F, 0x7F, O, O, "past the code that would be 480" },
    { "6.5", "e2m1", A, 2, 0, 1, 0x7, 0x7, I, O, "FP4 saturates" },
    { "58368", "e5m2", C, 3, 0, 1, 0x7B, 0x7C, I, O, "an eighth of the step to 65536" },

    { "0x1p-25", "fp16", A, 1, 0, 1, 0x0000, 0x0001, U, U, "milankl/StochasticRounding.jl#62" },
    { "-0x1p-25", "fp16", EQUAL, 1, 0, 1, 0x8000, 0x8001, U, U, "half of the smallest value" },
    { "0x1p-26", "fp16", B, 2, 0, 1, 0x0000, 0x0001, U, U, "a quarter, not surely up: cpfloat" },
    { "0x1p-26", "fp16", B, 1, 0, 1, 0x0000, 0x0001, U, U, "a tie of one bit goes up" },
    { "0x1p-26", "fp16", C, 1, 0, 0, 0x0000, 0x0001, U, U, "a tie of one bit goes to even" },
    { "0x3p-26", "fp16", C, 1, 0, 2, 0x0000, 0x0001, U, U, "a tie of one bit goes to even" },
    { "0x1p-32", "fp16", A, 8, 0, 1, 0x0000, 0x0001, U, U, "the smallest chance of 8 bits" },
    { "0x1p-33", "fp16", A, 8, 0, 0, 0x0000, 0x0001, U, U, "below it" },
    { "-0x1p-11", "e4m3fnuz", A, 1, 0, 1, 0x00, 0x81, U, U, "onnx/onnx#5764: no -0" },
    { "0x201p-42", "dlfloat16", C, 1, 0, 0, 0x0000, 0x0001, U, U, "a quarter of the smallest" },
    { "0x8040000000000001p-96", "dlfloat16", C, 1, 0, 1, 0x0000, 0x0001, U, U, "more by 2^-65" },
    { "-0x1p-129", "binary8p1uf", A, 2, 0, 1, 0x00, 0xFF, U, V, "zero, or refused" },
    { "0x1p-128", "e8m0", EQUAL, 1, 0, 0, 0x00, 0x00, U, U,
      "below the smallest there is one result" },
    { "3", "e8m0", A, 2, 0, 2, 0x80, 0x81, I, I, "between powers of two" },
    { "0x1.4p127", "e8m0", A, 2, 0, 1, 0xFE, 0xFF, I, O, "past the largest power" },

    { "0x1.005p0", "bf16", A, 2, 0, 0, 0x3F80, 0x3F81, I, I, "below a quarter" },
    { "193/192", "bf16", A, 2, 0, 2, 0x3F80, 0x3F81, I, I, "2/3 of a step" },
    { "385/384", "bf16", A, 2, 0, 1, 0x3F80, 0x3F81, I, I, "graphcore-research/gfloat#36" },
    { "385/384", "bf16", C, 2, 0, 1, 0x3F80, 0x3F81, I, I, "graphcore-research/gfloat#36" },
    { "385/384", "bf16", B, 3, 0, 3, 0x3F80, 0x3F81, I, I, "8/3 to nearest" },
    { "1.00003", "bf16", A, 8, 0, 0, 0x3F80, 0x3F81, I, I, "stagnation below 2^-15" },
    { "1.000031", "bf16", A, 8, 0, 1, 0x3F80, 0x3F81, I, I, "and above" },
    { "1.000015", "bf16", C, 8, 0, 0, 0x3F80, 0x3F81, I, I, "stagnation below 2^-16" },
    { "-1.609375", "int8f6", A, 1, 0, 0, 0x99, 0x99, 0, 0, "two's complement, exact" },
    { "-6593/4096", "int8f6", A, 6, 0, 1, 0x99, 0x98, I, I, "away is down" },
    { "-2.0078125", "int8f6", A, 1, 0, 1, 0x80, 0x80, I, O, "the lowest code" },
};

static void counted_words(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fpfmt_format *format = fpfmt_named(rows[i].format);
        fpfmt_policy policy = { .rounding = rows[i].rounding,
                                .random_bits = rows[i].bits,
                                .overflow = rows[i].overflow };
        size_t length = strlen(rows[i].input);
        fpfmt_value value = { .kind = FPFMT_KIND_ZERO };
        if (!CHECK(format != NULL, "no format %s", rows[i].format) ||
            !CHECK(fpfmt_parse(&value, rows[i].input, length, NULL) == length, "%s is no number",
                   rows[i].input))
            continue;
        for (uint64_t random = 0; random < UINT64_C(1) << rows[i].bits; random++) {
            bool away = random >= (UINT64_C(1) << rows[i].bits) - rows[i].count;
            unsigned flags = 0, expected_flags = away ? rows[i].away_flags : rows[i].toward_flags;
            uint64_t code = fpfmt_encode_random(format, value, random, &policy, &flags);
            CHECK(code == (away ? rows[i].away : rows[i].toward) && flags == expected_flags,
                  "%s as %s, mode %d, R %" PRIu64 " of %d bits: 0x%" PRIx64 " flags %x (%s)",
                  rows[i].input, rows[i].format, rows[i].rounding, random, rows[i].bits, code,
                  flags, rows[i].source);
        }
    }
}

/* All words, or those that a sum might get wrong. */
static void check_stays(const fpfmt_format *format, uint64_t code)
{
    static const uint64_t words[] = { 0, 1, UINT64_C(1) << 63, UINT64_MAX };
    fpfmt_value value = fpfmt_decode(format, code);
    unsigned flags = 0;
    uint64_t settled = fpfmt_encode(format, value, NULL, &flags);
    for (unsigned mode = FPFMT_ROUND_STOCHASTIC; mode < FPFMT_ROUND_COUNT; mode++)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            fpfmt_policy policy = { .rounding = (uint8_t)mode, .random_bits = 1 + code % 32 };
            unsigned raised = 0;
            uint64_t got = fpfmt_encode_random(format, value, words[i], &policy, &raised);
            CHECK(got == settled && raised == flags,
                  "%s: 0x%" PRIx64 " becomes 0x%" PRIx64 " flags %x, mode %u, R %" PRIx64,
                  format->name, code, got, raised, mode, words[i]);
        }
}

/* Zeros, infinities and NaN too. What they become is what nearest makes of them. */
static void exact_values(void)
{
    const oracle_format *reference;
    for (size_t i = 0; (reference = small_format(i)) != NULL; i++) {
        fpfmt_format format = found(reference);
        uint64_t stride = reference->bits > 12 ? 7 : 1;
        for (uint64_t code = 0; code >> reference->bits == 0; code += stride * SAMPLE)
            check_stays(&format, code);
    }
    for (int n = 0; n < 4000; n += SAMPLE) {
        const oracle_format *large = oracle_named(n % 2 ? "fp64" : "fp32");
        fpfmt_format format = found(large);
        check_stays(&format, sample_code(large, (unsigned)n));
    }
}

/* From fp32, for any word: what is special stays so. */
static void specials(void)
{
    static const struct {
        uint64_t code;
        const char *format;
        uint64_t expected;
        unsigned flags;
        const char *source;
    } cases[] = {
        { 0x7F800000, "bf16", 0x7F80, 0, "milankl/StochasticRounding.jl#48: Inf" },
        { 0xFF800000, "fp16", 0xFC00, 0, "milankl/StochasticRounding.jl#48: -Inf" },
        { 0x7F800000, "e4m3", 0x7F, O, "Inf where there is none" },
        { 0x3F800000, "bf16", 0x3F80, 0, "meta-pytorch/torchcomms#821: 1" },
        { 0x7F800001, "bf16", 0x7FC0, V, "meta-pytorch/torchcomms#821: NaN that signals" },
        { 0xFF812345, "bf16", 0xFFC1, V, "the payload's top bits stay" },
        { 0x7FFFFFFF, "bf16", 0x7FFF, 0, "no carry out of a payload" },
        { 0x7FFFFFFF, "fp16", 0x7FFF, 0, "no carry out of a payload" },
        { 0xFFFFFFFF, "e4m3", 0xFF, 0, "one NaN of each sign" },
        { 0x7FC00000, "e4m3fnuz", 0x80, 0, "one NaN" },
        { 0x7FC00000, "e2m1", 0x7, V, "no NaN" },
        { 0x80000000, "fp16", 0x8000, 0, "-0" },
        { 0x80000000, "e4m3fnuz", 0x00, 0, "no -0" },
        { 0x00000000, "e8m0", 0x00, U, "no zero" },
    };
    const fpfmt_format *single = fpfmt_named("fp32");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned n = 0; n < 5 * 256; n++) {
            fpfmt_policy policy = { .rounding = (uint8_t)(EXACT + n % 5), .random_bits = 8 };
            uint64_t random = n / 5 == 255 ? UINT64_MAX : random_word() << 8 | n / 5;
            unsigned flags = 0;
            uint64_t code =
                fpfmt_encode_random(fpfmt_named(cases[i].format),
                                    fpfmt_decode(single, cases[i].code), random, &policy, &flags);
            CHECK(code == cases[i].expected && flags == cases[i].flags,
                  "fp32:0x%" PRIX64 " as %s, mode %d, R %" PRIx64 ": 0x%" PRIx64 " flags %x (%s)",
                  cases[i].code, cases[i].format, policy.rounding, random, code, flags,
                  cases[i].source);
        }
}

/* A tail that was cut is inexact, too small to have a chance of its own, and breaks C's ties. */
static void cut_tails(void)
{
    const fpfmt_format *half = fpfmt_named("fp16");
    fpfmt_value value = above_one(10, 2, 1);
    value.inexact = true;
    CHECK(goes_away(half, value, 1, &(fpfmt_policy){ .rounding = C, .random_bits = 1 }),
          "a quarter and a tail round to a half");
    value = above_one(10, 0, 0);
    value.inexact = true;
    for (unsigned mode = EXACT; mode < FPFMT_ROUND_COUNT; mode++) {
        fpfmt_policy policy = { .rounding = (uint8_t)mode, .random_bits = 32 };
        unsigned flags = 0;
        uint64_t code = fpfmt_encode_random(half, value, UINT64_MAX, &policy, &flags);
        CHECK(code == (mode == EQUAL ? 0x3C01 : 0x3C00) && flags == I,
              "1 and a tail, mode %u: 0x%" PRIx64 " flags %x", mode, code, flags);
    }
}

/* Doubles far below e4m3's smallest value 2^-9 that are half a unit of N random bits of it, and a
 * bit more that lies past the first 64 bits of the step: no ties. Kernels keep 64 bits. The words
 * that tell are 1 of 2^N, which so many elements have. */
static void halves_and_more(void)
{
    enum { ELEMENTS = 1 << 12, TURNS = 32 };
    static double values[ELEMENTS];
    static uint8_t codes[ELEMENTS];
    const fpfmt_format *format = fpfmt_named("e4m3");
    const fpfmt_kernels *set;
    size_t away = 0;
    for (unsigned bits = 12; bits <= 14; bits++) {
        fpfmt_policy policy = { .rounding = C, .random_bits = (uint8_t)bits, .seed = 7 };
        double half = ldexp(1, -10 - (int)bits), more = ldexp(1, -10 - 64);
        for (size_t i = 0; i < ELEMENTS; i++)
            values[i] = half + (i % 2 == 0 ? more : 0);
        for (size_t kind = 0; (set = fpfmt_kernels_at(kind)) != NULL; kind++) {
            fpfmt_plan plan;
            if (!fpfmt_kernels_run_here(set) || !fpfmt_prepare(&plan, format, &policy, set))
                continue;
            for (uint64_t first = 0; first < (uint64_t)ELEMENTS * TURNS; first += ELEMENTS) {
                fpfmt_plan_encode_f64(&plan, codes, values, ELEMENTS, first, NULL);
                for (size_t i = 0; i < ELEMENTS; i++) {
                    uint64_t random = fpfmt_random_bits(first + i, &policy);
                    uint64_t code = fpfmt_encode_random(format, fpfmt_from_f64(values[i]), random,
                                                        &policy, NULL);
                    away += code;
                    CHECK(codes[i] == code, "%a, N %u, index %" PRIu64 ", %s: 0x%x, not 0x%" PRIx64,
                          values[i], bits, first + i, fpfmt_kernels_name(set), codes[i], code);
                }
            }
        }
    }
    CHECK(away > 0, "none of the values went away");
}

/* Modes without chance take no notice of the word, nor does a NULL policy; flags are OR-ed. */
static void arguments(void)
{
    const fpfmt_format *half = fpfmt_named("fp16");
    fpfmt_value third = fpfmt_from_f64(1.0 / 3);
    unsigned flags = V;
    CHECK(fpfmt_encode_random(half, third, UINT64_MAX, NULL, &flags) == 0x3555 && flags == (V | I),
          "1/3 under a NULL policy, flags %x", flags);
    for (unsigned mode = 0; mode < FPFMT_ROUND_DETERMINISTIC_COUNT; mode++) {
        fpfmt_policy policy = { .rounding = (uint8_t)mode, .random_bits = 8, .seed = 1 };
        uint64_t code = fpfmt_encode(half, third, &policy, NULL);
        CHECK(fpfmt_encode_random(half, third, 0, &policy, NULL) == code &&
                  fpfmt_encode_random(half, third, UINT64_MAX, &policy, NULL) == code,
              "mode %u heeds the random word", mode);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "two random bits move as many of sixteen distances as published", two_bits },
        { "the mean biases of A, B and C are the published ones, exactly", biases },
        { "overflow, underflow and few bits have their chances, words counted", counted_words },
        { "exact values never move", exact_values },
        { "Inf, NaN and zero stay what they are", specials },
        { "cut tails count without a chance of their own", cut_tails },
        { "arrays of doubles see that half of a unit and a bit far below is no tie",
          halves_and_more },
        { "modes without chance take no notice of the random word", arguments },
    };
    return run_tests("chances", tests, sizeof tests / sizeof tests[0]);
}
