/* Prints one dot product of bf16 values four ways: exactly, by fused multiply-adds in fp32 and in
 * bf16, and as a Hopper tensor core sums it up.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt.h>
#include <stdio.h>

enum { COUNT = 1024 };

/* The bf16 nearest to a number that the seed and the index decide, from 0 to below 1. */
static uint16_t some_value(uint64_t seed, uint64_t index)
{
    const fpfmt_policy source = { .rounding = FPFMT_ROUND_STOCHASTIC_A,
                                  .random_bits = 32,
                                  .seed = seed };
    fpfmt_value value = fpfmt_from_u64(fpfmt_random_bits(index, &source));
    value.exponent -= 32;
    return (uint16_t)fpfmt_encode(fpfmt_named("bf16"), value, NULL, NULL);
}

int main(void)
{
    static const struct {
        const char *accumulator, *format, *what;
    } ways[] = {
        { "exact", "fp32", "all products, one rounding" },
        { "fma", "fp32", "one by one in fp32" },
        { "fma", "bf16", "one by one in bf16" },
        { "nv-hopper", "fp32", "groups of 16 on a Hopper" },
    };
    const fpfmt_format *bf16 = fpfmt_named("bf16");
    uint16_t a[COUNT], b[COUNT];
    char result[40];

    for (size_t i = 0; i < COUNT; i++) {
        a[i] = some_value(1, i);
        b[i] = some_value(2, i);
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const fpfmt_format *to = fpfmt_named(ways[i].format);
        fpfmt_accumulator how;
        fpfmt_find_accumulator(&how, ways[i].accumulator, to, bf16, bf16);
        uint64_t code =
            fpfmt_dot(to, &how, 0, (fpfmt_series){ .format = bf16, .codes = a, .stride = 1 },
                      (fpfmt_series){ .format = bf16, .codes = b, .stride = 1 }, COUNT, NULL, NULL);
        fpfmt_print_shortest(result, sizeof result, to, code);
        printf("%-27s  %-9s  %s:0x%0*llx\n", ways[i].what, result, to->name,
               fpfmt_measure(to).width / 4, (unsigned long long)code);
    }
}
