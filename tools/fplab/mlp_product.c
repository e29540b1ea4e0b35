/* mlp_product.c - products and sums of operands, as the network's accumulators add them up
 * SPDX-License-Identifier: MIT */

#include "kit/memory.h"
#include "mlp.h"

static bool is_one(fpfmt_value value)
{
    return fpfmt_compare_quiet(value, fpfmt_from_u64(1), NULL) == FPFMT_EQUAL;
}

/* A sum by what is common to all its products: a factor of binary64, or of 1 and a power of two. */
static fpfmt_value finish(const fpfmt_format *work, uint64_t sum, fpfmt_value factor)
{
    fpfmt_value value = fpfmt_decode(work, sum);
    return is_one(factor) ? value : operate(work, FPFMT_OPERATION_MULTIPLY, value, factor);
}

static void get_workspace(mlp *net, fpfmt_product *product)
{
    size_t room = fpfmt_gemm_workspace(product);
    if (room > net->workspace_bytes) {
        release(net->workspace);
        net->workspace = allocate(room, 1);
        net->workspace_bytes = room;
    }
    product->workspace = net->workspace;
    product->workspace_bytes = net->workspace_bytes;
}

/* What sums over every line of an operand are multiplied with. */
static fpfmt_value *factors_of(const operand *of)
{
    size_t n = line_count(of);
    fpfmt_value *factors = allocate(n, sizeof *factors);
    for (size_t i = 0; i < n; i++)
        factors[i] = line_factor(of, i);
    return factors;
}

/* The sums of products by what is common to all products of each. The product of two factors is
 * exact: binary64 holds that of numbers of up to 26 bits. */
static void finish_products(mlp *net, fpfmt_value *to, const operand *a, const operand *b)
{
    const fpfmt_format *work = &net->numbers.work, *wide = fpfmt_named("fp64");
    size_t m = line_count(a), n = line_count(b);
    fpfmt_value *left = factors_of(a), *right = factors_of(b);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            fpfmt_value l = shifted(left[i], a->shift), r = shifted(right[j], b->shift);
            fpfmt_value factor = operate(wide, FPFMT_OPERATION_MULTIPLY, l, r);
            to[i * n + j] = finish(work, fpfmt_load_code(work, net->sums, i * n + j),
                                   shifted(factor, -a->shift - b->shift));
        }
    release(left);
    release(right);
}

static fpfmt_matrix turned(fpfmt_matrix matrix)
{
    fpfmt_matrix_scales *scales = &matrix.scales;
    fpfmt_matrix made = matrix;
    made.row = matrix.column;
    made.column = matrix.row;
    made.scales.row = scales->column;
    made.scales.column = scales->row;
    made.scales.rows = scales->columns;
    made.scales.columns = scales->rows;
    return made;
}

/* What is refused gives NaN, as a dot product that is refused does. */
void multiply_operands(mlp *net, fpfmt_value *to, const fpfmt_accumulator *how, const operand *a,
                       const operand *b)
{
    const fpfmt_value none = { .kind = FPFMT_KIND_QUIET_NAN };
    size_t m = line_count(a), n = line_count(b);
    fpfmt_product product = { .how = how,
                              .to = &net->numbers.work,
                              .a = matrix_of_lines(a),
                              .b = turned(matrix_of_lines(b)),
                              .c = net->sums,
                              .row = (ptrdiff_t)n,
                              .column = 1,
                              .m = m,
                              .n = n,
                              .k = line_length(a),
                              .alpha = 1 };
    get_workspace(net, &product);
    if (fpfmt_gemm(&product, NULL))
        finish_products(net, to, a, b);
    else
        for (size_t i = 0; i < m * n; i++)
            to[i] = none;
}

fpfmt_value sum_line(const mlp *net, const operand *of, size_t line)
{
    const fpfmt_format *work = &net->numbers.work;
    fpfmt_matrix lines = matrix_of_lines(of);
    const fpfmt_matrix_scales *scales = &lines.scales;
    size_t at = line * (size_t)lines.row * fpfmt_code_bytes(lines.format);
    fpfmt_series series = { .format = lines.format,
                            .codes = (const char *)lines.codes + at,
                            .stride = lines.column };
    if (scales->codes != NULL) {
        size_t scale = line / scales->rows * (size_t)scales->row * fpfmt_code_bytes(scales->format);
        series.scales = (fpfmt_scales){ .format = scales->format,
                                        .codes = (const char *)scales->codes + scale,
                                        .stride = scales->column,
                                        .size = scales->columns };
    }
    uint64_t zero = fpfmt_encode(work, fpfmt_from_u64(0), NULL, NULL);
    uint64_t sum = fpfmt_sum(work, &net->numbers.biases, zero, series, line_length(of), NULL, NULL);
    return finish(work, sum, line_factor(of, line));
}
