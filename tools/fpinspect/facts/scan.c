/* scan.c - what formats would do to the values of a tensor
 * SPDX-License-Identifier: MIT */

#include <string.h>

#include "facts/scan_pieces.h"

#include "kit/blocks.h"
#include "kit/list.h"
#include "kit/memory.h"
#include "kit/say.h"
#include "kit/text.h"

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
    row->variant =
        chosen->recipes.count > 1 ? copy_text(row->recipe.name, strlen(row->recipe.name)) : NULL;
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

void name_target(char text[TARGET_NAME], const scan_target *target)
{
    print_text(text, TARGET_NAME, "%s%s%s", target->name, target->variant == NULL ? "" : " ",
               target->variant == NULL ? "" : target->variant);
}

/* ---- counting values ---- */

enum { BINARY32_BINADES = 256, COUNTED_AT_A_TIME = 4 };

static void keep_extremes(value_counts *to, fpfmt_value value)
{
    value.negative = false;
    if (fpfmt_value_is_zero(to->least) || fpfmt_compare_quiet(value, to->least, NULL) == FPFMT_LESS)
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

const double *doubles_of(const element_piece *piece, const scan_room *room)
{
    if (piece->wide)
        return piece->doubles;
    for (size_t i = 0; i < piece->count; i++)
        room->widened[i] = piece->floats[i];
    return room->widened;
}

static size_t blocks_along(size_t n, uint32_t size)
{
    return size == FPFMT_BLOCK_ALL ? 1 : n / size + (n % size != 0);
}

void make_views(block_views *made, const fpfmt_block *block, const element_piece *piece,
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

void scan_blocks(fpfmt_stats *stats, const scan_target *target, const element_piece *piece,
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
