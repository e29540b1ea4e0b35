/* test_encodes_f32.c - arrays of float to codes, in every set of kernels
 * SPDX-License-Identifier: MIT */

#include "array_sets.h"
#include "arrays.h"
#include "runner.h"

static void encodes(void)
{
    test_rounding(ENCODES, 4);
}

int main(void)
{
    static const struct test tests[] = {
        { "float arrays encode as their elements do, in every set", encodes },
    };
    return run_tests("encodes_f32", tests, sizeof tests / sizeof tests[0]);
}
