/* mlp.c - a network of two layers, trained with operands of few bits
 * SPDX-License-Identifier: MIT */

#include "mlp.h"

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
        net->in[l].codes = allocate(batch * sizes[l], sizeof(uint64_t));
        net->weight[l].codes = allocate(weights, sizeof(uint64_t));
        net->out[l] = allocate_values(batch * sizes[l + 1]);
    }
    net->parameters = allocate_values(net->count);
    net->gradients = allocate_values(net->count);
    net->values = allocate_values(largest);
    net->sums = allocate(largest, sizeof *net->sums);
    net->back.codes = allocate(largest, sizeof(uint64_t));
}

void mlp_start(mlp *net, const fpfmt_format *format, uint64_t seed, uint64_t *counter)
{
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        fpfmt_value root = operate(binary64, FPFMT_OPERATION_SQRT, fpfmt_from_u64(net->sizes[l]),
                                   (fpfmt_value){ 0 });
        for (size_t i = net->weights[l]; i < net->biases[l]; i++) {
            fpfmt_value deviate = fpfmt_from_f64(normal_deviate(seed, (*counter)++));
            net->parameters[i] = operate(format, FPFMT_OPERATION_DIVIDE, deviate, root);
        }
    }
    *counter += *counter % 2; /* deviates take random bits in pairs */
}

/* ---- forward ---- */

/* The layer's outputs; its inputs are in net->values. */
static void pass_layer(mlp *net, size_t l, size_t count)
{
    const mlp_numbers *numbers = &net->numbers;
    size_t outputs = net->sizes[l + 1];
    round_operand(&net->in[l], &numbers->forward, numbers->scaled, net->values, count,
                  net->sizes[l], NULL);
    round_operand(&net->weight[l], &numbers->forward, numbers->scaled,
                  net->parameters + net->weights[l], net->sizes[l], outputs, NULL);
    multiply_operands(net, net->out[l], &numbers->activations, &net->in[l], false, &net->weight[l],
                      false);
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
            net->values[i * features + k] =
                fpfmt_decode(binary64, data->inputs[rows[i] * features + k]);
    for (size_t l = 0; l < MLP_LAYERS; l++) {
        pass_layer(net, l, count);
        for (size_t i = 0; l + 1 < MLP_LAYERS && i < count * net->sizes[l + 1]; i++)
            net->values[i] = is_cut(net->out[l][i]) ? fpfmt_from_u64(0) : net->out[l][i];
    }
}

/* ---- backward ---- */

/* From the gradient of the layer's outputs, in net->values, those of its weights and biases, and of
 * its inputs, which then are in net->values. */
static void pass_back(mlp *net, size_t l, size_t count)
{
    const mlp_numbers *numbers = &net->numbers;
    size_t inputs = net->sizes[l], outputs = net->sizes[l + 1];
    round_operand(&net->back, &numbers->backward, numbers->scaled, net->values, count, outputs,
                  &net->zeroed);
    net->rounded += count * outputs;
    multiply_operands(net, net->gradients + net->weights[l], &numbers->weights, &net->in[l], true,
                      &net->back, false);
    for (size_t k = 0; k < outputs; k++)
        net->gradients[net->biases[l] + k] = sum_column(net, &net->back, k);
    if (l == 0)
        return;
    multiply_operands(net, net->values, &numbers->inputs, &net->back, false, &net->weight[l], true);
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
    release(rows);
    return operate(work, FPFMT_OPERATION_DIVIDE, loss, fpfmt_from_u64(data->rows));
}
