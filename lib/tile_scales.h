/* tile_scales.h - blocks of floats that kernels quantise together, and their scales
 * SPDX-License-Identifier: MIT */

#ifndef FPFMT_LIB_TILE_SCALES_H
#define FPFMT_LIB_TILE_SCALES_H

#include "blocks.h"
#include "bulk.h"
#include "carrier.h"
#include "quantize.h"

enum {
    ELEMENTS = 1024, /* of a tile: 4 KiB of scaled values */
    BLOCKS = 64,     /* at most, of a tile */
    INFINITE_BITS = 0x7F800000,
    LARGEST_BITS = 0x7F7FFFFF,
    EXPONENT_ONE = 127, /* the exponent field of 1 */
    FRACTION = 23
};

/* A call of fpfmt_quantize_by_tiles: the plan, and what is the same for all blocks. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_tensor_scale *tensor;
    uint64_t first;
    unsigned *flags;
    float largest, per, back; /* M; of a rule in binary32, constants of its operations */
    float given, top;         /* of INVERSE: the factor, 0: it follows from amax; and the largest
                               * scale, as past it INVERSE does not clamp */
    int emax, precision;      /* of the elements */
    uint32_t addend;          /* of rules that give powers of two */
} fast_call;

/* The blocks of one tile. */
typedef struct {
    uint32_t amax[BLOCKS];
    float factor[BLOCKS];
    bool any_zero; /* a scale is: its block holds zeros, whatever its elements are */
    size_t blocks, size;
} tile;

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline void fill(float *array, float x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        array[i] = x;
}

/* out = a operation b, block by block, to nearest even. */
static inline void operate(const fast_call *it, fpfmt_operation operation, float *out,
                           const float *a, const float *b, size_t n)
{
    uint16_t special[OPERATE_TILE];
    it->plan->elements.set->operate[CARRIER_32]((int)operation, OPERATE_NEAREST, out, special, a, b,
                                                NULL, n);
}

fast_call fpfmt_fast_call(const fpfmt_block_plan *plan, const fpfmt_tensor_scale *tensor,
                          uint64_t first, unsigned *flags);

/* Largest magnitudes of the tile's blocks, their scales' codes and their factors. Tells whether
 * there is a block that the reference has to do. */
bool fpfmt_scale_tile(const fast_call *it, tile *at, const float *values, void *scales);

#endif
