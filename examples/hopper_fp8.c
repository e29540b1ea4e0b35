/* Shows where a Hopper tensor core loses 6.6 % of a dot product of 4096 FP8 values, and what adding
 * its sum to one in fp32 after every 128 products, as DeepSeek-V3 does, gives back.
 *
 * A group keeps 13 fraction bits below its largest term, and soon that is the sum so far: from 8192
 * on its unit is 1, and products below 1 are cut to 0.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt.h>
#include <stdio.h>

enum { MOST = 16384 };

/* n products as an accumulator sums them up, in fp32. */
static double sum_up(const char *accumulator, const uint8_t *a, const uint8_t *b, size_t n)
{
    const fpfmt_format *e4m3 = fpfmt_named("e4m3"), *fp32 = fpfmt_named("fp32");
    fpfmt_accumulator how;
    fpfmt_find_accumulator(&how, accumulator, fp32, e4m3, e4m3);
    uint64_t code =
        fpfmt_dot(fp32, &how, 0, (fpfmt_series){ .format = e4m3, .codes = a, .stride = 1 },
                  (fpfmt_series){ .format = e4m3, .codes = b, .stride = 1 }, n, NULL, NULL);
    return fpfmt_to_f64(fpfmt_decode(fp32, code), NULL, NULL);
}

static void compare(const char *data, const uint8_t *a, const uint8_t *b)
{
    printf("%s\n%8s %10s %20s %20s\n", data, "k", "exact", "nv-hopper", "promote:128");
    for (size_t n = 256; n <= MOST; n *= 4) {
        double exact = sum_up("exact", a, b, n);
        double chained = sum_up("nv-hopper", a, b, n), promoted = sum_up("promote:128", a, b, n);
        printf("%8zu %10.3f %11.3f %6.2f %% %11.3f %6.3f %%\n", n, exact, chained,
               100 * (chained / exact - 1), promoted, 100 * (promoted / exact - 1));
    }
}

int main(void)
{
    const fpfmt_format *e4m3 = fpfmt_named("e4m3");
    const fpfmt_policy source = { .rounding = FPFMT_ROUND_STOCHASTIC_A,
                                  .random_bits = 32,
                                  .seed = 4 };
    static uint8_t a[MOST], b[MOST];

    for (size_t i = 0; i < 2 * (size_t)MOST; i++) {
        fpfmt_value value = fpfmt_from_u64(fpfmt_random_bits(i, &source));
        value.exponent -= 32; /* from 0 to below 1 */
        (i < MOST ? a : b)[i % MOST] = (uint8_t)fpfmt_encode(e4m3, value, NULL, NULL);
    }
    compare("random values from 0 to 1", a, b);
    for (size_t i = 0; i < MOST; i++)
        a[i] = b[i] = (uint8_t)fpfmt_encode(e4m3, fpfmt_from_f64(0.9375), NULL, NULL);
    compare("0.9375 squared", a, b);
}
