/* test_any_format.c - rows and policies at random: arrays give what single values do
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { COUNT = 300 };

static unsigned below(unsigned n)
{
    return (unsigned)(random_bits_64() >> 32) % n;
}

/* A bias of the usual kind, near what puts an end of the format on an end of a carrier, or any. */
static int random_bias(int exponent_bits)
{
    int half = exponent_bits == 0 ? 0 : (1 << (exponent_bits - 1)) - 1;
    int near = (int)below(7) - 3;
    switch (below(4)) {
    case 0: return half;
    case 1: return half + near;
    case 2: return 127 + near + ((int)below(3) - 2) * (half + 1);
    default: return (int)below(2200) - 1100;
    }
}

/* A sound row with fields of any size and kind. */
static fpfmt_format random_format(void)
{
    for (;;) {
        fpfmt_format it = {
            .name = "random",
            .sign_bits = (uint8_t)below(2),
            .exponent_bits = (uint8_t)below(12),
            .fraction_bits = (uint8_t)below(below(2) ? 31 : 12),
            .nans = (uint8_t)below(4),
            .infinity = (uint8_t)below(3),
            .exponent_zero = (uint8_t)(below(16) == 0 ? 1 + below(2) : 0),
            .overflow = (uint8_t)(1 + below(4)),
            .tie = below(16) == 0,
        };
        it.bias = random_bias(it.exponent_bits);
        if (it.nans == FPFMT_NANS_IEEE || it.infinity == FPFMT_INFINITY_IEEE)
            it.nans = FPFMT_NANS_IEEE, it.infinity = FPFMT_INFINITY_IEEE;
        if (fpfmt_defect(&it) == NULL)
            return it;
    }
}

static fpfmt_policy random_policy(void)
{
    return (fpfmt_policy){
        .rounding = (uint8_t)below(below(4) ? FPFMT_ROUND_DETERMINISTIC_COUNT : FPFMT_ROUND_COUNT),
        .overflow = (uint8_t)below(FPFMT_OVERFLOW_COUNT),
        .overflow_test = below(4) == 0,
        .subnormal = (uint8_t)(below(3) ? 0 : below(4)),
        .nan = (uint8_t)(below(3) ? 0 : below(FPFMT_NAN_COUNT)),
        .negative = (uint8_t)below(3),
        .tininess = (uint8_t)below(2),
        .random_bits = (uint8_t)(below(3) ? 1 + below(32) : 32),
        .seed = random_bits_64(),
        .first = random_bits_64() >> below(64),
    };
}

static void try_call(array_call *call, const fpfmt_format *format, const fpfmt_format *source,
                     const fpfmt_policy *policy)
{
    static unsigned char in[8 * COUNT], out[8 * COUNT];
    static uint64_t expected[COUNT];
    size_t n = 1 + below(COUNT), first = below(1000), in_bytes, out_bytes;
    unsigned all = 0;
    for (size_t s = 0; set_here(s) != NULL; s++) {
        unsigned flags = 0;
        if (!prepare_call(call, format, source, policy, set_here(s)))
            return;
        in_bytes = input_bytes(call);
        out_bytes = output_bytes(call);
        if (s == 0)
            fill_call_input(call, in, n);
        for (size_t i = 0; s == 0 && i < n; i++)
            expected[i] =
                expected_of_call(call, load_word(in + i * in_bytes, in_bytes), first + i, &all);
        for (int flagged = 0; flagged < 2; flagged++) {
            memset(out, 0, sizeof out);
            run_call(call, out, in, n, first, flagged ? &flags : NULL);
            for (size_t i = 0; i < n; i++) {
                uint64_t got = load_word(out + i * out_bytes, out_bytes);
                CHECK(got == expected[i],
                      "%s %s of s%d e%d m%d b%d nans %d inf %d zero %d over %d tie %d, mode %d(%d) "
                      "over %d test %d sub %d nan %d neg %d tiny %d: %" PRIx64 " gives %" PRIx64
                      ", not %" PRIx64,
                      fpfmt_kernels_name(set_here(s)), operation_name(call), format->sign_bits,
                      format->exponent_bits, format->fraction_bits, format->bias, format->nans,
                      format->infinity, format->exponent_zero, format->overflow, format->tie,
                      policy->rounding, policy->random_bits, policy->overflow,
                      policy->overflow_test, policy->subnormal, policy->nan, policy->negative,
                      policy->tininess, load_word(in + i * in_bytes, in_bytes), got, expected[i]);
            }
        }
        CHECK(flags == all, "%s %s of e%d m%d b%d, mode %d raises %u, not %u",
              fpfmt_kernels_name(set_here(s)), operation_name(call), format->exponent_bits,
              format->fraction_bits, format->bias, policy->rounding, flags, all);
    }
}

static void any_row(void)
{
    unsigned rows = is_exhaustive() ? 100000 : 3000 / SAMPLE;
    static array_call call;
    for (unsigned i = 0; i < rows; i++) {
        fpfmt_format format = random_format(), source = random_format();
        fpfmt_policy policy = random_policy();
        for (size_t k = 0; array_operation(&call, k); k++)
            try_call(&call, &format, &source, &policy);
    }
    printf("# %u rows, each with a policy of its own\n", rows);
}

int main(void)
{
    static const struct test tests[] = {
        { "arrays of any row under any policy are as their elements, in every set", any_row },
    };
    return run_tests("any_format", tests, sizeof tests / sizeof tests[0]);
}
