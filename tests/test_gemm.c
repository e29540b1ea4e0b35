/* test_gemm.c - matrix products against the dot products of their rows and columns
 * SPDX-License-Identifier: MIT */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

/* The widest matrix of 4-byte codes, with every second place unused and a gap of 2 after each line.
 */
enum { WIDEST = 300, ROOM = 4 * WIDEST * (2 * WIDEST + 2) };

static struct {
    unsigned char a[ROOM], b[ROOM], c[ROOM], before[ROOM];
    float workspace[1 << 17];
} the;

/* A number of turns below a bound, from a sequence of its own. */
static size_t below(size_t bound)
{
    return (size_t)(random_bits_64() % bound);
}

/* A matrix of any strides inside its room: rows or columns first, with gaps, and backwards. Returns
 * how many bytes of the room it spans. */
static size_t lay_out(size_t rows, size_t columns, size_t bytes, unsigned char *room,
                      unsigned char **first, ptrdiff_t *row, ptrdiff_t *column)
{
    ptrdiff_t inner = 1 + (ptrdiff_t)below(2);
    bool by_rows = below(2) == 0;
    ptrdiff_t outer = inner * (ptrdiff_t)(by_rows ? columns : rows) + (ptrdiff_t)below(3);
    *row = by_rows ? outer : inner;
    *column = by_rows ? inner : outer;
    *first = room;
    if (below(4) == 0 && rows > 0) {
        *first += (ptrdiff_t)(rows - 1) * *row * (ptrdiff_t)bytes;
        *row = -*row;
    }
    return (size_t)outer * (by_rows ? rows : columns) * bytes;
}

/* Numbers near 1, so that sums stay finite; every so often anything. */
static void fill(const fpfmt_format *format, unsigned char *room, size_t used, size_t specials)
{
    size_t bytes = code_bytes(format);
    CHECK(used <= ROOM, "%zu bytes are more than there are", used);
    for (size_t i = 0; i < used / bytes; i++) {
        double x = ((double)below(4097) - 2048) / 1024;
        uint64_t code = fpfmt_encode(format, fpfmt_from_f64(x), NULL, NULL);
        if (specials != 0 && below(specials) == 0)
            code = random_bits_64();
        store_word(room + i * bytes, code, bytes);
    }
}

static uint64_t element(const fpfmt_product *of, const unsigned char *from, size_t i, size_t j)
{
    size_t bytes = code_bytes(of->to);
    ptrdiff_t at = (ptrdiff_t)i * of->row + (ptrdiff_t)j * of->column;
    return load_word(from + at * (ptrdiff_t)bytes, bytes);
}

/* An element by fpfmt_dot, for alpha 1, and beta 0 or 1. */
static uint64_t expected(const fpfmt_product *of, const unsigned char *before, size_t i, size_t j)
{
    const unsigned char *a = of->a.codes, *b = of->b.codes;
    ptrdiff_t a_at = (ptrdiff_t)i * of->a.row * (ptrdiff_t)code_bytes(of->a.format);
    ptrdiff_t b_at = (ptrdiff_t)j * of->b.column * (ptrdiff_t)code_bytes(of->b.format);
    uint64_t start = fpfmt_encode(of->to, fpfmt_from_u64(0), NULL, NULL);
    if (of->beta == 1)
        start = element(of, before, i, j);
    return fpfmt_dot(
        of->to, of->how, start,
        (fpfmt_series){ .format = of->a.format, .codes = a + a_at, .stride = of->a.column },
        (fpfmt_series){ .format = of->b.format, .codes = b + b_at, .stride = of->b.row }, of->k,
        of->policy, NULL);
}

static void check_elements(const fpfmt_product *of, const char *set, size_t step)
{
    const unsigned char *before = the.before + ((unsigned char *)of->c - the.c);
    for (size_t at = 0; at < of->m * of->n; at += 1 + below(step)) {
        size_t i = at / of->n, j = at % of->n;
        uint64_t got = element(of, of->c, i, j), want = expected(of, before, i, j);
        CHECK(got == want,
              "%s %s of %s and %s in %s, %zu by %zu by %zu: [%zu][%zu] is %" PRIx64
              ", not %" PRIx64,
              set, of->how->name, of->a.format->name, of->b.format->name, of->to->name, of->m,
              of->n, of->k, i, j, got, want);
    }
}

/* One product of any shape, in every set. */
static void try_product(const char *accumulator, const char *a, const char *b, const char *to,
                        size_t most, size_t specials, size_t step)
{
    fpfmt_accumulator how;
    fpfmt_product of = { .how = &how,
                         .a.format = fpfmt_named(a),
                         .b.format = fpfmt_named(b),
                         .to = fpfmt_named(to),
                         .m = 1 + below(most),
                         .n = 1 + below(most),
                         .k = below(most),
                         .alpha = 1,
                         .beta = (double)below(2) };
    unsigned char *first;
    size_t used;
    if (!CHECK(fpfmt_find_accumulator(&how, accumulator, of.to, of.a.format, of.b.format) ==
                   FPFMT_FOUND,
               "%s is not found for %s", accumulator, a))
        return;
    used = lay_out(of.m, of.k, code_bytes(of.a.format), the.a, &first, &of.a.row, &of.a.column);
    of.a.codes = first;
    fill(of.a.format, the.a, used, specials);
    used = lay_out(of.k, of.n, code_bytes(of.b.format), the.b, &first, &of.b.row, &of.b.column);
    of.b.codes = first;
    fill(of.b.format, the.b, used, specials);
    used = lay_out(of.m, of.n, code_bytes(of.to), the.c, &first, &of.row, &of.column);
    of.c = first;
    fill(of.to, the.before, used, specials != 0 && below(4) == 0 ? 1000 : 0);
    of.workspace = below(2) == 0 ? NULL : the.workspace;
    of.workspace_bytes = below(sizeof the.workspace);
    for (size_t s = 0; (of.set = set_here(s)) != NULL; s++) {
        memcpy(the.c, the.before, ROOM);
        CHECK(fpfmt_gemm(&of, NULL), "%s is refused", accumulator);
        check_elements(&of, fpfmt_kernels_name(of.set), step);
    }
}

static void sequential(void)
{
    static const char *const inputs[] = { "bf16", "e4m3", "fp16", "e5m2", "fp32", "e2m1", "int8" };
    static const char *const outputs[] = { "fp32", "bf16", "fp16" };
    for (size_t i = 0; i < 210 / SAMPLE; i++)
        try_product("fma", inputs[i % 7], inputs[i / 2 % 7], outputs[i % 3], 70,
                    i % 5 == 0   ? 50
                    : i % 5 == 1 ? 2000
                                 : 0,
                    11);
    for (size_t i = 0; i < 6; i++)
        try_product("fma", inputs[i % 4], inputs[i % 4], outputs[i % 3], WIDEST, 0, 400);
}

static void other_accumulators(void)
{
    static const char *const rows[][2] = {
        { "exact", "e4m3" },     { "multiply-add", "bf16" }, { "pairwise", "fp16" },
        { "kahan", "bf16" },     { "fma:bf16/16", "e4m3" },  { "fma/8", "bf16" },
        { "nv-hopper", "e4m3" }, { "promote:64", "e5m2" },   { "x86-vdpbf16ps", "bf16" },
        { "arm-bfdot", "bf16" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        try_product(rows[i][0], rows[i][1], rows[i][1], "fp32", 24, i % 2 == 0 ? 100 : 0, 3);
}

/* alpha (A B) + beta C with one rounding more, and flags. */
static void factors(void)
{
    const fpfmt_format *e4m3 = fpfmt_named("e4m3"), *fp16 = fpfmt_named("fp16");
    fpfmt_accumulator how;
    fpfmt_product of = { .how = &how,
                         .to = fp16,
                         .a = { .format = e4m3, .codes = the.a, .row = 8, .column = 1 },
                         .b = { .format = e4m3, .codes = the.b, .row = 5, .column = 1 },
                         .c = the.c,
                         .row = 5,
                         .column = 1,
                         .m = 6,
                         .n = 5,
                         .k = 8,
                         .alpha = -0.75,
                         .beta = 1.5 };
    unsigned flags = 0, raised = 0;
    fpfmt_find_accumulator(&how, "exact", fp16, e4m3, e4m3);
    fill(e4m3, the.a, ROOM, 0);
    fill(e4m3, the.b, ROOM, 0);
    fill(fp16, the.before, ROOM, 0);
    memcpy(the.c, the.before, ROOM);
    CHECK(fpfmt_gemm(&of, &flags), "it is refused");
    for (size_t i = 0; i < of.m; i++)
        for (size_t j = 0; j < of.n; j++) {
            fpfmt_series a = { .format = e4m3, .codes = the.a + i * 8, .stride = 1 },
                         b = { .format = e4m3, .codes = the.b + j, .stride = 5 };
            uint64_t sum = fpfmt_dot(fp16, &how, 0, a, b, of.k, NULL, &raised);
            uint64_t rest =
                fpfmt_multiply(fp16, fpfmt_from_f64(1.5),
                               fpfmt_decode(fp16, element(&of, the.before, i, j)), NULL, &raised);
            uint64_t want = fpfmt_fma(fp16, fpfmt_from_f64(-0.75), fpfmt_decode(fp16, sum),
                                      fpfmt_decode(fp16, rest), NULL, &raised);
            CHECK(element(&of, the.c, i, j) == want, "[%zu][%zu] is %" PRIx64 ", not %" PRIx64, i,
                  j, element(&of, the.c, i, j), want);
        }
    CHECK(flags == raised, "it raises %u, not %u", flags, raised);
}

/* Rows of C apart give the bits of the whole, with chance too. */
static void pieces(void)
{
    const fpfmt_format *bf16 = fpfmt_named("bf16");
    const size_t m = 9, n = 7, k = 33;
    fpfmt_accumulator how;
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC_A, .random_bits = 16, .seed = 3 };
    fpfmt_product of = { .how = &how,
                         .policy = &policy,
                         .to = bf16,
                         .a = { .format = bf16, .codes = the.a, .row = 33, .column = 1 },
                         .b = { .format = bf16, .codes = the.b, .row = 7, .column = 1 },
                         .c = the.c,
                         .row = 7,
                         .column = 1,
                         .m = m,
                         .n = n,
                         .k = k,
                         .alpha = 1 };
    fpfmt_find_accumulator(&how, "fma", bf16, bf16, bf16);
    fill(bf16, the.a, ROOM, 0);
    fill(bf16, the.b, ROOM, 0);
    CHECK(fpfmt_gemm(&of, NULL), "it is refused");
    of.index[1] = 5 * k + 4;
    of.index[0] = n * of.index[1];
    for (size_t i = 0; i < m; i++) {
        policy.first = i * of.index[0];
        of.m = 1;
        of.a.codes = the.a + 2 * i * k;
        of.c = the.before + 2 * i * n;
        CHECK(fpfmt_gemm(&of, NULL), "row %zu is refused", i);
    }
    CHECK(memcmp(the.c, the.before, 2 * m * n) == 0, "rows apart differ");
}

/* With chance an element has the bits of its dot product, whose roundings begin at the element's
 * index, or after that of beta C. */
static void chances(void)
{
    const fpfmt_format *bf16 = fpfmt_named("bf16");
    static const double betas[] = { 0, 1, 0.75 };
    const size_t n = 6, k = 20;
    fpfmt_accumulator how;
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = 11, .first = 1000 };
    fpfmt_product of = { .how = &how,
                         .policy = &policy,
                         .to = bf16,
                         .a = { .format = bf16, .codes = the.a, .row = 20, .column = 1 },
                         .b = { .format = bf16, .codes = the.b, .row = 6, .column = 1 },
                         .c = the.c,
                         .row = 6,
                         .column = 1,
                         .m = n,
                         .n = n,
                         .k = k,
                         .alpha = 1,
                         .index = { 10000, 300 } };
    fpfmt_find_accumulator(&how, "fma", bf16, bf16, bf16);
    fill(bf16, the.a, ROOM, 0);
    fill(bf16, the.b, ROOM, 0);
    fill(bf16, the.before, ROOM, 0);
    for (size_t beta = 0; beta < 3; beta++) {
        memcpy(the.c, the.before, ROOM);
        of.beta = betas[beta];
        CHECK(fpfmt_gemm(&of, NULL), "it is refused");
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                fpfmt_policy own = policy;
                uint64_t c = element(&of, the.before, i, j), start = beta == 0 ? 0 : c;
                own.first += i * 10000 + j * 300;
                if (beta == 2) {
                    start = fpfmt_multiply(bf16, fpfmt_from_f64(0.75), fpfmt_decode(bf16, c), &own,
                                           NULL);
                    own.first++;
                }
                uint64_t want = fpfmt_dot(
                    bf16, &how, start,
                    (fpfmt_series){ .format = bf16, .codes = the.a + 2 * i * k, .stride = 1 },
                    (fpfmt_series){ .format = bf16, .codes = the.b + 2 * j, .stride = 6 }, k, &own,
                    NULL);
                uint64_t got = element(&of, the.c, i, j);
                CHECK(got == want, "beta %g: [%zu][%zu] is %" PRIx64 ", not %" PRIx64, betas[beta],
                      i, j, got, want);
            }
    }
}

/* The rounding of alpha times the sum is number 5 k + 3 of the element. */
static void chance_of_alpha(void)
{
    const fpfmt_format *bf16 = fpfmt_named("bf16");
    enum { N = 6, K = 20 };
    fpfmt_accumulator how;
    fpfmt_policy policy = { .rounding = FPFMT_ROUND_STOCHASTIC, .seed = 5, .first = 77 };
    fpfmt_product of = { .how = &how,
                         .policy = &policy,
                         .to = bf16,
                         .a = { .format = bf16, .codes = the.a, .row = K, .column = 1 },
                         .b = { .format = bf16, .codes = the.b, .row = N, .column = 1 },
                         .c = the.c,
                         .row = N,
                         .column = 1,
                         .m = N,
                         .n = N,
                         .k = K,
                         .alpha = 0.7,
                         .index = { 10000, 300 } };
    fpfmt_find_accumulator(&how, "fma", bf16, bf16, bf16);
    fill(bf16, the.a, ROOM, 0);
    fill(bf16, the.b, ROOM, 0);
    CHECK(fpfmt_gemm(&of, NULL), "it is refused");
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            fpfmt_policy own = policy;
            own.first += i * 10000 + j * 300;
            uint64_t sum =
                fpfmt_dot(bf16, &how, 0,
                          (fpfmt_series){ .format = bf16, .codes = the.a + 2 * i * K, .stride = 1 },
                          (fpfmt_series){ .format = bf16, .codes = the.b + 2 * j, .stride = N }, K,
                          &own, NULL);
            own.first += 5 * K + 3;
            uint64_t want =
                fpfmt_multiply(bf16, fpfmt_from_f64(0.7), fpfmt_decode(bf16, sum), &own, NULL);
            uint64_t got = element(&of, the.c, i, j);
            CHECK(got == want, "[%zu][%zu] is %" PRIx64 ", not %" PRIx64, i, j, got, want);
        }
}

static void refused(void)
{
#ifdef FPFMT_CHECKING
    skip_test("a checking build stops instead");
#else
    const fpfmt_format *bf16 = fpfmt_named("bf16");
    fpfmt_accumulator how, none = { .name = "none", .method = FPFMT_ACCUMULATE_ALIGNED };
    fpfmt_find_accumulator(&how, "fma", bf16, bf16, bf16);
    const fpfmt_product good = { .how = &how,
                                 .to = bf16,
                                 .a = { .format = bf16, .codes = the.a, .row = 4, .column = 1 },
                                 .b = { .format = bf16, .codes = the.b, .row = 4, .column = 1 },
                                 .c = the.c,
                                 .row = 4,
                                 .column = 1,
                                 .m = 4,
                                 .n = 4,
                                 .k = 4,
                                 .alpha = 1 };
    fpfmt_product bad[9];
    for (size_t i = 0; i < 9; i++)
        bad[i] = good;
    CHECK(fpfmt_gemm(&good, NULL), "what is right is refused");
    bad[0].alpha = (double)__builtin_nan("");
    bad[1].c = NULL;
    bad[2].a.codes = NULL;
    bad[3].row = 3;
    bad[4].row = PTRDIFF_MAX;
    bad[5].c = the.a + 2;
    bad[6].how = &none;
    bad[7].column = 0;
    bad[8].b.codes = the.c;
    for (size_t i = 0; i < 9; i++)
        CHECK(!fpfmt_gemm(&bad[i], NULL), "case %zu is not refused", i);
    bad[2].k = 0;
    memset(the.c, 0xFF, 64);
    CHECK(fpfmt_gemm(&bad[2], NULL) && the.c[0] == 0 && the.c[31] == 0 && the.c[32] == 0xFF,
          "k = 0 does not give beta C");
#endif
}

int main(void)
{
    static const struct test tests[] = {
        { "sums by fma, in tiles and one by one", sequential },
        { "every other accumulator", other_accumulators },
        { "alpha, beta and flags", factors },
        { "pieces of the product have the bits of the whole", pieces },
        { "with chance an element is the dot product of its index", chances },
        { "and alpha is its last rounding", chance_of_alpha },
        { "what cannot be is refused, and k = 0 is beta C", refused },
    };
    return run_tests("gemm", tests, sizeof tests / sizeof tests[0]);
}
