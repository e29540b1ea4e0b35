/* array_sets.c - every set of kernels against the scalar functions, codes, values and flags
 * SPDX-License-Identifier: MIT */

#include "array_sets.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

/* Of each combination of format, policy and mode, 10240 elements go through each set, in four
 * calls: to codes and to values, from both carriers. Of a call: elements in all, those of them that
 * the scalar functions are asked about, and those converted alone, for their flags. An instrumented
 * build takes every SAMPLE-th combination; there are 11 * 17 of a format, so that each policy and
 * each mode has its turn. */
enum { COUNT = 2560, ASKED = 256, ALONE = 16, FIRST = 5 };

static struct {
    array_call call;
    unsigned char in[8 * COUNT], first[8 * COUNT], out[8 * COUNT];
} the;

static void describe(char text[160])
{
    const fpfmt_policy *policy = &the.call.plan.policy;
    snprintf(text, 160, "%s %s %s mode %d bits %d overflow %d test %d sub %d nan %d tiny %d",
             fpfmt_kernels_name(the.call.plan.set), operation_name(&the.call),
             the.call.plan.format.name, policy->rounding, policy->random_bits, policy->overflow,
             policy->overflow_test, policy->subnormal, policy->nan, policy->tininess);
}

/* Elements from start of what the first set made, and the flags of some converted alone. */
static void ask(size_t start)
{
    size_t in_bytes = input_bytes(&the.call), out_bytes = output_bytes(&the.call);
    char text[160];
    describe(text);
    for (size_t i = start; i < start + ASKED; i++) {
        unsigned flags = 0, alone = 0;
        const unsigned char *at = the.in + i * in_bytes;
        uint64_t word = load_word(at, in_bytes),
                 got = load_word(the.first + i * out_bytes, out_bytes);
        uint64_t expected = expected_of_call(&the.call, word, FIRST + i, &flags);
        CHECK(got == expected, "%s: %" PRIx64 " gives %" PRIx64 ", not %" PRIx64, text, word, got,
              expected);
        if (i - start >= ALONE)
            continue;
        run_call(&the.call, the.out, at, 1, FIRST + i, &alone);
        CHECK(alone == flags, "%s: %" PRIx64 " raises %u, not %u", text, word, alone, flags);
    }
}

/* The rest of the sets: the first one's bits and flags, all together and of some alone. */
static void follow(size_t start, unsigned flags)
{
    size_t in_bytes = input_bytes(&the.call), out_bytes = output_bytes(&the.call);
    unsigned raised = 0;
    char text[160];
    describe(text);
    run_call(&the.call, the.out, the.in, COUNT, FIRST, NULL);
    CHECK(memcmp(the.out, the.first, COUNT * out_bytes) == 0, "%s differs from the first set",
          text);
    memset(the.out, 0, sizeof the.out);
    run_call(&the.call, the.out, the.in, COUNT, FIRST, &raised);
    CHECK(memcmp(the.out, the.first, COUNT * out_bytes) == 0, "%s with flags differs", text);
    CHECK(raised == flags, "%s raises %u, not %u", text, raised, flags);
    for (size_t i = start; i < start + ALONE; i++) {
        unsigned alone = 0, expected = 0;
        uint64_t word = load_word(the.in + i * in_bytes, in_bytes);
        run_call(&the.call, the.out, the.in + i * in_bytes, 1, FIRST + i, &alone);
        expected_of_call(&the.call, word, FIRST + i, &expected);
        CHECK(alone == expected, "%s: %" PRIx64 " raises %u, not %u", text, word, alone, expected);
    }
}

static void try_sets(const fpfmt_format *format, const fpfmt_policy *policy, size_t start)
{
    unsigned flags = 0;
    if (!prepare_call(&the.call, format, NULL, policy, set_here(0)))
        return;
    run_call(&the.call, the.first, the.in, COUNT, FIRST, &flags);
    run_call(&the.call, the.out, the.in, COUNT, FIRST, NULL);
    CHECK(memcmp(the.out, the.first, COUNT * output_bytes(&the.call)) == 0,
          "%s is not the same without flags", format->name);
    ask(start);
    for (size_t s = 1; set_here(s) != NULL; s++) {
        prepare_call(&the.call, format, NULL, policy, set_here(s));
        follow(start, flags);
    }
}

void test_rounding(int operation, size_t bytes)
{
    fpfmt_format format;
    fpfmt_policy policy;
    size_t combinations = 0;
    the.call.operation = operation;
    the.call.bytes = bytes;
    for (size_t f = 0; array_format(&format, f); f++) {
        fill_carriers(the.in, bytes, COUNT, &format);
        for (size_t p = 0; array_policy(&policy, p); p++)
            for (size_t m = 0; array_mode(&policy, m); m++, combinations++)
                if (combinations % SAMPLE == 0)
                    try_sets(&format, &policy, combinations * 61 % (COUNT - ASKED));
    }
    printf("# %zu combinations of %d elements, in each set\n", combinations / SAMPLE, COUNT);
}

static bool decode(const fpfmt_plan *plan, size_t bytes, void *values, const void *codes, size_t n,
                   unsigned *flags)
{
    return bytes == 4 ? fpfmt_plan_decode_f32(plan, values, codes, n, flags)
                      : fpfmt_plan_decode_f64(plan, values, codes, n, flags);
}

/* All codes of up to 16 bits, or some of more, to what the scalar functions make of each. */
static void decode_all(const fpfmt_format *format, const fpfmt_policy *policy, size_t bytes)
{
    static unsigned char codes[65536 * 8], expected[65536 * 8], values[65536 * 8];
    size_t width = code_bytes(format), n = width == 1 ? 256 : width == 2 ? 65536 / SAMPLE : 8192;
    unsigned all = 0;
    fpfmt_plan plan;
    for (size_t i = 0; i < n; i++) {
        store_word(codes + i * width, width <= 2 ? i : random_bits_64(), width);
        uint64_t code = load_word(codes + i * width, width);
        store_word(expected + i * bytes, expected_decoded(format, policy, code, bytes, &all),
                   bytes);
    }
    for (size_t s = 0; set_here(s) != NULL; s++) {
        unsigned flags = 0;
        CHECK(fpfmt_prepare(&plan, format, policy, set_here(s)), "%s is not prepared",
              format->name);
        for (int flagged = 0; flagged < 2; flagged++) {
            memset(values, 0, sizeof values);
            decode(&plan, bytes, values, codes, n, flagged ? &flags : NULL);
            for (size_t i = 0; i < n; i++)
                CHECK(memcmp(values + i * bytes, expected + i * bytes, bytes) == 0,
                      "%s %s nan %d: %" PRIx64 " is %" PRIx64 ", not %" PRIx64,
                      fpfmt_kernels_name(plan.set), format->name, policy->nan,
                      load_word(codes + i * width, width), load_word(values + i * bytes, bytes),
                      load_word(expected + i * bytes, bytes));
        }
        CHECK(flags == all, "%s decode raises %u, not %u", format->name, flags, all);
    }
}

void test_decode(size_t bytes)
{
    fpfmt_format format;
    fpfmt_policy policy;
    for (size_t f = 0; array_format(&format, f); f++)
        for (size_t p = 0; holds(bytes, &format) && array_policy(&policy, p); p++)
            decode_all(&format, &policy, bytes);
}
