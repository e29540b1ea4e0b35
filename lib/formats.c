/* formats.c - the table of formats, and what follows from a row
 * SPDX-License-Identifier: MIT */

#include <fpfmt.h>

#include "bits.h"
#include "carrier.h"
#include "reserved.h"
#include "shape.h"

/* Kinds of rows: nans, infinity, exponent_zero, overflow, tie, specials, reserved. IEEE is IEEE
 * 754-2019 3.4; FN, finite with NaN at the top, is E4M3 of OCP OFP8; FNUZ, finite with NaN in
 * place of -0, is AMD's and Graphcore's; FINITE has neither, as FP6 and FP4 of OCP MX; E8M0 is
 * the block scale of MX, without zero or sign; P3109's are of IEEE P3109 v4.0. Overflow is what
 * each specification itself says. */
#define VACANT { { NULL, NULL }, { 0, 0 } }
#define IEEE FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, 0, FPFMT_OVERFLOW_INF, 0, 0, VACANT
#define FN FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_NONE, 0, FPFMT_OVERFLOW_NAN, 0, 0, VACANT
#define FNUZ FPFMT_NANS_NEGATIVE_ZERO, FPFMT_INFINITY_NONE, 0, FPFMT_OVERFLOW_NAN, 0, 0, VACANT
#define FINITE FPFMT_NANS_NONE, FPFMT_INFINITY_NONE, 0, FPFMT_OVERFLOW_MAX, 0, 0, VACANT
#define E8M0_KIND                                                                                  \
    FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_NONE, FPFMT_EXPONENT_ZERO_NORMALS, FPFMT_OVERFLOW_NAN,     \
        FPFMT_TIE_LARGER, 0, VACANT
#define DLFLOAT_KIND                                                                               \
    FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_NONE, FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS,               \
        FPFMT_OVERFLOW_NAN, 0, 0, VACANT
#define PXR24_KIND FPFMT_NANS_IEEE, FPFMT_INFINITY_IEEE, 0, FPFMT_OVERFLOW_MAX_FINITE, 0, 0, VACANT
#define P3109_SE                                                                                   \
    FPFMT_NANS_NEGATIVE_ZERO, FPFMT_INFINITY_TOP, 0, FPFMT_OVERFLOW_INF, 0, FPFMT_SPECIALS_P3109, \
        VACANT
#define P3109_SF                                                                                   \
    FPFMT_NANS_NEGATIVE_ZERO, FPFMT_INFINITY_NONE, 0, FPFMT_OVERFLOW_MAX, 0, FPFMT_SPECIALS_P3109, \
        VACANT
#define P3109_UF                                                                                   \
    FPFMT_NANS_ALL_ONES, FPFMT_INFINITY_NONE, 0, FPFMT_OVERFLOW_MAX, 0, FPFMT_SPECIALS_P3109, \
        VACANT

/* Rows that the library knows by their place. */
enum { FP64, FP32, TF32, BF16, FP16 };

/* name, sign, exponent and fraction bits, kind, bias, title, aliases, sets, caution.
 * What a format is stands in its row and nowhere else in the library, with three exceptions: the
 * host's float and double are binary32 and binary64 whatever rows there are; the constants of
 * prepared conversions know the fields that processors have instructions for; and a named policy
 * may make an exception of a row, by its name. */
/* clang-format off */
static const fpfmt_format table[] = {
    [FP64] = { "fp64", 1, 11, 52, IEEE, 1023, "IEEE binary64",
      "binary64 float64 f64 F64 double e11m52 torch.float64 torch.double numpy.float64",
      "ieee", NULL },
    [FP32] = { "fp32", 1, 8, 23, IEEE, 127, "IEEE binary32",
      "binary32 float32 f32 F32 float single e8m23 torch.float32 torch.float numpy.float32",
      "default ieee", NULL },
    [TF32] = { "tf32", 1, 8, 10, IEEE, 127, "NVIDIA TensorFloat-32, 19 bits",
      "TensorFloat-32 tensorfloat FloatTF32 tfloat32 tfloat32_t e8m10", "default", NULL },
    [BF16] = { "bf16", 1, 8, 7, IEEE, 127, "Google brain float",
      "bfloat16 bfloat bf BF16 brainfloat16 e8m7 torch.bfloat16 ml_dtypes.bfloat16",
      "default", NULL },
    [FP16] = { "fp16", 1, 5, 10, IEEE, 15, "IEEE binary16",
      "half float16 f16 F16 binary16 e5m10 torch.float16 torch.half numpy.float16",
      "default ieee", NULL },
    { "e5m2", 1, 5, 2, IEEE, 15, "OCP FP8 E5M2",
      "float8_e5m2 f8E5M2 F8_E5M2 FLOAT8E5M2 Float8E5M2 fp8_e5m2 fp8e5m2 fp8e5 float8e5 bf8 fp8 "
      "kDLFloat8_e5m2 float8 torch.float8_e5m2 __nv_fp8_e5m2",
      "default ocp mx", NULL },
    { "e4m3", 1, 4, 3, FN, 7, "OCP FP8 E4M3",
      "float8_e4m3fn f8E4M3FN F8_E4M3 FLOAT8E4M3FN Float8E4M3FN fp8_e4m3 fp8_e4m3fn fp8e4m3 "
      "kDLFloat8_e4m3fn e4m3fn fp8e4nv float8e4nv fp8 float8 torch.float8_e4m3fn __nv_fp8_e4m3",
      "default ocp mx", NULL },
    { "e4m3ieee", 1, 4, 3, IEEE, 7, "E4M3 with IEEE infinities and NaNs",
      "float8_e4m3 f8E4M3 Float8E4M3 ml_dtypes.float8_e4m3 kDLFloat8_e4m3",
      NULL,
      "this is the IEEE-style E4M3 of LLVM and ml_dtypes, max 240; OCP's, max 448, is "
      "float8_e4m3fn" },
    { "e3m4", 1, 3, 4, IEEE, 3, "E3M4 with IEEE infinities and NaNs",
      "float8_e3m4 f8E3M4 Float8E3M4 e3m4ieee ml_dtypes.float8_e3m4 kDLFloat8_e3m4",
      NULL, NULL },
    { "e5m2fnuz", 1, 5, 2, FNUZ, 16, "AMD and Graphcore FP8 E5M2, no -0",
      "float8_e5m2fnuz f8E5M2FNUZ F8_E5M2FNUZ FLOAT8E5M2FNUZ Float8E5M2FNUZ float8e5b16 "
      "fp8e5b16 kDLFloat8_e5m2fnuz bf8_fnuz torch.float8_e5m2fnuz",
      NULL, NULL },
    { "e4m3fnuz", 1, 4, 3, FNUZ, 8, "AMD and Graphcore FP8 E4M3, no -0",
      "float8_e4m3fnuz f8E4M3FNUZ F8_E4M3FNUZ FLOAT8E4M3FNUZ Float8E4M3FNUZ float8e4b8 fp8e4b8 "
      "kDLFloat8_e4m3fnuz fp8_fnuz torch.float8_e4m3fnuz",
      NULL, NULL },
    { "e4m3b11fnuz", 1, 4, 3, FNUZ, 11, "Google TPU FP8 E4M3 with bias 11, no -0",
      "float8_e4m3b11fnuz f8E4M3B11FNUZ Float8E4M3B11FNUZ float8_e4m3b11 "
      "ml_dtypes.float8_e4m3b11fnuz kDLFloat8_e4m3b11fnuz",
      NULL, NULL },
    { "e8m0", 0, 8, 0, E8M0_KIND, 127, "OCP E8M0 block scale",
      "float8_e8m0fnu f8E8M0FNU F8_E8M0 FLOAT8E8M0 Float8E8M0FNU float8_e8m0 ue8m0 "
      "float_ue8m0_t kDLFloat8_e8m0fnu e8m0fnu torch.float8_e8m0fnu",
      "ocp mx", NULL },
    { "e3m2", 1, 3, 2, FINITE, 3, "OCP FP6 E3M2",
      "float6_e3m2fn f6E3M2FN F6_E3M2 Float6E3M2FN float6_e3m2 fp6_e3m2 fp6e3m2 e3m2fn fp6 "
      "kDLFloat6_e3m2fn ml_dtypes.float6_e3m2fn",
      "ocp mx", NULL },
    { "e2m3", 1, 2, 3, FINITE, 1, "OCP FP6 E2M3",
      "float6_e2m3fn f6E2M3FN F6_E2M3 Float6E2M3FN float6_e2m3 fp6_e2m3 fp6e2m3 e2m3fn fp6 "
      "kDLFloat6_e2m3fn ml_dtypes.float6_e2m3fn",
      "ocp mx", NULL },
    { "e2m1", 1, 2, 1, FINITE, 1, "OCP FP4 E2M1",
      "float4_e2m1fn f4E2M1FN F4_E2M1 F4 FLOAT4E2M1 Float4E2M1FN float4_e2m1 float4 fp4 "
      "fp4_e2m1 kDLFloat4_e2m1fn fp4e2m1 e2m1fn torch.float4_e2m1fn_x2 ml_dtypes.float4_e2m1fn",
      "default ocp mx", NULL },
    { "ue4m3", 0, 4, 3, FN, 7, "NVFP4 block scale: E4M3 without sign",
      "float_ue4m3_t f8UE4M3", NULL, NULL },
    { "ue5m3", 0, 5, 3, FN, 15, "unsigned E5M3 block scale",
      "float_ue5m3_t Float8UE5M3", NULL, NULL },
    { "fp16alt", 1, 5, 10, FINITE, 15, "Arm alternative half precision",
      "ahp fp16_alternative arm_half", NULL, NULL },
    { "dlfloat16", 1, 6, 9, DLFLOAT_KIND, 31, "IBM DLFloat16",
      "dlfloat DLF16", NULL, NULL },
    { "pxr24", 1, 8, 15, PXR24_KIND, 127, "OpenEXR PXR24",
      "openexr_pxr24", NULL, NULL },
    { "ufloat11", 0, 5, 6, IEEE, 15, "unsigned float of R11G11B10",
      "uf11 float11", NULL, NULL },
    { "ufloat10", 0, 5, 5, IEEE, 15, "unsigned float of R11G11B10",
      "uf10 float10", NULL, NULL },
    { "int8f6", 1, 0, 7, FINITE, 6, "MXINT8 element: two's complement, 6 fraction bits",
      "mxint8_element", "mx", NULL },
    { "int8", 1, 0, 7, FINITE, 0, "two's complement integer",
      "i8 I8 s8 torch.int8 numpy.int8", NULL, NULL },
    { "int4", 1, 0, 3, FINITE, 0, "two's complement integer",
      "i4 s4 ml_dtypes.int4", NULL, NULL },
    { "int16", 1, 0, 15, FINITE, 0, "two's complement integer",
      "i16 I16 s16 torch.int16 numpy.int16", NULL, NULL },
    { "int32", 1, 0, 31, FINITE, 0, "two's complement integer",
      "i32 I32 s32 torch.int32 numpy.int32", NULL, NULL },
    { "uint4", 0, 0, 4, FINITE, 0, "integer without sign",
      "u4 ml_dtypes.uint4", NULL, NULL },
    { "uint8", 0, 0, 8, FINITE, 0, "integer without sign",
      "u8 U8 torch.uint8 numpy.uint8", NULL, NULL },
    { "uint16", 0, 0, 16, FINITE, 0, "integer without sign",
      "u16 U16 torch.uint16 numpy.uint16", NULL, NULL },
    { "uint32", 0, 0, 32, FINITE, 0, "integer without sign",
      "u32 U32 torch.uint32 numpy.uint32", NULL, NULL },
    { "binary8p4se", 1, 4, 3, P3109_SE, 8, "IEEE P3109, signed, with infinities",
      NULL, "p3109", NULL },
    { "binary8p3se", 1, 5, 2, P3109_SE, 16, "IEEE P3109, signed, with infinities",
      NULL, "p3109", NULL },
    { "binary4p2sf", 1, 2, 1, P3109_SF, 2, "IEEE P3109, signed, finite",
      NULL, "p3109", NULL },
    { "binary8p1uf", 0, 8, 0, P3109_UF, 128, "IEEE P3109 block scale, unsigned, finite",
      NULL, "p3109", NULL },
};
/* clang-format on */

#define ROWS (sizeof table / sizeof table[0])

const fpfmt_format *const fpfmt_carriers[CARRIERS] = { &table[FP32], &table[FP64] };
const fpfmt_format *const fpfmt_binary16 = &table[FP16], *const fpfmt_bfloat16 = &table[BF16];

const fpfmt_format *fpfmt_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

/* Everything that follows from a row, and is stored nowhere. Codes are of positive values but for
 * lowest, which in an unsigned format is 0 and in two's complement reaches a step further than max.
 */
fpfmt_limits fpfmt_measure(const fpfmt_format *format)
{
    uint64_t max = shape_max(format, false), lowest = shape_max(format, true);
    bool gap = format->exponent_zero == FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS;
    bool sign = format->sign_bits != 0, fixed = is_fixed_point(format);
    bool hidden = shape_offset(format) != 0;
    bool has_zero = format->exponent_zero != FPFMT_EXPONENT_ZERO_NORMALS;
    return (fpfmt_limits){
        .width = shape_width(format),
        .precision = format->fraction_bits + !fixed,
        /* Where code 0 of a binade of one value is zero, the smallest normal is in the next. */
        .emin = fixed ? -format->bias : shape_emin(format) + (gap && format->fraction_bits == 0),
        .emax = shape_emax(format),
        .has_zero = has_zero,
        .has_negative_zero = sign && !fixed && format->nans != FPFMT_NANS_NEGATIVE_ZERO && has_zero,
        .has_subnormals = !hidden && !fixed && format->fraction_bits > 0,
        .has_infinity = format->infinity != FPFMT_INFINITY_NONE,
        .has_nan = format->nans != FPFMT_NANS_NONE,
        .max = max,
        .lowest = !sign   ? 0
                  : fixed ? (0 - lowest) & low_bits(shape_width(format))
                          : lowest | shape_sign_mask(format),
        .min_normal = fixed || gap ? 1
                      : hidden     ? 0
                                   : UINT64_C(1) << format->fraction_bits,
        .min_positive = has_zero,
        .infinity = shape_infinity(format),
        .nan = shape_nan(format),
    };
}

/* The rules that shape.h, decode and encode rely on, each checked before what it makes safe to
 * compute: the width before codes are made, the exponent bits before the largest value is. That
 * every value is a binary64 takes a precision of 53 bits, emax 1023 and a smallest step of
 * 2^-1074. The bounds of 12 exponent bits and of 4096 for a bias keep the sums small: beyond
 * them one of both ends is out of range whatever the rest of the row says. */
const char *fpfmt_defect(const fpfmt_format *format)
{
    if (format == NULL)
        return "there is no format";
    int width = shape_width(format), precision = format->fraction_bits + !is_fixed_point(format);
    bool ieee = format->nans == FPFMT_NANS_IEEE;
    if (format->sign_bits > 1)
        return "it has more than one sign bit";
    if (width < 2 || width > 64)
        return "its width is not from 2 to 64 bits";
    if (precision > 53)
        return "its precision exceeds 53 bits, so that not every value is a binary64";
    if (format->nans > FPFMT_NANS_NEGATIVE_ZERO || format->infinity > FPFMT_INFINITY_TOP ||
        format->exponent_zero > FPFMT_EXPONENT_ZERO_ZERO_THEN_NORMALS ||
        format->tie > FPFMT_TIE_LARGER || format->specials > FPFMT_SPECIALS_P3109)
        return "a field holds no enumerator of its kind";
    if (format->overflow == FPFMT_OVERFLOW_SPEC || format->overflow >= FPFMT_OVERFLOW_COUNT)
        return "it does not say what its specification does on overflow";
    if (is_fixed_point(format) && (format->nans || format->infinity || format->exponent_zero))
        return "without exponent bits it is fixed point, which has no NaN, infinity or binades";
    if (ieee != (format->infinity == FPFMT_INFINITY_IEEE))
        return "IEEE NaNs and IEEE infinities come together";
    if (ieee && format->fraction_bits == 0)
        return "IEEE NaNs need a fraction bit, as fraction 0 is infinity";
    if (format->nans == FPFMT_NANS_NEGATIVE_ZERO && format->sign_bits == 0)
        return "without a sign there is no -0 to be NaN";
    if (format->nans == FPFMT_NANS_NEGATIVE_ZERO &&
        format->exponent_zero == FPFMT_EXPONENT_ZERO_NORMALS)
        return "without a zero there is no -0 to be NaN";
    if (format->infinity == FPFMT_INFINITY_TOP && shape_infinity(format) < 2)
        return "it has no finite value but zero";
    if (format->exponent_bits > 12 || format->bias < -4096 ||
        (format->bias <= 4096 && shape_emax(format) > shape_emax(&table[FP64])))
        return "its largest value exceeds binary64";
    if (format->bias > 4096 || shape_emin(format) - format->fraction_bits <
                                   shape_emin(&table[FP64]) - table[FP64].fraction_bits)
        return "its smallest value is below binary64's smallest subnormal";
    if (shape_max(format, false) < 1)
        return "it has no finite value but zero";
    if (!is_fixed_point(format) && shape_offset(format) == 0 &&
        shape_max(format, false) < UINT64_C(1) << format->fraction_bits)
        return "it has no normal value: infinity and NaN take its one exponent";
    return is_vacant(&format->reserved) ? NULL : "its reserved room is not zero";
}
