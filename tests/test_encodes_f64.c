/* test_encodes_f64.c - arrays of double to codes, in every set of kernels
 * SPDX-License-Identifier: MIT */

#include "array_sets.h"
#include "arrays.h"
#include "runner.h"

static void encodes(void)
{
    test_rounding(ENCODES, 8);
}

int main(void)
{
    static const struct test tests[] = {
        { "double arrays encode as their elements do, in every set", encodes },
    };
    return run_tests("encodes_f64", tests, sizeof tests / sizeof tests[0]);
}
