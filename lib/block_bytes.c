/* block_bytes.c - blocks as they are stored: each scale before its elements, without gaps
 * SPDX-License-Identifier: MIT */

#include "blocks.h"
#include "overlap.h"
#include "shape.h"

size_t fpfmt_block_count(const fpfmt_block *block, size_t n)
{
    if (block == NULL || block->size == 0)
        return 0;
    if (n == 0 || block->size == FPFMT_BLOCK_ALL)
        return n > 0;
    return (n - 1) / block->size + 1;
}

/* Bytes of the codes of one block. */
static size_t packed_bytes(const fpfmt_block *block)
{
    unsigned width = (unsigned)shape_width(&block->element);
    if (width <= 8)
        return fpfmt_packed_size(width, block->size);
    return block->size * shape_bytes(&block->element);
}

static size_t stored_bytes(const fpfmt_block *block)
{
    return shape_bytes(&block->scale) + packed_bytes(block);
}

size_t fpfmt_block_bytes(const fpfmt_block *block, size_t n)
{
    if (fpfmt_block_defect(block) != NULL || block->size == FPFMT_BLOCK_ALL || block->rows != 1)
        return 0;
    return fpfmt_block_count(block, n) * stored_bytes(block);
}

fpfmt_value fpfmt_block_bits(const fpfmt_block *block)
{
    uint64_t elements = block->size == FPFMT_BLOCK_ALL ? 0 : (uint64_t)block->size * block->rows;
    fpfmt_value width = fpfmt_from_i64(shape_width(&block->element));
    fpfmt_value scale = fpfmt_from_i64(shape_width(&block->scale));
    const fpfmt_value none = { .kind = FPFMT_KIND_ZERO };
    if (elements == 0)
        return width;
    return fpfmt_exact(FPFMT_OPERATION_ADD, width,
                       fpfmt_exact_quotient(scale, fpfmt_from_u64(elements)), none, NULL, NULL);
}

/* Element number i of a block of HALVES: of the first half in the low bits of byte i, of the second
 * in the high ones. So elements 0 and half, 1 and half + 1, ... are packed as neighbours. */
static size_t neighbour(const fpfmt_block *block, size_t i)
{
    if (block->order != FPFMT_BLOCK_HALVES)
        return i;
    return i % 2 * (block->size / 2) + i / 2;
}

/* The code number i of a packed block, from and to its bytes, bit by bit where it is narrow. */
static uint64_t bits_at(const fpfmt_block *block, const unsigned char *bytes, size_t i)
{
    int width = shape_width(&block->element);
    if (width > 8)
        return fpfmt_load(bytes + i * shape_bytes(&block->element), shape_bytes(&block->element));
    uint64_t code = 0;
    for (int k = 0; k < width; k++) {
        size_t at = i * (size_t)width + (size_t)k;
        bool high = block->order == FPFMT_BLOCK_HIGH_FIRST;
        unsigned bit = (unsigned)bytes[at / 8] >> (high ? 7 - at % 8 : at % 8) & 1u;
        code |= (uint64_t)bit << (high ? width - 1 - k : k);
    }
    return code;
}

static void put_bits(const fpfmt_block *block, unsigned char *bytes, size_t i, uint64_t code)
{
    int width = shape_width(&block->element);
    if (width > 8) {
        fpfmt_store(bytes + i * shape_bytes(&block->element), code, shape_bytes(&block->element));
        return;
    }
    for (int k = 0; k < width; k++) {
        size_t at = i * (size_t)width + (size_t)k;
        bool high = block->order == FPFMT_BLOCK_HIGH_FIRST;
        unsigned bit = code >> (high ? width - 1 - k : k) & 1u;
        bytes[at / 8] |= (unsigned char)(bit << (high ? 7 - at % 8 : at % 8));
    }
}

/* Refuses what cannot be stored, and arrays that are missing or meet the outputs. */
static bool is_storable(const fpfmt_block *block, const void *bytes, const void *codes,
                        const void *scales, size_t n, bool joins)
{
    if (fpfmt_block_defect(block) != NULL)
        return refuse("the block format has a defect");
    if (block->size == FPFMT_BLOCK_ALL || block->rows != 1)
        return refuse("blocks of this format have no bytes of their own");
    if (block->order == FPFMT_BLOCK_HALVES && block->size % 2 != 0)
        return refuse("a block of an odd size has no halves");
    size_t element = shape_bytes(&block->element), scale = shape_bytes(&block->scale);
    size_t blocks = fpfmt_block_count(block, n);
    if (n == 0)
        return true;
    if (!has_room(codes, n, element) || !has_room(scales, blocks, scale) ||
        !has_room(bytes, blocks, stored_bytes(block)))
        return false;
    byte_range all = range_of(bytes, blocks * stored_bytes(block));
    byte_range of_codes = range_of(codes, n * element),
               of_scales = range_of(scales, blocks * scale);
    return may_write(all, of_codes, false) && may_write(all, of_scales, false) &&
           (joins || may_write(of_codes, of_scales, false));
}

bool fpfmt_join_blocks(const fpfmt_block *block, void *bytes, const void *codes, const void *scales,
                       size_t n)
{
    if (!is_storable(block, bytes, codes, scales, n, true))
        return false;
    size_t scale = shape_bytes(&block->scale), whole = n == 0 ? 0 : stored_bytes(block);
    unsigned char *to = bytes;
    for (size_t b = 0; b < fpfmt_block_count(block, n); b++, to += whole) {
        uint64_t code = fpfmt_load_code(&block->scale, scales, b);
        for (size_t k = 0; k < scale; k++)
            to[k] = (unsigned char)(code >> 8 * k);
        memset(to + scale, 0, whole - scale);
        for (size_t i = 0; i < block->size; i++) {
            size_t from = b * block->size + neighbour(block, i);
            put_bits(block, to + scale, i,
                     from < n ? fpfmt_load_code(&block->element, codes, from) : 0);
        }
    }
    return true;
}

bool fpfmt_split_blocks(const fpfmt_block *block, void *codes, void *scales, const void *bytes,
                        size_t n)
{
    if (!is_storable(block, bytes, codes, scales, n, false))
        return false;
    size_t scale = shape_bytes(&block->scale), whole = n == 0 ? 0 : stored_bytes(block);
    const unsigned char *from = bytes;
    for (size_t b = 0; b < fpfmt_block_count(block, n); b++, from += whole) {
        uint64_t code = 0;
        for (size_t k = 0; k < scale; k++)
            code |= (uint64_t)from[k] << 8 * k;
        fpfmt_store_code(&block->scale, scales, b, code);
        for (size_t i = 0; i < block->size; i++) {
            size_t to = b * block->size + neighbour(block, i);
            if (to < n)
                fpfmt_store_code(&block->element, codes, to, bits_at(block, from + scale, i));
        }
    }
    return true;
}
