/* elements.c - the elements of a tensor, read from its file one after the other
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/elements.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/byte_order.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/scale_rows.h"
#include "kit/tensorfile/types.h"

enum { MOST_BYTES = 8 /* of an element */ };

struct element_stream {
    tensor_file *file;
    const file_tensor *of;
    source from; /* a part of its own, so that two streams may be open */
    void *member;
    uint64_t next;               /* element */
    uint64_t rows;               /* that stay together; 0: pieces end anywhere */
    bool whole_rows, by_columns; /* by_columns: rows are gathered from columns */
    fpfmt_plan plan;
    fpfmt_block_plan blocks;
    scale_rows *scales;
    unsigned char *bytes; /* as they are in the file */
    unsigned char *block_codes, *block_scales;
};

/* ---- pieces ---- */

/* Codes that are unpacked begin at a whole byte, up to so many elements before the first. */
enum { BEFORE_FIRST = 8 };

element_piece *new_piece_of(size_t elements)
{
    element_piece *made = allocate(1, sizeof *made);
    made->doubles = allocate(elements, sizeof(double));
    made->floats = (float *)made->doubles;
    made->codes = allocate(elements + BEFORE_FIRST, MOST_BYTES);
    return made;
}

element_piece *new_piece(void)
{
    return new_piece_of(PIECE_ELEMENTS);
}

void release_piece(element_piece *piece)
{
    release(piece->doubles);
    release(piece->codes);
    release(piece);
}

bool is_wide(const file_tensor *of)
{
    return of->block != NULL || of->scheme.rule != NULL ||
           !fpfmt_contains(fpfmt_named("fp32"), of->format);
}

/* ---- bytes ---- */

static size_t bytes_for(const file_tensor *of, size_t n)
{
    if (of->block != NULL)
        return fpfmt_block_bytes(of->block, n);
    return of->packed ? fpfmt_packed_size(code_width(of->format), n)
                      : n * fpfmt_code_bytes(of->format);
}

static bool bring_bytes(element_stream *from, void *to, uint64_t first, size_t n)
{
    const file_tensor *of = from->of;
    if (from->member == NULL)
        return read_source(&from->from, of->offset + bytes_for(of, (size_t)first), to, n);
    if (read_member(from->member, to, n) == n)
        return true;
    complain_of_tensor(from->file, of, "its data end early, or are damaged");
    return false;
}

/* ---- streams ---- */

/* Stored bytes of blocks and of packed codes, and what blocks are split into. */
static void make_room(element_stream *of, size_t elements)
{
    if (of->of->block == NULL && !of->of->packed && !of->of->columns_first)
        return;
    of->bytes = resize(of->bytes, elements + BEFORE_FIRST, MOST_BYTES);
    if (of->of->block == NULL)
        return;
    of->block_codes = resize(of->block_codes, elements, 1);
    of->block_scales = resize(of->block_scales, elements / of->of->block->size + 1, MOST_BYTES);
}

void widen_stream(element_stream *from, size_t elements)
{
    if (elements > PIECE_ELEMENTS)
        make_room(from, elements);
}

bool can_turn(const file_tensor *of)
{
    return of->columns_first && of->rank == 2 && !of->compressed;
}

uint64_t keep_rows(element_stream *from, uint64_t rows, bool whole)
{
    const file_tensor *of = from->of;
    uint64_t width = row_length(of), height = rows_of(of), most = PIECE_ELEMENTS;
    from->rows = rows;
    from->whole_rows = whole;
    from->by_columns = can_turn(of);
    if (rows == UINT64_MAX || of->count == 0) /* sizes beside one of 0 may be any */
        most = of->count;
    else if (rows > 1)
        most = (rows < height ? rows : height) * width;
    else if (whole && width > PIECE_ELEMENTS)
        most = width;
    return most > PIECE_ELEMENTS ? most : PIECE_ELEMENTS;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The elements of the next piece. */
static uint64_t next_length(const element_stream *from)
{
    const file_tensor *of = from->of;
    uint64_t left = of->count - from->next, width = row_length(of), height = rows_of(of);
    if (from->rows == UINT64_MAX || left == 0)
        return left;
    uint64_t row = from->next / width % height;
    if (from->rows == 0)
        return smaller(left, PIECE_ELEMENTS);
    if (from->rows > 1)
        return smaller(from->rows - row % from->rows, height - row) * width;
    if (width <= PIECE_ELEMENTS)
        return smaller(left, PIECE_ELEMENTS / width * width);
    return from->whole_rows ? width : smaller(PIECE_ELEMENTS, width - from->next % width);
}

/* A member of an archive from its data on: its header was read before, and is passed by. */
static bool open_packed_data(element_stream *to)
{
    unsigned char passed[64];
    to->member = open_member(to->file, to->of);
    for (uint64_t left = to->member == NULL ? 0 : to->of->offset; left > 0;) {
        size_t n = left < sizeof passed ? (size_t)left : sizeof passed;
        if (read_member(to->member, passed, n) != n) {
            complain_of_tensor(to->file, to->of, "its data end early, or are damaged");
            return false;
        }
        left -= n;
    }
    return to->member != NULL;
}

/* What a tensor without elements has no need of may be of any size that its file claims. */
static bool open_all(element_stream *made)
{
    const file_tensor *of = made->of;
    bool good =
        of->compressed ? open_packed_data(made) : open_again(&made->from, made->file, of->part);
    if (good && of->block != NULL)
        good = fpfmt_prepare_blocks(&made->blocks, of->block, NULL, NULL, NULL);
    else if (good)
        good = fpfmt_prepare(&made->plan, of->format, NULL, NULL);
    make_room(made, PIECE_ELEMENTS);
    if (good && of->scheme.rule != NULL && of->count > 0)
        good = open_scales(&made->scales, made->file, of);
    return good;
}

/* Closes and releases all of a stream but what tells whether its data were whole. */
static void end_stream(element_stream *from)
{
    if (from->from.file != NULL)
        close_again(&from->from, from->file);
    if (from->scales != NULL)
        close_scales(from->scales);
    release(from->bytes);
    release(from->block_codes);
    release(from->block_scales);
    release(from);
}

element_stream *open_elements(tensor_file *file, const file_tensor *of)
{
    if (of->is_bad || (of->format == NULL && of->block == NULL)) {
        complain_of_tensor(file, of, "elements of type %s are not read",
                           quoted(of->type, strlen(of->type)));
        return NULL;
    }
    element_stream *made = allocate(1, sizeof *made);
    made->file = file;
    made->of = of;
    if (open_all(made))
        return made;
    if (made->member != NULL)
        close_member(made->member);
    end_stream(made);
    return NULL;
}

/* Packed codes, from the whole byte on before which a multiple of 8 of them ends. */
static bool bring_packed(element_stream *from, element_piece *piece)
{
    size_t before = (size_t)(piece->first % BEFORE_FIRST), n = before + piece->count;
    uint8_t *codes = piece->codes;
    if (!bring_bytes(from, from->bytes, piece->first - before, bytes_for(from->of, n)) ||
        !fpfmt_unpack(code_width(from->of->format), FPFMT_PACK_LOW_FIRST, codes, from->bytes, n))
        return false;
    memmove(codes, codes + before, piece->count);
    return true;
}

/* Rows, or a part of one, of a matrix whose columns lie one behind the other in the file. */
static bool bring_columns(element_stream *from, element_piece *piece)
{
    const file_tensor *of = from->of;
    size_t each = fpfmt_code_bytes(of->format);
    uint64_t width = row_length(of), height = rows_of(of);
    uint64_t row = piece->first / width, first = piece->first % width;
    size_t columns = piece->count < width ? piece->count : (size_t)width;
    size_t rows = piece->count / columns;
    unsigned char *codes = piece->codes;
    for (size_t c = 0; c < columns; c++) {
        uint64_t at = of->offset + ((first + c) * height + row) * each;
        if (!read_source(&from->from, at, from->bytes, rows * each))
            return false;
        for (size_t r = 0; r < rows; r++)
            memcpy(codes + (r * columns + c) * each, from->bytes + r * each, each);
    }
    return true;
}

/* Codes of one format, in the order of this machine. */
static bool bring_codes(element_stream *from, element_piece *piece)
{
    const file_tensor *of = from->of;
    size_t n = bytes_for(of, piece->count), each = fpfmt_code_bytes(of->format);
    if (of->packed)
        return bring_packed(from, piece);
    bool brought = from->by_columns ? bring_columns(from, piece)
                                    : bring_bytes(from, piece->codes, piece->first, n);
    if (!brought)
        return false;
    turn_codes(piece->codes, each, each, piece->count, of->big_endian);
    return true;
}

/* Blocks are split as ggml writes them, each behind its scale, the low byte of that first. */
static bool bring_blocks(element_stream *from, element_piece *piece)
{
    const fpfmt_block *block = from->of->block;
    if (!bring_bytes(from, from->bytes, piece->first, bytes_for(from->of, piece->count)))
        return false;
    if (from->of->big_endian)
        turn_codes(from->bytes, fpfmt_code_bytes(&block->scale),
                   fpfmt_block_bytes(block, block->size), piece->count / block->size,
                   !is_host_big());
    return fpfmt_split_blocks(block, from->block_codes, from->block_scales, from->bytes,
                              piece->count) &&
           fpfmt_dequantize_f64(&from->blocks, piece->doubles, from->block_codes,
                                from->block_scales, piece->count, NULL, NULL);
}

bool next_piece(element_stream *from, element_piece *piece, bool values)
{
    const file_tensor *of = from->of;
    piece->first = from->next;
    piece->count = (size_t)next_length(from);
    piece->wide = is_wide(of);
    if (piece->count == 0)
        return true;
    from->next += piece->count;
    if (of->block != NULL)
        return bring_blocks(from, piece);
    if (!bring_codes(from, piece))
        return false;
    if (!values)
        return true;
    if (strcmp(of->format->name, "fp32") == 0 && !piece->wide)
        memcpy(piece->floats, piece->codes, piece->count * sizeof(float));
    else if (strcmp(of->format->name, "fp64") == 0)
        memcpy(piece->doubles, piece->codes, piece->count * sizeof(double));
    else if (piece->wide)
        fpfmt_plan_decode_f64(&from->plan, piece->doubles, piece->codes, piece->count, NULL);
    else
        fpfmt_plan_decode_f32(&from->plan, piece->floats, piece->codes, piece->count, NULL);
    return from->scales == NULL ||
           scale_values(from->scales, piece->doubles, piece->first, piece->count);
}

/* A checksum is compared where the data end, which is behind the last of their bytes. */
bool close_elements(element_stream *from)
{
    bool good = true;
    if (from->member != NULL) {
        unsigned char behind;
        bool all = from->next == from->of->count;
        good = !all || read_member(from->member, &behind, 1) == 0;
        good = close_member(from->member) && good;
    }
    if (!good)
        complain_of_tensor(from->file, from->of,
                           "its data are damaged: the checksum is another one");
    end_stream(from);
    return good;
}
