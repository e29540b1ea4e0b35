/* elements.c - the elements of a tensor, read from its file one after the other
 * SPDX-License-Identifier: MIT */

#include "kit/tensorfile/elements.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/containers.h"

enum { MOST_BYTES = 8 /* of an element */ };

/* The scales of a quantised tensor: those of one row of its grid at a time. */
typedef struct {
    source from;
    const file_tensor *of;
    fpfmt_plan plan;
    uint64_t columns, row; /* scales of a row, and which row is there */
    bool read;
    double *values;
    unsigned char *codes;
    double whole;
} scale_rows;

struct element_stream {
    tensor_file *file;
    const file_tensor *of;
    source from;   /* a part of its own, so that two streams may be open */
    void *member;
    uint64_t next; /* element */
    uint64_t rows; /* that stay together; 0: pieces end anywhere */
    bool whole_rows, by_columns; /* by_columns: rows are gathered from columns */
    fpfmt_plan plan, divide;
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

/* ---- shapes ---- */

static uint64_t width_of(const file_tensor *of)
{
    return of->rank == 0 || of->shape[of->rank - 1] == 0 ? 1 : of->shape[of->rank - 1];
}

static uint64_t height_of(const file_tensor *of)
{
    return of->rank < 2 ? 1 : of->shape[of->rank - 2];
}

/* ---- scales ---- */

static bool read_one(double *value, tensor_file *file, long number)
{
    const file_tensor *of = &file->tensors[number];
    source from;
    unsigned char code[MOST_BYTES] = { 0 };
    if (!open_source(&from, file->parts[of->part]))
        return false;
    bool good = read_source(&from, of->offset, code, (size_t)of->bytes);
    if (good)
        fpfmt_decode_f64(of->format, value, code, 1, NULL, NULL);
    close_source(&from);
    return good;
}

static scale_rows *open_scales(tensor_file *file, const file_tensor *of)
{
    const tensor_scheme *scheme = &of->scheme;
    const file_tensor *scales = &file->tensors[scheme->scales];
    scale_rows *made = allocate(1, sizeof *made);
    uint64_t row = width_of(of);
    made->of = scales;
    made->whole = 1;
    made->columns = scheme->columns == 0 ? 1 : row / scheme->columns + (row % scheme->columns != 0);
    made->values = allocate((size_t)made->columns, sizeof *made->values);
    made->codes = allocate((size_t)made->columns, MOST_BYTES);
    bool good = fpfmt_prepare(&made->plan, scheme->scale_format, NULL, NULL) &&
                open_source(&made->from, file->parts[scales->part]) &&
                (scheme->whole == NO_TENSOR || read_one(&made->whole, file, scheme->whole));
    return good ? made : NULL;
}

/* The scales of a row of the grid are there. */
static bool bring_row(scale_rows *scales, uint64_t row)
{
    size_t each = fpfmt_code_bytes(&scales->plan.format), n = (size_t)scales->columns;
    if (scales->read && scales->row == row)
        return true;
    if (!read_source(&scales->from, scales->of->offset + row * n * each, scales->codes, n * each))
        return false;
    fpfmt_plan_decode_f64(&scales->plan, scales->values, scales->codes, n, NULL);
    scales->row = row;
    return scales->read = true;
}

/* The row of the grid that a row of elements, counted over all dimensions but the last, is in. */
static uint64_t grid_row(const file_tensor *of, uint64_t row)
{
    uint64_t rows = of->scheme.rows;
    if (rows == 0)
        return 0;
    uint64_t height = height_of(of);
    return row / height * (height / rows + (height % rows != 0)) + row % height / rows;
}

/* Element x scale x scale of the whole, exactly: they have at most 4, 24 and 24 bits. Where the
 * last divides, the quotient is rounded to odd, so that rounding it again to a narrower format is
 * as one rounding. */
static bool scale_values(element_stream *from, element_piece *piece)
{
    const file_tensor *of = from->of;
    const tensor_scheme *scheme = &of->scheme;
    scale_rows *scales = from->scales;
    uint64_t width = width_of(of);
    uint64_t at = piece->first;
    for (size_t done = 0; done < piece->count;) {
        uint64_t row = at / width, column = at % width;
        uint64_t block = scheme->columns == 0 ? width : scheme->columns;
        uint64_t end = (column / block + 1) * block < width ? (column / block + 1) * block : width;
        size_t n = end - column < piece->count - done ? (size_t)(end - column) : piece->count - done;
        if (!bring_row(scales, grid_row(of, row)))
            return false;
        double scale = scales->values[scheme->columns == 0 ? 0 : column / block];
        scale *= scheme->whole_divides ? 1 : scales->whole;
        for (size_t i = 0; i < n; i++)
            piece->doubles[done + i] *= scale;
        done += n;
        at += n;
    }
    if (scheme->whole_divides) {
        double *divisors = piece->codes;
        for (size_t i = 0; i < piece->count; i++)
            divisors[i] = scales->whole;
        fpfmt_plan_operate_f64(&from->divide, FPFMT_OPERATION_DIVIDE, piece->doubles, piece->doubles, divisors,
                               NULL, piece->count, 0, NULL);
    }
    return true;
}

/* ---- bytes ---- */

static bool is_host_big(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static void turn(unsigned char *codes, size_t each, size_t n)
{
    for (size_t i = 0; i < n; i++, codes += each)
        for (size_t a = 0, b = each - 1; a < b; a++, b--) {
            unsigned char kept = codes[a];
            codes[a] = codes[b];
            codes[b] = kept;
        }
}

static unsigned width_of_codes(const fpfmt_format *format)
{
    return (unsigned)fpfmt_measure(format).width;
}

static size_t bytes_for(const file_tensor *of, size_t n)
{
    if (of->block != NULL)
        return fpfmt_block_bytes(of->block, n);
    return of->packed ? fpfmt_packed_size(width_of_codes(of->format), n)
                      : n * fpfmt_code_bytes(of->format);
}

static bool bring_bytes(element_stream *from, void *to, uint64_t first, size_t n)
{
    const file_tensor *of = from->of;
    if (from->member == NULL)
        return read_source(&from->from, of->offset + bytes_for(of, (size_t)first), to, n);
    if (read_member(from->member, to, n) == n)
        return true;
    complain("%s: tensor '%s': its data end early, or are damaged",
             quoted(from->file->path, strlen(from->file->path)),
             quoted(of->name, strlen(of->name)));
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
    uint64_t width = width_of(of), height = height_of(of), most = PIECE_ELEMENTS;
    from->rows = rows;
    from->whole_rows = whole;
    from->by_columns = can_turn(of);
    if (rows == UINT64_MAX)
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
    uint64_t left = of->count - from->next, width = width_of(of), height = height_of(of);
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

element_stream *open_elements(tensor_file *file, const file_tensor *of)
{
    static const fpfmt_policy odd = { .rounding = FPFMT_ROUND_TO_ODD };
    element_stream *made = allocate(1, sizeof *made);
    bool good = true;
    made->file = file;
    made->of = of;
    if (of->compressed)
        good = (made->member = open_member(file, of)) != NULL;
    else if (strcmp(file->parts[of->part], "-") == 0)
        made->from = file->open; /* what standard input was kept in */
    else
        good = open_source(&made->from, file->parts[of->part]);
    if (good && of->compressed) { /* its header again */
        unsigned char passed[64];
        for (uint64_t left = of->offset; left > 0 && good;) {
            size_t n = left < sizeof passed ? (size_t)left : sizeof passed;
            good = read_member(made->member, passed, n) == n;
            left -= n;
        }
    }
    if (good && of->block != NULL)
        good = fpfmt_prepare_blocks(&made->blocks, of->block, NULL, NULL, NULL);
    else if (good)
        good = fpfmt_prepare(&made->plan, of->format, NULL, NULL);
    make_room(made, PIECE_ELEMENTS);
    if (good && of->scheme.rule != NULL)
        good = (made->scales = open_scales(file, of)) != NULL &&
               fpfmt_prepare(&made->divide, fpfmt_named("fp64"), &odd, NULL);
    return good ? made : NULL;
}

/* Packed codes, from the whole byte on before which a multiple of 8 of them ends. */
static bool bring_packed(element_stream *from, element_piece *piece)
{
    size_t before = (size_t)(piece->first % BEFORE_FIRST), n = before + piece->count;
    uint8_t *codes = piece->codes;
    if (!bring_bytes(from, from->bytes, piece->first - before, bytes_for(from->of, n)) ||
        !fpfmt_unpack(width_of_codes(from->of->format), FPFMT_PACK_LOW_FIRST, codes, from->bytes, n))
        return false;
    memmove(codes, codes + before, piece->count);
    return true;
}

/* Rows, or a part of one, of a matrix whose columns lie one behind the other in the file. */
static bool bring_columns(element_stream *from, element_piece *piece)
{
    const file_tensor *of = from->of;
    uint64_t width = width_of(of), height = height_of(of), each = fpfmt_code_bytes(of->format);
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
    if (each > 1 && of->big_endian != is_host_big())
        turn(piece->codes, each, piece->count);
    return true;
}

static bool bring_blocks(element_stream *from, element_piece *piece)
{
    const fpfmt_block *block = from->of->block;
    return bring_bytes(from, from->bytes, piece->first, bytes_for(from->of, piece->count)) &&
           fpfmt_split_blocks(block, from->block_codes, from->block_scales, from->bytes,
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
    return from->scales == NULL || scale_values(from, piece);
}

bool close_elements(element_stream *from)
{
    bool good = from->member == NULL || close_member(from->member);
    if (!good)
        complain("%s: tensor '%s': its data are damaged: the checksum is another one",
                 quoted(from->file->path, strlen(from->file->path)),
                 quoted(from->of->name, strlen(from->of->name)));
    if (from->from.file != NULL && from->from.file != from->file->open.file)
        close_source(&from->from);
    if (from->scales != NULL) {
        close_source(&from->scales->from);
        release(from->scales->values);
        release(from->scales->codes);
        release(from->scales);
    }
    release(from->bytes);
    release(from->block_codes);
    release(from->block_scales);
    release(from);
    return good;
}
