/* quantise.c - tensors to elements and scales
 * SPDX-License-Identifier: MIT
 *
 * Some rows of a tensor are quantised at a time: as many as a tile has, or a multiple of that; all
 * of them where one scale is that of the whole. */

#include <string.h>

#include "kit/memory.h"
#include "kit/tensorfile/elements.h"
#include "write/casting.h"
#include "write/output.h"

typedef struct {
    cast_plan *plan;
    cast *it;
    fpfmt_block_plan *blocks;
    element_stream *from;
    element_piece *piece;
    size_t taken; /* of the piece */
    bool wide;
    size_t width;          /* elements of a row */
    uint64_t rows, height; /* in all, and of a matrix */
    size_t tile, across;   /* rows of a tile, and blocks along a row */
    void *values;
    unsigned char *codes, *scales, *packed;
    fpfmt_tensor_scale whole;
    uint64_t scales_done;
} quantising;

static size_t value_bytes(const quantising *now)
{
    return now->wide ? sizeof(double) : sizeof(float);
}

/* ---- the scale of the whole ---- */

/* The largest magnitude of a tensor but for NaN, up to that of floats. */
static bool find_amax(float *amax, cast_plan *plan, const cast *it)
{
    element_stream *from = open_elements(plan->in, it->from);
    element_piece *piece = new_piece();
    double largest = 0;
    bool good = from != NULL;
    do {
        good = good && next_piece(from, piece, true);
        for (size_t i = 0; good && i < piece->count; i++) {
            double x = piece->wide ? piece->doubles[i] : (double)piece->floats[i];
            x = x < 0 ? -x : x;
            largest = x > largest ? x : largest;
        }
    } while (good && piece->count > 0);
    *amax = (float)largest;
    release_piece(piece);
    return from != NULL && close_elements(from) && good;
}

/* Where a value is infinite there is no scale for all, and it is 1. */
static bool write_whole(quantising *now)
{
    const target *to = now->it->to;
    float amax;
    if (to->block.levels != 2)
        return true;
    if (!find_amax(&amax, now->plan, now->it))
        return false;
    if (!fpfmt_scale_tensor(&now->whole, &to->block, &to->recipe, amax))
        now->whole = (fpfmt_tensor_scale){ 1, 1 };
    code_sink sink;
    float kept = to->layout->whole_inverse ? now->whole.encode : now->whole.decode;
    open_sink(&sink, now->plan, now->it, PART_WHOLE);
    return put_codes(&sink, 0, &kept, 1) && close_sink(&sink);
}

/* ---- rows ---- */

/* The next values of the tensor. */
static bool take_values(quantising *now, size_t n)
{
    size_t each = value_bytes(now);
    for (size_t done = 0; done < n;) {
        if (now->taken == now->piece->count) {
            now->taken = 0;
            if (!next_piece(now->from, now->piece, true) || now->piece->count == 0)
                return false;
        }
        size_t some = now->piece->count - now->taken;
        some = some < n - done ? some : n - done;
        const char *from = now->wide ? (const char *)now->piece->doubles
                                     : (const char *)now->piece->floats;
        memcpy((char *)now->values + done * each, from + now->taken * each, some * each);
        now->taken += some;
        done += some;
    }
    return true;
}

static bool write_elements(quantising *now, uint64_t first, size_t n)
{
    unsigned char *bytes = now->codes;
    uint64_t at = first;
    if (now->it->to->layout->packed) {
        if (!fpfmt_pack(4, FPFMT_PACK_LOW_FIRST, now->packed, now->codes, n))
            return false;
        bytes = now->packed;
        n /= 2;
        at /= 2;
    }
    return write_bytes(now->plan, now->it, PART_ELEMENTS, at, bytes, n);
}

static bool write_scales(quantising *now, size_t n)
{
    code_sink sink;
    open_sink(&sink, now->plan, now->it, PART_SCALES);
    bool good = put_codes(&sink, now->scales_done, now->scales, n);
    now->scales_done += n;
    return close_sink(&sink) && good;
}

/* Rows from this one on, which are whole tiles, or the last of a matrix. */
static bool quantise_rows(quantising *now, uint64_t row, size_t rows)
{
    size_t n = rows * now->width, tiles = (rows + now->tile - 1) / now->tile;
    bool is_whole = now->it->to->block.rows == FPFMT_BLOCK_ALL;
    size_t shape[2] = { rows, now->width };
    size_t grid[2] = { is_whole ? 1 : tiles, now->across };
    fpfmt_view values = { .data = now->values, .rank = 2, .shape = shape };
    fpfmt_view codes = { .data = now->codes, .rank = 2, .shape = shape };
    fpfmt_view scales = { .data = now->scales, .rank = 2, .shape = grid };
    return take_values(now, n) &&
           fpfmt_quantize(now->blocks, now->it->stats, codes, scales,
                          fpfmt_named(now->wide ? "fp64" : "fp32"), values, 1,
                          now->it->to->block.levels == 2 ? &now->whole : NULL, row * now->width,
                          &now->it->flags) &&
           write_elements(now, row * now->width, n) && write_scales(now, grid[0] * grid[1]);
}

/* How many rows are quantised at a time, of a matrix. */
static size_t rows_at_a_time(const quantising *now)
{
    uint64_t tiles = PIECE_ELEMENTS / now->width / now->tile;
    uint64_t rows = (tiles > 0 ? tiles : 1) * now->tile;
    return (size_t)(rows < now->height ? rows : now->height);
}

static bool quantise_all(quantising *now)
{
    size_t most = rows_at_a_time(now);
    bool good = true;
    now->values = allocate(most * now->width, value_bytes(now));
    now->codes = allocate(most * now->width, 1);
    now->packed = allocate(most * now->width / 2 + 1, 1);
    now->scales = allocate((most / now->tile + 1) * now->across, sizeof(uint64_t));
    for (uint64_t row = 0; good && row < now->rows;) {
        uint64_t left = now->height - row % now->height;
        size_t some = left < most ? (size_t)left : most;
        good = quantise_rows(now, row, some);
        row += some;
    }
    release(now->values);
    release(now->codes);
    release(now->packed);
    release(now->scales);
    return good;
}

static void measure(quantising *now)
{
    const file_tensor *of = now->it->from;
    const fpfmt_block *block = &now->it->to->block;
    now->wide = is_wide(of);
    now->width = (size_t)row_of(of);
    now->rows = of->count / now->width;
    bool tiled = block->rows > 1 && block->rows != FPFMT_BLOCK_ALL;
    now->height = tiled && of->rank > 1 ? of->shape[of->rank - 2] : now->rows;
    now->tile = block->rows == FPFMT_BLOCK_ALL ? (size_t)now->rows : block->rows;
    now->across = block->size == FPFMT_BLOCK_ALL
                      ? 1
                      : now->width / block->size + (now->width % block->size != 0);
}

bool quantise_tensor(cast_plan *plan, cast *it)
{
    quantising now = { .plan = plan, .it = it, .whole = { 1, 1 } };
    const target *to = it->to;
    measure(&now);
    now.blocks = allocate(1, sizeof *now.blocks);
    if (!write_whole(&now) ||
        !fpfmt_prepare_blocks(now.blocks, &to->block, &to->recipe,
                              to->has_policy ? &to->policy : NULL, NULL) ||
        (now.from = open_elements(plan->in, it->from)) == NULL)
        return false;
    now.piece = new_piece();
    bool good = quantise_all(&now);
    good = close_elements(now.from) && good;
    release_piece(now.piece);
    release(now.blocks);
    return good;
}
