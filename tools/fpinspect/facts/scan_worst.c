/* scan_worst.c - the elements of a tensor that lose most
 * SPDX-License-Identifier: MIT */

#include <math.h>

#include "facts/scan_pieces.h"

/* Is a worse than b? The larger relative error, then the larger value, then the first. */
static bool is_worse(const element_loss *a, const element_loss *b)
{
    double x = a->value < 0 ? -a->value : a->value, y = b->value < 0 ? -b->value : b->value;
    return a->relative != b->relative ? a->relative > b->relative
           : x != y                   ? x > y
                                      : a->index < b->index;
}

static void take_place(scan_column *to, size_t most, const element_loss *loss)
{
    size_t place = to->worst_count;
    if (place == most && !is_worse(loss, &to->worst[most - 1]))
        return;
    place -= place == most;
    for (; place > 0 && is_worse(loss, &to->worst[place - 1]); place--)
        to->worst[place] = to->worst[place - 1];
    to->worst[place] = *loss;
    to->worst_count += to->worst_count < most;
}

void add_result(scan_result *to, const scan_result *more, size_t columns, size_t worst)
{
    add_values(&to->values, &more->values);
    for (size_t t = 0; t < columns; t++) {
        fpfmt_stats_add(&to->columns[t].stats, &more->columns[t].stats);
        for (size_t i = 0; i < more->columns[t].worst_count && worst > 0; i++)
            take_place(&to->columns[t], worst, &more->columns[t].worst[i]);
    }
}

/* What the values of a piece become, in room->rounded. */
static void round_piece(const scan_target *target, const element_piece *piece, uint64_t width,
                        const fpfmt_tensor_scale *scale, const scan_room *room, block_views *views)
{
    if (target->block == NULL) {
        fpfmt_plan_round_f64(&target->plan, room->rounded, doubles_of(piece, room), piece->count,
                             piece->first, NULL);
        return;
    }
    make_views(views, target->block, piece, width, room);
    const fpfmt_tensor_scale *whole = target->block->levels == 2 ? scale : NULL;
    fpfmt_view rounded = { .data = room->rounded, .rank = 2, .shape = views->shape };
    scan_blocks(NULL, target, piece, width, scale, room);
    fpfmt_dequantize(target->blocks, fpfmt_named("fp64"), rounded, views->codes, views->scales,
                     views->axis, whole, NULL);
}

/* The codes of element i, and of the scale of its block. */
static void keep_codes(element_loss *loss, const scan_target *target, size_t i,
                       const block_views *views, const scan_room *room)
{
    if (target->block == NULL) {
        fpfmt_policy policy = target->policy;
        policy.first += loss->index;
        loss->code = fpfmt_encode(&target->format, fpfmt_from_f64(loss->value), &policy, NULL);
        return;
    }
    const fpfmt_block *block = target->block;
    size_t row = i / views->shape[1], column = i % views->shape[1];
    size_t at = (block->rows == FPFMT_BLOCK_ALL ? 0 : row / block->rows) * views->scale_shape[1] +
                (block->size == FPFMT_BLOCK_ALL ? 0 : column / block->size);
    loss->code = fpfmt_load_code(&block->element, room->codes, i);
    loss->scale = fpfmt_load_code(&block->scale, room->scales, at);
}

void find_worst(scan_result *to, const target_list *targets, size_t most,
                const element_piece *piece, uint64_t width, const fpfmt_tensor_scale *scales,
                const scan_room *room)
{
    const double *values = doubles_of(piece, room);
    for (size_t t = 0; t < targets->count; t++) {
        const scan_target *target = &targets->rows[t];
        scan_column *column = &to->columns[t];
        block_views views = { .axis = 1 };
        round_piece(target, piece, width, &scales[t], room, &views);
        for (size_t i = 0; i < piece->count; i++) {
            double x = values[i], y = room->rounded[i];
            element_loss loss = { .index = piece->first + i, .value = x, .result = y };
            if (!isfinite(x) || x == y)
                continue;
            loss.relative = !isfinite(y) || x == 0 ? INFINITY : fabs(y - x) / fabs(x);
            if (column->worst_count == most && !is_worse(&loss, &column->worst[most - 1]))
                continue;
            keep_codes(&loss, target, i, &views, room);
            take_place(column, most, &loss);
        }
    }
}

unsigned status_of_loss(const scan_target *target, const element_loss *loss)
{
    fpfmt_value x = fpfmt_from_f64(loss->value), y = fpfmt_from_f64(loss->result);
    unsigned flags = 0;
    fpfmt_policy policy = target->policy;
    policy.first += loss->index;
    if (target->block == NULL) {
        fpfmt_encode(&target->format, x, &policy, &flags);
        return fpfmt_outcome_of(&target->format, x, y, flags);
    }
    if (!fpfmt_value_is_finite(y))
        return fpfmt_value_is_nan(y) ? FPFMT_OUTCOME_INVALID : FPFMT_OUTCOME_OVERFLOW;
    if (fpfmt_value_is_zero(y))
        return FPFMT_OUTCOME_UNDERFLOW;
    /* What the largest element holds of a larger value was clamped. */
    fpfmt_value element = fpfmt_block_decode(target->block, loss->code, fpfmt_from_i64(1));
    fpfmt_value largest = fpfmt_block_largest(target->block);
    element.negative = largest.negative = false;
    bool clamped = fpfmt_compare_quiet(element, largest, NULL) == FPFMT_EQUAL &&
                   fabs(loss->result) < fabs(loss->value);
    return clamped ? FPFMT_OUTCOME_SATURATED : FPFMT_OUTCOME_INEXACT;
}
