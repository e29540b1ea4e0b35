/* test_block_arrays.c - arrays of blocks by every set of kernels: any length, any address, any
 * state of the floating-point unit SPDX-License-Identifier: MIT
 *
 * What is expected comes of the view calls, which convert one element at a time. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __SSE2__
#include <immintrin.h>
#endif

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { LONGEST = 200, FIRST = 3, CANARY = 0xA5 };

/* ---- memory ---- */

/* Memory between two pages that nobody may touch. */
typedef struct {
    unsigned char *front;
    size_t size;
} fence;

enum { VALUES, CODES, SCALES, PARTS };
static fence fences[PARTS];

static fence make_fence(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    fence made = { .size = (size + page - 1) / page * page };
    unsigned char *base =
        mmap(NULL, made.size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    made.front = base + page;
    if (base == MAP_FAILED || mprotect(made.front, made.size, PROT_READ | PROT_WRITE) != 0) {
        printf("Bail out! no memory\n");
        exit(EXIT_FAILURE);
    }
    return made;
}

/* Places for an array, a multiple of its elements from either end. */
static const int places[] = { 0, -1, 1, 3, -2, 5, -7, 16, -17 };
enum { PLACES = sizeof places / sizeof places[0] };

static unsigned char *place_at(const fence *it, int place, size_t bytes, size_t element)
{
    size_t count = place < 0 ? (size_t)(-1 - place) : (size_t)place;
    return place < 0 ? it->front + it->size - bytes - count * element : it->front + count * element;
}

/* Is everything in the fence but the array as it was? */
static bool is_kept(const fence *it, const unsigned char *array, size_t bytes)
{
    for (const unsigned char *at = it->front; at < it->front + it->size; at++)
        if ((at < array || at >= array + bytes) && *at != CANARY)
            return false;
    return true;
}

/* ---- what is expected ---- */

static struct {
    fpfmt_block_plan plan;
    fpfmt_tensor_scale tensor;
    const fpfmt_tensor_scale *given;
    size_t of_codes, of_scales; /* bytes of each */
    float values[LONGEST], held[LONGEST];
    unsigned char codes[8 * LONGEST], scales[8 * LONGEST];
    unsigned raised, raised_back;
} the;

static fpfmt_view row_of(void *data, const size_t *n)
{
    return (fpfmt_view){ .data = data, .rank = 1, .shape = n };
}

static void expect(size_t n)
{
    size_t blocks = fpfmt_block_count(&the.plan.block, n);
    const fpfmt_format *fp32 = fpfmt_named("fp32");
    the.raised = the.raised_back = 0;
    CHECK(fpfmt_quantize(&the.plan, NULL, row_of(the.codes, &n), row_of(the.scales, &blocks), fp32,
                         row_of(the.values, &n), 0, the.given, FIRST, &the.raised) &&
              fpfmt_dequantize(&the.plan, fp32, row_of(the.held, &n), row_of(the.codes, &n),
                               row_of(the.scales, &blocks), 0, the.given, &the.raised_back),
          "%zu of %s are refused", n, the.plan.block.name);
}

/* The largest value of each block becomes one on which a rule decides, or next to it: a power of
 * two, the largest element by one, or where half of its last bit carries. */
static void sit_on_decisions(void)
{
    fpfmt_value largest = fpfmt_block_largest(&the.plan.block);
    int precision = fpfmt_measure(&the.plan.block.element).precision;
    float m = fpfmt_to_f32(largest, NULL, NULL);
    uint32_t of_m, half = precision < 24 ? UINT32_C(1) << (23 - precision) : 0;
    memcpy(&of_m, &m, sizeof of_m);
    const uint32_t fractions[] = { 0, of_m & 0x7FFFFF, 0x800000 - half };
    for (size_t i = 0; i < LONGEST; i += the.plan.block.size < 8 ? 8 : the.plan.block.size) {
        uint32_t bits = fractions[random_bits_64() % 3] + (uint32_t)(random_bits_64() % 3) - 1;
        bits = (bits + UINT32_C(0x800000)) % UINT32_C(0x1000000) % UINT32_C(0x800000);
        bits |= (uint32_t)(140 + random_bits_64() % 8) << 23;
        memcpy(&the.values[i], &bits, sizeof bits);
        if (the.plan.block.size == FPFMT_BLOCK_ALL)
            break;
    }
}

/* Now ordinary ones, now any bits, now blocks of zeros or with one special number. */
static void fill_values(unsigned turn)
{
    fill_carriers(the.values, 4, LONGEST,
                  the.plan.block.book != NULL ? fpfmt_named("bf16") : &the.plan.block.element);
    for (size_t i = 0; i < LONGEST; i++) {
        uint32_t bits = (uint32_t)random_bits_64();
        if (turn % 4 == 1)
            bits = (bits & 0x807FFFFF) | (120 + bits % 16) << 23;
        if (turn % 4 == 2)
            bits = i % 37 == 0 ? 0x7F800000 | (bits & 0x80400000) : bits & 0x807FFFFF;
        if (turn % 4 == 3)
            bits = i / 32 % 2 ? bits & 0x80000000 : 0x3F800000 + bits % 0x01000000;
        if (turn % 4 != 0)
            memcpy(&the.values[i], &bits, sizeof bits);
    }
    if (turn % 4 == 1)
        sit_on_decisions();
}

/* ---- one call ---- */

static const char *described(size_t n)
{
    static char text[256];
    snprintf(text, sizeof text, "%s: %zu of %s %s, mode %d",
             fpfmt_kernels_name(the.plan.elements.set), n, the.plan.block.name,
             the.plan.recipe.name, the.plan.policy.rounding);
    return text;
}

static void try_quantize(size_t n, const int *place, bool flagged)
{
    size_t blocks = fpfmt_block_count(&the.plan.block, n);
    size_t sizes[PARTS] = { 4 * n, the.of_codes * n, the.of_scales * blocks };
    const size_t units[PARTS] = { 4, the.of_codes, the.of_scales };
    unsigned char *at[PARTS];
    unsigned flags = FPFMT_FLAG_DIVIDE_BY_ZERO;
    for (int i = 0; i < PARTS; i++) {
        memset(fences[i].front, CANARY, fences[i].size);
        at[i] = place_at(&fences[i], place[i], sizes[i], units[i]);
    }
    memcpy(at[VALUES], the.values, sizes[VALUES]);
    CHECK(fpfmt_quantize_f32(&the.plan, at[CODES], at[SCALES], (float *)(void *)at[VALUES], n,
                             the.given, FIRST, flagged ? &flags : NULL),
          "%s are refused", described(n));
    CHECK(memcmp(at[SCALES], the.scales, sizes[SCALES]) == 0, "%s: a scale differs", described(n));
    CHECK(memcmp(at[CODES], the.codes, sizes[CODES]) == 0, "%s: an element differs", described(n));
    CHECK(!flagged || flags == (the.raised | FPFMT_FLAG_DIVIDE_BY_ZERO), "%s: raises %x, not %x",
          described(n), flags, the.raised);
    for (int i = 0; i < PARTS; i++)
        CHECK(is_kept(&fences[i], at[i], sizes[i]), "%s: writes past an end", described(n));
}

static void try_dequantize(size_t n, const int *place, bool flagged)
{
    size_t blocks = fpfmt_block_count(&the.plan.block, n);
    size_t sizes[PARTS] = { 4 * n, the.of_codes * n, the.of_scales * blocks };
    const size_t units[PARTS] = { 4, the.of_codes, the.of_scales };
    unsigned char *at[PARTS];
    unsigned flags = FPFMT_FLAG_DIVIDE_BY_ZERO;
    for (int i = 0; i < PARTS; i++) {
        memset(fences[i].front, CANARY, fences[i].size);
        at[i] = place_at(&fences[i], place[i], sizes[i], units[i]);
    }
    memcpy(at[CODES], the.codes, sizes[CODES]);
    memcpy(at[SCALES], the.scales, sizes[SCALES]);
    CHECK(fpfmt_dequantize_f32(&the.plan, (float *)(void *)at[VALUES], at[CODES], at[SCALES], n,
                               the.given, flagged ? &flags : NULL),
          "%s are refused", described(n));
    CHECK(memcmp(at[VALUES], the.held, sizes[VALUES]) == 0, "%s: a value differs", described(n));
    CHECK(!flagged || flags == (the.raised_back | FPFMT_FLAG_DIVIDE_BY_ZERO),
          "%s: raises %x, not %x", described(n), flags, the.raised_back);
    for (int i = 0; i < PARTS; i++)
        CHECK(is_kept(&fences[i], at[i], sizes[i]), "%s: writes past an end", described(n));
}

/* Codes and scales of any bits are dequantised too. */
static void randomise_codes(size_t n)
{
    int width = fpfmt_measure(&the.plan.block.element).width;
    int of_scale = fpfmt_measure(&the.plan.block.scale).width;
    size_t blocks = fpfmt_block_count(&the.plan.block, n);
    for (size_t i = 0; i < n; i++)
        fpfmt_store_code(&the.plan.block.element, the.codes, i, random_bits_64() >> (64 - width));
    for (size_t i = 0; i < blocks; i++)
        fpfmt_store_code(&the.plan.block.scale, the.scales, i, random_bits_64() >> (64 - of_scale));
    the.raised_back = 0;
    CHECK(fpfmt_dequantize(&the.plan, fpfmt_named("fp32"), row_of(the.held, &n),
                           row_of(the.codes, &n), row_of(the.scales, &blocks), 0, the.given,
                           &the.raised_back),
          "%s are refused", described(n));
}

static void try_lengths(unsigned turn)
{
    for (size_t n = 0; n <= LONGEST; n += n < 40 ? 1 : 1 + n % 7) {
        int place[PARTS];
        for (int i = 0; i < PARTS; i++)
            place[i] = places[random_bits_64() % PLACES];
        expect(n);
        try_quantize(n, place, n % 3 != 0);
        try_dequantize(n, place, n % 2 != 0);
        if (turn % 2 == 1) {
            randomise_codes(n);
            try_dequantize(n, place, n % 2 != 0);
        }
    }
}

/* ---- plans ---- */

static bool prepare(const fpfmt_block *block, const char *recipe, const fpfmt_policy *policy,
                    const fpfmt_kernels *set)
{
    /* One of 2 bits, a power of two, one that makes products inexact, and one that makes them
     * subnormal. */
    static const float tensors[] = { 0x1.8p-5F, 0x1p-9F, 0x1.234566p3F, 0x1.8p-118F };
    static size_t turn;
    fpfmt_recipe how;
    if (fpfmt_find_recipe(&how, recipe != NULL ? recipe : block->recipe) != FPFMT_FOUND ||
        !fpfmt_prepare_blocks(&the.plan, block, &how, policy, set))
        return false;
    the.of_codes = code_bytes(&block->element);
    the.of_scales = code_bytes(&block->scale);
    the.tensor = (fpfmt_tensor_scale){ .decode = tensors[turn++ % 4], .encode = 0 };
    return block->rows == 1 || block->rows == FPFMT_BLOCK_ALL;
}

static const char *const own[] = {
    "e4m3@e8m0/1",  "e2m1@e8m0/3",       "e5m2@e8m0/17",  "e4m3@e8m0/31", "e2m1@e8m0/33",
    "e3m2@e8m0/64", "fp16@fp32/8",       "bf16@e8m0/32",  "int4@fp32/5",  "e2m1@e4m3@fp32/15",
    "e2m1@e4m3/16", "e4m3@e4m3@fp32/32", "e2m1@e8m0/128",
};
enum { OWN = sizeof own / sizeof own[0] };

static bool format_at(fpfmt_block *block, size_t index)
{
    size_t rows = 0;
    while (fpfmt_block_at(rows) != NULL)
        rows++;
    if (index >= rows + OWN)
        return false;
    const char *name = index < rows ? fpfmt_block_at(index)->name : own[index - rows];
    return CHECK(fpfmt_find_block(block, name) == FPFMT_FOUND, "%s is not found", name);
}

/* Every recipe that fits in nearest even; and the usual one in every mode. */
static void try_format(const fpfmt_block *block, const fpfmt_kernels *set)
{
    fpfmt_policy policy = { .rounding = 0 };
    unsigned turn = 0;
    for (size_t r = 0; fpfmt_recipe_at(r) != NULL; r++) {
        if (!prepare(block, fpfmt_recipe_at(r)->name, NULL, set))
            continue;
        the.given = turn % 2 == 1 ? &the.tensor : NULL;
        fill_values(turn++);
        try_lengths(turn);
    }
    for (size_t m = 0; array_mode(&policy, m); m++) {
        if (!prepare(block, NULL, &policy, set))
            continue;
        the.given = NULL;
        fill_values(turn++);
        try_lengths(turn);
    }
}

static void lengths(void)
{
    fpfmt_block block;
    size_t tried = 0;
    for (int i = 0; i < PARTS; i++)
        fences[i] = make_fence(8 * LONGEST + 256);
    for (size_t s = 0; set_here(s) != NULL; s++)
        for (size_t i = 0; format_at(&block, i); i++, tried++)
            if ((i + s) % SAMPLE == 0)
                try_format(&block, set_here(s));
    printf("# %zu block formats by a set of kernels\n", tried);
}

/* Options of special blocks, and of subnormals. */
static void options(void)
{
    static const char *const recipes[] = {
        "ocp-floor:inf=max",       "ocp-floor:zero=one:nan=element", "ocp-floor:subnormal=flush",
        "rceil:inf=nan:zero=one",  "even:inf=max:subnormal=flush",   "ceil:nan=element",
        "amax:zero=least:inf=nan", "te-nvfp4:nan=scale:inf=max",     "torchao-nvfp4:zero=zeros",
    };
    fpfmt_block block;
    for (size_t s = 0; set_here(s) != NULL; s++)
        for (size_t r = 0; r < sizeof recipes / sizeof recipes[0]; r++)
            for (size_t i = r % SAMPLE; format_at(&block, i); i += SAMPLE)
                for (unsigned turn = 1; turn < 4; turn++) {
                    if (!prepare(&block, recipes[r], NULL, set_here(s)))
                        continue;
                    const int place[PARTS] = { 1, -1, 3 };
                    the.given = turn == 3 ? &the.tensor : NULL;
                    fill_values(turn);
                    expect(LONGEST - turn);
                    try_quantize(LONGEST - turn, place, true);
                    try_dequantize(LONGEST - turn, place, true);
                }
}

/* What the kernels leave to the reference: elements as precise as a float, scales past the ends of
 * binary32 or rounded by chance, zeros with signs that become +0, elements that overflow to NaN or
 * whose infinity meets a scale of 0, and scales of tensors with more bits than their format. */
static const struct {
    const char *block, *recipe;
    uint8_t overflow, scale_rounding;
} ends[] = {
    { "e5m23@e8m0/32", "even", FPFMT_OVERFLOW_SPEC, 0 },
    { "e5m22@e8m0/32", "even", FPFMT_OVERFLOW_SPEC, 0 },
    { "mxfp4", "ocp-floor:zero=zeros", FPFMT_OVERFLOW_SPEC, 0 },
    { "mxfp8-e4m3", "rceil:zero=zeros", FPFMT_OVERFLOW_SPEC, 0 },
    { "e2m1@e9m1/16", "te-nvfp4", FPFMT_OVERFLOW_SPEC, 0 },
    { "e2m1@e8m25/16", "te-nvfp4", FPFMT_OVERFLOW_SPEC, 0 },
    { "int8@e10m2/3", "te-nvfp4", FPFMT_OVERFLOW_SPEC, 0 },
    { "mxfp8-e4m3", "ocp-floor", FPFMT_OVERFLOW_NAN, 0 },
    { "mxfp8-e4m3", "even", FPFMT_OVERFLOW_INVALID, 0 },
    { "mxfp8-e5m2", "ocp-floor", FPFMT_OVERFLOW_INF, 0 },
    { "e5m2@e5m2fnuz/2", "te-nvfp4", FPFMT_OVERFLOW_INF, 0 },
    { "e3m2@e4m3fnuz@e8m3/16", "te-nvfp4", FPFMT_OVERFLOW_SPEC, 0 },
    { "e4m3@ue5m3@e8m0/4", "amax", FPFMT_OVERFLOW_SPEC, 0 },
    { "int8@e8m0/2", "deepgemm", FPFMT_OVERFLOW_SPEC, FPFMT_ROUND_STOCHASTIC },
};

/* Each block has zeros of both signs, one size of numbers, or numbers beside far smaller ones. */
static void fill_ends(unsigned turn)
{
    static const float sizes[] = { 0, 3e38F, 1.9F, 0x1p-140F, 7, 0x1p-125F, 500 };
    for (size_t i = 0; i < LONGEST; i++) {
        float x = sizes[(i / 32 + turn) % 7];
        the.values[i] = (i % 3 == 0 ? -x : x) * (i % 5 == 0 ? 0x1p-20F : 1 - (float)(i % 8) / 16);
    }
}

static void kernel_ends(void)
{
    const int place[PARTS] = { 1, -1, 3 };
    fpfmt_block block;
    fpfmt_recipe recipe;
    for (size_t s = 0; set_here(s) != NULL; s++)
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
            for (unsigned turn = 0; turn < 14; turn++) {
                const fpfmt_policy policy = { .overflow = ends[i].overflow };
                if (!CHECK(fpfmt_find_block(&block, ends[i].block) == FPFMT_FOUND &&
                               prepare(&block, ends[i].recipe, &policy, set_here(s)),
                           "%s has no plan", ends[i].block))
                    return;
                recipe = the.plan.recipe;
                recipe.scale_rounding =
                    ends[i].scale_rounding != 0 ? ends[i].scale_rounding : recipe.scale_rounding;
                fpfmt_prepare_blocks(&the.plan, &block, &recipe, &policy, set_here(s));
                the.tensor.decode = 0x1.ad1adap-3F;
                the.given = turn % 2 == 1 ? &the.tensor : NULL;
                fill_ends(turn / 2);
                expect(LONGEST - turn);
                try_quantize(LONGEST - turn, place, true);
                try_dequantize(LONGEST - turn, place, true);
                randomise_codes(LONGEST - turn);
                try_dequantize(LONGEST - turn, place, true);
            }
}

#if defined __SSE2__

/* MXCSR: rounding in bits 13 and 14, FTZ bit 15, DAZ bit 6, sticky flags 0 to 5, all masked but for
 * some. */
static void in_state(unsigned state, size_t n)
{
    static float held[LONGEST];
    static unsigned char codes[8 * LONGEST], scales[8 * LONGEST];
    unsigned flags = 0, back = 0;
    size_t blocks = fpfmt_block_count(&the.plan.block, n);
    _mm_setcsr(state);
    bool done =
        fpfmt_quantize_f32(&the.plan, codes, scales, the.values, n, the.given, FIRST, &flags) &&
        fpfmt_dequantize_f32(&the.plan, held, codes, scales, n, the.given, &back);
    unsigned after = _mm_getcsr();
    _mm_setcsr(0x1F80);
    CHECK(after == state, "%s changes MXCSR from %x to %x", described(n), state, after);
    CHECK(done && memcmp(codes, the.codes, n * the.of_codes) == 0 &&
              memcmp(scales, the.scales, blocks * the.of_scales) == 0 &&
              memcmp(held, the.held, n * sizeof *held) == 0 && flags == the.raised &&
              back == the.raised_back,
          "%s differs under MXCSR %x", described(n), state);
}

static void mxcsr(void)
{
    fpfmt_block block;
    for (size_t s = 0; set_here(s) != NULL; s++)
        for (size_t i = s % SAMPLE; format_at(&block, i); i += SAMPLE)
            for (unsigned turn = 0; turn < 4; turn++) {
                if (!prepare(&block, NULL, NULL, set_here(s)))
                    continue;
                the.given = turn % 2 ? &the.tensor : NULL;
                fill_values(turn);
                expect(LONGEST - 5);
                for (unsigned k = 0; k < 64; k++)
                    in_state((k & 3) << 13 | (k & 4 ? 0x8000 : 0) | (k & 8 ? 0x40 : 0) |
                                 (k & 16 ? 0 : 0x1F80) | (k & 32 ? 0x3F : 0),
                             LONGEST - 5);
            }
}

#else

static void mxcsr(void)
{
    skip_test("this is no x86 with SSE2");
}

#endif

int main(void)
{
    static const struct test tests[] = {
        { "every set of kernels gives what views give, at any length and address", lengths },
        { "and with every option of special blocks", options },
        { "and where the kernels leave a block to the reference", kernel_ends },
        { "in every state of MXCSR, which stays as it was", mxcsr },
    };
    return run_tests("block_arrays", tests, sizeof tests / sizeof tests[0]);
}
