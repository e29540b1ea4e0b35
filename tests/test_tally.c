/* test_tally.c - statistics of long arrays are those of their elements one by one
 * SPDX-License-Identifier: MIT
 *
 * Long arrays of floats go by tallies of kernels, short ones element by element, which test_stats
 * holds to exact integers. Here short pieces, added up, tell what the whole must be. */

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

enum { MOST = 1400, FIRST = 5, SHORT = 50 };

/* Kinds of data; the last one is the number of them. */
enum { NEAR_VALUES, IN_RANGE, PAST_LARGEST, FEW_VALUES, ANY_BITS, MIXED, KINDS };

static struct {
    fpfmt_format format;
    fpfmt_policy policy;
    uint32_t in[MOST];
} the;

static uint32_t float_bits(unsigned field, uint64_t random)
{
    return (uint32_t)(random >> 63) << 31 | (uint32_t)field << 23 | ((uint32_t)random & 0x7FFFFF);
}

/* The exponent field that a float of the format's largest value or smallest normal has. */
static int field_of(uint64_t code)
{
    fpfmt_value value = fpfmt_decode(&the.format, code);
    return fpfmt_value_is_zero(value) ? 127 : value.exponent + 127;
}

/* A float of a kind; fields are clamped to those of finite floats. */
static uint32_t float_of(int kind, size_t i)
{
    uint64_t random = random_bits_64();
    fpfmt_limits limits = fpfmt_measure(&the.format);
    int top = field_of(limits.max), bottom = field_of(limits.min_normal), field = 127;
    if (kind == MIXED)
        kind = (int)(i / 100 % MIXED);
    if (kind == ANY_BITS)
        return (uint32_t)random;
    if (kind == IN_RANGE)
        field = bottom - 6 + (int)(random >> 32) % (top - bottom + 8);
    else if (kind == PAST_LARGEST)
        field = top - 1 + (int)((random >> 32) % 26);
    else
        random &= UINT64_C(3) << 62 | 0x700000;
    return float_bits((unsigned)(field < 0 ? 0 : field > 254 ? 254 : field), random);
}

static void fill(int kind, size_t n)
{
    if (kind == NEAR_VALUES || kind == MIXED)
        fill_carriers(the.in, sizeof *the.in, n, &the.format);
    for (size_t i = 0; i < n; i++)
        if (kind != NEAR_VALUES && (kind != MIXED || i / 100 % MIXED != NEAR_VALUES))
            the.in[i] = float_of(kind, i);
}

static bool take(const fpfmt_plan *plan, fpfmt_stats *stats, const void *values, size_t n,
                 uint64_t first)
{
    return fpfmt_plan_stats_f32(plan, stats, values, n, first);
}

/* Element by element, by the plainest set. */
static void expect(fpfmt_stats *stats, size_t n)
{
    fpfmt_plan plan;
    memset(stats, 0, sizeof *stats);
    CHECK(fpfmt_prepare(&plan, &the.format, &the.policy, fpfmt_kernels_at(0)), "not prepared");
    for (size_t done = 0; done < n; done += SHORT)
        CHECK(take(&plan, stats, the.in + done, n - done < SHORT ? n - done : SHORT, FIRST + done),
              "refused");
}

static void compare(const char *what, const fpfmt_kernels *set, int kind, size_t n,
                    const fpfmt_stats *got, const fpfmt_stats *expected)
{
    const uint64_t *is = (const uint64_t *)got, *should = (const uint64_t *)expected;
    if (CHECK(memcmp(got, expected, sizeof *got) == 0,
              "%s: %s, %s mode %d overflow %d sub %d, kind %d of %zu", what,
              fpfmt_kernels_name(set), the.format.name, the.policy.rounding, the.policy.overflow,
              the.policy.subnormal, kind, n))
        return;
    for (size_t i = 0; i < sizeof *got / sizeof *is; i++)
        if (is[i] != should[i])
            printf("#   word %zu is %llx, not %llx\n", i, (unsigned long long)is[i],
                   (unsigned long long)should[i]);
}

/* The whole at once, and in two pieces of which the later comes first. */
static void try_sets(int kind, size_t n)
{
    static fpfmt_stats expected, got, piece;
    fpfmt_plan plan;
    expect(&expected, n);
    for (size_t s = 0; set_here(s) != NULL; s++) {
        size_t cut = random_bits_64() % (n + 1);
        CHECK(fpfmt_prepare(&plan, &the.format, &the.policy, set_here(s)), "not prepared");
        memset(&got, 0, sizeof got);
        CHECK(take(&plan, &got, the.in, n, FIRST), "refused");
        compare("whole", set_here(s), kind, n, &got, &expected);
        memset(&got, 0, sizeof got);
        memset(&piece, 0, sizeof piece);
        take(&plan, &got, the.in + cut, n - cut, FIRST + cut);
        take(&plan, &got, the.in, cut / 2, FIRST);
        take(&plan, &piece, the.in + cut / 2, cut - cut / 2, FIRST + cut / 2);
        fpfmt_stats_add(&got, &piece);
        compare("pieces", set_here(s), kind, n, &got, &expected);
    }
}

static void all_combinations(void)
{
    size_t tried = 0, all = 0;
    for (size_t f = 0; array_format(&the.format, f); f++) {
        if (!holds(sizeof *the.in, &the.format))
            continue;
        for (size_t p = 0; array_policy(&the.policy, p); p++)
            for (size_t m = 0; array_mode(&the.policy, m); m++)
                for (int kind = 0; kind < KINDS; kind++) {
                    if (all++ % (7 * SAMPLE) != 0)
                        continue;
                    size_t n = random_bits_64() % (kind == MIXED ? MOST : 400) + 1;
                    fill(kind, n);
                    try_sets(kind, n);
                    tried++;
                }
    }
    printf("# %zu of %zu combinations\n", tried, all);
}

/* Formats and modes that people scan for, with every kind of data and every length. */
static void all_lengths(void)
{
    static const char *const names[] = { "bf16", "fp16", "e4m3", "e2m1", "int8", "ue4m3", "e8m0" };
    for (size_t n = 0; n <= 300; n++) {
        the.format = *fpfmt_named(names[n % 7]);
        the.policy = (fpfmt_policy){ .overflow = n % 2 ? FPFMT_OVERFLOW_MAX : FPFMT_OVERFLOW_SPEC };
        fill((int)(n % KINDS), n);
        try_sets((int)(n % KINDS), n);
    }
}

/* Bins hold 2^16 squares; of 2^25 - 2, which saturates, those of the number, its error and the
 * quotient are nearly the largest ones. */
static void full_bins(void)
{
    enum { LONG = 140000 };
    static uint32_t values[LONG];
    static fpfmt_stats expected, got;
    fpfmt_plan plan;
    for (size_t i = 0; i < LONG; i++)
        values[i] = 0x4BFFFFFF;
    the.format = *fpfmt_named("e2m1");
    the.policy = (fpfmt_policy){ .rounding = 0 };
    fpfmt_prepare(&plan, &the.format, &the.policy, NULL);
    for (size_t done = 0; done < LONG; done += SHORT)
        take(&plan, &expected, values + done, SHORT, done);
    CHECK(expected.saturated == LONG, "not all of them saturate");
    for (size_t s = 0; set_here(s) != NULL; s++) {
        memset(&got, 0, sizeof got);
        fpfmt_prepare(&plan, &the.format, &the.policy, set_here(s));
        take(&plan, &got, values, LONG, 0);
        compare("long", set_here(s), KINDS, LONG, &got, &expected);
    }
}

/* At every alignment, and up against a page that must not be read. */
static void ends_of_memory(void)
{
    static fpfmt_stats expected, got;
    fpfmt_plan plan;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *pages =
        mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) != 0 ||
        mprotect(pages + 2 * page, page, PROT_NONE) != 0)
        skip_test("pages cannot be guarded here");
    the.format = *fpfmt_named("e4m3");
    the.policy = (fpfmt_policy){ .rounding = 0 };
    for (size_t n = 0; n <= 300; n++) {
        fill(MIXED, n);
        expect(&expected, n);
        unsigned char *places[] = { pages + page, pages + 2 * page - n * sizeof *the.in,
                                    pages + page + n % 64 };
        for (size_t s = 0; set_here(s) != NULL; s++)
            for (size_t k = 0; k < 3; k++) {
                memcpy(places[k], the.in, n * sizeof *the.in);
                memset(&got, 0, sizeof got);
                fpfmt_prepare(&plan, &the.format, &the.policy, set_here(s));
                CHECK(take(&plan, &got, places[k], n, FIRST), "refused");
                compare("memory", set_here(s), MIXED, n, &got, &expected);
            }
    }
    munmap(pages, 3 * page);
}

static void environments(void)
{
#ifdef __SSE2__
    static const char *const names[] = { "bf16", "fp16", "e4m3", "e5m2b140ieee", "int8" };
    static fpfmt_stats expected, got;
    fpfmt_plan plan;
    size_t n = 700;
    for (size_t f = 0; f < sizeof names / sizeof names[0]; f++)
        for (size_t m = 0; array_mode(&the.policy, m); m++) {
            CHECK(fpfmt_find(&the.format, names[f]) == FPFMT_FOUND, "%s is not found", names[f]);
            fill(MIXED, n);
            expect(&expected, n);
            /* Rounding in bits 13 and 14, FTZ 15, DAZ 6, masks 7 to 12, flags 0 to 5. */
            for (unsigned e = 0; e < 64; e++)
                for (size_t s = 0; set_here(s) != NULL; s++) {
                    unsigned control = (e & 3) << 13 | (e & 4 ? 0x8000 : 0) | (e & 8 ? 0x40 : 0) |
                                       (e & 16 ? 0 : 0x1F80) | (e & 32 ? 0x3F : 0);
                    memset(&got, 0, sizeof got);
                    fpfmt_prepare(&plan, &the.format, &the.policy, set_here(s));
                    _mm_setcsr(control);
                    take(&plan, &got, the.in, n, FIRST);
                    unsigned after = _mm_getcsr();
                    _mm_setcsr(0x1F80);
                    CHECK(after == control, "MXCSR was %X and is %X", control, after);
                    compare("MXCSR", set_here(s), MIXED, n, &got, &expected);
                }
        }
#else
    skip_test("this is no x86 with SSE2");
#endif
}

/* ---- blocks ---- */

/* Magnitudes differ from 32 elements to the next; some are all 0, tiny, huge or have a NaN, some
 * have few bits, which are scaled to elements exactly, and some numbers that vanish beside the
 * others. */
static void fill_blocks(size_t n)
{
    unsigned field = 127, kind = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t random = random_bits_64();
        if (i % 32 == 0) {
            field = (unsigned)(random % 100 < 80 ? 100 + random % 40 : random >> 32 & 0xFF);
            field = random % 16 == 0 ? 0 : field;
            kind = (unsigned)(random >> 8) % 4;
        }
        unsigned below = (unsigned)(random >> 40) % (kind == 1 ? 220 : 20);
        the.in[i] = float_bits(field > below ? field - below : 0, random);
        if (kind == 2)
            the.in[i] &= UINT32_MAX << 21;
        if (field == 0 && i % 64 < 32)
            the.in[i] = 0;
    }
}

/* Rows of blocks, and the same with a last dimension of 1 behind the blocks, whose elements go one
 * by one. */
static size_t try_blocks(const fpfmt_block *block, const fpfmt_recipe *recipe,
                         const fpfmt_policy *policy, size_t rows, size_t length)
{
    static fpfmt_stats expected, got;
    static uint8_t codes[2][2 * MOST], scales[2][4 * MOST];
    const fpfmt_tensor_scale whole = { .decode = 0.01F, .encode = 100 };
    const fpfmt_tensor_scale *tensor = block->levels == 2 ? &whole : NULL;
    size_t n = rows * length, along = fpfmt_block_count(block, length), count = rows * along;
    size_t shape[] = { rows, length, 1 }, grid[] = { rows, along, 1 }, tried = 0;
    for (size_t s = 0; set_here(s) != NULL; s++) {
        fpfmt_block_plan plan;
        unsigned flags[2] = { 0, 0 };
        if (!fpfmt_prepare_blocks(&plan, block, recipe, policy, set_here(s)))
            continue;
        memset(&expected, 0, sizeof expected);
        memset(&got, 0, sizeof got);
        for (int k = 0; k < 2; k++) {
            fpfmt_view to = { .data = codes[k], .rank = 3 - k, .shape = shape };
            fpfmt_view by = { .data = scales[k], .rank = 3 - k, .shape = grid };
            fpfmt_view from = { .data = the.in, .rank = 3 - k, .shape = shape };
            CHECK(fpfmt_quantize(&plan, k ? &got : &expected, to, by, fpfmt_named("fp32"), from, 1,
                                 tensor, FIRST, &flags[k]),
                  "%s is refused", block->name);
        }
        CHECK(memcmp(codes[0], codes[1], n * code_bytes(&block->element)) == 0 &&
                  memcmp(scales[0], scales[1], count * code_bytes(&block->scale)) == 0,
              "%s by %s in mode %d: codes or scales differ", block->name, recipe->name,
              plan.policy.rounding);
        CHECK(flags[0] == flags[1], "%s by %s in mode %d: flags are %x, not %x", block->name,
              recipe->name, plan.policy.rounding, flags[1], flags[0]);
        the.format = block->element;
        the.policy = plan.policy;
        compare(recipe->name, set_here(s), KINDS, n, &got, &expected);
        tried++;
    }
    return tried;
}

static void blocks(void)
{
    static const char *const names[] = { "mxfp8_e4m3",       "mxfp8_e5m2",    "mxfp6_e3m2",
                                         "mxfp6_e2m3",       "mxfp4",         "mxint8",
                                         "e4m3@e8m0/300",    "e3m4@e8m0/16",  "ue4m3@e8m0/24",
                                         "e5m2fnuz@e8m0/64", "nvfp4",         "deepseek-1x128",
                                         "e5m2@fp32/16",     "e2m1@e4m3/5",   "int8@fp32/32",
                                         "fp16@fp32/100",    "ue4m3@fp32/16", "e4m3fnuz@fp16/64" };
    size_t tried = 0, all = 0;
    fpfmt_block block;
    fpfmt_policy policy;
    for (size_t b = 0; b < sizeof names / sizeof names[0]; b++) {
        if (!CHECK(fpfmt_find_block(&block, names[b]) == FPFMT_FOUND, "%s is not found", names[b]))
            continue;
        for (size_t r = 0; fpfmt_recipe_at(r) != NULL; r++)
            for (size_t p = 0; array_policy(&policy, p); p++)
                for (size_t m = 0; array_mode(&policy, m); m++) {
                    if (all++ % (23 * SAMPLE) != 0)
                        continue;
                    size_t n = 256 + random_bits_64() % 700, rows = 1 + random_bits_64() % 3;
                    fill_blocks(n);
                    tried += try_blocks(&block, fpfmt_recipe_at(r), all % 3 ? &policy : NULL, rows,
                                        all % 2 ? n / rows : n / rows / 64 * 64);
                }
    }
    printf("# %zu of %zu combinations\n", tried, all);
}

int main(void)
{
    static const struct test tests[] = {
        { "long arrays of every format, policy, mode and kind of data add up from short ones",
          all_combinations },
        { "and of every length", all_lengths },
        { "no bin runs over", full_bins },
        { "nothing beside an array is read, at any alignment", ends_of_memory },
        { "whatever MXCSR holds, which stays as it was", environments },
        { "rows of blocks have the statistics of their elements one by one", blocks },
    };
    return run_tests("tally", tests, sizeof tests / sizeof tests[0]);
}
