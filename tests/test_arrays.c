/* test_arrays.c - every set of kernels against the scalar functions, codes, values and flags
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { COUNT = 1024, FIRST = 5 };

/* One combination, and its inputs and results. */
static struct {
    fpfmt_format format;
    fpfmt_policy policy;
    size_t bytes; /* of the carrier */
    uint64_t in[COUNT], codes[COUNT], values[COUNT];
    unsigned flags[COUNT];
    unsigned char packed_in[8 * COUNT], out[8 * COUNT];
} the;

static void expect_all(size_t n)
{
    fill_carriers(the.packed_in, the.bytes, n, &the.format);
    for (size_t i = 0; i < n; i++) {
        the.in[i] = load_word(the.packed_in + i * the.bytes, the.bytes);
        the.flags[i] = 0;
        the.codes[i] = expected_code(&the.format, &the.policy, the.in[i], the.bytes, FIRST + i,
                                     &the.flags[i]);
        the.values[i] = expected_value(&the.format, &the.policy, the.codes[i], the.bytes);
    }
}

static bool encode(const fpfmt_plan *plan, void *out, const void *in, size_t n, uint64_t first,
                   unsigned *flags)
{
    return the.bytes == 4 ? fpfmt_plan_encode_f32(plan, out, in, n, first, flags)
                          : fpfmt_plan_encode_f64(plan, out, in, n, first, flags);
}

static bool round_to(const fpfmt_plan *plan, void *out, const void *in, size_t n, uint64_t first,
                     unsigned *flags)
{
    return the.bytes == 4 ? fpfmt_plan_round_f32(plan, out, in, n, first, flags)
                          : fpfmt_plan_round_f64(plan, out, in, n, first, flags);
}

static void compare(const fpfmt_plan *plan, const char *what, const uint64_t *expected,
                    size_t bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t got = load_word(the.out + i * bytes, bytes);
        CHECK(got == expected[i],
              "%s %s %s mode %d bits %d overflow %d sub %d nan %d: %0*" PRIx64 " gives %" PRIx64
              ", not %" PRIx64,
              fpfmt_kernels_name(plan->set), what, the.format.name, the.policy.rounding,
              the.policy.random_bits, the.policy.overflow, the.policy.subnormal, the.policy.nan,
              (int)(2 * the.bytes), the.in[i], got, expected[i]);
    }
}

/* Flags of single elements, as many calls. */
static void compare_flags(const fpfmt_plan *plan, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned flags = 0, again = 0;
        const unsigned char *in = the.packed_in + i * the.bytes;
        encode(plan, the.out, in, 1, FIRST + i, &flags);
        CHECK(flags == the.flags[i],
              "%s %s mode %d overflow %d sub %d nan %d tiny %d: %" PRIx64 " raises %u, not %u",
              fpfmt_kernels_name(plan->set), the.format.name, the.policy.rounding,
              the.policy.overflow, the.policy.subnormal, the.policy.nan, the.policy.tininess,
              the.in[i], flags, the.flags[i]);
        if (holds(the.bytes, &the.format)) {
            round_to(plan, the.out, in, 1, FIRST + i, &again);
            CHECK(again == flags, "round raises %u, encode %u", again, flags);
        }
    }
}

static void try_sets(size_t n)
{
    bool carried = holds(the.bytes, &the.format);
    fpfmt_plan plan;
    for (size_t s = 0; fpfmt_kernels_at(s) != NULL; s++) {
        unsigned flags = 0, all = 0;
        if (!fpfmt_kernels_run_here(fpfmt_kernels_at(s)))
            continue;
        CHECK(fpfmt_prepare(&plan, &the.format, &the.policy, fpfmt_kernels_at(s)), "not prepared");
        for (size_t i = 0; i < n; i++)
            all |= the.flags[i];
        CHECK(encode(&plan, the.out, the.packed_in, n, FIRST, NULL), "encode refused");
        compare(&plan, "encode", the.codes, code_bytes(&the.format), n);
        CHECK(encode(&plan, the.out, the.packed_in, n, FIRST, &flags), "encode refused");
        compare(&plan, "encode with flags", the.codes, code_bytes(&the.format), n);
        CHECK(flags == all, "%s: flags %u, not %u", the.format.name, flags, all);
        if (carried) {
            CHECK(round_to(&plan, the.out, the.packed_in, n, FIRST, NULL), "round refused");
            compare(&plan, "round", the.values, the.bytes, n);
            CHECK(round_to(&plan, the.out, the.packed_in, n, FIRST, &flags), "round refused");
            compare(&plan, "round with flags", the.values, the.bytes, n);
        }
        compare_flags(&plan, n < 64 ? n : 64);
    }
}

static void test_encode(size_t bytes)
{
    size_t combinations = 0, n = is_exhaustive() ? COUNT : COUNT / (SAMPLE > 1 ? 8 : 1);
    the.bytes = bytes;
    for (size_t f = 0; array_format(&the.format, f); f++)
        for (size_t p = 0; array_policy(&the.policy, p); p++)
            for (size_t m = 0; array_mode(&the.policy, m); m++) {
                expect_all(n);
                try_sets(n);
                combinations++;
            }
    printf("# %zu combinations of %zu elements\n", combinations, n);
}

static void encodes_f32(void)
{
    test_encode(4);
}

static void encodes_f64(void)
{
    test_encode(8);
}

static bool decode(const fpfmt_plan *plan, size_t bytes, void *values, const void *codes, size_t n,
                   unsigned *flags)
{
    return bytes == 4 ? fpfmt_plan_decode_f32(plan, values, codes, n, flags)
                      : fpfmt_plan_decode_f64(plan, values, codes, n, flags);
}

/* All codes of up to 16 bits, or as many of more. */
static void test_decode(size_t bytes)
{
    static unsigned char codes[65536 * 8], values[2][65536 * 8];
    fpfmt_plan plan;
    for (size_t f = 0; array_format(&the.format, f); f++) {
        size_t width = code_bytes(&the.format), n = width == 1 ? 256 : 65536 / SAMPLE;
        for (size_t i = 0; i < n; i++)
            store_word(codes + i * width, width <= 2 ? i : random_bits_64(), width);
        for (size_t p = 0; array_policy(&the.policy, p); p++)
            for (size_t s = 0; fpfmt_kernels_at(s) != NULL; s++) {
                unsigned flags = 0, all = 0;
                if (!fpfmt_kernels_run_here(fpfmt_kernels_at(s)))
                    continue;
                fpfmt_prepare(&plan, &the.format, &the.policy, fpfmt_kernels_at(s));
                bool held = holds(bytes, &the.format);
                CHECK(decode(&plan, bytes, values[0], codes, n, &flags) == held &&
                          decode(&plan, bytes, values[1], codes, n, NULL) == held,
                      "%s is refused or not", the.format.name);
                for (size_t i = 0; held && i < n; i++) {
                    uint64_t code = load_word(codes + i * width, width), got, other, expected;
                    expected = expected_decoded(&the.format, &the.policy, code, bytes, &all);
                    got = load_word(values[0] + i * bytes, bytes);
                    other = load_word(values[1] + i * bytes, bytes);
                    CHECK(got == expected && other == expected,
                          "%s %s: %" PRIx64 " is %" PRIx64 ", without flags %" PRIx64
                          ", not %" PRIx64,
                          fpfmt_kernels_name(plan.set), the.format.name, code, got, other,
                          expected);
                }
                CHECK(flags == all, "%s decode raises %u, not %u", the.format.name, flags, all);
            }
    }
}

static void decodes_f32(void)
{
    test_decode(4);
}

static void decodes_f64(void)
{
    test_decode(8);
}

int main(void)
{
    static const struct test tests[] = {
        { "float arrays encode and round as their elements do, in every set", encodes_f32 },
        { "double arrays encode and round as their elements do, in every set", encodes_f64 },
        { "codes decode to float as one by one, in every set", decodes_f32 },
        { "codes decode to double as one by one, in every set", decodes_f64 },
    };
    return run_tests("arrays", tests, sizeof tests / sizeof tests[0]);
}
