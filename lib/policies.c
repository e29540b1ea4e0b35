/* policies.c - the table of named policies: what each ecosystem does
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "modes.h"
#include "shape.h"

/* ONNX's Cast to E8M0 has round_mode up as its default. */
static const fpfmt_policy_exception onnx_exceptions[] = {
    { "e8m0", FPFMT_ROUND_UPWARD },
    { NULL, 0 },
};

/* PTX has cvt.rna.tf32 and cvt.rp.ue8m0x2 where other targets have cvt.rn. */
static const fpfmt_policy_exception cuda_exceptions[] = {
    { "tf32", FPFMT_ROUND_NEAREST_AWAY },
    { "e8m0", FPFMT_ROUND_UPWARD },
    { NULL, 0 },
};

static const fpfmt_policy_row table[] = {
    { "default",
      "Nearest even; on overflow what the format's own specification says.",
      { .rounding = 0 },
      NULL },
    { "ieee",
      "IEEE 754: nearest even, overflow to Inf, to NaN where there is no Inf.",
      { .overflow = FPFMT_OVERFLOW_INF },
      NULL },
    { "ieee-integer",
      "IEEE 754 convertToInteger: past a fixed-point range the nearest end, and invalid alone.",
      { .overflow = FPFMT_OVERFLOW_INVALID },
      NULL },
    { "ocp-sat",
      "OCP OFP8 saturating: what rounds past the largest value becomes it, as does Inf.",
      { .overflow = FPFMT_OVERFLOW_MAX },
      NULL },
    { "ocp-nosat",
      "OCP OFP8 non-saturating: overflow and Inf become Inf in E5M2, NaN in E4M3.",
      { .overflow = FPFMT_OVERFLOW_INF },
      NULL },
    { "torch",
      "PyTorch: overflow and Inf become Inf, or NaN where there is none; E8M0 drops the sign.",
      { .overflow = FPFMT_OVERFLOW_SPEC, .negative = FPFMT_NEGATIVE_DROP },
      NULL },
    { "ml_dtypes",
      "ml_dtypes: overflow as torch, FP6 and FP4 clamp and turn NaN into -0.",
      { .overflow = FPFMT_OVERFLOW_SPEC, .nan = FPFMT_NAN_OPPOSITE_ZERO },
      NULL },
    { "onnx-saturate",
      "ONNX Cast with saturate=1: overflow and Inf become the largest value; E8M0 rounds up.",
      { .overflow = FPFMT_OVERFLOW_MAX, .negative = FPFMT_NEGATIVE_DROP },
      onnx_exceptions },
    { "onnx-nosaturate",
      "ONNX Cast with saturate=0: overflow becomes Inf, or NaN where there is none.",
      { .overflow = FPFMT_OVERFLOW_SPEC, .negative = FPFMT_NEGATIVE_DROP },
      onnx_exceptions },
    { "cuda-satfinite",
      "__NV_SATFINITE: overflow and Inf become the largest value; tf32 ties away, E8M0 up.",
      { .overflow = FPFMT_OVERFLOW_MAX },
      cuda_exceptions },
    { "cuda-nosat",
      "__NV_NOSAT: overflow becomes Inf, or NaN where there is none; tf32 ties away, E8M0 up.",
      { .overflow = FPFMT_OVERFLOW_INF },
      cuda_exceptions },
    { "hip-sat",
      "HIP saturating: what exceeds the largest value before rounding becomes it, as does Inf.",
      { .overflow = FPFMT_OVERFLOW_MAX, .overflow_test = FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING },
      NULL },
    { "hip-nosat",
      "HIP: what exceeds the largest value before rounding becomes Inf, or NaN without Inf.",
      { .overflow = FPFMT_OVERFLOW_INF, .overflow_test = FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING },
      NULL },
    { "p3109-satnone",
      "IEEE P3109 SatNone: overflow to Inf, or the largest value in finite formats.",
      { .overflow = FPFMT_OVERFLOW_SPEC, .specials = FPFMT_SPECIALS_P3109 },
      NULL },
    { "p3109-satfinite",
      "IEEE P3109 SatFinite: overflow and Inf become the largest value.",
      { .overflow = FPFMT_OVERFLOW_MAX, .specials = FPFMT_SPECIALS_P3109 },
      NULL },
    { "p3109-satpropagate",
      "IEEE P3109 SatPropagate: overflow becomes the largest value, Inf stays.",
      { .overflow = FPFMT_OVERFLOW_MAX_FINITE, .specials = FPFMT_SPECIALS_P3109 },
      NULL },
    { "x86-vcvtneps2bf16",
      "VCVTNEPS2BF16: nearest even, subnormal inputs and results become zero.",
      { .subnormal = FPFMT_SUBNORMAL_FLUSH_RESULTS | FPFMT_SUBNORMAL_FLUSH_INPUTS },
      NULL },
};

const fpfmt_policy_row *fpfmt_policy_at(size_t index)
{
    return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}

/* Whether two names are one without case, '_' and '-'. */
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == '_' || *a == '-')
            a++;
        while (*b == '_' || *b == '-')
            b++;
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b - 'A' + 'a') : *b;
        if (x != y)
            return false;
        if (x == '\0')
            return true;
    }
}

const fpfmt_policy_row *fpfmt_policy_named(const char *name)
{
    for (size_t i = 0; name != NULL && fpfmt_policy_at(i) != NULL; i++)
        if (same_name(table[i].name, name))
            return &table[i];
    return NULL;
}

/* Has the format the codes of the row of the format table with this name? */
static bool is_row(const fpfmt_format *format, const char *name)
{
    const fpfmt_format *row;
    for (size_t i = 0; (row = fpfmt_at(i)) != NULL; i++)
        if (same_name(row->name, name))
            return shape_equal(format, row);
    return false;
}

fpfmt_policy fpfmt_policy_for(const fpfmt_format *format, const fpfmt_policy_row *row)
{
    fpfmt_policy policy = row->policy;
    const fpfmt_policy_exception *except = row->exceptions;
    for (; except != NULL && except->format != NULL; except++)
        if (is_row(format, except->format))
            policy.rounding = except->rounding;
    return policy;
}

bool fpfmt_find_policy(const fpfmt_format *format, fpfmt_policy *policy, const char *name)
{
    const fpfmt_policy_row *row = fpfmt_policy_named(name);
    if (format == NULL || row == NULL)
        return false;
    *policy = fpfmt_policy_for(format, row);
    return true;
}

const char *fpfmt_policy_defect(const fpfmt_policy *policy)
{
    if (policy == NULL)
        return NULL;
    if (policy->rounding >= FPFMT_ROUND_COUNT)
        return "there is no such rounding mode";
    if (fpfmt_mode_asks_for_bits(fpfmt_mode_of(policy->rounding)) &&
        (policy->random_bits < 1 || policy->random_bits > 32))
        return "random_bits is not from 1 to 32";
    if (policy->overflow >= FPFMT_OVERFLOW_COUNT)
        return "there is no such overflow rule";
    if (policy->overflow_test > FPFMT_OVERFLOW_TEST_BEFORE_ROUNDING)
        return "there is no such overflow test";
    if (policy->subnormal > (FPFMT_SUBNORMAL_FLUSH_RESULTS | FPFMT_SUBNORMAL_FLUSH_INPUTS))
        return "there is no such rule for subnormals";
    if (policy->nan >= FPFMT_NAN_COUNT)
        return "there is no such rule for NaN";
    if (policy->negative > FPFMT_NEGATIVE_DROP)
        return "there is no such rule for negative values in unsigned formats";
    if (policy->tininess > FPFMT_TININESS_BEFORE_ROUNDING)
        return "there is no such tininess";
    if (policy->specials > FPFMT_SPECIALS_P3109)
        return "there are no such specials";
    for (size_t i = 0; i < sizeof policy->reserved; i++)
        if (policy->reserved[i] != 0)
            return "a reserved byte is not 0";
    return NULL;
}
