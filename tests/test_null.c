/* test_null.c - what can fail does so without a format or a name, and does not crash
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <string.h>

#include <fpfmt.h>
#include <fpfmt_arrays.h>
#include <fpfmt_sums.h>

#include "attempts.h"

static const fpfmt_format *half(void)
{
    return fpfmt_named("fp16");
}

static fpfmt_accumulator accumulator(const char *name)
{
    fpfmt_accumulator row;
    memset(&row, 0, sizeof row);
    CHECK(fpfmt_find_accumulator(&row, name, half(), half(), half()) == FPFMT_FOUND,
          "there is no %s", name);
    return row;
}

static fpfmt_series series(const fpfmt_format *format)
{
    return (fpfmt_series){ .format = format, .codes = codes, .stride = 1 };
}

/* Calls that answer whether they failed. */

static bool defect(void)
{
    return fpfmt_defect(NULL) != NULL;
}

static bool named(void)
{
    return fpfmt_named(NULL) == NULL;
}

static bool find(void)
{
    fpfmt_format format = *half();
    return fpfmt_find(&format, NULL) == FPFMT_UNKNOWN && format.exponent_bits == 5;
}

static bool suggest(void)
{
    char text[FPFMT_NAME_SIZE];
    return fpfmt_suggest(text, sizeof text, NULL, 0) == 0;
}

static bool policy_named(void)
{
    return fpfmt_policy_named(NULL) == NULL;
}

static bool find_policy(void)
{
    fpfmt_policy policy;
    return !fpfmt_find_policy(NULL, &policy, "torch") && !fpfmt_find_policy(half(), &policy, NULL);
}

static bool word_named(void)
{
    return fpfmt_word_named(FPFMT_WORDS_ROUNDING, NULL) == NULL;
}

static bool prepare(void)
{
    fpfmt_plan plan;
    return !fpfmt_prepare(&plan, fpfmt_named("typo"), NULL, NULL);
}

static bool find_accumulator(void)
{
    static const char *const names[] = { "exact", "fma:bf16", "nv-a100", "arm-bfdot" };
    fpfmt_accumulator row;
    bool all = fpfmt_find_accumulator(&row, NULL, half(), half(), half()) == FPFMT_UNKNOWN &&
               fpfmt_find_accumulator(&row, "none", NULL, NULL, NULL) == FPFMT_UNKNOWN;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        all &= fpfmt_find_accumulator(&row, names[i], NULL, half(), half()) == FPFMT_AMBIGUOUS &&
               fpfmt_find_accumulator(&row, names[i], half(), NULL, half()) == FPFMT_AMBIGUOUS &&
               fpfmt_find_accumulator(&row, names[i], half(), half(), NULL) == FPFMT_AMBIGUOUS;
    return all;
}

static bool accumulator_defect(void)
{
    return fpfmt_accumulator_defect(NULL) != NULL;
}

static bool scales_defect(void)
{
    const fpfmt_accumulator how = accumulator("nv-a100");
    const fpfmt_series good = series(half()), bad = series(NULL);
    return fpfmt_scales_defect(&how, &good, &good) == NULL &&
           fpfmt_scales_defect(NULL, &good, &good) != NULL &&
           fpfmt_scales_defect(&how, NULL, &good) != NULL &&
           fpfmt_scales_defect(&how, &good, NULL) != NULL &&
           fpfmt_scales_defect(&how, &bad, &good) != NULL &&
           fpfmt_scales_defect(&how, &good, &bad) != NULL;
}

static bool align(void)
{
    fpfmt_accumulator how = accumulator("nv-a100");
    const fpfmt_series good = series(half()), bad = series(NULL);
    fpfmt_alignment group;
    return fpfmt_align(half(), &how, &group, 0, good, good, N) &&
           !fpfmt_align(NULL, &how, &group, 0, good, good, N) &&
           !fpfmt_align(half(), &how, &group, 0, bad, good, N) &&
           !fpfmt_align(half(), &how, &group, 0, good, bad, N) &&
           !fpfmt_align(half(), NULL, &group, 0, good, good, N);
}

/* Calls that a checking build stops, as it does all that is refused. */

static bool encode_f32(void)
{
    return !fpfmt_encode_f32(NULL, codes, floats, N, NULL, &flags);
}

static bool encode_f64(void)
{
    return !fpfmt_encode_f64(NULL, codes, doubles, N, NULL, &flags);
}

static bool decode_f32(void)
{
    return !fpfmt_decode_f32(NULL, floats, codes, N, NULL, &flags);
}

static bool decode_f64(void)
{
    return !fpfmt_decode_f64(NULL, doubles, codes, N, NULL, &flags);
}

static bool round_f32(void)
{
    return !fpfmt_round_f32(NULL, floats, floats, N, NULL, &flags);
}

static bool round_f64(void)
{
    return !fpfmt_round_f64(NULL, doubles, doubles, N, NULL, &flags);
}

static bool convert_to(void)
{
    return !fpfmt_convert_codes(NULL, more_codes, half(), codes, N, NULL, &flags);
}

static bool convert_from(void)
{
    return !fpfmt_convert_codes(half(), more_codes, NULL, codes, N, NULL, &flags);
}

static bool plan_of_none(void)
{
    fpfmt_plan plan;
    return !fpfmt_prepare(&plan, NULL, NULL, NULL) &&
           !fpfmt_plan_encode_f32(&plan, codes, floats, N, 0, &flags);
}

static bool dot_to(void)
{
    fpfmt_accumulator how = accumulator("fma");
    return fpfmt_dot(NULL, &how, 0, series(half()), series(half()), N, NULL, &flags) == 0;
}

static bool dot_of_a(void)
{
    fpfmt_accumulator how = accumulator("exact");
    uint64_t code = fpfmt_dot(half(), &how, 0, series(NULL), series(half()), N, NULL, &flags);
    return fpfmt_is_nan(half(), code);
}

static bool dot_of_b(void)
{
    fpfmt_accumulator how = accumulator("nv-a100");
    uint64_t code = fpfmt_dot(half(), &how, 0, series(half()), series(NULL), N, NULL, &flags);
    return fpfmt_is_nan(half(), code);
}

static bool dot_by_none(void)
{
    uint64_t code = fpfmt_dot(half(), NULL, 0, series(half()), series(half()), N, NULL, &flags);
    return fpfmt_is_nan(half(), code);
}

static bool sum_of_none(void)
{
    fpfmt_accumulator how = accumulator("pairwise");
    return fpfmt_is_nan(half(), fpfmt_sum(half(), &how, 0, series(NULL), N, NULL, &flags));
}

/* The product of two matrices of 2 by 2, without one of its formats or the accumulator. */
static bool multiply_without(int part)
{
    const fpfmt_accumulator how = accumulator("fma");
    fpfmt_product product = { .how = part == 3 ? NULL : &how,
                              .to = part == 0 ? NULL : half(),
                              .a = { .format = part == 1 ? NULL : half(), .codes = codes, .row = 2, .column = 1 },
                              .b = { .format = part == 2 ? NULL : half(), .codes = codes, .row = 2, .column = 1 },
                              .c = more_codes,
                              .row = 2,
                              .column = 1,
                              .m = 2,
                              .n = 2,
                              .k = 2,
                              .alpha = 1 };
    return !fpfmt_gemm(&product, &flags);
}

static bool gemm_to(void)
{
    return multiply_without(0);
}

static bool gemm_of_a(void)
{
    return multiply_without(1);
}

static bool gemm_of_b(void)
{
    return multiply_without(2);
}

static bool gemm_by_none(void)
{
    return multiply_without(3);
}

static const attempt failing[] = {
    { "fpfmt_defect", defect },
    { "fpfmt_named", named },
    { "fpfmt_find", find },
    { "fpfmt_suggest", suggest },
    { "fpfmt_policy_named", policy_named },
    { "fpfmt_find_policy", find_policy },
    { "fpfmt_word_named", word_named },
    { "fpfmt_prepare", prepare },
    { "fpfmt_find_accumulator", find_accumulator },
    { "fpfmt_accumulator_defect", accumulator_defect },
    { "fpfmt_scales_defect", scales_defect },
    { "fpfmt_align", align },
};

static const attempt refused[] = {
    { "fpfmt_encode_f32", encode_f32 },
    { "fpfmt_encode_f64", encode_f64 },
    { "fpfmt_decode_f32", decode_f32 },
    { "fpfmt_decode_f64", decode_f64 },
    { "fpfmt_round_f32", round_f32 },
    { "fpfmt_round_f64", round_f64 },
    { "fpfmt_convert_codes, to", convert_to },
    { "fpfmt_convert_codes, from", convert_from },
    { "a plan that failed", plan_of_none },
    { "fpfmt_dot, to", dot_to },
    { "fpfmt_dot, a", dot_of_a },
    { "fpfmt_dot, b", dot_of_b },
    { "fpfmt_dot, how", dot_by_none },
    { "fpfmt_sum, a", sum_of_none },
    { "fpfmt_gemm, to", gemm_to },
    { "fpfmt_gemm, a", gemm_of_a },
    { "fpfmt_gemm, b", gemm_of_b },
    { "fpfmt_gemm, how", gemm_by_none },
};

static void failures(void)
{
    try_failing(failing, sizeof failing / sizeof failing[0]);
}

static void refusals(void)
{
    try_refused(refused, sizeof refused / sizeof refused[0]);
}

int main(void)
{
    static const struct test tests[] = {
        { "without a format or a name, what can fail does", failures },
        { "what is refused for a fault of the caller is so for a format that is not there",
          refusals },
    };
    return run_tests("null", tests, sizeof tests / sizeof tests[0]);
}
