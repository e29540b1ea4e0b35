/* matrices.c - which matrices a product may have
 * SPDX-License-Identifier: MIT */

#include "matrices.h"

#include "bulk.h"
#include "refuse.h"
#include "reserved.h"
#include "shape.h"

/* The bytes from a matrix's element at the lowest address to that at the highest; strides, in
 * elements, may be negative. Nothing overflows, as is_long was asked before. */
static byte_range reach_of(const void *codes, size_t bytes, const size_t shape[2],
                           const ptrdiff_t strides[2])
{
    byte_range it = range_of(codes, bytes);
    for (int i = 0; i < 2; i++) {
        ptrdiff_t reach = (ptrdiff_t)(shape[i] - 1) * strides[i] * (ptrdiff_t)bytes;
        it.first -= reach < 0 ? (uintptr_t)-reach : 0;
        it.last += reach > 0 ? (uintptr_t)reach : 0;
    }
    return it;
}

static uintmax_t magnitude(ptrdiff_t stride)
{
    return stride < 0 ? 0 - (uintmax_t)stride : (uintmax_t)stride;
}

/* Is every element of C another? It is if along one index elements lie beyond the reach of the
 * other, which is how anyone lays a matrix out; other layouts without a collision are refused too.
 */
static bool nests(const fpfmt_product *of)
{
    uintmax_t row = magnitude(of->row), column = magnitude(of->column);
    if (of->m < 2 || of->n < 2)
        return (of->m < 2 || row > 0) && (of->n < 2 || column > 0);
    return (column > 0 && row > (of->n - 1) * column) || (row > 0 && column > (of->m - 1) * row);
}

/* Does an index reach past PTRDIFF_MAX bytes? Each may take a quarter of that, so that sums of two
 * cannot overflow either. */
static bool is_long(const size_t shape[2], const ptrdiff_t strides[2], size_t bytes)
{
    uintmax_t most = PTRDIFF_MAX / 4 / bytes;
    for (int i = 0; i < 2; i++)
        if (shape[i] > 1 && magnitude(strides[i]) > most / (shape[i] - 1))
            return true;
    return false;
}

static bool is_nan(double factor)
{
    return fpfmt_value_is_nan(fpfmt_from_f64(factor));
}

/* Scales of a matrix of this shape: that they have a place, which C does not meet. */
static bool may_scale(const fpfmt_matrix_scales *scales, const size_t shape[2], byte_range out)
{
    if (scales->codes == NULL)
        return true;
    if (scales->rows == 0 || scales->columns == 0 || !fpfmt_is_sound(scales->format, NULL))
        return refuse("no elements share a scale, or its format has a defect");
    const size_t grid[2] = { (shape[0] - 1) / scales->rows + 1,
                             (shape[1] - 1) / scales->columns + 1 };
    const ptrdiff_t strides[2] = { scales->row, scales->column };
    size_t bytes = shape_bytes(scales->format);
    if (is_long(grid, strides, bytes))
        return refuse("the scales of a matrix are longer than PTRDIFF_MAX bytes");
    return may_write(out, reach_of(scales->codes, bytes, grid, strides), false);
}

/* Of a product whose C has elements: whether its matrices lie where they may. With k 0 there is no
 * A and no B. */
static bool have_places(const fpfmt_product *of)
{
    const size_t c[2] = { of->m, of->n }, a[2] = { of->m, of->k }, b[2] = { of->k, of->n };
    const ptrdiff_t strides[3][2] = { { of->row, of->column },
                                      { of->a.row, of->a.column },
                                      { of->b.row, of->b.column } };
    size_t c_bytes = shape_bytes(of->to), a_bytes = shape_bytes(of->a.format),
           b_bytes = shape_bytes(of->b.format);
    if (is_nan(of->alpha) || is_nan(of->beta))
        return refuse("a factor of a matrix product is NaN");
    if (!has_room(of->c, 1, c_bytes) || !has_room(of->a.codes, of->k, 1) ||
        !has_room(of->b.codes, of->k, 1))
        return false;
    if (is_long(c, strides[0], c_bytes) ||
        (of->k > 0 && (is_long(a, strides[1], a_bytes) || is_long(b, strides[2], b_bytes))))
        return refuse("a matrix is longer than PTRDIFF_MAX bytes");
    if (!nests(of))
        return refuse("an element of the product could be written twice");
    byte_range out = reach_of(of->c, c_bytes, c, strides[0]);
    return of->k == 0 || (may_write(out, reach_of(of->a.codes, a_bytes, a, strides[1]), false) &&
                          may_write(out, reach_of(of->b.codes, b_bytes, b, strides[2]), false) &&
                          may_scale(&of->a.scales, a, out) && may_scale(&of->b.scales, b, out));
}

bool fpfmt_may_multiply(const fpfmt_product *of)
{
    if (!fpfmt_is_sound(of->to, of->policy) || !fpfmt_is_sound(of->a.format, NULL) ||
        !fpfmt_is_sound(of->b.format, NULL))
        return false;
    if (fpfmt_accumulator_defect(of->how) != NULL)
        return refuse("the accumulator has a defect");
    if (!is_vacant(&of->reserved) || !is_vacant(&of->a.reserved) || !is_vacant(&of->b.reserved))
        return refuse("the reserved room of a product or of a matrix is not zero");
    if (of->m == 0 || of->n == 0)
        return true;
    if (!have_places(of))
        return false;
    /* Elements along k share scales, whatever row of A or column of B they are of. */
    const fpfmt_series a = { .format = of->a.format,
                             .codes = of->a.codes,
                             .scales = { of->a.scales.format, of->a.scales.codes,
                                         of->a.scales.column, of->a.scales.columns } };
    const fpfmt_series b = { .format = of->b.format,
                             .codes = of->b.codes,
                             .scales = { of->b.scales.format, of->b.scales.codes,
                                         of->b.scales.row, of->b.scales.rows } };
    const char *defect = fpfmt_scales_defect(of->how, &a, &b);
    return of->k == 0 || defect == NULL || refuse(defect);
}
