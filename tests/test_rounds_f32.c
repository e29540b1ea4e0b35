/* test_rounds_f32.c - arrays of float to values of a format, in every set of kernels
 * SPDX-License-Identifier: MIT */

#include "array_sets.h"
#include "arrays.h"
#include "runner.h"

static void rounds(void)
{
    test_rounding(ROUNDS, 4);
}

int main(void)
{
    static const struct test tests[] = {
        { "float arrays round as their elements do, in every set", rounds },
    };
    return run_tests("rounds_f32", tests, sizeof tests / sizeof tests[0]);
}
