/* gemm.c - matrix products, each element with the bits of its dot product
 * SPDX-License-Identifier: MIT
 *
 * Where a set has a kernel for it, codes are decoded to floats by blocks, and sums run in tiles. A
 * sum takes its products in the order of k, so that no block can change a bit; between blocks of k
 * it rests in C. */

#include "bulk.h"
#include "matrices.h"
#include "shape.h"

/* Measured on Zen 3 with avx2, in products of bfloat16 and E4M3 into floats. */
enum {
    /* Codes gathered at a time, where they do not lie side by side. 32 takes up to 1 % longer, 128
     * 1 to 5 % less.
     * ./dev bench --only 'gemm_transposed' */
    GATHERED = 64,
    /* Tiles across a block at most: the block of B, decoded once, is 192 KiB with avx2 and 384 KiB
     * with avx512, for the second cache, and each row of A is decoded once for a block. 8 takes 3
     * to 14 % longer, 32 2 to 8 % less, the more the larger the matrices are. ./dev bench --only
     * 'gemm_fp32 .* 1024' */
    SPARE = 16
};

/* One call. */
typedef struct {
    const fpfmt_product *of;
    const fpfmt_policy *policy;
    const fpfmt_kernels *set;
    fpfmt_value alpha, beta;
    size_t bytes; /* of an element of C */
    int step;     /* STEP_..., of the fast way */
    fpfmt_plan a, b, c;
} task;

static bool is_one(fpfmt_value value)
{
    return value.kind == FPFMT_KIND_NORMAL && !value.negative && value.exponent == 0 &&
           value.significand == UINT64_C(1) << 63;
}

/* ---- one element ---- */

/* Where C[i][j] is. */
static unsigned char *element(const task *it, size_t i, size_t j)
{
    ptrdiff_t at = (ptrdiff_t)i * it->of->row + (ptrdiff_t)j * it->of->column;
    return (unsigned char *)it->of->c + at * (ptrdiff_t)it->bytes;
}

/* Where element [i][j] of A or B is. */
static const unsigned char *source(const fpfmt_matrix *matrix, size_t i, size_t j)
{
    ptrdiff_t at = (ptrdiff_t)i * matrix->row + (ptrdiff_t)j * matrix->column;
    return (const unsigned char *)matrix->codes + at * (ptrdiff_t)shape_bytes(matrix->format);
}

/* The scales of row i of A from column 0 on, or of column j of B from row 0 on: those of element
 * [i][j] and behind it along the other index, which steps by stride and shares size of them. */
static fpfmt_scales scales_along(const fpfmt_matrix_scales *of, size_t i, size_t j,
                                 ptrdiff_t stride, size_t size)
{
    if (of->codes == NULL)
        return (fpfmt_scales){ .codes = NULL };
    ptrdiff_t at = (ptrdiff_t)(i / of->rows) * of->row + (ptrdiff_t)(j / of->columns) * of->column;
    const unsigned char *codes = of->codes;
    return (fpfmt_scales){ .format = of->format,
                           .codes = codes + at * (ptrdiff_t)shape_bytes(of->format),
                           .stride = stride,
                           .size = size };
}

/* beta C, rounded; 0 for beta 0, whatever C holds. */
static uint64_t scaled(const task *it, size_t i, size_t j, const fpfmt_policy *policy,
                       unsigned *flags)
{
    const fpfmt_format *to = it->of->to;
    if (fpfmt_value_is_zero(it->beta))
        return fpfmt_encode(to, fpfmt_from_u64(0), NULL, NULL);
    uint64_t code = fpfmt_load(element(it, i, j), it->bytes);
    return is_one(it->beta) ? code
                            : fpfmt_multiply(to, it->beta, fpfmt_decode(to, code), policy, flags);
}

/* C[i][j] by fpfmt_dot: what tiles are held to. Of the random bits of an element the first rounding
 * is beta C's, the last alpha's, and those between are the dot product's, of which no accumulator
 * takes more than 5 k + 2. */
static void put(const task *it, size_t i, size_t j, unsigned *flags)
{
    const fpfmt_product *of = it->of;
    fpfmt_policy policy = *it->policy;
    fpfmt_series a = { .format = of->a.format,
                       .codes = source(&of->a, i, 0),
                       .stride = of->a.column,
                       .scales = scales_along(&of->a.scales, i, 0, of->a.scales.column,
                                              of->a.scales.columns) };
    fpfmt_series b = { .format = of->b.format,
                       .codes = source(&of->b, 0, j),
                       .stride = of->b.row,
                       .scales = scales_along(&of->b.scales, 0, j, of->b.scales.row,
                                              of->b.scales.rows) };
    /* kahan rounds five times for each product; two more move the sum to its format and back, one
     * is beta's and one alpha's. */
    uint64_t per_column = 5 * (uint64_t)of->k + 4, per_row = per_column * of->n;
    bool given = of->index[0] != 0 || of->index[1] != 0;
    policy.first += i * (given ? of->index[0] : per_row) + j * (given ? of->index[1] : per_column);
    const uint64_t index = policy.first;
    uint64_t start = scaled(it, i, j, &policy, flags), code;
    /* beta C is rounding 0 where it is one: with beta 0 or 1 the dot product begins. */
    policy.first += !fpfmt_value_is_zero(it->beta) && !is_one(it->beta);
    if (is_one(it->alpha)) {
        code = fpfmt_dot(of->to, of->how, start, a, b, of->k, &policy, flags);
    } else {
        uint64_t none = fpfmt_encode(of->to, fpfmt_from_u64(0), NULL, NULL);
        code = fpfmt_dot(of->to, of->how, none, a, b, of->k, &policy, flags);
        policy.first = index + per_column - 1;
        fpfmt_value sum = fpfmt_decode(of->to, code), rest = fpfmt_decode(of->to, start);
        code = fpfmt_value_is_zero(it->beta)
                   ? fpfmt_multiply(of->to, it->alpha, sum, &policy, flags)
                   : fpfmt_fma(of->to, it->alpha, sum, rest, &policy, flags);
    }
    fpfmt_store(element(it, i, j), code, it->bytes);
}

/* ---- tiles ---- */

/* n elements of a matrix, a stride apart, as floats; from is where the first is. */
static void decode_line(const fpfmt_plan *plan, float *to, const unsigned char *from,
                        ptrdiff_t stride, size_t n)
{
    size_t bytes = shape_bytes(&plan->format);
    unsigned char codes[4 * GATHERED];
    if (stride == 1 || n == 1) {
        fpfmt_plan_decode_f32(plan, to, from, n, NULL);
        return;
    }
    for (size_t done = 0, count; done < n; done += count) {
        count = n - done < GATHERED ? n - done : GATHERED;
        for (size_t i = 0; i < count; i++)
            memcpy(codes + i * bytes, from + (ptrdiff_t)(done + i) * stride * (ptrdiff_t)bytes,
                   bytes);
        fpfmt_plan_decode_f32(plan, to + done, codes, count, NULL);
    }
}

/* Rows of A from i on; what a tile has more is 0. */
static void load_a(const task *it, float *a, size_t i, size_t rows, size_t at, size_t k)
{
    for (size_t r = 0; r < it->set->tile_rows; r++)
        if (r < rows)
            decode_line(&it->a, a + r * TILE_DEPTH, source(&it->of->a, i + r, at), it->of->a.column,
                        k);
        else
            memset(a + r * TILE_DEPTH, 0, k * sizeof *a);
}

/* Columns of B from j on, a tile of them: k rows of tile_columns floats each; what the tile has
 * more is 0. Where B's columns lie one behind the other, and its rows do not, they are read column
 * by column. */
static void load_b(const task *it, float *b, size_t j, size_t columns, size_t at, size_t k)
{
    const fpfmt_matrix *from = &it->of->b;
    size_t width = it->set->tile_columns;
    float line[TILE_DEPTH];
    if (columns < width)
        memset(b, 0, k * width * sizeof *b);
    if (from->row != 1 || from->column == 1) {
        for (size_t r = 0; r < k; r++)
            decode_line(&it->b, b + r * width, source(from, at + r, j), from->column, columns);
        return;
    }
    for (size_t c = 0; c < columns; c++) {
        decode_line(&it->b, line, source(from, at, j + c), 1, k);
        for (size_t r = 0; r < k; r++)
            b[r * width + c] = line[r];
    }
}

/* n codes of a row of C as floats: of binary32 they are. */
static void load_row(const task *it, float *to, const unsigned char *from, size_t n)
{
    if (it->step != STEP_NONE)
        decode_line(&it->c, to, from, it->of->column, n);
    else if (it->of->column == 1)
        memcpy(to, from, n * sizeof *to);
    else
        for (size_t i = 0; i < n; i++)
            memcpy(to + i, from + (ptrdiff_t)i * it->of->column * (ptrdiff_t)sizeof *to,
                   sizeof *to);
}

/* The first block of k begins with beta C. */
static void load_sums(const task *it, float *sums, size_t i, size_t j, size_t rows, size_t columns,
                      bool first)
{
    size_t width = it->set->tile_columns;
    if (rows < it->set->tile_rows || columns < width || first)
        memset(sums, 0, it->set->tile_rows * width * sizeof *sums);
    if (first && fpfmt_value_is_zero(it->beta))
        return;
    for (size_t r = 0; r < rows; r++)
        load_row(it, sums + r * width, element(it, i + r, j), columns);
}

/* What a sum that became NaN is: of the operands that are, the first of the last step with one; a
 * start that is NaN does not come here. */
static uint64_t nan_of(const task *it, size_t i, size_t j)
{
    const fpfmt_product *of = it->of;
    for (size_t k = of->k; k-- > 0;) {
        fpfmt_value a =
            fpfmt_decode(of->a.format, fpfmt_load(source(&of->a, i, k), shape_bytes(of->a.format)));
        fpfmt_value b =
            fpfmt_decode(of->b.format, fpfmt_load(source(&of->b, k, j), shape_bytes(of->b.format)));
        if (fpfmt_value_is_nan(a) || fpfmt_value_is_nan(b))
            return fpfmt_encode(of->to, fpfmt_value_is_nan(a) ? a : b, it->policy, NULL);
    }
    return shape_nan(of->to);
}

/* n sums to a row of C from [i][j] on: as they are, or encoded, which is exact as each was rounded.
 */
static void store_row(const task *it, const float *from, size_t i, size_t j, size_t n)
{
    unsigned char codes[4 * TILE_COLUMNS], *to = element(it, i, j);
    const void *row = from;
    if (it->step != STEP_NONE) {
        fpfmt_plan_encode_f32(&it->c, codes, from, n, 0, NULL);
        row = codes;
    }
    if (it->of->column == 1)
        memcpy(to, row, n * it->bytes);
    else
        for (size_t k = 0; k < n; k++)
            memcpy(element(it, i, j + k), (const unsigned char *)row + k * it->bytes, it->bytes);
}

/* A tile of sums to C; of a tile that has NaN after the last block, each NaN is made anew. */
static void store_sums(const task *it, const float *sums, size_t i, size_t j, size_t rows,
                       size_t columns, bool nan)
{
    for (size_t r = 0; r < rows; r++) {
        store_row(it, sums + r * it->set->tile_columns, i + r, j, columns);
        /* Which NaN comes out depends on the order of an instruction's operands, not on C alone. */
        for (size_t c = 0; nan && c < columns; c++)
            if (fpfmt_is_nan(it->of->to, fpfmt_load(element(it, i + r, j + c), it->bytes)))
                fpfmt_store(element(it, i + r, j + c), nan_of(it, i + r, j + c), it->bytes);
    }
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* k products, from at on, of all rows of A and columns of B from j on, into C: a block of B is
 * decoded into b, tile by tile, and then A goes along it, a tile's height at a time. */
static void multiply_block(const task *it, float *b, size_t j, size_t columns, size_t at, size_t k)
{
    float a[TILE_ROWS * TILE_DEPTH], sums[TILE_ROWS * TILE_COLUMNS];
    size_t width = it->set->tile_columns, height = it->set->tile_rows;
    bool first = at == 0, last = at + k == it->of->k;
    for (size_t c = 0; c < columns; c += width)
        load_b(it, b + c * TILE_DEPTH, j + c, smaller(width, columns - c), at, k);
    for (size_t i = 0; i < it->of->m; i += height) {
        size_t rows = smaller(height, it->of->m - i);
        load_a(it, a, i, rows, at, k);
        for (size_t c = 0; c < columns; c += width) {
            size_t across = smaller(width, columns - c);
            load_sums(it, sums, i, j + c, rows, across, first);
            bool nan = it->set->tile(it->step, sums, a, b + c * TILE_DEPTH, k);
            store_sums(it, sums, i, j + c, rows, across, last && nan);
        }
    }
}

/* All blocks. B's is as wide as the workspace holds tiles, or of one tile, which lies on the stack.
 */
static void multiply_tiles(const task *it)
{
    float own[TILE_DEPTH * TILE_COLUMNS], *b = own;
    size_t width = it->set->tile_columns, tile = TILE_DEPTH * width * sizeof *b;
    size_t across = it->of->workspace == NULL ? 0 : it->of->workspace_bytes / tile;
    if (across > 1)
        b = it->of->workspace;
    width *= across > SPARE ? SPARE : across > 1 ? across : 1;
    for (size_t j = 0; j < it->of->n; j += width)
        for (size_t at = 0; at < it->of->k; at += TILE_DEPTH)
            multiply_block(it, b, j, smaller(width, it->of->n - j), at,
                           smaller(TILE_DEPTH, it->of->k - at));
}

/* ---- which way ---- */

/* Does C, which the sums start from, have a NaN? Its payload would have to be kept. */
static bool starts_with_nan(const task *it)
{
    for (size_t i = 0; !fpfmt_value_is_zero(it->beta) && i < it->of->m; i++)
        for (size_t j = 0; j < it->of->n; j++)
            if (fpfmt_is_nan(it->of->to, fpfmt_load(element(it, i, j), it->bytes)))
                return true;
    return false;
}

/* Whether tiles give the bits of fpfmt_dot: the accumulator is fma in the output format, which is
 * binary32, or binary16 or bfloat16 if the set rounds to them, to nearest even and under no rule
 * that the processor's fma does not have; alpha is 1 and beta 0 or 1; no flags are wanted; and
 * floats hold all that A and B can be. Prepares the plans, and sets the step. */
static bool has_tiles(task *it, const unsigned *flags)
{
    const fpfmt_product *of = it->of;
    if (of->a.scales.codes != NULL || of->b.scales.codes != NULL)
        return false;
    if (flags != NULL || it->set->tile == NULL || of->how->method != FPFMT_ACCUMULATE_FMA ||
        of->how->promote != 0 || of->how->inner != NULL || of->k == 0 || !is_one(it->alpha) ||
        !(is_one(it->beta) || fpfmt_value_is_zero(it->beta)) ||
        it->policy->nan != FPFMT_NAN_QUIET || it->policy->subnormal != FPFMT_SUBNORMAL_KEEP ||
        !fpfmt_prepare(&it->a, of->a.format, NULL, it->set) ||
        !fpfmt_prepare(&it->b, of->b.format, NULL, it->set) ||
        !fpfmt_prepare(&it->c, of->to, it->policy, it->set))
        return false;
    /* The encoder's native conversion says that format and policy are as the processor has them. */
    const fpfmt_encoder *c = &fpfmt_prepared_in(&it->c)->encoder[CARRIER_32];
    bool is_single = of->to->overflow == FPFMT_OVERFLOW_INF &&
                     shape_equal(of->to, fpfmt_carriers[CARRIER_32]) &&
                     it->policy->overflow <= FPFMT_OVERFLOW_INF && it->policy->overflow_test == 0;
    it->step = c->native == NATIVE_HALF     ? STEP_HALF
               : c->native == NATIVE_BFLOAT ? STEP_BFLOAT
                                            : STEP_NONE;
    return it->policy->rounding == FPFMT_ROUND_NEAREST_EVEN &&
           (it->step != STEP_NONE ? it->set->steps : is_single) &&
           fpfmt_prepared_in(&it->a)->decoder[CARRIER_32].carries &&
           fpfmt_prepared_in(&it->b)->decoder[CARRIER_32].carries && !starts_with_nan(it);
}

bool fpfmt_gemm(const fpfmt_product *product, unsigned *flags)
{
    task it = { .of = product,
                .policy = fpfmt_or_default(product->policy),
                .set = product->set == NULL ? fpfmt_best_kernels() : product->set,
                .alpha = fpfmt_from_f64(product->alpha),
                .beta = fpfmt_from_f64(product->beta) };
    if (!fpfmt_may_multiply(product))
        return false;
    it.bytes = shape_bytes(product->to);
    if (product->m > 0 && product->n > 0 && has_tiles(&it, flags)) {
        multiply_tiles(&it);
        return true;
    }
    for (size_t i = 0; i < product->m; i++)
        for (size_t j = 0; j < product->n; j++)
            put(&it, i, j, flags);
    return true;
}

size_t fpfmt_gemm_workspace(const fpfmt_product *product)
{
    const fpfmt_kernels *set = product->set == NULL ? fpfmt_best_kernels() : product->set;
    if (set->tile == NULL || product->k == 0)
        return 0;
    size_t tiles = product->n / set->tile_columns + 1;
    return (tiles < SPARE ? tiles : SPARE) * TILE_DEPTH * set->tile_columns * sizeof(float);
}
