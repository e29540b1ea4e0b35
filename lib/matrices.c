/* matrices.c - which matrices a product may have
 * SPDX-License-Identifier: MIT */

#include "matrices.h"

#include "bulk.h"
#include "refuse.h"

/* Addresses from one to before another. */
typedef struct {
    uintptr_t from, end;
} extent;

/* The bytes from a matrix's element at the lowest address to that at the highest; strides, in
 * elements, may be negative. Nothing overflows, as is_long was asked before. */
static extent extent_of(const void *codes, size_t bytes, const size_t shape[2],
                        const ptrdiff_t strides[2])
{
    extent it = { (uintptr_t)codes, (uintptr_t)codes };
    for (int i = 0; i < 2; i++) {
        ptrdiff_t reach = (ptrdiff_t)(shape[i] - 1) * strides[i] * (ptrdiff_t)bytes;
        it.from -= reach < 0 ? (uintptr_t)-reach : 0;
        it.end += reach > 0 ? (uintptr_t)reach : 0;
    }
    it.end += bytes;
    return it;
}

static bool meets(extent a, extent b)
{
    return a.from < b.end && b.from < a.end;
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
    return fpfmt_from_f64(factor).kind >= FPFMT_KIND_QUIET_NAN;
}

/* Of a product whose C has elements: whether its matrices lie where they may. With k 0 there is no
 * A and no B. */
static bool have_places(const fpfmt_product *of)
{
    const size_t c[2] = { of->m, of->n }, a[2] = { of->m, of->k }, b[2] = { of->k, of->n };
    const ptrdiff_t strides[3][2] = { { of->row, of->column },
                                      { of->a.row, of->a.column },
                                      { of->b.row, of->b.column } };
    size_t c_bytes = fpfmt_bytes_of(of->to), a_bytes = fpfmt_bytes_of(of->a.format),
           b_bytes = fpfmt_bytes_of(of->b.format);
    if (is_nan(of->alpha) || is_nan(of->beta))
        return refuse("a factor of a matrix product is NaN");
    if (of->c == NULL || (of->k > 0 && (of->a.codes == NULL || of->b.codes == NULL)))
        return refuse("a matrix is NULL, but has elements");
    if (is_long(c, strides[0], c_bytes) ||
        (of->k > 0 && (is_long(a, strides[1], a_bytes) || is_long(b, strides[2], b_bytes))))
        return refuse("a matrix is longer than PTRDIFF_MAX bytes");
    if (!nests(of))
        return refuse("an element of the product could be written twice");
    extent out = extent_of(of->c, c_bytes, c, strides[0]);
    if (of->k > 0 && (meets(out, extent_of(of->a.codes, a_bytes, a, strides[1])) ||
                      meets(out, extent_of(of->b.codes, b_bytes, b, strides[2]))))
        return refuse("the product overlaps a factor");
    return true;
}

bool fpfmt_may_multiply(const fpfmt_product *of)
{
    if (!fpfmt_is_sound(of->to, of->policy) || !fpfmt_is_sound(of->a.format, NULL) ||
        !fpfmt_is_sound(of->b.format, NULL))
        return false;
    if (fpfmt_accumulator_defect(of->how) != NULL)
        return refuse("the accumulator has a defect");
    return of->m == 0 || of->n == 0 || have_places(of);
}
