/* cases.c - the tables: operations, modes, sizes, what is measured, and what should be reached
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#include <string.h>

#include "kit/list.h"

/* Those with elements are short calls of a plan. L1, L2 and memory are of half as many doubles. */
static const array_size sizes[] = {
    { "1", 0, 1, 0 },       { "16", 0, 16, 0 },    { "100", 0, 100, 0 },   { "L1", 16384, 0, 0 },
    { "L2", 262144, 0, 0 }, { "memory", 0, 0, 0 }, { "256^3", 0, 0, 256 }, { "1024^3", 0, 0, 1024 },
};

#define NEAREST FPFMT_ROUND_NEAREST_EVEN
static const rounding_mode modes[] = {
    { "rne", { .rounding = NEAREST } },
    { "rne-sat", { .rounding = NEAREST, .overflow = FPFMT_OVERFLOW_MAX } },
    { "rtz", { .rounding = FPFMT_ROUND_TOWARD_ZERO } },
    { "rna", { .rounding = FPFMT_ROUND_NEAREST_AWAY } },
    { "rto", { .rounding = FPFMT_ROUND_TO_ODD } },
    { "rup", { .rounding = FPFMT_ROUND_UPWARD } },
    { "rdn", { .rounding = FPFMT_ROUND_DOWNWARD } },
    { "sr", { .rounding = FPFMT_ROUND_STOCHASTIC_A, .random_bits = 32, .seed = 7 } },
};

#define WITH_FIRST(name)                                                                           \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        return fpfmt_plan_##name(it->plan, to, from, n, 0, NULL);                                  \
    }
WITH_FIRST(encode_f32)
WITH_FIRST(encode_f64)
WITH_FIRST(round_f32)
WITH_FIRST(round_f64)

static bool decode_f32(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_plan_decode_f32(it->plan, to, from, n, NULL);
}

static bool decode_f64(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_plan_decode_f64(it->plan, to, from, n, NULL);
}

static bool convert(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_plan_convert(it->plan, to, it->source, from, n, 0, NULL);
}

bool one_shot(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_encode_f32(it->format, to, from, n, &it->plan->policy, NULL);
}

const void *operand_at(const contender *it, const void *from, size_t n, size_t index)
{
    size_t bytes = it->read / it->operands;
    return (const unsigned char *)from + (index < it->operands ? index : 0) * n * bytes;
}

#define OPERANDS operand_at(it, from, n, 0), operand_at(it, from, n, 1), operand_at(it, from, n, 2)
#define OPERATE(name, OPERATION)                                                                   \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        return fpfmt_plan_operate(it->plan, FPFMT_OPERATION_##OPERATION, to, OPERANDS, n, 0,       \
                                  NULL);                                                           \
    }                                                                                              \
    static bool name##_f32(const contender *it, void *to, const void *from, size_t n)              \
    {                                                                                              \
        return fpfmt_plan_operate_f32(it->plan, FPFMT_OPERATION_##OPERATION, to, OPERANDS, n, 0,   \
                                      NULL);                                                       \
    }
OPERATE(add, ADD)
OPERATE(multiply, MULTIPLY)
OPERATE(divide, DIVIDE)
OPERATE(fused, FMA)

/* The scalar functions, as a program calls them: code in, code out. */
static uint64_t code_at(const void *from, size_t bytes, size_t i)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    const unsigned char *at = (const unsigned char *)from + i * bytes;
    switch (bytes) {
    case 1: return *at;
    case 2: return memcpy(&two, at, sizeof two), two;
    case 4: return memcpy(&four, at, sizeof four), four;
    default: return memcpy(&one, at, sizeof one), one;
    }
}

#define CALL(name, call)                                                                           \
    static bool name(const contender *it, void *to, const void *from, size_t n)                    \
    {                                                                                              \
        const fpfmt_format *f = it->format;                                                        \
        size_t bytes = it->read / it->operands;                                                    \
        uint32_t *out = to;                                                                        \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = (uint32_t)(call);                                                             \
        return true;                                                                               \
    }
#define VALUE(index) fpfmt_decode(f, code_at(operand_at(it, from, n, index), bytes, i))
CALL(call_convert, fpfmt_convert(f, &it->source->format, code_at(from, bytes, i), NULL, NULL))
CALL(call_add, fpfmt_add(f, VALUE(0), VALUE(1), NULL, NULL))
CALL(call_fma, fpfmt_fma(f, VALUE(0), VALUE(1), VALUE(2), NULL, NULL))

static const array_operation operations[] = {
    { "encode_f32", encode_f32, sizeof(float), 0, 1, NULL, false, false },
    { "encode_f64", encode_f64, sizeof(double), 0, 1, NULL, false, false },
    { "decode_f32", decode_f32, 0, sizeof(float), 1, NULL, false, false },
    { "decode_f64", decode_f64, 0, sizeof(double), 1, NULL, false, false },
    { "round_f32", round_f32, sizeof(float), sizeof(float), 1, NULL, false, false },
    { "round_f64", round_f64, sizeof(double), sizeof(double), 1, NULL, false, false },
    { "convert", convert, 0, 0, 1, NULL, false, false },
    { "encode_flags", encode_flags, sizeof(float), 0, 1, NULL, false, false },
    { "encode_packed", encode_packed, sizeof(float), 0, 1, NULL, false, false },
    { "decode_packed", decode_packed, 0, sizeof(float), 1, NULL, false, false },
    { "view_rows_12", view_rows_12, sizeof(float), 0, 1, NULL, false, false },
    { "view_rows_32", view_rows_32, sizeof(float), 0, 1, NULL, false, false },
    { "view_rows_64", view_rows_64, sizeof(float), 0, 1, NULL, false, false },
    { "view_rows_128", view_rows_128, sizeof(float), 0, 1, NULL, false, false },
    { "view_transpose", view_transpose, sizeof(float), 0, 1, NULL, false, false },
    { "view_transpose_decode", view_transpose_decode, 0, sizeof(float), 1, NULL, false, false },
    { "stats", statistics, sizeof(float), sizeof(float), 1, NULL, false, false },
    { "arith_add", add, 0, 0, 2, NULL, false, false },
    { "arith_multiply", multiply, 0, 0, 2, NULL, false, false },
    { "arith_divide", divide, 0, 0, 2, NULL, false, false },
    { "arith_fma", fused, 0, 0, 3, NULL, false, false },
    { "arith_add_f32", add_f32, sizeof(float), sizeof(float), 2, plain_add, false, false },
    { "arith_divide_f32", divide_f32, sizeof(float), sizeof(float), 2, plain_divide, false, false },
    { "arith_multiply_f32", multiply_f32, sizeof(float), sizeof(float), 2, plain_multiply, false,
      false },
    { "arith_fma_f32", fused_f32, sizeof(float), sizeof(float), 3, plain_fma, false, false },
    { "arith_call_convert", call_convert, 0, sizeof(float), 1, NULL, true, false },
    { "arith_call_add", call_add, 0, sizeof(float), 2, NULL, true, false },
    { "arith_call_fma", call_fma, 0, sizeof(float), 3, NULL, true, false },
    { "gemm_fp32", gemm_single, 0, sizeof(float), 2, NULL, false, true },
    { "gemm_bf16", gemm_bfloat, 0, sizeof(float), 2, plain_gemm, false, true },
    { "gemm_fp16", gemm_half, 0, sizeof(float), 2, plain_gemm, false, true },
    { "gemm_transposed", gemm_transposed, 0, sizeof(float), 2, plain_gemm, false, true },
    { "mx_quantize", mx_quantize, sizeof(float), 0, 1, plain_encode, false, false },
    { "mx_dequantize", mx_dequantize, 0, sizeof(float), 1, plain_decode, false, false },
    { "nvfp4_quantize", nvfp4_quantize, sizeof(float), 0, 1, plain_encode, false, false },
    { "nvfp4_dequantize", nvfp4_dequantize, 0, sizeof(float), 1, plain_decode, false, false },
    { "dot_nv-hopper", engine_dot, 0, sizeof(float), 2, NULL, true, false },
};

const bench_case chosen_cases[] = {
    { "encode_f32", "bf16 fp16 e4m3 e5m2", "rne", "L1 L2 memory", "mixed" },
    { "encode_f32", "e4m3 e5m2", "rne-sat", "L1 L2 memory", "mixed" },
    { "encode_f32", "e5m3 e3m2 e2m1", "rne", "L2 memory", "mixed" },
    { "encode_f32", "bf16 fp16 e4m3 e5m2", "rne", "L2", "weights" },
    { "encode_f32", "bf16 fp16 e4m3 e5m2", "rtz rna rto rup rdn sr", "L2", "mixed" },
    { "encode_f32", "fp16 e4m3", "rne", "1 16 100", "mixed" },
    { "encode_f64", "bf16 fp16 e4m3 e5m2 e5m3", "rne", "L1 L2 memory", "mixed" },
    { "encode_f64", "fp16 e4m3", "rtz rup sr", "L2", "mixed" },
    { "decode_f32", "bf16 fp16 e4m3 e5m2", "rne", "L1 L2 memory", "mixed" },
    { "decode_f32", "e4m3 e5m2", "rne", "L2", "weights" },
    { "decode_f32", "e5m3 e3m2 e2m1", "rne", "L2 memory", "mixed" },
    { "decode_f64", "bf16 fp16 e4m3 e5m2", "rne", "L2 memory", "mixed" },
    { "round_f32", "bf16 fp16 e4m3 e5m2", "rne", "L1 L2 memory", "mixed" },
    { "round_f32", "bf16 fp16 e4m3 e5m2", "rne", "L2", "weights" },
    { "round_f32", "e5m3 e3m2 e2m1 tf32", "rne", "L2 memory", "mixed" },
    { "round_f32", "bf16 fp16 e4m3", "rtz", "L2 memory", "mixed" },
    { "round_f32", "bf16 fp16 e4m3", "rna rto rup rdn", "L2", "mixed" },
    { "round_f32", "bf16 e4m3", "sr", "L1 L2 memory", "mixed" },
    { "round_f64", "bf16 fp16 e4m3 e5m2", "rne", "L1 L2 memory", "mixed" },
    { "round_f64", "fp16 e4m3", "rtz", "L2 memory", "mixed" },
    { "round_f64", "fp16 e4m3", "rna rto rup rdn", "L2", "mixed" },
    { "convert", "bf16->e4m3 fp16->bf16 e4m3->fp16 e5m2->e4m3", "rne", "L2 memory", "mixed" },
    { "encode_flags", "bf16 fp16 e4m3", "rne", "L2", "weights" },
    { "encode_packed", "e2m1 e3m2", "rne", "L2", "weights" },
    { "decode_packed", "e2m1 e3m2", "rne", "L2", "weights" },
    { "view_rows_12", "fp16 e4m3", "rne", "L2", "weights" },
    { "view_rows_32", "fp16 e4m3", "rne", "L2", "weights" },
    { "view_rows_64", "fp16 e4m3", "rne", "L2", "weights" },
    { "view_rows_128", "fp16 e4m3", "rne", "L2", "weights" },
    { "view_transpose", "fp16 e4m3", "rne", "L2", "weights" },
    { "view_transpose_decode", "fp16 e4m3", "rne", "L2", "weights" },
    { "stats", "bf16 fp16 e4m3", "rne", "L2", "weights" },
    { "arith_add", "bf16 fp16 e4m3", "rne", "L2", "mixed weights" },
    { "arith_multiply", "bf16 fp16 e4m3", "rne", "L2", "weights" },
    { "arith_divide", "fp16", "rne", "L2", "weights" },
    { "arith_fma", "bf16 fp16 e4m3 fp32", "rne", "L2", "weights" },
    { "arith_add", "fp16", "rtz rup", "L2", "weights" },
    { "arith_add_f32", "bf16 fp16 e4m3", "rne", "L2", "mixed weights" },
    { "arith_multiply_f32", "bf16 fp16 e4m3", "rne", "L2", "weights" },
    { "arith_fma_f32", "bf16 fp16 e4m3", "rne", "L2", "weights" },
    { "arith_call_convert", "fp32->fp16 fp32->e4m3 fp16->fp32", "rne", "L2", "weights" },
    { "arith_call_add", "fp16 fp32", "rne", "L2", "weights" },
    { "arith_call_fma", "fp16 fp32", "rne", "L2", "weights" },
    { "gemm_fp32", "bf16 e4m3", "rne", "256^3 1024^3", "weights" },
    { "gemm_bf16", "bf16", "rne", "256^3 1024^3", "weights" },
    { "gemm_fp16", "fp16", "rne", "256^3 1024^3", "weights" },
    { "gemm_transposed", "bf16", "rne", "256^3", "weights" },
    { "dot_nv-hopper", "bf16 e4m3", "rne", "L2", "weights" },
    { "mx_quantize", "e4m3 e5m2 e2m3 e2m1 int8f6", "rne", "L2 memory", "weights" },
    { "mx_dequantize", "e4m3 e5m2 e2m3 e2m1 int8f6", "rne", "L2 memory", "weights" },
    { "nvfp4_quantize", "e2m1", "rne", "L2 memory", "weights" },
    { "nvfp4_dequantize", "e2m1", "rne", "L2 memory", "weights" },
    { NULL, NULL, NULL, NULL, NULL },
};

#define EVERY_FORMAT "bf16 fp16 e4m3 e5m2 e5m3 e3m2 e2m1 tf32"
#define EVERY_MODE "rne rne-sat rtz rna rto rup rdn sr"
#define EVERY_SIZE "1 16 100 L1 L2 memory"
const bench_case all_cases[] = {
    { "encode_f32", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "encode_f64", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "decode_f32", EVERY_FORMAT, "rne", EVERY_SIZE, "mixed weights" },
    { "decode_f64", EVERY_FORMAT, "rne", EVERY_SIZE, "mixed weights" },
    { "round_f32", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "round_f64", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "convert",
      "bf16->fp16 bf16->e4m3 bf16->e5m2 fp16->bf16 fp16->e4m3 fp16->e5m2 e4m3->bf16 "
      "e4m3->fp16 e4m3->e5m2 e5m2->bf16 e5m2->fp16 e5m2->e4m3",
      EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_add", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_multiply", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_divide", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_fma", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_add_f32", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_divide_f32", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_multiply_f32", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { "arith_fma_f32", EVERY_FORMAT, EVERY_MODE, EVERY_SIZE, "mixed weights" },
    { NULL, NULL, NULL, NULL, NULL },
};

/* What one thread should reach on mixed data, in arithmetic on weights: ratios of prototypes on Zen
 * 5, less a margin. Empty lists stand for every word. */
static const struct {
    const char *set, *operations, *formats, *modes;
    double in_l2, in_memory, per_second;
} bars[] = {
    { "avx512", "encode_f32", "bf16 fp16", "rne", 0.88, 0.93, 0 },
    { "avx512", "encode_f32", "e4m3", "rne", 0.51, 0.80, 0 },
    { "avx512", "encode_f32", "e4m3", "rne-sat", 0.43, 0.78, 0 },
    { "avx512", "encode_f32", "e5m2", "rne rne-sat", 0.43, 0.78, 0 },
    { "avx512", "decode_f32", "bf16 fp16 e4m3 e5m2", "", 0.88, 0.93, 0 },
    { "avx512", "round_f32 round_f64", "", "rne rtz", 0.53, 0.93, 0 },
    { "avx512", "round_f32 round_f64", "", "rna rto", 0.37, 0, 0 },
    { "avx512", "round_f32 round_f64", "", "rup rdn", 0.27, 0, 0 },
    { "avx512", "round_f32", "bf16", "sr", 0.13, 0.78, 0 },
    { "avx2", "encode_f32", "fp16", "rne", 0.83, 0, 0 },
    { "avx2", "encode_f32", "bf16", "rne", 0.33, 0, 0 },
    { "avx2", "encode_f32", "e4m3", "rne", 0.22, 0, 0 },
    { "avx2", "decode_f32", "e4m3", "", 0.31, 0, 0 },
    { "avx2", "round_f32 round_f64", "", "rne", 0.27, 0, 0 },
    { "avx512", "arith_add", "fp16", "rne", 0.6, 0, 0 },
    { "avx512", "arith_fma", "fp16", "rne", 0.55, 0, 0 },
    { "avx512", "arith_add_f32 arith_multiply_f32", "fp16 e4m3", "rne", 0.7, 0, 0 },
    { "avx512", "arith_fma_f32", "bf16", "rne", 0.6, 0, 0 },
    { "avx512", "gemm_fp32", "", "", 0.8, 0, 0 },
    { "avx512", "gemm_bf16 gemm_fp16", "", "", 0.55, 0, 0 },
    { "avx2", "gemm_fp32", "", "", 0.45, 0, 0 },
    { "scalar", "dot_nv-hopper", "", "", 0, 0, 5e7 },
    { "scalar", "arith_call_convert", "", "rne", 0, 0, 1e8 },
    { "scalar", "arith_call_add", "", "rne", 0, 0, 6.67e7 },
    { "scalar", "arith_call_fma", "", "rne", 0, 0, 4e7 },
    { "scalar", "encode_f32", "e4m3", "rne", 0, 0, 1e8 },
    { "scalar", "round_f32", "", "rne", 0, 0, 1e8 },
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

const array_operation *operation_named(const char *name)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

const array_size *size_named(const char *name)
{
    for (size_t i = 0; i < COUNT(sizes); i++)
        if (strcmp(sizes[i].name, name) == 0)
            return &sizes[i];
    return NULL;
}

const rounding_mode *mode_named(const char *name)
{
    for (size_t i = 0; i < COUNT(modes); i++)
        if (strcmp(modes[i].name, name) == 0)
            return &modes[i];
    return NULL;
}

bool next_word(char *word, size_t size, const char **list)
{
    *list += strspn(*list, " ");
    size_t length = strcspn(*list, " ");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length;
    return true;
}

static bool admits(const char *list, const char *word)
{
    return *list == '\0' || is_word_of(list, word);
}

static bool is_arithmetic(const char *operation)
{
    return strncmp(operation, "arith", 5) == 0 || strncmp(operation, "gemm", 4) == 0 ||
           strncmp(operation, "dot", 3) == 0;
}

static bool is_judged(size_t bar, const result *of)
{
    return strcmp(bars[bar].set, of->set) == 0 && admits(bars[bar].operations, of->operation) &&
           admits(bars[bar].formats, of->format) && admits(bars[bar].modes, of->mode) &&
           strcmp(of->data, is_arithmetic(of->operation) ? "weights" : "mixed") == 0;
}

double ratio_bar(const result *of)
{
    for (size_t i = 0; i < COUNT(bars); i++)
        if (is_judged(i, of))
            return strcmp(of->size, "L2") == 0 || strcmp(of->size, "1024^3") == 0 ? bars[i].in_l2
                   : strcmp(of->size, "memory") == 0 ? bars[i].in_memory
                                                     : 0;
    return 0;
}

double rate_bar(const result *of)
{
    for (size_t i = 0; i < COUNT(bars); i++)
        if (is_judged(i, of) && strcmp(of->size, "L2") == 0)
            return bars[i].per_second;
    return 0;
}
