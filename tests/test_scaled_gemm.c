/* test_scaled_gemm.c - products of matrices whose elements share scales: factors, and refusals
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "samples.h"

enum { M = 3, N = 4, K = 32 };

/* Operands, and C before and after. A's scales are shared by 2 rows and 16 columns, B's by 16 rows
 * and 3 columns. */
typedef struct {
    unsigned char a[M][K], b[K][N], a_scales[2][2], b_scales[2][2];
    float before[M][N], c[M][N];
    fpfmt_product product;
} matrices;

static void make_matrices(matrices *made, const fpfmt_accumulator *how)
{
    const fpfmt_format *e4m3 = fpfmt_named("e4m3"), *powers = fpfmt_named("e8m0");
    unsigned char *codes[] = { &made->a[0][0], &made->b[0][0] };
    for (size_t i = 0; i < 4; i++) {
        made->a_scales[i / 2][i % 2] = (unsigned char)(120 + random_word() % 15);
        made->b_scales[i / 2][i % 2] = (unsigned char)(120 + random_word() % 15);
    }
    for (size_t i = 0; i < M * K; i++)
        codes[0][i] = (unsigned char)(random_word() % 0x70);
    for (size_t i = 0; i < K * N; i++)
        codes[1][i] = (unsigned char)(random_word() % 0x70 | (random_word() & 0x80));
    for (size_t i = 0; i < M * N; i++)
        made->before[i / N][i % N] = (float)(random_word() % 1000) / 7;
    memcpy(made->c, made->before, sizeof made->c);
    made->product = (fpfmt_product){
        .to = fpfmt_named("fp32"),
        .how = how,
        .a = { e4m3, made->a, K, 1, { powers, made->a_scales, 2, 1, 2, 16 } },
        .b = { e4m3, made->b, N, 1, { powers, made->b_scales, 2, 1, 16, 3 } },
        .c = made->c,
        .row = N,
        .column = 1,
        .m = M,
        .n = N,
        .k = K,
        .alpha = 1,
    };
}

/* C[i][j] from a dot product of elements that were multiplied by their scales before, as codes of
 * binary64: that is exact. */
static uint64_t element(const matrices *of, size_t i, size_t j)
{
    const fpfmt_format *to = of->product.to, *wide = fpfmt_named("fp64");
    const fpfmt_format *e4m3 = of->product.a.format, *powers = of->product.a.scales.format;
    double a[K], b[K];
    for (size_t k = 0; k < K; k++) {
        fpfmt_value s = fpfmt_decode(powers, of->a_scales[i / 2][k / 16]);
        fpfmt_value r = fpfmt_decode(powers, of->b_scales[k / 16][j / 3]);
        a[k] = double_of(fpfmt_multiply(wide, fpfmt_decode(e4m3, of->a[i][k]), s, NULL, NULL));
        b[k] = double_of(fpfmt_multiply(wide, fpfmt_decode(e4m3, of->b[k][j]), r, NULL, NULL));
    }
    const fpfmt_series x = { .format = wide, .codes = a, .stride = 1 };
    const fpfmt_series y = { .format = wide, .codes = b, .stride = 1 };
    fpfmt_value alpha = fpfmt_from_f64(of->product.alpha), beta = fpfmt_from_f64(of->product.beta);
    fpfmt_value before = fpfmt_from_f64((double)of->before[i][j]);
    uint64_t start = fpfmt_multiply(to, beta, before, NULL, NULL);
    if (of->product.alpha == 1)
        return fpfmt_dot(to, of->product.how, start, x, y, K, NULL, NULL);
    uint64_t sum = fpfmt_dot(to, of->product.how, 0, x, y, K, NULL, NULL);
    if (of->product.beta == 0) /* there is no C to be added, not even as 0 */
        return fpfmt_multiply(to, alpha, fpfmt_decode(to, sum), NULL, NULL);
    return fpfmt_fma(to, alpha, fpfmt_decode(to, sum), fpfmt_decode(to, start), NULL, NULL);
}

static void factors(void)
{
    static const double factors[] = { 0, 1, -1, 0.5, 3 };
    static const char *const names[] = { "exact", "fma", "pairwise", "kahan" };
    static matrices of;
    fpfmt_accumulator how;
    const fpfmt_format *to = fpfmt_named("fp32");
    for (int t = 0; t < 400 / SAMPLE; t++) {
        fpfmt_find_accumulator(&how, names[t % 4], to, to, to);
        make_matrices(&of, &how);
        of.product.alpha = factors[random_word() % 5];
        of.product.beta = factors[random_word() % 5];
        if (!CHECK(fpfmt_gemm(&of.product, NULL), "the product is refused"))
            return;
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < N; j++) {
                uint64_t expected = element(&of, i, j);
                CHECK(code_of_float(of.c[i][j]) == expected,
                      "%s, %g A B + %g C, [%zu][%zu]: 0x%x, not 0x%x", names[t % 4],
                      of.product.alpha, of.product.beta, i, j, (unsigned)code_of_float(of.c[i][j]),
                      (unsigned)expected);
            }
    }
}

/* What is refused of scales leaves C alone. */
static void refusals(void)
{
#ifdef FPFMT_CHECKING
    skip_test("a checking build stops instead");
#else
    enum { ROWS, COLUMNS, NO_FORMAT, FAR, MEETS, WIDE, CROSSES, CASES };
    static matrices of;
    fpfmt_accumulator fma, late;
    const fpfmt_format *to = fpfmt_named("fp32"), *e4m3 = fpfmt_named("e4m3");
    fpfmt_find_accumulator(&fma, "fma", to, to, to);
    fpfmt_find_accumulator(&late, "deepseek", to, e4m3, e4m3);
    for (int i = 0; i < CASES; i++) {
        make_matrices(&of, &fma);
        fpfmt_matrix_scales *a = &of.product.a.scales, *b = &of.product.b.scales;
        a->rows = i == ROWS ? 0 : a->rows;
        b->columns = i == COLUMNS ? 0 : b->columns;
        a->format = i == NO_FORMAT ? NULL : a->format;
        b->row = i == FAR ? PTRDIFF_MAX : b->row;
        a->codes = i == MEETS ? (const void *)&of.c[1][0] : a->codes;
        b->format = i == WIDE ? fpfmt_named("fp64") : b->format;
        of.product.how = i == CROSSES ? &late : &fma;
        CHECK(!fpfmt_gemm(&of.product, NULL), "case %d is not refused", i);
        CHECK(memcmp(of.c, of.before, sizeof of.c) == 0, "case %d writes to C", i);
    }
#endif
}

int main(void)
{
    static const struct test tests[] = {
        { "factors of a product with scales count as without them", factors },
        { "products whose scales are not in order are refused", refusals },
    };
    return run_tests("matrix products of scaled operands", tests, sizeof tests / sizeof tests[0]);
}
