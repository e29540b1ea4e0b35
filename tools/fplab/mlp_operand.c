/* mlp_operand.c - matrices rounded to operands, and their products
 * SPDX-License-Identifier: MIT */

#include "kit/memory.h"
#include "mlp.h"

fpfmt_value operate(const fpfmt_format *to, fpfmt_operation operation, fpfmt_value a, fpfmt_value b)
{
    return fpfmt_decode(to, fpfmt_operate(to, operation, a, b, a, NULL, NULL));
}

static bool is_regular(fpfmt_value value)
{
    return value.kind == FPFMT_KIND_SUBNORMAL || value.kind == FPFMT_KIND_NORMAL;
}

fpfmt_value shifted(fpfmt_value value, int32_t shift)
{
    if (is_regular(value))
        value.exponent += shift;
    return value;
}

/* The largest power of two by which the largest of the values can be multiplied. */
static int32_t best_shift(const fpfmt_format *format, const fpfmt_value *values, size_t count)
{
    fpfmt_value limit = fpfmt_decode(format, fpfmt_measure(format).max);
    fpfmt_value largest = fpfmt_from_u64(0);
    for (size_t i = 0; i < count; i++)
        if (fpfmt_total_order_magnitude(values[i], largest) > 0)
            largest = values[i];
    if (!is_regular(largest))
        return 0;
    return limit.exponent - largest.exponent - (largest.significand > limit.significand);
}

void round_operand(operand *to, const fpfmt_format *format, bool scaled, const fpfmt_value *values,
                   size_t rows, size_t columns, uint64_t *zeroed)
{
    to->format = *format;
    to->rows = rows;
    to->columns = columns;
    to->shift = scaled ? best_shift(format, values, rows * columns) : 0;
    for (size_t i = 0; i < rows * columns; i++) {
        uint64_t code = fpfmt_encode(format, shifted(values[i], to->shift), NULL, NULL);
        fpfmt_store_code(format, to->codes, i, code);
        if (zeroed != NULL && is_regular(values[i]) && fpfmt_is_zero(format, code))
            ++*zeroed;
    }
}

static fpfmt_matrix as_matrix(const operand *of, bool transposed)
{
    ptrdiff_t columns = (ptrdiff_t)of->columns;
    return (fpfmt_matrix){ .format = &of->format,
                           .codes = of->codes,
                           .row = transposed ? 1 : columns,
                           .column = transposed ? columns : 1 };
}

void multiply_operands(mlp *net, fpfmt_value *to, const fpfmt_accumulator *how, const operand *a,
                       bool a_transposed, const operand *b, bool b_transposed)
{
    const fpfmt_format *work = &net->numbers.work;
    size_t m = a_transposed ? a->columns : a->rows, k = a_transposed ? a->rows : a->columns;
    size_t n = b_transposed ? b->rows : b->columns;
    int32_t shift = a->shift + b->shift;
    fpfmt_product product = { .how = how,
                              .to = work,
                              .a = as_matrix(a, a_transposed),
                              .b = as_matrix(b, b_transposed),
                              .c = net->sums,
                              .row = (ptrdiff_t)n,
                              .column = 1,
                              .m = m,
                              .n = n,
                              .k = k,
                              .alpha = 1 };
    size_t room = fpfmt_gemm_workspace(&product);
    if (room > net->workspace_bytes) {
        release(net->workspace);
        net->workspace = allocate(room, 1);
        net->workspace_bytes = room;
    }
    product.workspace = net->workspace;
    product.workspace_bytes = net->workspace_bytes;
    fpfmt_gemm(&product, NULL);
    for (size_t i = 0; i < m * n; i++) {
        to[i] = fpfmt_decode(work, fpfmt_load_code(work, net->sums, i));
        if (shift != 0)
            to[i] = fpfmt_decode(work, fpfmt_scalb(work, to[i], -shift, NULL, NULL));
    }
}

fpfmt_value sum_column(const mlp *net, const operand *of, size_t column)
{
    const fpfmt_format *work = &net->numbers.work;
    size_t bytes = fpfmt_code_bytes(&of->format);
    fpfmt_series series = { .format = &of->format,
                            .codes = (const char *)of->codes + column * bytes,
                            .stride = (ptrdiff_t)of->columns };
    uint64_t zero = fpfmt_encode(work, fpfmt_from_u64(0), NULL, NULL);
    uint64_t sum = fpfmt_sum(work, &net->numbers.biases, zero, series, of->rows, NULL, NULL);
    return fpfmt_decode(work, fpfmt_scalb(work, fpfmt_decode(work, sum), -of->shift, NULL, NULL));
}
