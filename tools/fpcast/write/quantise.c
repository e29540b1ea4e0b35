/* quantise.c - tensors to elements and scales
 * SPDX-License-Identifier: MIT
 *
 * Some rows of a tensor are quantised at a time: as many as a tile has, or a multiple of that.
 * Where one scale is that of the whole, it is found first, if its recipe takes it as given; else
 * all rows are quantised at a time. */

#include <string.h>

#include "kit/memory.h"
#include "kit/rounding.h"
#include "kit/tensorfile/elements.h"
#include "write/casting.h"
#include "write/output.h"

typedef struct {
    cast_plan *plan;
    cast *it;
    fpfmt_block_plan *blocks, *apart; /* apart: tiles as tensors of their own; NULL: they are not */
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
    bool given; /* whole is used */
    float *tile_values;
    unsigned char *tile_codes;
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

/* The factor that the recipe finds for the whole, as one that is given. */
static bool find_factor(quantising *now)
{
    const target *to = now->it->to;
    float amax;
    fpfmt_block_scale scale;
    if (!find_amax(&amax, now->plan, now->it))
        return false;
    fpfmt_value extreme = fpfmt_from_f32(amax);
    if (!fpfmt_scale_block(&to->block, &to->recipe, &scale, &extreme, 1, NULL))
        return false;
    now->whole.decode = 1;
    now->whole.encode = fpfmt_to_f32(scale.factor, NULL, NULL);
    now->tile = 1;
    return now->given = true;
}

/* Where a value is infinite there is no scale for all, and it is 1. */
static bool write_whole(quantising *now)
{
    const target *to = now->it->to;
    float amax;
    if (to->block.rows == FPFMT_BLOCK_ALL && to->recipe.rule == FPFMT_SCALE_INVERSE)
        return find_factor(now);
    if (to->block.levels != 2)
        return true;
    now->given = true;
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
        const char *from =
            now->wide ? (const char *)now->piece->doubles : (const char *)now->piece->floats;
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
    bool is_again =
        now->given && now->it->to->block.rows == FPFMT_BLOCK_ALL && now->scales_done > 0;
    bool good = is_again || put_codes(&sink, now->scales_done, now->scales, n);
    now->scales_done += n;
    return close_sink(&sink) && good;
}

/* Tiles one by one, each as a tensor of its own that lies without gaps, for which there are
 * kernels. */
static bool quantise_tile(quantising *now, size_t row, size_t rows, size_t across)
{
    size_t size = now->it->to->block.size, at = across * size, one[2] = { 1, 1 };
    size_t columns = now->width - at < size ? now->width - at : size, shape[2] = { rows, columns };
    size_t start = row * now->width + at, bytes = columns * sizeof(float);
    fpfmt_view values = { .data = now->tile_values, .rank = 2, .shape = shape };
    fpfmt_view codes = { .data = now->tile_codes, .rank = 2, .shape = shape };
    size_t number = row / now->tile * now->across + across;
    fpfmt_view scale = { .data = now->scales + number * fpfmt_code_bytes(&now->it->to->block.scale),
                         .rank = 2,
                         .shape = one };
    for (size_t i = 0; i < rows; i++)
        memcpy(now->tile_values + i * columns, (const float *)now->values + start + i * now->width,
               bytes);
    if (!fpfmt_quantize(now->apart, NULL, codes, scale, fpfmt_named("fp32"), values, 1, NULL, 0,
                        &now->it->flags))
        return false;
    for (size_t i = 0; i < rows; i++)
        memcpy(now->codes + start + i * now->width, now->tile_codes + i * columns, columns);
    return true;
}

static bool quantise_tiles(quantising *now, size_t rows)
{
    bool good = true;
    for (size_t row = 0; row < rows; row += now->tile)
        for (size_t across = 0; good && across < now->across; across++)
            good = quantise_tile(now, row, rows - row < now->tile ? rows - row : now->tile, across);
    return good;
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
    if (now->apart != NULL)
        return take_values(now, n) && quantise_tiles(now, rows) &&
               write_elements(now, row * now->width, n) && write_scales(now, grid[0] * grid[1]);
    return take_values(now, n) &&
           fpfmt_quantize(now->blocks, now->it->stats, codes, scales,
                          fpfmt_named(now->wide ? "fp64" : "fp32"), values, 1,
                          now->given ? &now->whole : NULL, row * now->width, &now->it->flags) &&
           write_elements(now, row * now->width, n) && write_scales(now, grid[0] * grid[1]);
}

/* How many rows are quantised at a time, of a matrix. */
static size_t rows_at_a_time(const quantising *now)
{
    uint64_t tiles = PIECE_ELEMENTS / now->width / now->tile;
    uint64_t rows = (tiles > 0 ? tiles : 1) * now->tile;
    return (size_t)(rows < now->height ? rows : now->height);
}

/* Bits of a tile do not depend on where it lies unless they are random; and elements have a byte.
 */
static bool take_apart(quantising *now)
{
    const target *to = now->it->to;
    fpfmt_block tile = to->block;
    bool random = has_chance(to->policy.rounding) || has_chance(to->recipe.rounding);
    if (tile.rows == 1 || tile.rows == FPFMT_BLOCK_ALL || tile.size == FPFMT_BLOCK_ALL ||
        tile.levels != 1 || random || now->wide || now->it->stats != NULL)
        return true;
    now->apart = allocate(1, sizeof *now->apart);
    now->tile_values = allocate((size_t)tile.rows * tile.size, sizeof *now->tile_values);
    now->tile_codes = allocate((size_t)tile.rows * tile.size, 1);
    tile.rows = tile.size = FPFMT_BLOCK_ALL;
    return fpfmt_prepare_blocks(now->apart, &tile, &to->recipe, to->has_policy ? &to->policy : NULL,
                                NULL);
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
    now->width = (size_t)row_length(of);
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
        !take_apart(&now) || (now.from = open_elements(plan->in, it->from)) == NULL)
        return false;
    now.piece = new_piece();
    bool good = quantise_all(&now);
    good = close_elements(now.from) && good;
    release_piece(now.piece);
    release(now.blocks);
    release(now.apart);
    release(now.tile_values);
    release(now.tile_codes);
    return good;
}
