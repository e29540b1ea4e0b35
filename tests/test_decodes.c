/* test_decodes.c - arrays of codes to float and double, in every set of kernels
 * SPDX-License-Identifier: MIT */

#include "array_sets.h"
#include "runner.h"

static void decodes_f32(void)
{
    test_decode(4);
}

static void decodes_f64(void)
{
    test_decode(8);
}

int main(void)
{
    static const struct test tests[] = {
        { "codes decode to float as one by one, in every set", decodes_f32 },
        { "codes decode to double as one by one, in every set", decodes_f64 },
    };
    return run_tests("decodes", tests, sizeof tests / sizeof tests[0]);
}
