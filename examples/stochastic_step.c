/* A weight in bf16 and updates too small for it: nearest even loses them all, stochastic rounding
 * keeps them on average, and an FP32 master copy keeps them exactly.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt.h>
#include <stdio.h>

enum { STEPS = 1000 };

int main(void)
{
    const fpfmt_format *bf16 = fpfmt_named("bf16"), *fp32 = fpfmt_named("fp32");
    fpfmt_value update = fpfmt_from_f32(1e-3f);
    uint64_t nearest = 0x3f80, stochastic = 0x3f80, master = 0x3f800000; /* 1.0 in each */
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC_A, .random_bits = 16, .seed = 1 };
    char text[3][64];

    for (int step = 0; step < STEPS; step++) {
        policy.first = (uint64_t)step; /* other random bits for each step, the same in every run */
        nearest = fpfmt_add(bf16, fpfmt_decode(bf16, nearest), update, NULL, NULL);
        stochastic = fpfmt_add(bf16, fpfmt_decode(bf16, stochastic), update, &policy, NULL);
        master = fpfmt_add(fp32, fpfmt_decode(fp32, master), update, NULL, NULL);
    }
    fpfmt_print_exact(text[0], sizeof text[0], fpfmt_decode(bf16, nearest));
    fpfmt_print_exact(text[1], sizeof text[1], fpfmt_decode(bf16, stochastic));
    fpfmt_print_exact(text[2], sizeof text[2], fpfmt_decode(fp32, master));
    printf("1 + %d x 0.001\n  bf16, nearest even  %s\n  bf16, stochastic    %s\n"
           "  fp32 master copy    %s\n",
           STEPS, text[0], text[1], text[2]);
}
