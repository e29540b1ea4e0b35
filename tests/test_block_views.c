/* test_block_views.c - blocks along any axis of any view, and in tiles, one by one told as data
 * SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

enum { RANK = 3, ROOM = 1 << 16, MOST = 128 * 128 };

/* An array of any strides: where element 0 is, in elements from the start of its memory. */
typedef struct {
    size_t shape[RANK];
    ptrdiff_t strides[RANK], start;
} layout;

/* The call in hand. */
static struct {
    fpfmt_block_plan plan;
    fpfmt_tensor_scale tensor;
    bool has_tensor;
    int rank, axis;
    uint64_t first;
    size_t grid[RANK];
    layout values, codes, scales;
} the;

static unsigned char value_memory[4 * ROOM], code_memory[8 * ROOM], scale_memory[8 * ROOM];
static double held_memory[ROOM];

static uint64_t below(uint64_t bound)
{
    return random_bits_64() % bound;
}

/* Any order of the dimensions, gaps between them, and any direction. */
static layout make_layout(const size_t *shape, int rank)
{
    layout made = { .start = 0 };
    ptrdiff_t whole = 1 + (ptrdiff_t)below(2);
    int order[RANK] = { 0, 1, 2 };
    for (int i = 0; i < rank; i++) {
        int k = i + (int)below((uint64_t)(rank - i)), at = order[k];
        order[k] = order[i];
        made.shape[at] = shape[at];
        made.strides[at] = whole;
        whole *= (ptrdiff_t)shape[at] + (ptrdiff_t)below(2);
        if (below(2)) {
            made.start += made.strides[at] * (ptrdiff_t)(shape[at] - 1);
            made.strides[at] = -made.strides[at];
        }
    }
    return made;
}

/* The last dimension the fastest, without gaps. */
static layout make_dense(const size_t *shape, int rank)
{
    layout made = { .start = 0 };
    ptrdiff_t whole = 1;
    for (int i = rank; i-- > 0; whole *= (ptrdiff_t)shape[i]) {
        made.shape[i] = shape[i];
        made.strides[i] = whole;
    }
    return made;
}

static fpfmt_view view_of(const layout *it, void *memory, size_t bytes)
{
    return (fpfmt_view){ .data = (unsigned char *)memory + it->start * (ptrdiff_t)bytes,
                         .rank = the.rank,
                         .shape = it->shape,
                         .strides = it->strides };
}

static size_t place_in(const layout *it, const size_t *at)
{
    ptrdiff_t place = it->start;
    for (int i = 0; i < the.rank; i++)
        place += (ptrdiff_t)at[i] * it->strides[i];
    return (size_t)place;
}

static bool next_place(size_t *at, const size_t *shape)
{
    for (int i = the.rank; i-- > 0;) {
        if (++at[i] < shape[i])
            return true;
        at[i] = 0;
    }
    return false;
}

/* Which block an element is in. */
static void block_at(size_t *block, const size_t *at)
{
    const fpfmt_block *format = &the.plan.block;
    for (int i = 0; i < the.rank; i++) {
        uint32_t size = i == the.axis ? format->size : i == the.axis - 1 ? format->rows : 1;
        block[i] = format->rows == FPFMT_BLOCK_ALL || size == FPFMT_BLOCK_ALL ? 0 : at[i] / size;
    }
}

static bool same_block(const size_t *a, const size_t *b)
{
    return memcmp(a, b, sizeof *a * (size_t)the.rank) == 0;
}

static uint64_t number_of(const size_t *at)
{
    uint64_t number = 0;
    for (int i = 0; i < the.rank; i++)
        number = number * the.values.shape[i] + at[i];
    return number;
}

static fpfmt_value value_at(const size_t *at)
{
    float x;
    memcpy(&x, value_memory + 4 * place_in(&the.values, at), sizeof x);
    return fpfmt_from_f32(x);
}

/* One block: its scale from the values that are gathered, and then each element. */
static void check_block(const size_t *block, unsigned *flags)
{
    static fpfmt_value gathered[MOST];
    const fpfmt_block_plan *plan = &the.plan;
    const fpfmt_tensor_scale *tensor = the.has_tensor ? &the.tensor : NULL;
    size_t at[RANK] = { 0 }, own[RANK], count = 0;
    fpfmt_block_scale scale;
    do {
        block_at(own, at);
        if (same_block(own, block))
            gathered[count++] = value_at(at);
    } while (next_place(at, the.values.shape));
    CHECK(fpfmt_scale_block(&plan->block, &plan->recipe, &scale, gathered, count, tensor),
          "a block of %zu is refused", count);
    uint64_t stored =
        fpfmt_load_code(&plan->block.scale, scale_memory, place_in(&the.scales, block));
    CHECK(stored == scale.code, "%s along %d of %d: scale %llx, not %llx", plan->block.name,
          the.axis, the.rank, (unsigned long long)stored, (unsigned long long)scale.code);
    do {
        block_at(own, at);
        if (!same_block(own, block))
            continue;
        fpfmt_policy policy = plan->policy;
        policy.first += the.first + number_of(at);
        uint64_t code =
            fpfmt_block_encode(&plan->block, &plan->recipe, &scale, value_at(at), &policy, flags);
        size_t place = place_in(&the.codes, at);
        uint64_t got = fpfmt_load_code(&plan->block.element, code_memory, place);
        CHECK(got == code, "%s along %d of %d: element %llx, not %llx", plan->block.name, the.axis,
              the.rank, (unsigned long long)got, (unsigned long long)code);
        fpfmt_value held = fpfmt_block_decode(&plan->block, code, scale.stored);
        double expected = fpfmt_to_f64(held, NULL, NULL);
        CHECK(memcmp(&held_memory[place], &expected, sizeof expected) == 0,
              "%s along %d of %d: held %a, not %a", plan->block.name, the.axis, the.rank,
              held_memory[place], expected);
    } while (next_place(at, the.values.shape));
}

static void set_shape(void)
{
    size_t shape[RANK];
    const fpfmt_block *block = &the.plan.block;
    bool tile = block->rows > 1 && block->rows != FPFMT_BLOCK_ALL;
    size_t most = block->rows == 128 ? 150 : 20;
    the.rank = tile ? 2 + (int)below(2) : 1 + (int)below(RANK);
    if (most > 20)
        the.rank = 2;
    the.axis = tile ? 1 + (int)below((uint64_t)the.rank - 1) : (int)below((uint64_t)the.rank);
    for (int i = 0; i < the.rank; i++)
        shape[i] = most > 20 ? 10 + below(140) : 1 + below(i == the.axis ? 40 : 6);
    for (int i = 0; i < the.rank; i++) {
        size_t size = i == the.axis ? block->size : i == the.axis - 1 ? block->rows : 1;
        bool all = block->rows == FPFMT_BLOCK_ALL || size == FPFMT_BLOCK_ALL;
        the.grid[i] = all ? 1 : (shape[i] + size - 1) / size;
    }
    /* Kernels take what is dense, if all of it is. */
    unsigned gaps = below(2) ? 7 : (unsigned)below(8);
    the.values = (gaps & 1 ? make_layout : make_dense)(shape, the.rank);
    the.codes = (gaps & 2 ? make_layout : make_dense)(shape, the.rank);
    the.scales = (gaps & 4 ? make_layout : make_dense)(the.grid, the.rank);
}

static void try_view(void)
{
    const fpfmt_format *fp32 = fpfmt_named("fp32"), *fp64 = fpfmt_named("fp64");
    const fpfmt_tensor_scale *tensor = the.has_tensor ? &the.tensor : NULL;
    size_t block[RANK] = { 0 };
    unsigned flags = 0, expected = 0;
    fpfmt_stats stats = { .count = 0 };
    bool counts = below(2);
    set_shape();
    fill_carriers(value_memory, 4, ROOM / 16, fpfmt_named("bf16"));
    fpfmt_view codes = view_of(&the.codes, code_memory, code_bytes(&the.plan.block.element));
    fpfmt_view scales = view_of(&the.scales, scale_memory, code_bytes(&the.plan.block.scale));
    fpfmt_view held = view_of(&the.codes, held_memory, sizeof *held_memory);
    CHECK(fpfmt_quantize(&the.plan, counts ? &stats : NULL, codes, scales, fp32,
                         view_of(&the.values, value_memory, 4), the.axis, tensor, the.first,
                         &flags) &&
              fpfmt_dequantize(&the.plan, fp64, held, codes, scales, the.axis, tensor, NULL),
          "%s along %d of %d is refused", the.plan.block.name, the.axis, the.rank);
    do
        check_block(block, &expected);
    while (next_place(block, the.grid));
    CHECK(flags == expected, "%s raises %x, not %x", the.plan.block.name, flags, expected);
    size_t n = 1;
    for (int i = 0; i < the.rank; i++)
        n *= the.values.shape[i];
    CHECK(stats.count == (counts ? n : 0), "%zu elements are counted as %llu", n,
          (unsigned long long)stats.count);
}

/* The format with its own recipe, or this one, in nearest and by chance. */
static void try_format(const char *name, const char *recipe)
{
    fpfmt_block block;
    fpfmt_recipe how;
    int times = strstr(name, "128") != NULL ? 1 : 24;
    CHECK(fpfmt_find_block(&block, name) == FPFMT_FOUND &&
              fpfmt_find_recipe(&how, recipe != NULL ? recipe : block.recipe) == FPFMT_FOUND,
          "%s is not found", name);
    for (int turn = 0; turn < times; turn++) {
        fpfmt_policy policy = { .rounding = how.rounding, .seed = 5, .first = 7 };
        if (turn % 3 == 2)
            policy.rounding = FPFMT_ROUND_STOCHASTIC;
        the.first = below(1000);
        the.has_tensor = block.levels == 2 && turn % 2;
        the.tensor = (fpfmt_tensor_scale){ .decode = 0.01F, .encode = turn % 4 == 1 ? 100.F : 0 };
        CHECK(fpfmt_prepare_blocks(&the.plan, &block, &how, &policy, NULL), "%s has no plan", name);
        if (how.rule != FPFMT_SCALE_BEST_OF_TWO || turn % 3 != 2)
            try_view();
    }
}

static void rows(void)
{
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++)
        try_format(fpfmt_block_at(i)->name, NULL);
    try_format("nvfp4", "four-over-six");
    try_format("nvfp4", "amax");
}

static void own_sizes(void)
{
    static const char *const names[] = {
        "e4m3@fp32/2x3",       "e2m1@e8m0/4x2",    "e2m1@e4m3@fp32/1x5", "nf4@fp32/3x3",
        "fp16@fp32/channel",   "e5m2@e8m0/tensor", "e3m2@e8m0/1",        "int8@fp16/5x1",
        "e2m1@e4m3@fp32/7x40", "e4m3@fp32/50x50",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        try_format(names[i], NULL);
}

int main(void)
{
    static const struct test tests[] = {
        { "every row along any axis of any view is what its blocks are one by one", rows },
        { "and so are tiles, channels and tensors of any size", own_sizes },
    };
    return run_tests("block_views", tests, sizeof tests / sizeof tests[0]);
}
