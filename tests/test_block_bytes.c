/* test_block_bytes.c - blocks as bytes and back, and what calls of blocks refuse
 * SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "attempts.h"
#include "runner.h"

enum { MOST = 300, WHOLE = 8 * MOST + 8 * MOST };

/* ---- bytes ---- */

static unsigned char elements[8 * MOST], scales[8 * MOST], bytes[WHOLE], expected[WHOLE];

/* Writes so many bits of a code at bit number at: from the low end of bytes, the low bit first, or
 * from the high end, the high bit first. */
static void write_bits(unsigned char *to, size_t at, uint64_t code, int width, bool high)
{
    for (int i = 0; i < width; i++) {
        size_t bit = at + (size_t)i;
        bool set = code >> (high ? width - 1 - i : i) & 1;
        if (set)
            to[bit / 8] |= (unsigned char)(high ? 0x80 >> bit % 8 : 1 << bit % 8);
    }
}

/* Where the code of element i is, in bits from the first. */
static size_t bit_of(const fpfmt_block *block, size_t i, int width)
{
    size_t half = block->size / 2;
    if (block->order != FPFMT_BLOCK_HALVES)
        return i * (size_t)width;
    return 2 * (i % half) * (size_t)width + (i < half ? 0 : (size_t)width);
}

/* The bytes of n elements, a block behind the other; returns how many. */
static size_t write_blocks(const fpfmt_block *block, size_t n)
{
    int width = fpfmt_measure(&block->element).width, of_scale = fpfmt_measure(&block->scale).width;
    int stored = width > 8 ? 8 * (int)code_bytes(&block->element) : width;
    size_t scale_bytes = ((size_t)of_scale + 7) / 8, whole;
    scale_bytes = scale_bytes == 3 ? 4 : scale_bytes;
    whole = scale_bytes + ((size_t)stored * block->size + 7) / 8;
    memset(expected, 0, sizeof expected);
    for (size_t i = 0; i < n; i++) {
        unsigned char *to = expected + i / block->size * whole;
        if (i % block->size == 0)
            write_bits(to, 0, fpfmt_load_code(&block->scale, scales, i / block->size), of_scale,
                       false);
        write_bits(to + scale_bytes, bit_of(block, i % block->size, stored),
                   fpfmt_load_code(&block->element, elements, i), stored,
                   block->order == FPFMT_BLOCK_HIGH_FIRST);
    }
    return (n + block->size - 1) / block->size * whole;
}

static void fill_codes(const fpfmt_format *format, void *codes_of, size_t n)
{
    int width = fpfmt_measure(format).width;
    for (size_t i = 0; i < n; i++)
        fpfmt_store_code(format, codes_of, i, random_bits_64() >> (64 - width));
}

static void try_bytes(const fpfmt_block *block, size_t n)
{
    static unsigned char back[8 * MOST], back_scales[8 * MOST];
    size_t blocks = fpfmt_block_count(block, n), size;
    fill_codes(&block->element, elements, n);
    fill_codes(&block->scale, scales, blocks);
    memset(bytes, 0xA5, sizeof bytes);
    size = write_blocks(block, n);
    CHECK(fpfmt_block_bytes(block, n) == size, "%zu of %s take %zu bytes, not %zu", n, block->name,
          fpfmt_block_bytes(block, n), size);
    CHECK(fpfmt_join_blocks(block, bytes, elements, scales, n) &&
              memcmp(bytes, expected, size) == 0 && bytes[size] == 0xA5,
          "%zu of %s are other bytes", n, block->name);
    memset(back, 0xA5, sizeof back);
    memset(back_scales, 0xA5, sizeof back_scales);
    size_t end = n * code_bytes(&block->element), scale_end = blocks * code_bytes(&block->scale);
    CHECK(fpfmt_split_blocks(block, back, back_scales, bytes, n) &&
              memcmp(back, elements, end) == 0 && memcmp(back_scales, scales, scale_end) == 0 &&
              back[end] == 0xA5 && back_scales[scale_end] == 0xA5,
          "%zu of %s do not come back", n, block->name);
}

static void try_format(const char *name)
{
    fpfmt_block block;
    CHECK(fpfmt_find_block(&block, name) == FPFMT_FOUND, "%s is not found", name);
    if (block.rows != 1 || block.size == FPFMT_BLOCK_ALL) {
        CHECK(fpfmt_block_bytes(&block, 64) == 0, "%s has bytes", name);
        return;
    }
    for (size_t n = 0; n < MOST / 2; n += n < 40 ? 1 : 13)
        try_bytes(&block, n);
}

static void bytes_of_blocks(void)
{
    static const char *const own[] = { "e3m2@e8m0/7",  "fp16@fp32/5", "e2m1@e4m3@fp32/3",
                                       "tf32@fp32/4",  "nf4@fp16/9",  "bf16@e8m0/1",
                                       "ue4m3@fp32/11" };
    for (size_t i = 0; fpfmt_block_at(i) != NULL; i++)
        try_format(fpfmt_block_at(i)->name);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        try_format(own[i]);
}

/* Bits of a value: an element's and its share of the scale. */
static void bits_of_blocks(void)
{
    static const struct {
        const char *name;
        double bits;
    } rows[] = {
        { "mxfp8-e4m3", 8.25 },
        { "mxfp6-e3m2", 6.25 },
        { "mxfp4", 4.25 },
        { "mxint8", 8.25 },
        { "nvfp4", 4.5 },
        { "q8_0", 8.5 },
        { "q4_0", 4.5 },
        { "nf4", 4.5 },
        { "bnb-fp4", 4.5 },
        { "tensor-e4m3", 8 },
        { "deepseek-128x128", 8 + 32. / 16384 },
        { "deepseek-1x128", 8.25 },
        { "channel-e5m2", 8 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fpfmt_block block;
        CHECK(fpfmt_find_block(&block, rows[i].name) == FPFMT_FOUND &&
                  fpfmt_to_f64(fpfmt_block_bits(&block), NULL, NULL) == rows[i].bits,
              "%s has other bits than %g", rows[i].name, rows[i].bits);
    }
}

/* ---- what is refused ---- */

static fpfmt_block_plan plan_of(const char *name)
{
    fpfmt_block block;
    fpfmt_block_plan plan;
    memset(&plan, 0, sizeof plan);
    CHECK(fpfmt_find_block(&block, name) == FPFMT_FOUND &&
              fpfmt_prepare_blocks(&plan, &block, NULL, NULL, NULL),
          "%s has no plan", name);
    return plan;
}

static bool quantizes(const char *name, void *to, void *by, const void *from,
                      const fpfmt_tensor_scale *tensor)
{
    const fpfmt_block_plan plan = plan_of(name);
    return fpfmt_quantize_f32(&plan, to, by, from, N, tensor, 0, &flags);
}

static bool dequantizes(const char *name, void *to, const void *from, const void *by,
                        const fpfmt_tensor_scale *tensor)
{
    const fpfmt_block_plan plan = plan_of(name);
    return fpfmt_dequantize_f32(&plan, to, from, by, N, tensor, &flags);
}

static bool scales_in_codes(void)
{
    return !quantizes("mxfp4", codes, codes + N - 1, floats, NULL);
}

static bool codes_on_values(void)
{
    return !quantizes("mxfp4", floats, codes, floats, NULL);
}

static bool scales_on_values(void)
{
    return !quantizes("mxfp4", codes, (unsigned char *)floats + sizeof floats - 1, floats, NULL);
}

static bool values_on_codes(void)
{
    return !dequantizes("mxfp4", codes, codes + 3, more_codes, NULL);
}

static bool values_on_scales(void)
{
    return !dequantizes("mxfp4", codes, more_codes, codes + sizeof floats - 1, NULL);
}

static bool tiles_in_an_array(void)
{
    return !quantizes("deepseek-128x128", codes, more_codes, floats, NULL) &&
           !dequantizes("e4m3@fp32/2x2", floats, codes, more_codes, NULL);
}

static bool with_tensor(float decode, float encode)
{
    const fpfmt_tensor_scale tensor = { decode, encode };
    return !quantizes("nvfp4", codes, more_codes, floats, &tensor) &&
           !dequantizes("nvfp4", floats, codes, more_codes, &tensor);
}

static bool tensor_of_zero(void)
{
    return with_tensor(0, 1);
}

static bool tensor_of_nan(void)
{
    return with_tensor((float)NAN, 1);
}

static bool tensor_of_infinity(void)
{
    return with_tensor(-(float)INFINITY, 1);
}

static bool tensor_with_inverse_of_nan(void)
{
    return with_tensor(1, (float)NAN);
}

static bool tensor_with_infinite_inverse(void)
{
    return with_tensor(1, (float)INFINITY);
}

/* A tensor of 2 x 2, of which codes and scales have these shapes and strides. */
static bool views(const char *name, const size_t *of_codes, const size_t *of_scales,
                  const ptrdiff_t *strides, int axis)
{
    static const size_t shape[] = { 2, 2 };
    const fpfmt_block_plan plan = plan_of(name);
    fpfmt_view to = { .data = codes, .rank = 2, .shape = of_codes, .strides = strides };
    fpfmt_view by = { .data = more_codes, .rank = 2, .shape = of_scales };
    fpfmt_view from = { .data = floats, .rank = 2, .shape = shape };
    return fpfmt_quantize(&plan, NULL, to, by, fpfmt_named("fp32"), from, axis, NULL, 0, &flags);
}

static const size_t square[] = { 2, 2 }, wide[] = { 1, 4 }, column[] = { 2, 1 }, row[] = { 1, 2 };

static bool codes_of_another_shape(void)
{
    return !views("mxfp4", wide, column, NULL, 1);
}

static bool scales_of_the_other_axis(void)
{
    return !views("mxfp4", square, row, NULL, 1);
}

static bool too_many_scales(void)
{
    return !views("mxfp4", square, square, NULL, 1);
}

static bool no_such_axis(void)
{
    return !views("mxfp4", square, column, NULL, 2) && !views("mxfp4", square, column, NULL, -1);
}

static bool tiles_along_the_first_axis(void)
{
    return !views("e4m3@fp32/2x2", square, row, NULL, 0);
}

static bool codes_on_each_other(void)
{
    static const ptrdiff_t strides[] = { 1, 1 };
    return !views("mxfp4", square, column, strides, 1);
}

/* Of views, as of arrays. */
static bool values_of_views_on_codes(void)
{
    const fpfmt_block_plan plan = plan_of("mxfp4");
    unsigned char *memory = (unsigned char *)floats;
    fpfmt_view to = { .data = memory, .rank = 2, .shape = square };
    fpfmt_view from = { .data = memory + 15, .rank = 2, .shape = square };
    fpfmt_view by = { .data = more_codes, .rank = 2, .shape = column };
    return !fpfmt_dequantize(&plan, fpfmt_named("fp32"), to, from, by, 1, NULL, &flags);
}

static bool joins(const char *name, void *to, const void *from, const void *by)
{
    fpfmt_block block;
    CHECK(fpfmt_find_block(&block, name) == FPFMT_FOUND, "%s is not found", name);
    return fpfmt_join_blocks(&block, to, from, by, N);
}

static bool bytes_of_a_whole_tensor(void)
{
    return !joins("tensor-e4m3", codes, more_codes, floats);
}

static bool bytes_of_tiles(void)
{
    return !joins("deepseek-128x128", codes, more_codes, floats);
}

static bool bytes_on_codes(void)
{
    return !joins("e4m3@e8m0/4", codes, codes + N, floats);
}

static bool split_into_bytes(void)
{
    fpfmt_block block;
    CHECK(fpfmt_find_block(&block, "e4m3@e8m0/4") == FPFMT_FOUND, "e4m3@e8m0/4 is not found");
    return !fpfmt_split_blocks(&block, codes, more_codes, codes + N - 1, N) &&
           !fpfmt_split_blocks(&block, codes, codes + N - 1, floats, N);
}

static bool halves_of_an_odd_block(void)
{
    fpfmt_block block;
    CHECK(fpfmt_find_block(&block, "q4_0") == FPFMT_FOUND, "q4_0 is not found");
    block.size = 5;
    return !fpfmt_join_blocks(&block, codes, more_codes, floats, N);
}

static const attempt refused[] = {
    { "scales in codes", scales_in_codes },
    { "codes on values", codes_on_values },
    { "scales on values", scales_on_values },
    { "values on codes", values_on_codes },
    { "values on scales", values_on_scales },
    { "tiles in an array", tiles_in_an_array },
    { "a tensor's scale of 0", tensor_of_zero },
    { "a tensor's scale of NaN", tensor_of_nan },
    { "a tensor's scale of infinity", tensor_of_infinity },
    { "a tensor's scale with an inverse of NaN", tensor_with_inverse_of_nan },
    { "a tensor's scale with an infinite inverse", tensor_with_infinite_inverse },
    { "codes of another shape", codes_of_another_shape },
    { "scales of the other axis", scales_of_the_other_axis },
    { "too many scales", too_many_scales },
    { "no such axis", no_such_axis },
    { "tiles along the first axis", tiles_along_the_first_axis },
    { "codes on each other", codes_on_each_other },
    { "values of views on codes", values_of_views_on_codes },
    { "bytes of a whole tensor", bytes_of_a_whole_tensor },
    { "bytes of tiles", bytes_of_tiles },
    { "bytes on codes", bytes_on_codes },
    { "split into its bytes", split_into_bytes },
    { "halves of an odd block", halves_of_an_odd_block },
};

static void refusals(void)
{
    try_refused(refused, sizeof refused / sizeof refused[0]);
    CHECK(views("mxfp4", square, column, NULL, 1) && views("mxfp4", square, row, NULL, 0),
          "what is in order is refused");
}

int main(void)
{
    static const struct test tests[] = {
        { "blocks of every row are the bytes that their layout says, and come back",
          bytes_of_blocks },
        { "bits of a value are an element's and its share of the scale", bits_of_blocks },
        { "arrays that meet, shapes that differ and impossible scales are refused", refusals },
    };
    return run_tests("block_bytes", tests, sizeof tests / sizeof tests[0]);
}
