/* blocks.c - block formats beside the plain conversions of their elements
 * SPDX-License-Identifier: MIT
 *
 * The limit of these lines is what the best set makes of the elements alone, in the same run. */

#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* The block formats by their elements, and NVFP4, which shares those of MXFP4. */
static const struct {
    const char *element, *name;
} blocks[] = {
    { "e4m3", "mxfp8-e4m3" }, { "e5m2", "mxfp8-e5m2" }, { "e3m2", "mxfp6-e3m2" },
    { "e2m3", "mxfp6-e2m3" }, { "e2m1", "mxfp4" },      { "int8f6", "mxint8" },
};

static const char *mx_of(const fpfmt_format *element)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (fpfmt_named(blocks[i].element)->fraction_bits == element->fraction_bits &&
            fpfmt_named(blocks[i].element)->exponent_bits == element->exponent_bits)
            return blocks[i].name;
    return "mxfp4";
}

/* A plan of blocks for the set of a contender; one is kept for each set, as passes of different
 * ones take turns. */
static const fpfmt_block_plan *plan_for(const contender *it, const char *name)
{
    enum { SETS = 8 };
    static struct {
        const fpfmt_kernels *set;
        const char *name;
        fpfmt_block_plan plan;
    } made[SETS];
    fpfmt_block block;
    size_t i = 0;
    while (i < SETS - 1 && made[i].set != NULL && made[i].set != it->plan->set)
        i++;
    if (made[i].name == name)
        return &made[i].plan;
    made[i].set = it->plan->set;
    made[i].name = name;
    return fpfmt_find_block(&block, name) == FPFMT_FOUND &&
                   fpfmt_prepare_blocks(&made[i].plan, &block, NULL, NULL, it->plan->set)
               ? &made[i].plan
               : NULL;
}

/* Room for the scales of n elements, all of them 1 to begin with. */
static unsigned char *scales_of(const char *name, size_t n)
{
    static unsigned char *scales;
    static size_t room;
    unsigned char one = strcmp(name, "nvfp4") == 0 ? 0x38 : 0x7F;
    if (room < n / 16 + 1) {
        free(scales);
        room = n / 16 + 1;
        scales = malloc(room);
        if (scales == NULL)
            abort();
        scales[0] = 0;
    }
    if (scales[0] != one)
        memset(scales, one, room);
    return scales;
}

static const fpfmt_tensor_scale *tensor_of(const char *name)
{
    static const fpfmt_tensor_scale scale = { 0x1p-12f, 0x1p12f };
    return strcmp(name, "nvfp4") == 0 ? &scale : NULL;
}

static bool quantize(const contender *it, void *to, const void *from, size_t n, const char *name)
{
    static unsigned char *scales;
    static size_t room;
    const fpfmt_block_plan *plan = plan_for(it, name);
    if (room < n / 16 + 1) {
        room = n / 16 + 1;
        scales = realloc(scales, room);
    }
    return plan != NULL && scales != NULL &&
           fpfmt_quantize_f32(plan, to, scales, from, n, tensor_of(name), 0, NULL);
}

static bool dequantize(const contender *it, void *to, const void *from, size_t n, const char *name)
{
    const fpfmt_block_plan *plan = plan_for(it, name);
    return plan != NULL &&
           fpfmt_dequantize_f32(plan, to, from, scales_of(name, n), n, tensor_of(name), NULL);
}

bool mx_quantize(const contender *it, void *to, const void *from, size_t n)
{
    return quantize(it, to, from, n, mx_of(it->format));
}

bool mx_dequantize(const contender *it, void *to, const void *from, size_t n)
{
    return dequantize(it, to, from, n, mx_of(it->format));
}

bool nvfp4_quantize(const contender *it, void *to, const void *from, size_t n)
{
    return quantize(it, to, from, n, "nvfp4");
}

bool nvfp4_dequantize(const contender *it, void *to, const void *from, size_t n)
{
    return dequantize(it, to, from, n, "nvfp4");
}

/* The elements alone, saturating as in blocks. */
static const fpfmt_plan *plain_plan(const fpfmt_format *format)
{
    static fpfmt_plan plan;
    const fpfmt_policy policy = { .overflow = FPFMT_OVERFLOW_MAX };
    if (strcmp(plan.format.name, format->name) != 0)
        fpfmt_prepare(&plan, format, &policy, NULL);
    return &plan;
}

bool plain_encode(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_plan_encode_f32(plain_plan(it->format), to, from, n, 0, NULL);
}

bool plain_decode(const contender *it, void *to, const void *from, size_t n)
{
    return fpfmt_plan_decode_f32(plain_plan(it->format), to, from, n, NULL);
}
