/* mlp.c - a network of two layers, trained with operands of few bits
 * SPDX-License-Identifier: MIT */

#include "mlp.h"

#include <string.h>

#include "kit/memory.h"
#include "normal.h"

const char *mlp_defect(const fpfmt_format *format)
{
    fpfmt_limits limits = fpfmt_measure(format);
    return format->sign_bits == 0 ? "has no negative numbers"
           : !limits.has_zero     ? "has no zero"
                                  : NULL;
}

static fpfmt_value *allocate_values(size_t count)
{
    fpfmt_value *values = allocate(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = fpfmt_from_u64(0);
    return values;
}

void mlp_begin(mlp *net, const size_t sizes[MLP_LAYERS + 1], size_t batch,
               const mlp_numbers *numbers)
{
    size_t largest = 0; /* matrix */
    *net = (mlp){ .batch = batch, .numbers = *numbers };
    for (size_t l = 0; l <= MLP_LAYERS; l++) {
        net->sizes[l] = sizes[l];
        largest = batch * sizes[l] > largest ? batch * sizes[l] : largest;
    }
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        size_t weights = sizes[l] * sizes[l + 1];
        largest = weights > largest ? weights : largest;
        net->weights[l] = net->count;
        net->biases[l] = net->count + weights;
        net->count += weights + sizes[l + 1];
        net->inputs[l] = allocate_values(batch * sizes[l]);
        net->out[l] = allocate_values(batch * sizes[l + 1]);
    }
    net->parameters = allocate_values(net->count);
    net->gradients = allocate_values(net->count);
    net->values = allocate_values(largest);
    net->sums = allocate(largest, sizeof *net->sums);
}

void mlp_start(mlp *net, const fpfmt_format *format, uint64_t seed)
{
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    for (operand_use use = 0; use < OPERANDS; use++)
        net->numbers.operands[use].policy.seed = seed;
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        fpfmt_value root = operate(binary64, FPFMT_OPERATION_SQRT, fpfmt_from_u64(net->sizes[l]),
                                   (fpfmt_value){ 0 });
        for (size_t i = net->weights[l]; i < net->biases[l]; i++) {
            fpfmt_value deviate = fpfmt_from_f64(normal_deviate(seed, net->counter++));
            net->parameters[i] = operate(format, FPFMT_OPERATION_DIVIDE, deviate, root);
        }
    }
    net->counter += net->counter % 2; /* deviates take random bits in pairs */
}

/* ---- operands ---- */

/* The dimension that the product sums over, as axis of the operand. */
static int axis_of(operand_use use)
{
    return use == OPERAND_INPUT || use == OPERAND_GRADIENT_DX || use == OPERAND_WEIGHT_DX ? 1 : 0;
}

static const operand *make_operand(mlp *net, size_t l, operand_use use, const fpfmt_value *values,
                                   size_t rows, size_t columns)
{
    operand *made = &net->operands[l][use];
    round_operand(made, &net->numbers.operands[use], axis_of(use), values, rows, columns,
                  &net->counter, &net->counts[use]);
    return made;
}

/* An operand of what another one was made of: that one, along other lines, where they are alike. */
static const operand *make_again(mlp *net, size_t l, operand_use use, operand_use before,
                                 const fpfmt_value *values)
{
    const operand *other = &net->operands[l][before];
    operand *made = &net->operands[l][use];
    if (!rounds_alike(&net->numbers.operands[use], other->how))
        return make_operand(net, l, use, values, other->rows, other->columns);
    *made = *other;
    made->axis = axis_of(use);
    return made;
}

/* ---- forward ---- */

/* The layer's outputs. */
static void pass_layer(mlp *net, size_t l, size_t count)
{
    const mlp_numbers *numbers = &net->numbers;
    size_t inputs = net->sizes[l], outputs = net->sizes[l + 1];
    const operand *x = make_operand(net, l, OPERAND_INPUT, net->inputs[l], count, inputs);
    const operand *w =
        make_operand(net, l, OPERAND_WEIGHT, net->parameters + net->weights[l], inputs, outputs);
    multiply_operands(net, net->out[l], &numbers->activations, x, w);
    for (size_t i = 0; i < count * outputs; i++)
        net->out[l][i] = operate(&numbers->work, FPFMT_OPERATION_ADD, net->out[l][i],
                                 net->parameters[net->biases[l] + i % outputs]);
}

/* max(z, 0), but NaN stays NaN. */
static bool is_cut(fpfmt_value z)
{
    return z.negative && z.kind <= FPFMT_KIND_INFINITE;
}

static void pass_forward(mlp *net, const dataset *data, const uint32_t *rows, size_t count)
{
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    size_t features = net->sizes[0];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < features; k++)
            net->inputs[0][i * features + k] =
                fpfmt_decode(binary64, data->inputs[rows[i] * features + k]);
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        pass_layer(net, l, count);
        for (size_t i = 0; l + 1 < MLP_LAYERS && i < count * net->sizes[l + 1]; i++)
            net->inputs[l + 1][i] = is_cut(net->out[l][i]) ? fpfmt_from_u64(0) : net->out[l][i];
    }
}

/* ---- backward ---- */

/* From the gradient of the layer's outputs, in net->values, those of its weights and biases, and of
 * its inputs, which then are in net->values. */
static void pass_back(mlp *net, size_t l, size_t count)
{
    const mlp_numbers *numbers = &net->numbers;
    size_t inputs = net->sizes[l], outputs = net->sizes[l + 1];
    const operand *g = make_operand(net, l, OPERAND_GRADIENT_DW, net->values, count, outputs);
    const operand *x = make_again(net, l, OPERAND_INPUT_DW, OPERAND_INPUT, net->inputs[l]);
    multiply_operands(net, net->gradients + net->weights[l], &numbers->weights, x, g);
    for (size_t k = 0; k < outputs; k++)
        net->gradients[net->biases[l] + k] = sum_line(net, g, k);
    if (l == 0)
        return;
    g = make_again(net, l, OPERAND_GRADIENT_DX, OPERAND_GRADIENT_DW, net->values);
    const operand *w =
        make_again(net, l, OPERAND_WEIGHT_DX, OPERAND_WEIGHT, net->parameters + net->weights[l]);
    multiply_operands(net, net->values, &numbers->inputs, g, w);
    for (size_t i = 0; i < count * inputs; i++)
        if (is_cut(net->out[l - 1][i]) || net->out[l - 1][i].kind == FPFMT_KIND_ZERO)
            net->values[i] = fpfmt_from_u64(0);
}

fpfmt_value mlp_learn(mlp *net, const dataset *data, const uint32_t *rows, size_t count,
                      int32_t scale)
{
    const fpfmt_format *work = &net->numbers.work;
    size_t classes = net->sizes[MLP_LAYERS];
    fpfmt_value loss = fpfmt_from_u64(0), n = fpfmt_from_u64(count);
    pass_forward(net, data, rows, count);
    for (size_t i = 0; i < count; i++) {
        fpfmt_value *gradient = net->values + i * classes;
        fpfmt_value own = cross_entropy(work, net->out[MLP_LAYERS - 1] + i * classes, classes,
                                        data->labels[rows[i]], gradient);
        loss = operate(work, FPFMT_OPERATION_ADD, loss, own);
        for (size_t k = 0; k < classes; k++)
            gradient[k] = operate(work, FPFMT_OPERATION_DIVIDE, shifted(gradient[k], scale), n);
    }
    for (size_t l = MLP_LAYERS; l-- > 0;)
        pass_back(net, l, count);
    return operate(work, FPFMT_OPERATION_DIVIDE, loss, n);
}

static bool is_right(const fpfmt_value *z, size_t classes, size_t label)
{
    size_t best = 0;
    for (size_t k = 1; k < classes; k++)
        if (fpfmt_compare_quiet(z[k], z[best], NULL) == FPFMT_GREATER)
            best = k;
    return best == label && z[best].kind <= FPFMT_KIND_INFINITE;
}

fpfmt_value mlp_judge(mlp *net, const dataset *data, uint64_t *right)
{
    const fpfmt_format *work = &net->numbers.work;
    size_t classes = net->sizes[MLP_LAYERS];
    fpfmt_value loss = fpfmt_from_u64(0);
    uint32_t *rows = allocate(net->batch, sizeof *rows);
    operand_counts kept[OPERANDS]; /* these are of the steps alone */
    memcpy(kept, net->counts, sizeof kept);
    *right = 0;
    for (size_t start = 0; start < data->rows; start += net->batch) {
        size_t rest = data->rows - start, count = rest < net->batch ? rest : net->batch;
        for (size_t i = 0; i < count; i++)
            rows[i] = (uint32_t)(start + i);
        pass_forward(net, data, rows, count);
        for (size_t i = 0; i < count; i++) {
            const fpfmt_value *z = net->out[MLP_LAYERS - 1] + i * classes;
            size_t label = data->labels[rows[i]];
            loss = operate(work, FPFMT_OPERATION_ADD, loss,
                           cross_entropy(work, z, classes, label, net->values));
            *right += is_right(z, classes, label);
        }
    }
    memcpy(net->counts, kept, sizeof kept);
    release(rows);
    return operate(work, FPFMT_OPERATION_DIVIDE, loss, fpfmt_from_u64(data->rows));
}
