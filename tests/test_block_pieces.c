/* test_block_pieces.c - long arrays of blocks have the bits and flags of their pieces
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include <fpfmt.h>

#include "arrays.h"
#include "runner.h"

/* More blocks than scales are read at a time, and a part of one; scales near 1, but for one in 64.
 */
enum { BLOCKS = 600, PIECE = 37, SIZE = 32 };
static unsigned char codes[8 * BLOCKS * SIZE], scales[8 * BLOCKS];
static float whole[BLOCKS * SIZE], piece[PIECE * SIZE];

static void fill_in(const fpfmt_block *block)
{
    int width = fpfmt_measure(&block->scale).width;
    for (size_t i = 0; i < (size_t)BLOCKS * SIZE; i++)
        fpfmt_store_code(&block->element, codes, i, random_bits_64());
    for (size_t i = 0; i < BLOCKS; i++) {
        uint64_t any = random_bits_64();
        fpfmt_store_code(&block->scale, scales, i,
                         any % 64 == 0 ? any / 64 : UINT64_C(7) << (width - 4));
    }
}

static void compare(const fpfmt_block_plan *plan, const fpfmt_tensor_scale *tensor)
{
    const fpfmt_block *block = &plan->block;
    size_t n = (BLOCKS - 1) * block->size + 1, step = PIECE * block->size;
    size_t of_codes = code_bytes(&block->element), of_scales = code_bytes(&block->scale);
    unsigned flags = 0, of_pieces = 0;
    fill_in(block);
    CHECK(fpfmt_dequantize_f32(plan, whole, codes, scales, n, tensor, &flags), "%s is refused",
          block->name);
    for (size_t i = 0; i < n; i += step) {
        size_t some = n - i < step ? n - i : step;
        const unsigned char *from = codes + i * of_codes,
                            *by = scales + i / block->size * of_scales;
        CHECK(fpfmt_dequantize_f32(plan, piece, from, by, some, tensor, &of_pieces) &&
                  memcmp(piece, whole + i, some * sizeof *piece) == 0,
              "%s: a piece at %zu differs", block->name, i);
    }
    CHECK(flags == of_pieces, "%s raises %x, not %x", block->name, flags, of_pieces);
}

static void pieces(void)
{
    const fpfmt_tensor_scale tensor = { .decode = 0x1.234566p3F, .encode = 0 };
    const fpfmt_block_row *row;
    fpfmt_block block;
    fpfmt_block_plan plan;
    for (size_t s = 0; set_here(s) != NULL; s++)
        for (size_t i = 0; (row = fpfmt_block_at(i)) != NULL; i++)
            if (fpfmt_find_block(&block, row->name) == FPFMT_FOUND && block.size <= SIZE &&
                block.rows == 1 && fpfmt_prepare_blocks(&plan, &block, NULL, NULL, set_here(s))) {
                compare(&plan, NULL);
                compare(&plan, &tensor);
            }
}

int main(void)
{
    static const struct test tests[] = {
        { "many blocks become what they are in pieces", pieces },
    };
    return run_tests("pieces of arrays of blocks", tests, sizeof tests / sizeof tests[0]);
}
