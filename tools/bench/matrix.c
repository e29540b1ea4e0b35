/* matrix.c - products of square matrices, and models of matrix engines, beside OpenBLAS
 * SPDX-License-Identifier: MIT
 *
 * An element of these lines is one product and one sum. */

#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/run.h"
#include "kit/say.h"

#if defined PEER_OPENBLAS
#include <cblas.h>
#endif

enum { MOST = 1024 };

/* The factors as floats, for those who take no codes. */
static struct {
    float *a, *b;
    size_t side;
    const fpfmt_format *format;
} floats;

static size_t side_of(size_t products)
{
    return (size_t)(cbrt((double)products) + 0.5);
}

static void keep_floats(const contender *it, const void *from, size_t side)
{
    size_t bytes = it->read / it->operands;
    if (floats.side == side && floats.format == it->format)
        return;
    if (floats.a == NULL) {
        floats.a = aligned_alloc(64, MOST * MOST * sizeof(float));
        floats.b = aligned_alloc(64, MOST * MOST * sizeof(float));
    }
    if (floats.a == NULL || floats.b == NULL) {
        complain("out of memory");
        stop_run();
    }
    fpfmt_decode_f32(it->format, floats.a, from, side * side, NULL, NULL);
    fpfmt_decode_f32(it->format, floats.b, (const unsigned char *)from + side * side * bytes,
                     side * side, NULL, NULL);
    floats.side = side;
    floats.format = it->format;
}

static bool multiply(const contender *it, void *to, const void *from, size_t n, const char *sums,
                     bool transposed)
{
    static float workspace[1 << 17];
    size_t side = side_of(n), bytes = it->read / it->operands;
    ptrdiff_t row = transposed ? 1 : (ptrdiff_t)side, column = transposed ? (ptrdiff_t)side : 1;
    fpfmt_accumulator how;
    fpfmt_product of = {
        .how = &how,
        .to = fpfmt_named(sums),
        .a = { .format = it->format, .codes = from, .row = row, .column = column },
        .b = { .format = it->format,
               .codes = (const unsigned char *)from + side * side * bytes,
               .row = row,
               .column = column },
        .c = to,
        .row = (ptrdiff_t)side,
        .column = 1,
        .m = side,
        .n = side,
        .k = side,
        .alpha = 1,
        .workspace = workspace,
        .workspace_bytes = sizeof workspace,
        .set = it->plan->set
    };
    return fpfmt_find_accumulator(&how, "fma", of.to, it->format, it->format) == FPFMT_FOUND &&
           fpfmt_gemm(&of, NULL);
}

bool gemm_single(const contender *it, void *to, const void *from, size_t n)
{
    return multiply(it, to, from, n, "fp32", false);
}

bool gemm_bfloat(const contender *it, void *to, const void *from, size_t n)
{
    return multiply(it, to, from, n, "bf16", false);
}

bool gemm_half(const contender *it, void *to, const void *from, size_t n)
{
    return multiply(it, to, from, n, "fp16", false);
}

/* Of factors whose columns lie one behind the other, not their rows. */
bool gemm_transposed(const contender *it, void *to, const void *from, size_t n)
{
    return multiply(it, to, from, n, "fp32", true);
}

/* The loop that a program has without a library: rows of B are added up. */
#if defined __x86_64__ && defined __GNUC__
__attribute__((target_clones("avx512f", "avx2,fma", "default"), optimize("O3", "fast-math")))
#endif
static void
plain_loop(float *c, const float *a, const float *b, size_t side)
{
    memset(c, 0, side * side * sizeof *c);
    for (size_t i = 0; i < side; i++)
        for (size_t k = 0; k < side; k++)
            for (size_t j = 0; j < side; j++)
                c[i * side + j] += a[i * side + k] * b[k * side + j];
}

bool plain_gemm(const contender *it, void *to, const void *from, size_t n)
{
    size_t side = side_of(n);
    keep_floats(it, from, side);
    plain_loop(to, floats.a, floats.b, side);
    return true;
}

#if defined PEER_OPENBLAS
static bool openblas_gemm(const contender *it, void *to, const void *from, size_t n)
{
    blasint side = (blasint)side_of(n);
    keep_floats(it, from, (size_t)side);
    openblas_set_num_threads(1);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, side, side, side, 1, floats.a, side,
                floats.b, side, 0, to, side);
    return true;
}
#endif

/* Without OpenBLAS, what it would be compared with is not known. */
pass *gemm_limit(void)
{
#if defined PEER_OPENBLAS
    return openblas_gemm;
#else
    return NULL;
#endif
}

const peer matrix_peers[] = {
    { "plain", "gemm_fp32", "bf16 e4m3", plain_gemm },
#if defined PEER_OPENBLAS
    { "openblas", "gemm_fp32", "bf16 e4m3", openblas_gemm },
#endif
    { NULL, NULL, NULL, NULL },
};

/* A dot product of 4096 elements at a time. */
bool engine_dot(const contender *it, void *to, const void *from, size_t n)
{
    enum { LENGTH = 4096 };
    const fpfmt_format *single = fpfmt_named("fp32");
    fpfmt_accumulator how;
    uint32_t *sums = to;
    size_t bytes = it->read / it->operands;
    if (fpfmt_find_accumulator(&how, "nv-hopper", single, it->format, it->format) != FPFMT_FOUND)
        return false;
    for (size_t i = 0; i < n; i += LENGTH) {
        fpfmt_series a = { .format = it->format,
                           .codes = (const unsigned char *)from + i * bytes,
                           .stride = 1 };
        fpfmt_series b = { .format = it->format,
                           .codes = (const unsigned char *)from + (n + i) * bytes,
                           .stride = 1 };
        size_t length = n - i < LENGTH ? n - i : LENGTH;
        sums[i / LENGTH] = (uint32_t)fpfmt_dot(single, &how, 0, a, b, length, NULL, NULL);
    }
    return true;
}
