/* An array rounded to bf16 in place, and what that did to it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fpfmt.h>
#include <stdio.h>

int main(void)
{
    enum { COUNT = 1000 };
    static float values[COUNT];
    static fpfmt_stats stats;
    fpfmt_plan plan;
    char error[64];

    for (int i = 0; i < COUNT; i++)
        values[i] = 1 + (float)i / 1000;
    fpfmt_prepare(&plan, fpfmt_named("bf16"), NULL, NULL);
    fpfmt_plan_stats_f32(&plan, &stats, values, COUNT, 0);
    fpfmt_plan_round_f32(&plan, values, values, COUNT, 0, NULL);

    fpfmt_print_exact(error, sizeof error, stats.absolute);
    printf("%llu of %d change; the largest error is %s, at element %llu\n",
           (unsigned long long)stats.inexact, COUNT, error,
           (unsigned long long)stats.absolute_index);
    printf("1.003 became %.7g, 1.999 became %.7g\n", (double)values[3], (double)values[999]);
}
