/* test_policies.c - the named policies, row by row as their ecosystems state them
 * SPDX-License-Identifier: MIT */

#include "runner.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fpfmt.h>

enum {
    I = FPFMT_FLAG_INEXACT,
    U = FPFMT_FLAG_UNDERFLOW | I,
    O = FPFMT_FLAG_OVERFLOW | I,
    V = FPFMT_FLAG_INVALID
};

/* input: a number, or an fp32 code in eight digits. */
struct row {
    const char *policy, *format, *input;
    uint64_t code;
    unsigned flags;
    const char *source;
};

static const struct row rows[] = {
    { "default", "e4m3", "464", 0x7E, I, "OCP OFP8: the tie goes to 448" },
    { "default", "e4m3", "464.5", 0x7F, O, "OCP OFP8 without saturation" },
    { "default", "e4m3", "inf", 0x7F, O, "OCP OFP8 without saturation" },
    { "default", "e5m2", "61440", 0x7C, O, "OCP OFP8 without saturation" },
    { "default", "e2m1", "7", 0x7, O, "OCP MX: FP4 saturates" },
    { "default", "dlfloat16", "0x201p-41", 0x0000, U, "half of the smallest value: a tie" },
    { "default", "dlfloat16", "0x8040000000000001p-95", 0x0001, U, "above it by 2^-65" },
    { "default", "pxr24", "1e39", 0x7F7FFF, O, "OpenEXR PXR24: overflow is avoided" },
    { "default", "pxr24", "inf", 0x7F8000, 0, "OpenEXR PXR24 keeps Inf" },
    { "default", "binary8p4sf", "300", 0x7F, O, "P3109 4.0: finite formats saturate" },

    { "ieee", "fp16", "65519", 0x7BFF, I, "IEEE 754-2019 4.3.1" },
    { "ieee", "fp16", "65520", 0x7C00, O, "IEEE 754-2019 4.3.1" },
    { "ieee", "fp16", "-65520", 0xFC00, O, "IEEE 754-2019 4.3.1" },
    { "ieee", "pxr24", "1e39", 0x7F8000, O, "IEEE 754-2019 7.4" },
    { "ieee", "e4m3", "464.5", 0x7F, O, "no Inf: NaN" },
    { "ieee", "binary8p4sf", "300", 0x80, O, "no Inf: NaN" },
    { "ieee", "e2m1", "100", 0x7, O, "neither Inf nor NaN: the largest value" },

    { "ocp-sat", "e4m3", "464.5", 0x7E, O, "OCP OFP8 SAT" },
    { "ocp-sat", "e4m3", "inf", 0x7E, O, "OCP OFP8 SAT" },
    { "ocp-sat", "e4m3", "-inf", 0xFE, O, "OCP OFP8 SAT" },
    { "ocp-sat", "e4m3", "nan", 0x7F, 0, "OCP OFP8: NaN stays" },
    { "ocp-sat", "e5m2", "61440", 0x7B, O, "OCP OFP8 SAT" },
    { "ocp-sat", "e5m2", "inf", 0x7B, O, "OCP OFP8 SAT" },
    { "ocp-sat", "e5m2", "-nan", 0xFE, 0, "OCP OFP8: NaN stays" },
    { "ocp-nosat", "e4m3", "464", 0x7E, I, "OCP OFP8 NONSAT" },
    { "ocp-nosat", "e4m3", "464.5", 0x7F, O, "OCP OFP8 NONSAT" },
    { "ocp-nosat", "e4m3", "-inf", 0xFF, O, "OCP OFP8 NONSAT" },
    { "ocp-nosat", "e5m2", "61439", 0x7B, I, "OCP OFP8 NONSAT" },
    { "ocp-nosat", "e5m2", "61440", 0x7C, O, "OCP OFP8 NONSAT" },
    { "ocp-nosat", "e5m2", "-inf", 0xFC, 0, "OCP OFP8 NONSAT" },

    { "torch", "e4m3", "464", 0x7E, I, "pytorch/pytorch#104242" },
    { "torch", "e4m3", "464.5", 0x7F, O, "pytorch/pytorch#104242" },
    { "torch", "e4m3", "-inf", 0xFF, O, "pytorch/pytorch#104242" },
    { "torch", "e5m2", "61440", 0x7C, O, "pytorch/pytorch#104242" },
    { "torch", "e5m2", "inf", 0x7C, 0, "pytorch/pytorch#104242" },
    { "torch", "e4m3fnuz", "247.5", 0x7F, I, "torch.float8_e4m3fnuz" },
    { "torch", "e4m3fnuz", "248", 0x80, O, "torch.float8_e4m3fnuz" },
    { "torch", "e4m3fnuz", "-1e-9", 0x00, U, "onnx/onnx#5764" },
    { "torch", "e8m0", "-1.0", 0x7F, 0, "torch.float8_e8m0fnu: no sign" },
    { "torch", "e8m0", "-3", 0x81, I, "torch.float8_e8m0fnu: no sign" },
    { "torch", "e8m0", "0", 0x00, U, "torch.float8_e8m0fnu: 2^-127" },
    { "torch", "e8m0", "-0", 0x00, U, "torch.float8_e8m0fnu: 2^-127" },
    { "torch", "e8m0", "1.5", 0x80, I, "torch.float8_e8m0fnu: ties up" },
    { "torch", "e8m0", "0.75", 0x7F, I, "torch.float8_e8m0fnu: ties up" },
    { "torch", "e8m0", "1.4375", 0x7F, I, "torch.float8_e8m0fnu: to nearest" },
    { "torch", "e8m0", "0x1.8p127", 0xFF, O, "torch.float8_e8m0fnu: past 254 is NaN" },
    { "torch", "e8m0", "-inf", 0xFF, O, "torch.float8_e8m0fnu" },

    { "ml_dtypes", "e4m3", "464.5", 0x7F, O, "jax-ml/ml_dtypes#260" },
    { "ml_dtypes", "e5m2", "-inf", 0xFC, 0, "jax-ml/ml_dtypes#291: Inf is kept" },
    { "ml_dtypes", "e3m4", "15.75", 0x70, O, "jax-ml/ml_dtypes#291" },
    { "ml_dtypes", "e4m3fnuz", "inf", 0x80, O, "jax-ml/ml_dtypes#260" },
    { "ml_dtypes", "e2m1", "nan", 0x8, V, "ml_dtypes.float4_e2m1fn: -0" },
    { "ml_dtypes", "e2m1", "-nan", 0x0, V, "ml_dtypes.float4_e2m1fn: 0" },
    { "ml_dtypes", "e3m2", "nan", 0x20, V, "ml_dtypes.float6_e3m2fn: -0" },
    { "ml_dtypes", "e2m3", "-nan", 0x00, V, "ml_dtypes.float6_e2m3fn: 0" },
    { "ml_dtypes", "e2m1", "inf", 0x7, O, "ml_dtypes.float4_e2m1fn clamps" },
    { "ml_dtypes", "e2m1", "-100", 0xF, O, "ml_dtypes.float4_e2m1fn clamps" },
    { "ml_dtypes", "e8m0", "-1", 0xFF, V, "jax-ml/ml_dtypes#223" },
    { "ml_dtypes", "e8m0", "3", 0x81, I, "jax-ml/ml_dtypes#398: ties up" },

    { "onnx-saturate", "e4m3", "inf", 0x7E, O, "ONNX Cast, saturate=1" },
    { "onnx-saturate", "e4m3", "-1000", 0xFE, O, "ONNX Cast, saturate=1" },
    { "onnx-saturate", "e4m3", "nan", 0x7F, 0, "ONNX Cast, saturate=1" },
    { "onnx-saturate", "e5m2", "inf", 0x7B, O, "ONNX Cast, saturate=1" },
    { "onnx-saturate", "e4m3fnuz", "1000", 0x7F, O, "ONNX Cast, saturate=1" },
    { "onnx-saturate", "e8m0", "1", 0x7F, 0, "ONNX Cast, round_mode=up" },
    { "onnx-saturate", "e8m0", "1.0625", 0x80, I, "ONNX Cast, round_mode=up" },
    { "onnx-saturate", "e8m0", "-1.0625", 0x80, I, "ONNX Cast: E8M0 has no sign" },
    { "onnx-saturate", "e8m0", "0x1.8p127", 0xFE, O, "ONNX Cast, saturate=1" },
    { "onnx-saturate", "e8m0", "0", 0x00, U, "ONNX Cast" },
    { "onnx-nosaturate", "e4m3", "464.5", 0x7F, O, "ONNX Cast, saturate=0" },
    { "onnx-nosaturate", "e4m3", "-inf", 0xFF, O, "ONNX Cast, saturate=0" },
    { "onnx-nosaturate", "e5m2", "1e6", 0x7C, O, "ONNX Cast, saturate=0" },
    { "onnx-nosaturate", "e4m3fnuz", "inf", 0x80, O, "onnx/onnx#6220" },
    { "onnx-nosaturate", "e2m1", "100", 0x7, O, "ONNX Cast: FP4 clamps" },
    { "onnx-nosaturate", "e8m0", "1.0625", 0x80, I, "ONNX Cast, round_mode=up" },
    { "onnx-nosaturate", "e8m0", "-1.0625", 0x80, I, "ONNX Cast: E8M0 has no sign" },
    { "onnx-nosaturate", "e8m0", "0x1.8p127", 0xFF, O, "ONNX Cast, saturate=0" },

    { "cuda-satfinite", "e4m3", "inf", 0x7E, O, "__NV_SATFINITE" },
    { "cuda-satfinite", "e4m3", "nan", 0x7F, 0, "__NV_SATFINITE" },
    { "cuda-satfinite", "e5m2", "65536", 0x7B, O, "__NV_SATFINITE" },
    { "cuda-satfinite", "e2m1", "nan", 0x7, V, "PTX cvt.satfinite" },
    { "cuda-satfinite", "e2m1", "2.5", 0x4, I, "PTX cvt.rn: the tie goes to even" },
    { "cuda-satfinite", "bf16", "0x1.01p0", 0x3F80, I, "PTX cvt.rn: the tie goes to even" },
    { "cuda-satfinite", "tf32", "0x1.002p0", 0x1FC01, I, "PTX cvt.rna.tf32" },
    { "cuda-satfinite", "tf32", "-0x1.002p0", 0x5FC01, I, "PTX cvt.rna.tf32" },
    { "cuda-satfinite", "tf32", "0x1.001fp0", 0x1FC00, I, "PTX cvt.rna.tf32" },
    { "cuda-satfinite", "e8m0", "1.0625", 0x80, I, "PTX cvt.rp.ue8m0x2" },
    { "cuda-satfinite", "e8m0", "inf", 0xFE, O, "PTX cvt.rp.satfinite.ue8m0x2" },
    { "cuda-satfinite", "binary8p1uf", "1.0625", 0x80, I, "P3109: to nearest" },
    { "cuda-satfinite", "binary8p1uf", "1.5", 0x80, I, "P3109: ties to the even code" },
    { "cuda-nosat", "e4m3", "464", 0x7E, I, "__NV_NOSAT" },
    { "cuda-nosat", "e4m3", "464.5", 0x7F, O, "__NV_NOSAT" },
    { "cuda-nosat", "e5m2", "61440", 0x7C, O, "__NV_NOSAT" },
    { "cuda-nosat", "e5m2", "inf", 0x7C, 0, "__NV_NOSAT" },
    { "cuda-nosat", "tf32", "0x1.002p0", 0x1FC01, I, "PTX cvt.rna.tf32" },
    { "cuda-nosat", "e8m0", "1.0625", 0x80, I, "PTX cvt.rp.ue8m0x2" },
    { "cuda-nosat", "e8m0", "inf", 0xFF, O, "__NV_NOSAT" },

    { "hip-sat", "e4m3", "447", 0x7E, I, "HIP cast_to_f8: within range" },
    { "hip-sat", "e4m3", "448", 0x7E, 0, "HIP cast_to_f8: within range" },
    { "hip-sat", "e4m3", "449", 0x7E, O, "HIP cast_to_f8 with clip" },
    { "hip-sat", "e4m3", "-inf", 0xFE, O, "HIP cast_to_f8 with clip" },
    { "hip-sat", "e5m2", "57345", 0x7B, O, "HIP cast_to_f8 with clip" },
    { "hip-sat", "e4m3fnuz", "nan", 0x80, 0, "NaN stays; HIP's own 0x7F is a fault" },
    { "hip-nosat", "e4m3", "447", 0x7E, I, "HIP cast_to_f8: within range" },
    { "hip-nosat", "e4m3", "448", 0x7E, 0, "HIP cast_to_f8: within range" },
    { "hip-nosat", "e4m3", "449", 0x7F, O, "HIP cast_to_f8 without clip" },
    { "hip-nosat", "e4m3", "-463", 0xFF, O, "HIP cast_to_f8 without clip" },
    { "hip-nosat", "e5m2", "57345", 0x7C, O, "HIP cast_to_f8 without clip" },
    { "hip-nosat", "e4m3fnuz", "240.5", 0x80, O, "HIP cast_to_f8 without clip" },
    { "hip-nosat", "e4m3", "0x1.cp-70", 0x00, U, "zero; HIP's own 0x0E is a fault" },

    { "p3109-satnone", "binary8p4se", "232", 0x7E, I, "P3109 4.0: the tie goes to 224" },
    { "p3109-satnone", "binary8p4se", "232.5", 0x7F, O, "P3109 4.0 SatNone" },
    { "p3109-satnone", "binary8p4se", "-1e9", 0xFF, O, "P3109 4.0 SatNone" },
    { "p3109-satnone", "binary8p4se", "nan", 0x80, 0, "P3109 4.0: one NaN" },
    { "p3109-satnone", "binary8p4sf", "1e9", 0x7F, O, "P3109 4.0 SatNone: M_hi" },
    { "p3109-satnone", "binary8p4sf", "-inf", 0xFF, O, "P3109 4.0 SatNone: M_lo" },
    { "p3109-satnone", "binary8p1uf", "3", 0x82, I, "P3109 4.0 CodeIsEven" },
    { "p3109-satnone", "binary8p1uf", "6", 0x82, I, "P3109 4.0 CodeIsEven" },
    { "p3109-satnone", "binary8p1uf", "-1", 0xFF, V, "P3109 4.0 SatNone: NaN" },
    { "p3109-satnone", "binary8p1uf", "-0x1p-129", 0x00, U, "P3109 4.0: rounds to 0" },
    { "p3109-satnone", "binary8p1ue", "inf", 0xFE, 0, "P3109 4.0 SatNone" },
    { "p3109-satnone", "binary8p1ue", "-inf", 0xFF, V, "P3109 4.0 SatNone: NaN" },
    { "p3109-satfinite", "binary8p4se", "inf", 0x7E, O, "P3109 4.0 SatFinite" },
    { "p3109-satfinite", "binary8p4se", "-1e9", 0xFE, O, "P3109 4.0 SatFinite" },
    { "p3109-satfinite", "binary8p1uf", "-1", 0x00, I, "P3109 4.0 SatFinite: M_lo is 0" },
    { "p3109-satfinite", "binary8p1ue", "inf", 0xFD, O, "P3109 4.0 SatFinite" },
    { "p3109-satfinite", "binary8p1ue", "-inf", 0x00, I, "P3109 4.0 SatFinite" },
    { "p3109-satpropagate", "binary8p4se", "-inf", 0xFF, 0, "P3109 4.0 SatPropagate" },
    { "p3109-satpropagate", "binary8p4se", "1e9", 0x7E, O, "P3109 4.0 SatPropagate" },
    { "p3109-satpropagate", "binary8p4sf", "inf", 0x7F, O, "P3109 4.0 SatPropagate: M_hi" },
    { "p3109-satpropagate", "binary8p1ue", "inf", 0xFE, 0, "P3109 4.0 SatPropagate" },
    { "p3109-satpropagate", "binary8p1ue", "1e99", 0xFD, O, "P3109 4.0 SatPropagate" },
    { "p3109-satpropagate", "binary8p1ue", "-inf", 0x00, I, "P3109 4.0 SatPropagate" },

    { "x86-vcvtneps2bf16", "bf16", "007FFFFF", 0x0000, 0, "input flushed" },
    { "x86-vcvtneps2bf16", "bf16", "80000001", 0x8000, 0, "input flushed" },
    { "x86-vcvtneps2bf16", "bf16", "00800000", 0x0080, 0, "the smallest normal" },
    { "x86-vcvtneps2bf16", "bf16", "3F808000", 0x3F80, I, "the tie goes to even" },
    { "x86-vcvtneps2bf16", "bf16", "3F818000", 0x3F82, I, "the tie goes to even" },
    { "x86-vcvtneps2bf16", "bf16", "7F7FFFFF", 0x7F80, O, "overflow to Inf" },
    { "x86-vcvtneps2bf16", "bf16", "FF812345", 0xFFC1, V, "NaN quieted, top bits kept" },
    { "x86-vcvtneps2bf16", "bf16", "0x1p-127", 0x0000, U, "result flushed" },
    { "x86-vcvtneps2bf16", "bf16", "-0x1.fp-127", 0x8000, U, "result flushed" },
    { "x86-vcvtneps2bf16", "bf16", "0x1.fffp-127", 0x0080, I, "not tiny after rounding" },
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const fpfmt_policy_row *row_named(const char *name)
{
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++)
        if (strcmp(fpfmt_policy_at(i)->name, name) == 0)
            return fpfmt_policy_at(i);
    return NULL;
}

static fpfmt_value value_of(const struct row *row)
{
    size_t length = strlen(row->input);
    fpfmt_value value = { .kind = FPFMT_KIND_ZERO };
    if (length == 8 && strspn(row->input, "0123456789ABCDEF") == 8)
        return fpfmt_decode(fpfmt_named("fp32"), strtoul(row->input, NULL, 16));
    CHECK(fpfmt_parse(&value, row->input, length, NULL) == length, "%s is no number", row->input);
    return value;
}

static void expectations(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        const fpfmt_policy_row *named = row_named(row->policy);
        fpfmt_format format;
        if (!CHECK(named != NULL, "there is no policy %s", row->policy) ||
            !CHECK(fpfmt_find(&format, row->format) == FPFMT_FOUND, "no format %s", row->format))
            continue;
        fpfmt_policy policy = fpfmt_policy_for(&format, named);
        unsigned flags = 0;
        uint64_t code = fpfmt_encode(&format, value_of(row), &policy, &flags);
        CHECK(code == row->code && flags == row->flags,
              "%s: %s as %s is 0x%" PRIx64 " flags %x, not 0x%" PRIx64 " flags %x (%s)",
              row->policy, row->input, row->format, code, flags, row->code, row->flags,
              row->source);
    }
}

static void table(void)
{
    size_t count = 0;
    for (; fpfmt_policy_at(count) != NULL; count++) {
        const fpfmt_policy_row *named = fpfmt_policy_at(count);
        size_t used = 0;
        for (size_t i = 0; i < ROWS; i++)
            used += strcmp(rows[i].policy, named->name) == 0;
        CHECK(used >= 4, "%s has %zu expectations", named->name, used);
        CHECK(strlen(named->summary) > 20, "%s has no summary", named->name);
        CHECK(fpfmt_policy_defect(&named->policy) == NULL, "%s is not sound", named->name);
        CHECK(fpfmt_policy_named(named->name) == &named->policy, "%s is not found", named->name);
    }
    CHECK(count == 16 && fpfmt_policy_at(SIZE_MAX) == NULL, "there are %zu rows", count);
    static const fpfmt_policy standard;
    CHECK(memcmp(fpfmt_policy_named("default"), &standard, sizeof standard) == 0 &&
              row_named("default") == fpfmt_policy_at(0),
          "row 0 is not the default");
}

static void names(void)
{
    static const struct {
        const char *spelling, *name;
    } spellings[] = {
        { "ML-DTYPES", "ml_dtypes" },
        { "mldtypes", "ml_dtypes" },
        { "Onnx_Saturate", "onnx-saturate" },
        { "onnxnosaturate", "onnx-nosaturate" },
        { "X86_VCVTNEPS2BF16", "x86-vcvtneps2bf16" },
        { "P3109-SatPropagate-", "p3109-satpropagate" },
        { "torc", NULL },
        { "torch2", NULL },
        { "", NULL },
        { "cuda nosat", NULL },
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        const fpfmt_policy *expected =
            spellings[i].name == NULL ? NULL : &row_named(spellings[i].name)->policy;
        CHECK(fpfmt_policy_named(spellings[i].spelling) == expected, "'%s' is not %s",
              spellings[i].spelling, spellings[i].name == NULL ? "refused" : spellings[i].name);
    }
}

static unsigned expected_rounding(const char *policy, const char *format)
{
    bool cuda = strncmp(policy, "cuda-", 5) == 0, onnx = strncmp(policy, "onnx-", 5) == 0;
    if (cuda && strcmp(format, "tf32") == 0)
        return FPFMT_ROUND_NEAREST_AWAY;
    if ((cuda || onnx) && strcmp(format, "e8m0") == 0)
        return FPFMT_ROUND_UPWARD;
    return FPFMT_ROUND_NEAREST_EVEN;
}

static void check_exceptions(const fpfmt_format *format)
{
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++) {
        const fpfmt_policy_row *row = fpfmt_policy_at(i);
        fpfmt_policy policy = fpfmt_policy_for(format, row);
        CHECK(policy.rounding == expected_rounding(row->name, format->name),
              "%s rounds to %s in mode %d", row->name, format->name, policy.rounding);
        policy.rounding = row->policy.rounding;
        CHECK(memcmp(&policy, &row->policy, sizeof policy) == 0, "%s for %s changes more",
              row->name, format->name);
    }
}

static void exceptions(void)
{
    /* As wide as E8M0 or tf32, but for one thing. */
    static const char *const near[] = { "binary8p1uf", "binary8p1ue", "binary9p1se", "e8m0none",
                                        "e8m0fnu",     "e8m1",        "e7m10",       "e8m9" };
    for (size_t i = 0; fpfmt_at(i) != NULL; i++)
        check_exceptions(fpfmt_at(i));
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        fpfmt_format format;
        if (CHECK(fpfmt_find(&format, near[i]) == FPFMT_FOUND, "no format %s", near[i]))
            check_exceptions(&format);
    }
}

/* Beyond the largest value P3109 has NaN, the others stay. */
static void specials(void)
{
    fpfmt_format format;
    CHECK(fpfmt_find(&format, "binary8p4se") == FPFMT_FOUND, "no format binary8p4se");
    for (size_t i = 0; fpfmt_policy_at(i) != NULL; i++) {
        const fpfmt_policy_row *row = fpfmt_policy_at(i);
        uint64_t expected = strncmp(row->name, "p3109-", 6) == 0 ? 0x80 : 0x7F;
        uint64_t code = fpfmt_next_up(&format, 0x7F, &row->policy, NULL);
        CHECK(code == expected, "%s: 0x%" PRIx64 " is next above Inf", row->name, code);
    }
}

static uint8_t *field(fpfmt_policy *policy, size_t index)
{
    uint8_t *fields[] = { &policy->rounding, &policy->overflow,  &policy->overflow_test,
                          &policy->nan,      &policy->subnormal, &policy->negative,
                          &policy->tininess, &policy->specials };
    return index < sizeof fields / sizeof fields[0] ? fields[index] : &policy->reserved[index - 8];
}

static void defects(void)
{
    static const unsigned members[15] = { 13, 6, 2, 4, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1 };
    for (size_t i = 0; i < 15; i++)
        for (unsigned n = 0; n < 256; n++) {
            fpfmt_policy policy = { .random_bits = 8, .seed = UINT64_MAX, .first = UINT64_MAX };
            *field(&policy, i) = (uint8_t)n;
            bool sound = fpfmt_policy_defect(&policy) == NULL;
            CHECK(sound == (n < members[i]), "field %zu: %u is %s", i, n,
                  sound ? "sound" : "a defect");
        }
    for (unsigned mode = 0; mode < FPFMT_ROUND_COUNT; mode++)
        for (unsigned bits = 0; bits < 256; bits++) {
            fpfmt_policy policy = { .rounding = (uint8_t)mode, .random_bits = (uint8_t)bits };
            bool few = mode == FPFMT_ROUND_STOCHASTIC_A || mode == FPFMT_ROUND_STOCHASTIC_B ||
                       mode == FPFMT_ROUND_STOCHASTIC_C;
            bool sound = fpfmt_policy_defect(&policy) == NULL;
            CHECK(sound == (!few || (bits >= 1 && bits <= 32)), "mode %u: %u random bits are %s",
                  mode, bits, sound ? "sound" : "a defect");
        }
}

int main(void)
{
    static const struct test tests[] = {
        { "each named policy does what its source says", expectations },
        { "every row is sound, found by its name and tested; row 0 is the default", table },
        { "names are compared without case, '_' and '-'", names },
        { "exceptions hit tf32 and E8M0 and nothing that looks like them", exceptions },
        { "P3109's specials belong to its policies alone", specials },
        { "a field out of range is a defect, everything else is sound", defects },
    };
    return run_tests("policies", tests, sizeof tests / sizeof tests[0]);
}
