/* Prints what e^x becomes in bf16, rounded once in every mode.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt_mpfr.h>
#include <stdio.h>

int main(void)
{
    static const struct {
        const char *name;
        fpfmt_policy policy;
    } modes[] = {
        { "nearest-even", { .rounding = FPFMT_ROUND_NEAREST_EVEN } },
        { "nearest-away", { .rounding = FPFMT_ROUND_NEAREST_AWAY } },
        { "nearest-zero", { .rounding = FPFMT_ROUND_NEAREST_ZERO } },
        { "toward-zero", { .rounding = FPFMT_ROUND_TOWARD_ZERO } },
        { "away-from-zero", { .rounding = FPFMT_ROUND_AWAY_FROM_ZERO } },
        { "up", { .rounding = FPFMT_ROUND_UPWARD } },
        { "down", { .rounding = FPFMT_ROUND_DOWNWARD } },
        { "to-odd", { .rounding = FPFMT_ROUND_TO_ODD } },
    };
    static const double arguments[] = { 0, 1, -1, 0x1p-20, 88.75, -92.5 };
    const fpfmt_format *bf16 = fpfmt_named("bf16");
    mpfr_t x, y;

    mpfr_init2(x, 64);
    mpfr_init2(y, 64); /* 64 bits and the ternary are enough for every format */
    printf("%-15s", "x");
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
        printf(" %8.3g", arguments[i]);
    putchar('\n');
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        printf("%-15s", modes[m].name);
        for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
            mpfr_set_d(x, arguments[i], MPFR_RNDN);
            int ternary = mpfr_exp(y, x, MPFR_RNDN);
            fpfmt_value value = fpfmt_from_mpfr(y, ternary);
            unsigned code = (unsigned)fpfmt_encode(bf16, value, &modes[m].policy, NULL);
            printf("   0x%04x", code);
        }
        putchar('\n');
    }
    mpfr_clear(x);
    mpfr_clear(y);
}
