/* test_random.c - random bits as a function of (seed, index), and the draws made with them
 * SPDX-License-Identifier: MIT
 *
 * The seeds are fixed, so that a draw that passes once always does; the bounds say how rarely a
 * right generator would have failed with another seed. */

#include "runner.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <fpfmt.h>

#include "random.h"

enum { DRAWS = 100000 / SAMPLE };

static const uint64_t seeds[] = { 0, 1, 20240917, UINT64_C(0x123456789ABCDEF0), UINT64_MAX };
enum { SEEDS = sizeof seeds / sizeof seeds[0] };

/* The known answers that the authors of Philox publish with it: counter, key, result. */
static void known_answers(void)
{
    static const struct {
        uint32_t counter[4];
        uint64_t seed;
        uint32_t words[4];
    } answers[] = {
        { { 0, 0, 0, 0 }, 0, { 0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8 } },
        { { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX },
          UINT64_MAX,
          { 0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD } },
        { { 0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344 },
          UINT64_C(0x299F31D0A4093822),
          { 0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1 } },
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        uint32_t counter[4];
        memcpy(counter, answers[i].counter, sizeof counter);
        philox(counter, answers[i].seed);
        for (int word = 0; word < 4; word++)
            CHECK(counter[word] == answers[i].words[word],
                  "answer %zu, word %d is %08" PRIx32 ", not %08" PRIx32, i, word, counter[word],
                  answers[i].words[word]);
    }
    /* The first of them again, as the bits of the first elements under seed 0. */
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC_A, .random_bits = 32 };
    for (uint64_t index = 0; index < 4; index++)
        CHECK(fpfmt_random_bits(index, &policy) == answers[0].words[index],
              "32 bits of element %" PRIu64, index);
    policy.random_bits = 8;
    CHECK(fpfmt_random_bits(1, &policy) == 0xE1, "8 bits are the top ones");
}

/* Word number word of counter {low half of block, high half, variant, 0}. */
static uint32_t word_of(uint64_t seed, uint64_t block, uint32_t variant, unsigned word)
{
    uint32_t counter[4] = { (uint32_t)(block % 0x100000000), (uint32_t)(block / 0x100000000),
                            variant, 0 };
    philox(counter, seed);
    return counter[word];
}

static void check_bits(uint64_t seed, uint64_t index)
{
    fpfmt_policy policy = { .seed = seed, .first = index / 3 }; /* the index is not first's */
    uint64_t word = word_of(seed, index / 4, 0, index % 4);
    uint64_t high = word_of(seed, index / 2, 1, index % 2 == 0 ? 1 : 3);
    uint64_t low = word_of(seed, index / 2, 1, index % 2 == 0 ? 0 : 2);
    for (unsigned mode = 0; mode < FPFMT_ROUND_COUNT; mode++) {
        policy.rounding = (uint8_t)mode;
        for (unsigned bits = 1; bits <= 32; bits++) {
            policy.random_bits = (uint8_t)bits;
            uint64_t expected = mode < FPFMT_ROUND_DETERMINISTIC_COUNT ? 0
                                : mode == FPFMT_ROUND_STOCHASTIC       ? high << 32 | low
                                : mode == FPFMT_ROUND_STOCHASTIC_EQUAL ? high >> 31
                                                                       : word >> (32 - bits);
            uint64_t got = fpfmt_random_bits(index, &policy);
            CHECK(got == expected,
                  "mode %u, %u bits, seed %" PRIu64 ", index %" PRIu64 ": %" PRIx64
                  ", not %" PRIx64,
                  mode, bits, seed, index, got, expected);
        }
    }
}

static void bits_of_elements(void)
{
    for (size_t i = 0; i < SEEDS; i++)
        for (uint64_t n = 0; n < 12; n++) {
            check_bits(seeds[i], n);
            check_bits(seeds[i], UINT64_MAX - n);
            check_bits(seeds[i], (UINT64_C(1) << 33) - 6 + n);
            check_bits(seeds[i], (UINT64_C(1) << 34) - 6 + n);
        }
}

/* One value between neighbours in fp16, at a distance of eighths and of a third. */
static const struct {
    const char *text;
    double distance;
} places[] = {
    { "0x1.0008p0", 1.0 / 8 },    { "-0x1.001p0", 1.0 / 4 }, { "0x1.002p-14", 1.0 / 2 },
    { "-0x0.0038p-14", 7.0 / 8 }, { "1/3", 1.0 / 3 },        { "65512", 1.0 / 4 },
    { "-0x1p-25", 1.0 / 2 },      { "0x1p-27", 1.0 / 8 },    { "65535", 31.0 / 32 },
};
enum { PLACES = sizeof places / sizeof places[0] };

static fpfmt_value value_at(size_t place)
{
    fpfmt_value value = { .kind = FPFMT_KIND_ZERO };
    size_t length = strlen(places[place].text);
    CHECK(fpfmt_parse(&value, places[place].text, length, NULL) == length, "%s is no number",
          places[place].text);
    return value;
}

/* How often a value goes away from zero under one seed by index, and by seed under one index. */
static unsigned count_away(fpfmt_value value, fpfmt_policy policy, bool by_seed)
{
    static const fpfmt_policy away = { .rounding = FPFMT_ROUND_AWAY_FROM_ZERO };
    const fpfmt_format *half = fpfmt_named("fp16");
    uint64_t target = fpfmt_encode(half, value, &away, NULL);
    unsigned count = 0;
    for (unsigned i = 0; i < DRAWS; i++) {
        count += fpfmt_encode(half, value, &policy, NULL) == target;
        *(by_seed ? &policy.seed : &policy.first) += 1;
    }
    return count;
}

static double chance_of(const fpfmt_policy *policy, double distance)
{
    double scale = ldexp(1, policy->random_bits);
    switch (policy->rounding) {
    case FPFMT_ROUND_STOCHASTIC: return distance;
    case FPFMT_ROUND_STOCHASTIC_EQUAL: return 0.5;
    case FPFMT_ROUND_STOCHASTIC_A: return floor(distance * scale) / scale;
    default: return floor(distance * scale + 0.5) / scale; /* no ties of 8 bits among the places */
    }
}

/* A chi-square statistic of one degree of freedom passes 24 once in a million times. */
static void frequencies(void)
{
    for (size_t place = 0; place < PLACES; place++)
        for (unsigned mode = FPFMT_ROUND_STOCHASTIC; mode < FPFMT_ROUND_COUNT; mode++)
            for (unsigned n = 0; n < 2; n++) {
                fpfmt_policy policy = { .rounding = (uint8_t)mode,
                                        .random_bits = 8,
                                        .seed = seeds[(place + mode) % SEEDS] };
                double chance = chance_of(&policy, places[place].distance);
                double mean = DRAWS * chance;
                double off = count_away(value_at(place), policy, n == 1) - mean;
                double statistic = off * off / (mean * (1 - chance));
                CHECK(statistic < 24, "%s in mode %u: %.0f of %d more than expected, by %s",
                      places[place].text, mode, off, DRAWS, n == 1 ? "seed" : "index");
            }
}

/* 16 x 16 cells, by four bits of a draw and of the next one. Of 255 degrees of freedom the
 * statistic lies outside of 165 and 370 six times in a million. */
static void check_cells(const fpfmt_policy *policy, int shift, bool by_seed)
{
    enum { PAIRS = 50000 };
    unsigned cells[256] = { 0 };
    double statistic = 0, mean = PAIRS / 256.0;
    for (unsigned i = 0; i < PAIRS; i++) {
        fpfmt_policy one = *policy, next = *policy;
        one.seed += by_seed ? 2 * i : 0;
        next.seed += by_seed ? 2 * i + 1 : 0;
        uint64_t a = fpfmt_random_bits(by_seed ? 7 : 2 * i, &one);
        uint64_t b = fpfmt_random_bits(by_seed ? 7 : 2 * i + 1, &next);
        cells[(a >> shift) % 16 * 16 + (b >> shift) % 16]++;
    }
    for (int i = 0; i < 256; i++)
        statistic += (cells[i] - mean) * (cells[i] - mean) / mean;
    CHECK(statistic > 165 && statistic < 370, "mode %d, bits %d up, by %s: %.1f", policy->rounding,
          shift, by_seed ? "seed" : "index", statistic);
}

static void independence(void)
{
    for (int by_seed = 0; by_seed < 2; by_seed++)
        for (int shift = 0; shift <= 60; shift += 12) {
            fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = seeds[2] };
            check_cells(&policy, shift, by_seed == 1);
            policy.rounding = FPFMT_ROUND_STOCHASTIC_A;
            policy.random_bits = 32;
            check_cells(&policy, shift % 32, by_seed == 1);
        }
}

/* The same array in three orders, with other draws between. */
static void order(void)
{
    enum { COUNT = 4096, STEP = 1237 };
    static uint64_t codes[COUNT];
    const fpfmt_format *half = fpfmt_named("fp16");
    for (unsigned mode = FPFMT_ROUND_STOCHASTIC; mode < FPFMT_ROUND_COUNT; mode++) {
        fpfmt_policy policy = { .rounding = (uint8_t)mode, .random_bits = 5, .seed = seeds[3] };
        fpfmt_policy other = { .rounding = (uint8_t)mode, .random_bits = 5, .seed = seeds[4] };
        fpfmt_value third = fpfmt_from_f64(1.0 / 3);
        unsigned differs = 0;
        for (policy.first = 0; policy.first < COUNT; policy.first++)
            codes[policy.first] = fpfmt_encode(half, third, &policy, NULL);
        for (unsigned i = 0; i < COUNT; i++) {
            policy.first = i * STEP % COUNT;
            other.first = policy.first;
            differs += fpfmt_encode(half, third, &other, NULL) != codes[other.first];
            CHECK(fpfmt_encode(half, third, &policy, NULL) == codes[policy.first],
                  "mode %u: element %" PRIu64 " comes out otherwise in another order", mode,
                  policy.first);
        }
        CHECK(differs > COUNT / 4, "mode %u: another seed changes %u of %d elements", mode, differs,
              COUNT);
    }
}

/* Whatever rounds takes the bits of the element first. */
static void everywhere(void)
{
    const fpfmt_format *half = fpfmt_named("fp16"), *single = fpfmt_named("fp32");
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    fpfmt_value cut = { .kind = FPFMT_KIND_NORMAL, .significand = UINT64_MAX / 3 * 2 };
    for (unsigned mode = FPFMT_ROUND_STOCHASTIC; mode < FPFMT_ROUND_COUNT; mode++)
        for (uint64_t i = 0; i < 64; i++) {
            fpfmt_policy policy = {
                .rounding = (uint8_t)mode, .random_bits = 6, .seed = seeds[1], .first = i
            };
            uint64_t random = fpfmt_random_bits(i, &policy);
            uint64_t code = fpfmt_encode_random(half, cut, random, &policy, NULL);
            fpfmt_value x = fpfmt_from_f32(1.0F / 3);
            uint64_t third = fpfmt_encode_random(half, x, random, &policy, NULL);
            CHECK(fpfmt_encode(half, cut, &policy, NULL) == code, "encode");
            CHECK(fpfmt_scalb(half, cut, 0, &policy, NULL) == code, "scalb");
            CHECK(fpfmt_explain(half, cut, &policy).code == code, "explain");
            CHECK(fpfmt_convert(half, single, fpfmt_encode(single, x, NULL, NULL), &policy, NULL) ==
                      third,
                  "convert");
            float f = fpfmt_to_f32(cut, &policy, NULL);
            double d = fpfmt_to_f64(cut, &policy, NULL);
            CHECK(fpfmt_encode(single, fpfmt_from_f32(f), NULL, NULL) ==
                      fpfmt_encode_random(single, cut, random, &policy, NULL),
                  "to_f32");
            CHECK(fpfmt_encode(binary64, fpfmt_from_f64(d), NULL, NULL) ==
                      fpfmt_encode_random(binary64, cut, random, &policy, NULL),
                  "to_f64");
        }
}

/* Does a draw of this policy's element first go away, where the distance is this many quarters? */
static bool goes_away(const fpfmt_policy *policy, bool inexact, uint64_t quarters)
{
    uint64_t random = fpfmt_random_bits(policy->first, policy);
    switch (policy->rounding) {
    case FPFMT_ROUND_STOCHASTIC: return quarters > 0 && random >= (4 - quarters) << 62;
    case FPFMT_ROUND_STOCHASTIC_EQUAL: return inexact && random == 1;
    default: return quarters > 0 && random >= 4 - quarters;
    }
}

static void check_integers(fpfmt_value value, uint64_t quarters, bool inexact, fpfmt_policy policy)
{
    fpfmt_policy directed = { .rounding = goes_away(&policy, inexact, quarters)
                                              ? FPFMT_ROUND_AWAY_FROM_ZERO
                                              : FPFMT_ROUND_TOWARD_ZERO };
    unsigned flags[2] = { 0, 0 }, expected[2] = { 0, 0 };
    CHECK(fpfmt_to_i64(value, &policy, &flags[0]) == fpfmt_to_i64(value, &directed, &expected[0]) &&
              flags[0] == expected[0],
          "to_i64 of %016" PRIx64 " * 2^(%d-63) in mode %d: flags %x", value.significand,
          (int)value.exponent, policy.rounding, flags[0]);
    CHECK(fpfmt_to_u64(value, &policy, &flags[1]) == fpfmt_to_u64(value, &directed, &expected[1]) &&
              flags[1] == expected[1],
          "to_u64 of %016" PRIx64 " * 2^(%d-63) in mode %d: flags %x", value.significand,
          (int)value.exponent, policy.rounding, flags[1]);
}

/* Chance decides between the results of the two directed modes, flags included. */
static void integers(void)
{
    enum { N = FPFMT_KIND_NORMAL, S = FPFMT_KIND_SUBNORMAL };
    static const struct {
        fpfmt_value value;
        unsigned quarters;
        bool inexact;
    } rows[] = {
        { { N, false, false, 0, 1, UINT64_C(9) << 60 }, 1, true },    /* 2.25 */
        { { N, true, false, 0, 1, UINT64_C(11) << 60 }, 3, true },    /* -2.75 */
        { { N, false, false, 0, -1, UINT64_C(1) << 63 }, 2, true },   /* 0.5 */
        { { N, true, false, 0, -1, UINT64_C(1) << 63 }, 2, true },    /* -0.5 */
        { { S, true, false, 0, -1000, UINT64_C(1) << 63 }, 0, true }, /* -2^-1000 */
        { { N, true, false, 0, 2, UINT64_C(5) << 61 }, 0, false },    /* -5 */
        { { N, false, false, 0, 62, UINT64_MAX }, 2, true },          /* 2^63 - 0.5 */
        { { N, true, false, 0, 62, UINT64_MAX - 1 }, 0, false },      /* -(2^63 - 1) */
        { { N, true, true, 0, 63, UINT64_C(1) << 63 }, 0, true },     /* below -2^63 */
        { { N, false, true, 0, 63, UINT64_MAX }, 0, true },           /* above 2^64 - 1 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned n = 0; n < 5 * 64; n++)
            check_integers(rows[i].value, rows[i].quarters, rows[i].inexact,
                           (fpfmt_policy){ .rounding = (uint8_t)(FPFMT_ROUND_STOCHASTIC + n % 5),
                                           .random_bits = 2,
                                           .first = n / 5 });
    fpfmt_policy draw = { .rounding = FPFMT_ROUND_STOCHASTIC_A, .random_bits = 1 };
    while (fpfmt_random_bits(draw.first, &draw) == 0)
        draw.first++;
    unsigned flags = 0;
    CHECK(fpfmt_to_i64(rows[6].value, &draw, &flags) == INT64_MAX && flags == FPFMT_FLAG_INVALID,
          "2^63 - 0.5 going away: flags %x", flags);
    flags = 0;
    CHECK(fpfmt_to_u64(rows[6].value, &draw, &flags) == UINT64_C(1) << 63 &&
              flags == FPFMT_FLAG_INEXACT,
          "2^63 - 0.5 going away, unsigned: flags %x", flags);
}

int main(void)
{
    static const struct test tests[] = {
        { "Philox4x32-10 gives its published answers", known_answers },
        { "the bits of an element are the promised words of (seed, index)", bits_of_elements },
        { "every function that rounds takes the bits of the element first", everywhere },
        { "the order of the elements and other draws change nothing", order },
        { "draws go away from zero as often as their chance", frequencies },
        { "draws that follow one another are independent", independence },
        { "integers are drawn between the two directed results", integers },
    };
    return run_tests("random", tests, sizeof tests / sizeof tests[0]);
}
