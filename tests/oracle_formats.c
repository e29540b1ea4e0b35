/* oracle_formats.c - the formats as their standards print them
 * SPDX-License-Identifier: MIT
 *
 * Sources: IEEE 754-2019 table 3.5; OCP OFP8 1.0 tables 1 and 2; OCP MX 1.0 tables 1 to 6;
 * LLVM APFloat semantics (FNUZ, B11, E3M4, TF32); PTX ISA (ue4m3, ue5m3); Arm ARM (alternative
 * half); IBM zDNN (DLFloat16); OpenEXR (PXR24); OpenGL EXT_packed_float (11 and 10 bits). */

#include "oracle.h"

#include <stdio.h>
#include <string.h>

const oracle_format oracle_formats[] = {
    { "fp64", ORACLE_IEEE, 64, 53, -1022, true, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000,
      0x7FF8000000000000, FPFMT_OVERFLOW_INF, false },
    { "fp32", ORACLE_IEEE, 32, 24, -126, true, 0x7F7FFFFF, 0x7F800000, 0x7FC00000,
      FPFMT_OVERFLOW_INF, false },
    { "tf32", ORACLE_IEEE, 19, 11, -126, true, 0x3FBFF, 0x3FC00, 0x3FE00, FPFMT_OVERFLOW_INF,
      false },
    { "bf16", ORACLE_IEEE, 16, 8, -126, true, 0x7F7F, 0x7F80, 0x7FC0, FPFMT_OVERFLOW_INF, false },
    { "fp16", ORACLE_IEEE, 16, 11, -14, true, 0x7BFF, 0x7C00, 0x7E00, FPFMT_OVERFLOW_INF, false },
    { "e5m2", ORACLE_IEEE, 8, 3, -14, true, 0x7B, 0x7C, 0x7E, FPFMT_OVERFLOW_INF, false },
    { "e4m3", ORACLE_FN, 8, 4, -6, true, 0x7E, 0, 0x7F, FPFMT_OVERFLOW_NAN, false },
    { "e4m3ieee", ORACLE_IEEE, 8, 4, -6, true, 0x77, 0x78, 0x7C, FPFMT_OVERFLOW_INF, false },
    { "e3m4", ORACLE_IEEE, 8, 5, -2, true, 0x6F, 0x70, 0x78, FPFMT_OVERFLOW_INF, false },
    { "e5m2fnuz", ORACLE_FNUZ, 8, 3, -15, true, 0x7F, 0, 0x80, FPFMT_OVERFLOW_NAN, false },
    { "e4m3fnuz", ORACLE_FNUZ, 8, 4, -7, true, 0x7F, 0, 0x80, FPFMT_OVERFLOW_NAN, false },
    { "e4m3b11fnuz", ORACLE_FNUZ, 8, 4, -10, true, 0x7F, 0, 0x80, FPFMT_OVERFLOW_NAN, false },
    { "e8m0", ORACLE_E8M0, 8, 1, -127, false, 0xFE, 0, 0xFF, FPFMT_OVERFLOW_NAN, true },
    { "e3m2", ORACLE_FINITE, 6, 3, -2, true, 0x1F, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "e2m3", ORACLE_FINITE, 6, 4, 0, true, 0x1F, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "e2m1", ORACLE_FINITE, 4, 2, 0, true, 0x7, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "ue4m3", ORACLE_FN, 7, 4, -6, false, 0x7E, 0, 0x7F, FPFMT_OVERFLOW_NAN, false },
    { "ue5m3", ORACLE_FN, 8, 4, -14, false, 0xFE, 0, 0xFF, FPFMT_OVERFLOW_NAN, false },
    { "fp16alt", ORACLE_FINITE, 16, 11, -14, true, 0x7FFF, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "dlfloat16", ORACLE_DLFLOAT, 16, 10, -31, true, 0x7FFE, 0, 0x7FFF, FPFMT_OVERFLOW_NAN,
      false },
    { "pxr24", ORACLE_IEEE, 24, 16, -126, true, 0x7F7FFF, 0x7F8000, 0x7FC000,
      FPFMT_OVERFLOW_MAX_FINITE, false },
    { "ufloat11", ORACLE_IEEE, 11, 7, -14, false, 0x7BF, 0x7C0, 0x7E0, FPFMT_OVERFLOW_INF, false },
    { "ufloat10", ORACLE_IEEE, 10, 6, -14, false, 0x3DF, 0x3E0, 0x3F0, FPFMT_OVERFLOW_INF, false },
    { "int8f6", ORACLE_INTEGER, 8, 7, -6, true, 0x7F, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "int8", ORACLE_INTEGER, 8, 7, 0, true, 0x7F, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "int4", ORACLE_INTEGER, 4, 3, 0, true, 0x7, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "int16", ORACLE_INTEGER, 16, 15, 0, true, 0x7FFF, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "int32", ORACLE_INTEGER, 32, 31, 0, true, 0x7FFFFFFF, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "uint4", ORACLE_INTEGER, 4, 4, 0, false, 0xF, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "uint8", ORACLE_INTEGER, 8, 8, 0, false, 0xFF, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "uint16", ORACLE_INTEGER, 16, 16, 0, false, 0xFFFF, 0, 0, FPFMT_OVERFLOW_MAX, false },
    { "uint32", ORACLE_INTEGER, 32, 32, 0, false, 0xFFFFFFFF, 0, 0, FPFMT_OVERFLOW_MAX, false },
};

const size_t oracle_format_count = sizeof oracle_formats / sizeof oracle_formats[0];

const oracle_format *oracle_named(const char *name)
{
    for (size_t i = 0; i < oracle_format_count; i++)
        if (strcmp(oracle_formats[i].name, name) == 0)
            return &oracle_formats[i];
    return NULL;
}

/* P3109 clause 4.4: NaN takes the place of -0 or, unsigned, the top code; +Inf the largest
 * positive code that is left; the bias is 2^(K-P-1) signed and 2^(K-P) unsigned. */
oracle_format oracle_p3109(int bits, int precision, bool is_signed, bool extended)
{
    uint64_t half = (uint64_t)1 << (bits - 1);
    uint64_t top = is_signed ? half - 1 : half + half - 2;
    int bias = is_signed ? 1 << (bits - precision) >> 1 : 1 << (bits - precision);
    oracle_format format = { .kind = ORACLE_P3109,
                             .bits = bits,
                             .precision = precision,
                             .emin = 1 - bias,
                             .is_signed = is_signed,
                             .max = extended ? top - 1 : top,
                             .infinity = extended ? top : 0,
                             .nan = is_signed ? half : half + half - 1,
                             .overflow = extended ? FPFMT_OVERFLOW_INF : FPFMT_OVERFLOW_MAX };
    snprintf(format.name, sizeof format.name, "binary%dp%d%c%c", bits % 100, precision % 100,
             is_signed ? 's' : 'u', extended ? 'e' : 'f');
    return format;
}

void oracle_each_p3109(int low, int high, void (*visit)(const oracle_format *format))
{
    for (int bits = low; bits <= high; bits++)
        for (int precision = 1; precision <= bits; precision++)
            for (int variant = 0; variant < 4; variant++) {
                oracle_format format;
                if (variant < 2 && precision == bits)
                    continue;
                format = oracle_p3109(bits, precision, variant < 2, variant % 2 != 0);
                visit(&format);
            }
}
