/* types.c - what the kinds of files call the types of elements
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/types.h"

#include <string.h>

#include "kit/memory.h"

/* F8_E4M3 is the one without infinities. F4 is two codes to a byte, the first in the low bits, as
 * frameworks write it; the F6 types have no framework that writes them. */
static const file_type safetensors[] = {
    { "BOOL", NULL, 8, true },
    { "F4", "e2m1", 4, false },
    { "F6_E2M3", "e2m3", 6, false },
    { "F6_E3M2", "e3m2", 6, false },
    { "U8", "uint8", 8, false },
    { "I8", "int8", 8, false },
    { "F8_E5M2", "e5m2", 8, false },
    { "F8_E4M3", "e4m3", 8, false },
    { "F8_E8M0", "e8m0", 8, false },
    { "F8_E4M3FNUZ", "e4m3fnuz", 8, false },
    { "F8_E5M2FNUZ", "e5m2fnuz", 8, false },
    { "I16", "int16", 16, false },
    { "U16", "uint16", 16, false },
    { "F16", "fp16", 16, false },
    { "BF16", "bf16", 16, false },
    { "I32", "int32", 32, false },
    { "U32", "uint32", 32, false },
    { "F32", "fp32", 32, false },
    { "C64", NULL, 64, true },
    { "F64", "fp64", 64, false },
    { "I64", NULL, 64, false },
    { "U64", NULL, 64, false },
};

const file_type *safetensors_type(const char *name)
{
    for (size_t i = 0; i < sizeof safetensors / sizeof safetensors[0]; i++)
        if (strcmp(safetensors[i].name, name) == 0)
            return &safetensors[i];
    return NULL;
}

const char *safetensors_name(const fpfmt_format *format)
{
    for (size_t i = 0; i < sizeof safetensors / sizeof safetensors[0]; i++)
        if (safetensors[i].format != NULL && strcmp(safetensors[i].format, format->name) == 0)
            return safetensors[i].name;
    return NULL;
}

/* Names separated by blanks: with a size, letters of the C types, and in full. ml_dtypes writes V1
 * and V2 for its types, which tell nothing but a size, and f1 for float8_e5m2; its own names are
 * what some programs write. */
static const file_type numpy[] = {
    { "f2 e half float16", "fp16", 16, false },
    { "f4 f single float32", "fp32", 32, false },
    { "f8 d double float64 float", "fp64", 64, false },
    { "f1 float8_e5m2", "e5m2", 8, false },
    { "bfloat16", "bf16", 16, false },
    { "float8_e4m3fn", "e4m3", 8, false },
    { "float8_e4m3fnuz", "e4m3fnuz", 8, false },
    { "float8_e5m2fnuz", "e5m2fnuz", 8, false },
    { "float8_e4m3b11fnuz", "e4m3b11fnuz", 8, false },
    { "float8_e8m0fnu", "e8m0", 8, false },
    { "i1 b byte int8", "int8", 8, false },
    { "u1 B ubyte uint8", "uint8", 8, false },
    { "i2 h short int16", "int16", 16, false },
    { "u2 H ushort uint16", "uint16", 16, false },
    { "i4 i intc int32", "int32", 32, false },
    { "u4 I uintc uint32", "uint32", 32, false },
    { "i8 l q int_ int int64", NULL, 64, false },
    { "u8 L Q uint uint64", NULL, 64, false },
    { "b1 ? bool bool_", NULL, 8, true },
    { "c8 F csingle complex64", NULL, 64, true },
    { "c16 D cdouble complex128 complex", NULL, 128, true },
    { "f16 g longdouble float128", NULL, 128, true },
    { "V1", NULL, 8, false },
    { "V2", NULL, 16, false },
};

/* Is the text one of the words of a list? Letters of NumPy's types differ in their case alone. */
static bool is_one_of(const char *list, const char *text)
{
    size_t length = strlen(text);
    for (; *list != '\0'; list += strspn(list, " ")) {
        size_t word = strcspn(list, " ");
        if (word == length && memcmp(list, text, word) == 0)
            return true;
        list += word;
    }
    return false;
}

const file_type *numpy_type(const char *descr)
{
    if (*descr != '\0' && strchr("<>=|", *descr) != NULL)
        descr++;
    for (size_t i = 0; i < sizeof numpy / sizeof numpy[0]; i++)
        if (is_one_of(numpy[i].name, descr))
            return &numpy[i];
    return NULL;
}

void settle_format(file_tensor *of, const file_type *type, const file_reading *reading)
{
    of->format = type->format == NULL ? NULL : fpfmt_named(type->format);
    bool named = type->is_other || (of->format != NULL && of->format->exponent_bits != 0);
    if (!named && reading->from != NULL && fpfmt_code_bytes(reading->from) * 8 == type->bits)
        of->format = reading->from;
}

static const ggml_type ggml[] = {
    [0] = { "F32", 1, 4, "fp32", NULL },       [1] = { "F16", 1, 2, "fp16", NULL },
    [2] = { "Q4_0", 32, 18, NULL, "q4_0" },    [3] = { "Q4_1", 32, 20, NULL, NULL },
    [6] = { "Q5_0", 32, 22, NULL, NULL },      [7] = { "Q5_1", 32, 24, NULL, NULL },
    [8] = { "Q8_0", 32, 34, NULL, "q8_0" },    [9] = { "Q8_1", 32, 36, NULL, NULL },
    [10] = { "Q2_K", 256, 84, NULL, NULL },    [11] = { "Q3_K", 256, 110, NULL, NULL },
    [12] = { "Q4_K", 256, 144, NULL, NULL },   [13] = { "Q5_K", 256, 176, NULL, NULL },
    [14] = { "Q6_K", 256, 210, NULL, NULL },   [15] = { "Q8_K", 256, 292, NULL, NULL },
    [16] = { "IQ2_XXS", 256, 66, NULL, NULL }, [17] = { "IQ2_XS", 256, 74, NULL, NULL },
    [18] = { "IQ3_XXS", 256, 98, NULL, NULL }, [19] = { "IQ1_S", 256, 50, NULL, NULL },
    [20] = { "IQ4_NL", 32, 18, NULL, NULL },   [21] = { "IQ3_S", 256, 110, NULL, NULL },
    [22] = { "IQ2_S", 256, 82, NULL, NULL },   [23] = { "IQ4_XS", 256, 136, NULL, NULL },
    [24] = { "I8", 1, 1, "int8", NULL },       [25] = { "I16", 1, 2, "int16", NULL },
    [26] = { "I32", 1, 4, "int32", NULL },     [27] = { "I64", 1, 8, NULL, NULL },
    [28] = { "F64", 1, 8, "fp64", NULL },      [29] = { "IQ1_M", 256, 56, NULL, NULL },
    [30] = { "BF16", 1, 2, "bf16", NULL },     [34] = { "TQ1_0", 256, 54, NULL, NULL },
    [35] = { "TQ2_0", 256, 66, NULL, NULL },   [39] = { "MXFP4", 32, 17, NULL, "mxfp4" },
    [40] = { "NVFP4", 64, 36, NULL, NULL },
};

const ggml_type *ggml_type_at(uint32_t number)
{
    bool known = number < sizeof ggml / sizeof ggml[0] && ggml[number].elements != 0;
    return known ? &ggml[number] : NULL;
}

const fpfmt_block *block_row(const char *name)
{
    fpfmt_block *made = allocate(1, sizeof *made);
    bool found = fpfmt_find_block(made, name) == FPFMT_FOUND;
    if (found && code_width(&made->element) == 4)
        made->order = FPFMT_BLOCK_HALVES; /* where ggml stores two codes in a byte */
    return found ? made : NULL;
}

unsigned code_width(const fpfmt_format *format)
{
    return (unsigned)fpfmt_measure(format).width;
}
