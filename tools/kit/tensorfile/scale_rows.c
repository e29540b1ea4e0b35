/* scale_rows.c - the scales of a quantised tensor, read as its elements are
 * SPDX-License-Identifier: MIT
 *
 * Of the grid of scales one row is in memory at a time: elements come row by row, and so do they.
 */

#include "kit/tensorfile/scale_rows.h"

#include "kit/memory.h"
#include "kit/tensorfile/byte_order.h"

enum { MOST_BYTES = 8 /* of a scale */, DIVIDED = 256 /* at a time */ };

struct scale_rows {
    const file_tensor *of, *stored; /* the elements, and the scales as the file has them */
    const tensor_file *file;
    source from;
    fpfmt_plan plan, divide;
    uint64_t columns, row; /* scales of a row of the grid, and which row is there */
    bool is_there;
    double *values;
    unsigned char *codes;
    double whole; /* the scale of the whole tensor; 1 if it has none */
};

static bool read_one(double *value, tensor_file *file, const file_tensor *of)
{
    source from;
    unsigned char code[MOST_BYTES] = { 0 };
    if (!open_again(&from, file, of->part))
        return false;
    bool good = read_source(&from, of->offset, code, (size_t)of->bytes);
    if (good) {
        turn_codes(code, (size_t)of->bytes, 0, 1, of->big_endian);
        fpfmt_decode_f64(of->format, value, code, 1, NULL, NULL);
    }
    close_again(&from, file);
    return good;
}

bool open_scales(scale_rows **made, tensor_file *file, const file_tensor *of)
{
    static const fpfmt_policy odd = { .rounding = FPFMT_ROUND_TO_ODD };
    const tensor_scheme *scheme = &of->scheme;
    uint64_t row = row_length(of), each = scheme->columns;
    scale_rows *to = *made = allocate(1, sizeof *to);
    to->file = file;
    to->of = of;
    to->stored = &file->tensors[scheme->scales];
    to->whole = 1;
    to->columns = each == 0 ? 1 : row / each + (row % each != 0);
    if (to->columns > SIZE_MAX / MOST_BYTES)
        end_of_memory();
    to->values = allocate((size_t)to->columns, sizeof *to->values);
    to->codes = allocate((size_t)to->columns, MOST_BYTES);
    return fpfmt_prepare(&to->plan, scheme->scale_format, NULL, NULL) &&
           fpfmt_prepare(&to->divide, fpfmt_named("fp64"), &odd, NULL) &&
           open_again(&to->from, file, to->stored->part) &&
           (scheme->whole == NO_TENSOR ||
            read_one(&to->whole, file, &file->tensors[scheme->whole]));
}

void close_scales(scale_rows *scales)
{
    if (scales->from.file != NULL)
        close_again(&scales->from, scales->file);
    release(scales->values);
    release(scales->codes);
    release(scales);
}

/* The scales of a row of the grid are there. */
static bool bring_row(scale_rows *scales, uint64_t row)
{
    size_t each = fpfmt_code_bytes(&scales->plan.format), n = (size_t)scales->columns;
    const file_tensor *stored = scales->stored;
    if (scales->is_there && scales->row == row)
        return true;
    scales->is_there = false;
    if (!read_source(&scales->from, stored->offset + row * n * each, scales->codes, n * each))
        return false;
    turn_codes(scales->codes, each, each, n, stored->big_endian);
    fpfmt_plan_decode_f64(&scales->plan, scales->values, scales->codes, n, NULL);
    scales->row = row;
    return scales->is_there = true;
}

/* The row of the grid that a row of elements, counted over all dimensions but the last, is in. */
static uint64_t grid_row(const file_tensor *of, uint64_t row)
{
    uint64_t rows = of->scheme.rows;
    if (rows == 0)
        return 0;
    uint64_t height = rows_of(of);
    return row / height * (height / rows + (height % rows != 0)) + row % height / rows;
}

/* Where the scale of the whole divides, the quotient is rounded to odd, so that rounding it again
 * to a narrower format is as one rounding. */
static void divide_values(const scale_rows *scales, double *values, size_t n)
{
    double divisors[DIVIDED];
    for (size_t i = 0; i < DIVIDED; i++)
        divisors[i] = scales->whole;
    for (size_t done = 0; done < n; done += DIVIDED)
        fpfmt_plan_operate_f64(&scales->divide, FPFMT_OPERATION_DIVIDE, values + done,
                               values + done, divisors, NULL,
                               n - done < DIVIDED ? n - done : DIVIDED, 0, NULL);
}

/* Element x scale x scale of the whole, exactly: they have at most 4, 24 and 24 bits. */
bool scale_values(scale_rows *scales, double *values, uint64_t first, size_t n)
{
    const file_tensor *of = scales->of;
    const tensor_scheme *scheme = &of->scheme;
    uint64_t width = row_length(of), block = scheme->columns == 0 ? width : scheme->columns;
    size_t some;
    for (size_t done = 0; done < n; done += some) {
        uint64_t row = (first + done) / width, column = (first + done) % width;
        uint64_t left = block - column % block;
        left = left < width - column ? left : width - column;
        some = left < n - done ? (size_t)left : n - done;
        if (!bring_row(scales, grid_row(of, row)))
            return false;
        double scale = scales->values[scheme->columns == 0 ? 0 : column / block];
        scale *= scheme->whole_divides ? 1 : scales->whole;
        for (size_t i = 0; i < some; i++)
            values[done + i] *= scale;
    }
    if (scheme->whole_divides)
        divide_values(scales, values, n);
    return true;
}
