/* test_scaled_dot.c - dot products and matrix products of operands that share scales
 * SPDX-License-Identifier: MIT
 *
 * In the reference models a scaled sum is that of the products as codes of binary64, which holds
 * them all. The engines' models have a model of their own here, in exact integers of GMP. */

#include <stdlib.h>
#include <string.h>

#include <gmp.h>

#include <fpfmt.h>

#include "runner.h"
#include "samples.h"

enum { MOST = 160 };

/* An operand: codes of elements and of scales, and what they stand for. */
typedef struct {
    const fpfmt_format *format, *scale;
    unsigned char codes[8 * MOST], scales[8 * MOST];
    size_t size;
    uint64_t products[MOST]; /* as codes of binary64 */
} scaled_operand;

static size_t random_below(size_t bound)
{
    return (size_t)(random_word() % bound);
}

static const fpfmt_format *binary64(void)
{
    return fpfmt_named("fp64");
}

static fpfmt_series scaled_series(const scaled_operand *of)
{
    return (fpfmt_series){ .format = of->format,
                           .codes = of->codes,
                           .stride = 1,
                           .scales = { of->scale, of->scales, 1, of->size } };
}

static fpfmt_value element_of(const scaled_operand *of, size_t i)
{
    return fpfmt_decode(of->format, fpfmt_load_code(of->format, of->codes, i));
}

static fpfmt_value scale_of(const scaled_operand *of, size_t i)
{
    return fpfmt_decode(of->scale, fpfmt_load_code(of->scale, of->scales, i / of->size));
}

/* finite: no code is infinite or NaN, and exponents of scales are near each other. */
static void make_operand(scaled_operand *made, const char *format, const char *scale, size_t size,
                         bool finite)
{
    made->format = fpfmt_named(format);
    made->scale = fpfmt_named(scale);
    made->size = size;
    fpfmt_limits limits = fpfmt_measure(made->scale);
    for (size_t i = 0; i < MOST; i++) {
        uint64_t code = random_word(), by = random_word();
        if (finite && made->scale->fraction_bits == 0)
            by = limits.max / 2 - 12 + by % 25;
        else if (finite)
            by %= limits.max + 1;
        while (finite && !fpfmt_is_finite(made->format, code))
            code = random_word();
        fpfmt_store_code(made->format, made->codes, i, code);
        fpfmt_store_code(made->scale, made->scales, i, by);
    }
    for (size_t i = 0; i < MOST; i++)
        made->products[i] =
            fpfmt_multiply(binary64(), element_of(made, i), scale_of(made, i), NULL, NULL);
}

static bool same(const fpfmt_format *format, uint64_t a, uint64_t b)
{
    return a == b || (fpfmt_is_nan(format, a) && fpfmt_is_nan(format, b));
}

static void references(void)
{
    static const char *const elements[] = { "e4m3", "e2m1", "e5m2", "int8f6", "bf16" };
    static const char *const scales[] = { "e8m0", "e4m3", "fp16" };
    static const char *const names[] = { "exact", "fma", "multiply-add", "pairwise", "kahan" };
    static scaled_operand a, b;
    const fpfmt_format *to = fpfmt_named("fp32");
    for (int t = 0; t < 3000 / SAMPLE; t++) {
        fpfmt_accumulator how;
        fpfmt_policy policy = { .rounding = (uint8_t)random_below(FPFMT_ROUND_COUNT), .seed = 3 };
        bool counts = policy.rounding >= FPFMT_ROUND_STOCHASTIC_A &&
                      policy.rounding <= FPFMT_ROUND_STOCHASTIC_C;
        policy.random_bits = counts ? 8 : 0;
        const char *name = names[random_below(5)];
        CHECK(fpfmt_find_accumulator(&how, name, to, NULL, NULL) != FPFMT_UNKNOWN &&
                  fpfmt_find_accumulator(&how, name, to, to, to) == FPFMT_FOUND,
              "there is no %s", name);
        make_operand(&a, elements[random_below(5)], scales[random_below(3)], 1 + random_below(40),
                     false);
        make_operand(&b, elements[random_below(5)], scales[random_below(3)], 1 + random_below(40),
                     random_below(2));
        size_t n = random_below(MOST + 1);
        unsigned flags = 0, expected_flags = 0;
        const fpfmt_series x = { .format = binary64(), .codes = a.products, .stride = 1 };
        const fpfmt_series y = { .format = binary64(), .codes = b.products, .stride = 1 };
        uint64_t start = random_below(2) ? 0 : 0x3F800000;
        uint64_t got =
            fpfmt_dot(to, &how, start, scaled_series(&a), scaled_series(&b), n, &policy, &flags);
        uint64_t expected = fpfmt_dot(to, &how, start, x, y, n, &policy, &expected_flags);
        /* A signaling NaN of E5M2 is quiet once it was multiplied. */
        CHECK(same(to, got, expected) && ((flags ^ expected_flags) & ~16u) == 0,
              "%s of %zu %s@%s and %s@%s, mode %d: 0x%x, not 0x%x; flags %x, not %x", name, n,
              a.format->name, a.scale->name, b.format->name, b.scale->name, policy.rounding,
              (unsigned)got, (unsigned)expected, flags, expected_flags);
    }
}

/* ---- engines ---- */

/* A term: sum * 2^unit, aligned by the exponent place. */
typedef struct {
    mpz_t sum;
    long unit, place;
} term;

/* A nonzero number as an integer times 2^*unit; returns the binade, not below the format's emin. */
static long take(mpz_t to, const fpfmt_format *format, fpfmt_value value, long *unit)
{
    long emin = fpfmt_measure(format).emin;
    uint64_t significand = value.significand;
    *unit = value.exponent - 63;
    mpz_import(to, 1, 1, sizeof significand, 0, 0, &significand);
    if (value.negative)
        mpz_neg(to, to);
    return value.exponent < emin ? emin : value.exponent;
}

/* Products i to end, which are one term: the place is that of the scales, and for a single product
 * that of its elements too. False if the term is 0. */
static bool make_term(term *made, const scaled_operand *a, const scaled_operand *b, size_t i,
                      size_t end, bool joined)
{
    mpz_t x, y;
    long x_unit, y_unit, least = -400;
    mpz_inits(x, y, NULL);
    mpz_set_ui(made->sum, 0);
    made->place = 0;
    for (size_t k = i; k < end; k++) {
        fpfmt_value u = element_of(a, k), v = element_of(b, k);
        if (fpfmt_value_is_zero(u) || fpfmt_value_is_zero(v))
            continue;
        long place = take(x, a->format, u, &x_unit) + take(y, b->format, v, &y_unit);
        mpz_mul(x, x, y);
        mpz_mul_2exp(x, x, (mp_bitcnt_t)(x_unit + y_unit - least));
        mpz_add(made->sum, made->sum, x);
        made->place = joined ? 0 : place;
    }
    made->unit = least;
    const scaled_operand *both[] = { a, b };
    for (int s = 0; s < 2; s++) {
        fpfmt_value scale = scale_of(both[s], i);
        if (fpfmt_value_is_zero(scale))
            mpz_set_ui(made->sum, 0);
        else {
            made->place += take(x, both[s]->scale, scale, &x_unit);
            mpz_mul(made->sum, made->sum, x);
            made->unit += x_unit;
        }
    }
    mpz_clears(x, y, NULL);
    return mpz_sgn(made->sum) != 0;
}

/* Groups of so many elements and the sum so far, aligned to the largest place and cut toward zero
 * fraction_bits below it; the total is cut to binary32. */
static uint64_t model(const scaled_operand *a, const scaled_operand *b, size_t n, size_t group,
                      size_t joined, int fraction_bits)
{
    const fpfmt_format *to = fpfmt_named("fp32");
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i += group) {
        term terms[33];
        size_t count = 0, end = n - i < group ? n : i + group;
        long largest = -100000;
        mpz_t total;
        for (size_t k = i; k < end; k += joined) {
            mpz_init(terms[count].sum);
            if (make_term(&terms[count], a, b, k, end - k < joined ? end : k + joined, joined > 1))
                count++;
            else
                mpz_clear(terms[count].sum);
        }
        fpfmt_value before = fpfmt_decode(to, sum);
        if (!fpfmt_value_is_zero(before)) {
            mpz_init(terms[count].sum);
            terms[count].place = take(terms[count].sum, to, before, &terms[count].unit);
            count++;
        }
        for (size_t k = 0; k < count; k++)
            largest = terms[k].place > largest ? terms[k].place : largest;
        mpz_init(total);
        for (size_t k = 0; k < count; k++) {
            long up = terms[k].unit - (largest - fraction_bits);
            if (up >= 0)
                mpz_mul_2exp(terms[k].sum, terms[k].sum, (mp_bitcnt_t)up);
            else
                mpz_tdiv_q_2exp(terms[k].sum, terms[k].sum, (mp_bitcnt_t)-up);
            mpz_add(total, total, terms[k].sum);
            mpz_clear(terms[k].sum);
        }
        fpfmt_value value = fpfmt_from_i64(mpz_get_si(total));
        value.exponent += (int32_t)(largest - fraction_bits);
        const fpfmt_policy cut = { .rounding = FPFMT_ROUND_TOWARD_ZERO };
        sum = mpz_sgn(total) == 0 ? 0 : fpfmt_encode(to, value, &cut, NULL);
        mpz_clear(total);
    }
    return sum;
}

static void engines(void)
{
    static const char *const narrow[] = { "e4m3", "e5m2", "e3m2", "e2m3", "e2m1" };
    static scaled_operand a, b;
    const fpfmt_format *to = fpfmt_named("fp32"), *e2m1 = fpfmt_named("e2m1");
    for (int t = 0; t < 4000 / SAMPLE; t++) {
        fpfmt_accumulator how;
        size_t n = 1 + random_below(MOST);
        bool wide = t % 2 == 0;
        const char *first = wide ? narrow[random_below(5)] : "e2m1";
        const char *second = wide ? narrow[random_below(5)] : "e2m1";
        const char *scale = wide || t % 4 == 1 ? "e8m0" : "e4m3";
        make_operand(&a, first, scale, wide ? 32 : 16, true);
        make_operand(&b, second, scale, wide ? 32 : 16, true);
        CHECK(fpfmt_find_accumulator(&how, wide ? "nv-mxf8f6f4" : "nv-mxf4nvf4", to,
                                     wide ? a.format : e2m1, wide ? b.format : e2m1) == FPFMT_FOUND,
              "the engine does not take %s and %s", first, second);
        uint64_t got = fpfmt_dot(to, &how, 0, scaled_series(&a), scaled_series(&b), n, NULL, NULL);
        uint64_t expected = wide ? model(&a, &b, n, 32, 1, 25) : model(&a, &b, n, 64, 16, 35);
        CHECK(got == expected, "%s of %zu %s and %s by %s: 0x%x, not 0x%x", how.name, n, first,
              second, scale, (unsigned)got, (unsigned)expected);
    }
}

/* DeepSeek: each 128 by Hopper's model of FP8, and then by both scales into the sum, fused. */
static void promoted(void)
{
    static scaled_operand a, b;
    const fpfmt_format *to = fpfmt_named("fp32"), *e4m3 = fpfmt_named("e4m3");
    fpfmt_accumulator how, hopper;
    CHECK(fpfmt_find_accumulator(&how, "deepseek", to, e4m3, e4m3) == FPFMT_FOUND &&
              fpfmt_find_accumulator(&hopper, "nv-hopper", to, e4m3, e4m3) == FPFMT_FOUND,
          "there is no deepseek, or no nv-hopper");
    for (int t = 0; t < 400 / SAMPLE; t++) {
        size_t n = 1 + random_below(MOST);
        make_operand(&a, "e4m3", "fp32", 128, true);
        make_operand(&b, "e4m3", "fp32", 128, true);
        fpfmt_value sum = fpfmt_from_i64(0);
        for (size_t i = 0; i < n; i += 128) {
            const fpfmt_series x = { .format = e4m3, .codes = a.codes + i, .stride = 1 };
            const fpfmt_series y = { .format = e4m3, .codes = b.codes + i, .stride = 1 };
            uint64_t part = fpfmt_dot(to, &hopper, 0, x, y, n - i < 128 ? n - i : 128, NULL, NULL);
            uint64_t by = fpfmt_multiply(to, scale_of(&a, i), scale_of(&b, i), NULL, NULL);
            sum = fpfmt_decode(
                to, fpfmt_fma(to, fpfmt_decode(to, by), fpfmt_decode(to, part), sum, NULL, NULL));
        }
        uint64_t got = fpfmt_dot(to, &how, 0, scaled_series(&a), scaled_series(&b), n, NULL, NULL);
        CHECK(same(to, got, fpfmt_encode(to, sum, NULL, NULL)), "%zu products: 0x%x", n,
              (unsigned)got);
    }
}

/* ---- matrices ---- */

static void matrices(void)
{
    enum { M = 3, N = 4, K = 20 };
    static scaled_operand a, b;
    const fpfmt_format *to = fpfmt_named("fp32");
    fpfmt_accumulator how;
    fpfmt_find_accumulator(&how, "fma", to, to, to);
    for (int t = 0; t < 200 / SAMPLE; t++) {
        float c[M][N];
        make_operand(&a, "e4m3", "e8m0", 1, true);
        make_operand(&b, "e2m1", "e4m3", 1, true);
        /* A's scales are shared by 2 rows and 8 columns, B's by 8 rows and 3 columns. */
        fpfmt_product product = {
            .to = to,
            .how = &how,
            .a = { .format = a.format,
                   .codes = a.codes,
                   .row = K,
                   .column = 1,
                   .scales = { a.scale, a.scales, 3, 1, 2, 8 } },
            .b = { .format = b.format,
                   .codes = b.codes,
                   .row = N,
                   .column = 1,
                   .scales = { b.scale, b.scales, 1, 3, 8, 3 } },
            .c = c,
            .row = N,
            .column = 1,
            .m = M,
            .n = N,
            .k = K,
            .alpha = 1,
        };
        CHECK(fpfmt_gemm(&product, NULL), "the product is refused");
        for (size_t i = 0; i < M; i++)
            for (size_t j = 0; j < N; j++) {
                uint64_t sum = 0;
                for (size_t k = 0; k < K; k++) {
                    fpfmt_value x = element_of(&a, i * K + k), y = element_of(&b, k * N + j);
                    fpfmt_value s = fpfmt_decode(a.scale, a.scales[i / 2 * 3 + k / 8]);
                    fpfmt_value r = fpfmt_decode(b.scale, b.scales[k / 8 + j / 3 * 3]);
                    x = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, x, s, s, NULL, NULL);
                    y = fpfmt_exact(FPFMT_OPERATION_MULTIPLY, y, r, r, NULL, NULL);
                    sum = fpfmt_fma(to, x, y, fpfmt_decode(to, sum), NULL, NULL);
                }
                uint32_t got;
                memcpy(&got, &c[i][j], sizeof got);
                CHECK(same(to, got, sum), "[%zu][%zu]: 0x%x, not 0x%x", i, j, got, (unsigned)sum);
            }
    }
}

static void refusals(void)
{
    static scaled_operand a;
    const fpfmt_format *to = fpfmt_named("fp32"), *e2m1 = fpfmt_named("e2m1");
    const fpfmt_format *e4m3 = fpfmt_named("e4m3");
    fpfmt_accumulator exact, engine, joined, late;
    fpfmt_find_accumulator(&exact, "exact", to, to, to);
    fpfmt_find_accumulator(&engine, "nv-mxf8f6f4", to, e4m3, e4m3);
    fpfmt_find_accumulator(&joined, "nv-mxf4nvf4", to, e2m1, e2m1);
    fpfmt_find_accumulator(&late, "deepseek", to, e4m3, e4m3);
    make_operand(&a, "e4m3", "e4m3", 16, true);
    const fpfmt_series good = scaled_series(&a);
    fpfmt_format unsound = *e4m3;
    unsound.exponent_bits = 40;
    fpfmt_series bad[] = { good, good, good, good, good, good };
    bad[0].scales.size = 0;
    bad[1].codes = NULL;
    bad[2].scales.format = fpfmt_named("fp64");
    bad[3].scales.size = 100;
    bad[4].scales.format = &unsound;
    bad[5].format = &unsound;
    const struct {
        const fpfmt_accumulator *how;
        const fpfmt_series *of;
        const char *sentence;
    } rows[] = {
        { &exact, &bad[0], "no elements share a scale" },
        { &exact, &bad[1], "ones have no scales" },
        { &exact, &bad[2], "not every element by its scale is a binary64" },
        { &exact, &bad[4], "the format of elements or of scales has a defect" },
        { &exact, &bad[5], "the format of elements or of scales has a defect" },
        { &engine, &good, "the accumulator takes scales that are powers of two, as e8m0" },
        { &joined, &bad[3], "joined products do not share a scale" },
        { &late, &bad[3], "a promoted sum crosses a scale" },
        { &exact, &good, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *defect = fpfmt_scales_defect(rows[i].how, rows[i].of, &good);
        CHECK(rows[i].sentence == NULL ? defect == NULL
                                       : defect != NULL && strcmp(defect, rows[i].sentence) == 0,
              "row %zu: %s", i, defect == NULL ? "none" : defect);
    }
}

int main(void)
{
    static const struct test tests[] = {
        { "scaled sums of the reference models are those of the products", references },
        { "the engines for scaled operands agree with exact integers", engines },
        { "promoted sums take both scales by one fma", promoted },
        { "matrix products take a scale for each tile of their operands", matrices },
        { "what scales an accumulator does not take is said", refusals },
    };
    return run_tests("scaled dot products", tests, sizeof tests / sizeof tests[0]);
}
