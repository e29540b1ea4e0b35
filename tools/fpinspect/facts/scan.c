/* scan.c - what formats would do to the values of a tensor
 * SPDX-License-Identifier: MIT */

#include "facts/scan.h"

#include <math.h>
#include <string.h>

#include "kit/blocks.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"

/* ---- targets ---- */

static scan_target *add_target(target_list *made)
{
    made->rows = more(made->rows, made->count, sizeof *made->rows);
    scan_target *row = &made->rows[made->count++];
    *row = (scan_target){ .name = NULL };
    return row;
}

/* The policy of a target in the words of a report. */
static void name_policy(scan_target *row, const policy_choice *column)
{
    char text[ROUNDING_SIZE];
    rounding_name(text, &row->policy);
    row->round = copy_text(text, strlen(text));
    row->policy_name = column->row->name;
}

static bool add_format(target_list *made, const request *chosen, const fpfmt_format *format,
                       const policy_choice *column)
{
    scan_target *row = add_target(made);
    row->name = format->name;
    row->variant = chosen->column_count > 1 ? column->label : NULL;
    row->format = *format;
    row->policy = column_policy(chosen, column, format);
    name_policy(row, column);
    if (fpfmt_prepare(&row->plan, format, &row->policy, NULL))
        return true;
    complain("%s: %s", format->name, fpfmt_defect(format));
    return false;
}

static bool add_block(target_list *made, const request *chosen, const fpfmt_block *block,
                      const char *recipe)
{
    scan_target *row = add_target(made);
    const policy_choice *column = &chosen->columns[0];
    bool given = column->rounding >= 0 || chosen->policies.list != NULL;
    row->name = block->name;
    row->block = block;
    row->format = block->element;
    if (!find_recipe(&row->recipe, block, recipe))
        return false;
    row->variant = chosen->recipes.count > 1 ? row->recipe.name : NULL;
    row->policy = column_policy(chosen, column, &block->element);
    if (!given)
        row->policy.rounding = row->recipe.rounding;
    name_policy(row, column);
    row->blocks = allocate(1, sizeof *row->blocks);
    if (block->rows > 1 && block->rows > made->rows_together)
        made->rows_together = block->rows == FPFMT_BLOCK_ALL ? UINT64_MAX : block->rows;
    made->row_together |= block->size == FPFMT_BLOCK_ALL;
    made->whole_first |= block->levels == 2;
    if (fpfmt_prepare_blocks(row->blocks, block, &row->recipe, given ? &row->policy : NULL, NULL))
        return true;
    complain("%s: %s", block->name, fpfmt_block_defect(block));
    return false;
}

bool make_targets(target_list *made, const request *chosen)
{
    bool good = true;
    size_t recipes = chosen->recipes.list == NULL ? 1 : chosen->recipes.count;
    *made = (target_list){ .rows_together = 1 };
    for (size_t f = 0; f < chosen->formats.count && good; f++)
        for (size_t c = 0; c < chosen->column_count && good; c++)
            good = add_format(made, chosen, &chosen->formats.rows[f], &chosen->columns[c]);
    for (size_t b = 0; b < chosen->blocks.count && good; b++)
        for (size_t r = 0; r < recipes && good; r++) {
            char *name = chosen->recipes.list == NULL ? NULL : list_item(chosen->recipes.list, r);
            good = add_block(made, chosen, &chosen->blocks.rows[b], name);
            release(name);
        }
    return good;
}

/* ---- counting values ---- */

enum { BINARY32_BINADES = 256, COUNTED_AT_A_TIME = 4 };

static void keep_extremes(value_counts *to, fpfmt_value value)
{
    value.negative = false;
    if (fpfmt_value_is_zero(to->least) ||
        fpfmt_compare_quiet(value, to->least, NULL) == FPFMT_LESS)
        to->least = value;
    if (fpfmt_value_is_zero(to->largest) ||
        fpfmt_compare_quiet(value, to->largest, NULL) == FPFMT_GREATER)
        to->largest = value;
}

static void count_one(value_counts *to, fpfmt_value value)
{
    to->zero += fpfmt_value_is_zero(value);
    to->nan += fpfmt_value_is_nan(value);
    to->infinite += fpfmt_value_is_infinite(value);
    if (!fpfmt_value_is_finite(value) || fpfmt_value_is_zero(value))
        return;
    to->in_binade[value.exponent - BINADE_LEAST]++;
    to->powers[value.exponent - BINADE_LEAST] += value.significand == UINT64_C(1) << 63;
    keep_extremes(to, value);
}

/* Floats by their bits. Four counts of each exponent take turns, so that an element need not wait
 * for the count of the one before it; what is seldom goes one by one. */
static void count_floats(value_counts *to, const float *values, size_t n)
{
    uint32_t counts[COUNTED_AT_A_TIME][BINARY32_BINADES] = { { 0 } };
    uint32_t least = UINT32_MAX, largest = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits, fraction = (UINT32_C(1) << 23) - 1;
        memcpy(&bits, &values[i], sizeof bits);
        uint32_t magnitude = bits & UINT32_MAX >> 1, exponent = magnitude >> 23;
        if (exponent == 0 || exponent == BINARY32_BINADES - 1) {
            count_one(to, fpfmt_from_f32(values[i]));
            continue;
        }
        counts[i % COUNTED_AT_A_TIME][exponent]++;
        least = magnitude < least ? magnitude : least;
        largest = magnitude > largest ? magnitude : largest;
        if ((magnitude & fraction) == 0)
            to->powers[(int)exponent - 127 - BINADE_LEAST]++;
    }
    for (int e = 1; e < BINARY32_BINADES - 1; e++)
        for (int k = 0; k < COUNTED_AT_A_TIME; k++)
            to->in_binade[e - 127 - BINADE_LEAST] += counts[k][e];
    if (largest != 0) {
        float ends[2];
        memcpy(&ends[0], &least, sizeof least);
        memcpy(&ends[1], &largest, sizeof largest);
        keep_extremes(to, fpfmt_from_f32(ends[0]));
        keep_extremes(to, fpfmt_from_f32(ends[1]));
    }
}

void count_piece(value_counts *to, const element_piece *piece)
{
    to->count += piece->count;
    if (!piece->wide)
        count_floats(to, piece->floats, piece->count);
    for (size_t i = 0; i < piece->count && piece->wide; i++)
        count_one(to, fpfmt_from_f64(piece->doubles[i]));
}

void add_values(value_counts *to, const value_counts *more)
{
    to->count += more->count;
    to->zero += more->zero;
    to->nan += more->nan;
    to->infinite += more->infinite;
    for (int i = 0; i < BINADES; i++) {
        to->in_binade[i] += more->in_binade[i];
        to->powers[i] += more->powers[i];
    }
    if (!fpfmt_value_is_zero(more->least)) {
        keep_extremes(to, more->least);
        keep_extremes(to, more->largest);
    }
}

/* ---- rounding pieces ---- */

scan_result *new_result(const target_list *targets, size_t worst)
{
    scan_result *made = allocate(1, sizeof *made);
    made->columns = allocate(targets->count + 1, sizeof *made->columns);
    for (size_t t = 0; t < targets->count && worst > 0; t++)
        made->columns[t].worst = allocate(worst, sizeof *made->columns[t].worst);
    return made;
}

void clear_result(scan_result *of, size_t columns)
{
    of->values = (value_counts){ .count = 0 };
    for (size_t t = 0; t < columns; t++) {
        of->columns[t].stats = (fpfmt_stats){ .count = 0 };
        of->columns[t].worst_count = 0;
    }
}

void release_result(scan_result *of, size_t columns)
{
    for (size_t t = 0; t < columns; t++)
        release(of->columns[t].worst);
    release(of->columns);
    release(of);
}

scan_room new_room(size_t elements, const target_list *targets, bool worst)
{
    size_t codes = 0, scales = 0;
    bool doubles = worst;
    for (size_t t = 0; t < targets->count; t++) {
        const scan_target *target = &targets->rows[t];
        doubles |= !fpfmt_contains(fpfmt_named("fp32"), &target->format);
        if (target->block == NULL)
            continue;
        size_t code = fpfmt_code_bytes(&target->format);
        size_t scale = fpfmt_code_bytes(&target->block->scale);
        codes = code > codes ? code : codes;
        scales = scale > scales ? scale : scales;
    }
    return (scan_room){ .widened = doubles ? allocate(elements, sizeof(double)) : NULL,
                        .rounded = worst ? allocate(elements, sizeof(double)) : NULL,
                        .codes = codes > 0 ? allocate(elements, codes) : NULL,
                        .scales = scales > 0 ? allocate(elements, scales) : NULL };
}

void release_room(scan_room *room)
{
    release(room->widened);
    release(room->rounded);
    release(room->codes);
    release(room->scales);
}

/* The values of a piece as doubles. */
static const double *doubles_of(const element_piece *piece, const scan_room *room)
{
    if (piece->wide)
        return piece->doubles;
    for (size_t i = 0; i < piece->count; i++)
        room->widened[i] = piece->floats[i];
    return room->widened;
}

/* A piece as a matrix, or as one row where it is a part of one, or has a scale of its own. */
typedef struct {
    fpfmt_view values, codes, scales;
    size_t shape[2], scale_shape[2];
    int axis;
} block_views;

static size_t blocks_along(size_t n, uint32_t size)
{
    return size == FPFMT_BLOCK_ALL ? 1 : n / size + (n % size != 0);
}

static void make_views(block_views *made, const fpfmt_block *block, const element_piece *piece,
                       uint64_t width, const scan_room *room)
{
    bool all = block->rows == FPFMT_BLOCK_ALL;
    bool part = all || width > piece->count || piece->count % width != 0;
    size_t columns = part ? piece->count : (size_t)width;
    *made = (block_views){ .shape = { piece->count / columns, columns }, .axis = 1 };
    made->scale_shape[0] = all ? 1 : blocks_along(made->shape[0], block->rows);
    made->scale_shape[1] = blocks_along(columns, block->size);
    void *values = piece->wide ? (void *)piece->doubles : (void *)piece->floats;
    made->values = (fpfmt_view){ .data = values, .rank = 2, .shape = made->shape };
    made->codes = (fpfmt_view){ .data = room->codes, .rank = 2, .shape = made->shape };
    made->scales = (fpfmt_view){ .data = room->scales, .rank = 2, .shape = made->scale_shape };
}

static void scan_blocks(fpfmt_stats *stats, const scan_target *target, const element_piece *piece,
                        uint64_t width, const fpfmt_tensor_scale *scale, const scan_room *room)
{
    block_views views;
    make_views(&views, target->block, piece, width, room);
    fpfmt_quantize(target->blocks, stats, views.codes, views.scales,
                   fpfmt_named(piece->wide ? "fp64" : "fp32"), views.values, views.axis,
                   target->block->levels == 2 ? scale : NULL, piece->first, NULL);
}

/* Floats do where they hold every value of the target too. */
static bool takes_floats(const scan_target *target, const element_piece *piece)
{
    return !piece->wide && fpfmt_contains(fpfmt_named("fp32"), &target->format);
}

void scan_piece(scan_result *to, const target_list *targets, const element_piece *piece,
                uint64_t width, const fpfmt_tensor_scale *scales, const scan_room *room)
{
    count_piece(&to->values, piece);
    for (size_t t = 0; t < targets->count; t++) {
        const scan_target *target = &targets->rows[t];
        fpfmt_stats *stats = &to->columns[t].stats;
        if (target->block != NULL)
            scan_blocks(stats, target, piece, width, &scales[t], room);
        else if (takes_floats(target, piece))
            fpfmt_plan_stats_f32(&target->plan, stats, piece->floats, piece->count, piece->first);
        else
            fpfmt_plan_stats_f64(&target->plan, stats, doubles_of(piece, room), piece->count,
                                 piece->first);
    }
}

void scale_tensors(fpfmt_tensor_scale *scales, const target_list *targets,
                   const value_counts *values)
{
    const fpfmt_policy stays = { .overflow = FPFMT_OVERFLOW_MAX };
    float amax = fpfmt_to_f32(values->largest, &stays, NULL);
    for (size_t t = 0; t < targets->count; t++) {
        const scan_target *target = &targets->rows[t];
        scales[t] = (fpfmt_tensor_scale){ 1, 0 };
        if (target->block != NULL && target->block->levels == 2)
            fpfmt_scale_tensor(&scales[t], target->block, &target->recipe, amax);
    }
}

/* ---- the elements that lose most ---- */

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

/* ---- what follows from the counts ---- */

/* 1.5 x 2^binade, or 2^binade. */
static fpfmt_value value_in(int binade, bool power)
{
    return (fpfmt_value){ .kind = FPFMT_KIND_NORMAL,
                          .exponent = binade,
                          .significand = power ? UINT64_C(1) << 63 : UINT64_C(3) << 62 };
}

binade_fate fate_of(const scan_target *target, int binade)
{
    unsigned flags = 0;
    fpfmt_value held = fpfmt_decode(
        &target->format,
        fpfmt_encode(&target->format, value_in(binade, false), &target->policy, &flags));
    if (flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID))
        return HELD_OVER;
    return fpfmt_value_is_zero(held)             ? HELD_ZERO
           : held.kind == FPFMT_KIND_SUBNORMAL ? HELD_SUBNORMAL
                                               : HELD_NORMAL;
}

/* Does a magnitude become 0? */
static bool becomes_zero(const scan_target *target, fpfmt_value value)
{
    uint64_t code = fpfmt_encode(&target->format, value, &target->policy, NULL);
    return fpfmt_value_is_zero(fpfmt_decode(&target->format, code));
}

/* Values that would become 0, times 2^scale. Within a binade, without its power of two, all share
 * their fate: what is cut to 0 is cut below a power of two, or half of one. */
static uint64_t zeros_at(const scan_target *target, const value_counts *values, int scale)
{
    uint64_t zeros = 0;
    for (int i = 0; i < BINADES; i++) {
        int binade = i + BINADE_LEAST + scale;
        if (values->in_binade[i] == 0)
            continue;
        if (becomes_zero(target, value_in(binade, false)))
            zeros += values->in_binade[i] - values->powers[i];
        if (values->powers[i] > 0 && becomes_zero(target, value_in(binade, true)))
            zeros += values->powers[i];
    }
    return zeros;
}

static bool overflows_at(const scan_target *target, const value_counts *values, int scale)
{
    unsigned flags = 0;
    fpfmt_value largest = values->largest;
    largest.exponent += scale;
    fpfmt_encode(&target->format, largest, &target->policy, &flags);
    return (flags & (FPFMT_FLAG_OVERFLOW | FPFMT_FLAG_INVALID)) != 0;
}

bool best_scale(int *exponent, const scan_target *target, const value_counts *values)
{
    unsigned mode = target->policy.rounding;
    bool by_magnitude = mode != FPFMT_ROUND_UPWARD && mode != FPFMT_ROUND_DOWNWARD &&
                        mode < FPFMT_ROUND_STOCHASTIC;
    if (target->block != NULL || !by_magnitude || fpfmt_value_is_zero(values->largest))
        return false;
    int top = (int)fpfmt_measure(&target->format).emax - values->largest.exponent + 1;
    while (overflows_at(target, values, top))
        top--;
    if (top < 0) {
        *exponent = top;
        return true;
    }
    uint64_t fewest = zeros_at(target, values, top);
    int low = 0;
    /* More scale never makes more zeros, so that the smallest one is found by halving. */
    for (int high = top; low < high;) {
        int middle = low + (high - low) / 2;
        if (zeros_at(target, values, middle) == fewest)
            high = middle;
        else
            low = middle + 1;
    }
    *exponent = low;
    return low > 0;
}

bool decibels(double *made, fpfmt_value signal, fpfmt_value noise)
{
    if (fpfmt_value_is_zero(signal) || fpfmt_value_is_zero(noise))
        return false;
    double log2 = signal.exponent - noise.exponent, bit = 0.5;
    double left = (double)signal.significand / (double)noise.significand;
    while (left < 1) {
        left *= 2;
        log2--;
    }
    /* Bits of the logarithm's fraction, each by squaring what is left of the number. */
    for (int i = 0; i < 20; i++, bit /= 2) {
        left *= left;
        if (left >= 2) {
            left /= 2;
            log2 += bit;
        }
    }
    *made = log2 * 3.0102999566398120;
    return true;
}

bool rms_relative(double *made, const fpfmt_stats *stats, const value_counts *values)
{
    uint64_t of = stats->finite - values->zero;
    if (stats->finite <= values->zero)
        return false;
    *made = sqrt(fpfmt_to_f64(fpfmt_stats_relative(stats), NULL, NULL) / (double)of);
    return true;
}
