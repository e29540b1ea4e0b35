/* mlp_operand.c - matrices as operands of products: rounded to a plain format, or to blocks
 * SPDX-License-Identifier: MIT */

#include "mlp_operand.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/rounding.h"

const char *operand_name(const operand_format *how)
{
    return how->has_blocks ? how->block.name : how->format.name;
}

bool rounds_alike(const operand_format *a, const operand_format *b)
{
    return !a->has_blocks && !b->has_blocks && strcmp(a->format.name, b->format.name) == 0;
}

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

/* ---- lines, and their blocks ---- */

static size_t lines_along(const operand *of, int axis)
{
    return axis == 1 ? of->rows : of->columns;
}

size_t line_count(const operand *of)
{
    return lines_along(of, of->axis);
}

size_t line_length(const operand *of)
{
    return lines_along(of, 1 - of->axis);
}

/* Elements from one element of a line to the next, and from one line to the next. */
static ptrdiff_t step_of(const operand *of, int axis)
{
    return axis == 1 ? 1 : (ptrdiff_t)of->columns;
}

/* How blocks lie: elements of a line that share a scale, lines that do, and scales along a line. */
typedef struct {
    size_t length, lines, along;
} block_grid;

static block_grid grid_of(const operand *of)
{
    const fpfmt_block *block = &of->how->block;
    size_t length = line_length(of), lines = line_count(of);
    block_grid grid = { .length = block->size < length ? block->size : length,
                        .lines = block->rows < lines ? block->rows : lines };
    grid.along = (length + grid.length - 1) / grid.length;
    return grid;
}

/* Does a line have one scale, however long it is? That is then no part of products, and multiplies
 * their sum, as that of a tensor does. */
static bool is_scaled_whole(const operand *of)
{
    return of->how->has_blocks && of->how->block.size == FPFMT_BLOCK_ALL;
}

/* The scale's code of a line's block, or of its first. */
static fpfmt_value scale_at(const operand *of, size_t line)
{
    block_grid grid = grid_of(of);
    const fpfmt_format *format = &of->how->block.scale;
    uint64_t code = fpfmt_load_code(format, of->scales, line / grid.lines * grid.along);
    return fpfmt_decode(format, code);
}

fpfmt_matrix matrix_of_lines(const operand *of)
{
    fpfmt_matrix made = { .format = &of->how->format,
                          .codes = of->codes,
                          .row = step_of(of, 1 - of->axis),
                          .column = step_of(of, of->axis) };
    if (!of->how->has_blocks || is_scaled_whole(of))
        return made;
    /* A line that ends within its first block is still of blocks as long as the format has them. */
    block_grid grid = grid_of(of);
    made.scales = (fpfmt_matrix_scales){ .format = &of->how->block.scale,
                                         .codes = of->scales,
                                         .row = (ptrdiff_t)grid.along,
                                         .column = 1,
                                         .rows = grid.lines,
                                         .columns = of->how->block.size };
    return made;
}

fpfmt_value line_factor(const operand *of, size_t line)
{
    fpfmt_value factor = fpfmt_from_f32(of->tensor.decode);
    if (is_scaled_whole(of))
        factor = operate(fpfmt_named("fp64"), FPFMT_OPERATION_MULTIPLY, factor, scale_at(of, line));
    return shifted(factor, -of->shift);
}

/* ---- plain formats ---- */

/* The value with the largest magnitude; one that is not finite counts as the largest. */
static fpfmt_value largest_of(const fpfmt_value *values, size_t count)
{
    fpfmt_value largest = fpfmt_from_u64(0);
    for (size_t i = 0; i < count; i++)
        if (fpfmt_total_order_magnitude(values[i], largest) > 0)
            largest = values[i];
    largest.negative = false;
    return largest;
}

/* The largest power of two by which the largest of the values can be multiplied. */
static int32_t best_shift(const fpfmt_format *format, const fpfmt_value *values, size_t count)
{
    fpfmt_value limit = fpfmt_decode(format, fpfmt_measure(format).max);
    fpfmt_value largest = largest_of(values, count);
    if (!is_regular(largest))
        return 0;
    return limit.exponent - largest.exponent - (largest.significand > limit.significand);
}

/* The policy with the random bits of one element. */
static fpfmt_policy policy_of(const operand *of, size_t i)
{
    fpfmt_policy policy = of->how->policy;
    policy.first = of->first + i;
    return policy;
}

static uint64_t plain_code(const operand *of, fpfmt_value value, size_t i, unsigned *flags)
{
    fpfmt_policy policy = policy_of(of, i);
    return fpfmt_encode(&of->how->format, shifted(value, of->shift), &policy, flags);
}

static void round_plain(operand *to, const fpfmt_value *values, operand_counts *counts)
{
    const operand_format *how = to->how;
    size_t count = to->rows * to->columns;
    to->shift = how->scaled ? best_shift(&how->format, values, count) : 0;
    for (size_t i = 0; i < count; i++) {
        unsigned flags = 0;
        uint64_t code = plain_code(to, values[i], i, &flags);
        fpfmt_store_code(&how->format, to->codes, i, code);
        counts->zeroed += is_regular(values[i]) && fpfmt_is_zero(&how->format, code);
        counts->beyond += is_regular(values[i]) && (flags & FPFMT_FLAG_OVERFLOW) != 0;
    }
}

/* ---- blocks ---- */

/* The scale of the whole tensor, from its largest value; 1 where that is infinite or NaN, as
 * TransformerEngine has it. */
static fpfmt_tensor_scale choose_tensor_scale(const operand *to, const fpfmt_value *values)
{
    const fpfmt_policy stays = { .overflow = FPFMT_OVERFLOW_MAX };
    fpfmt_tensor_scale scale = { .decode = 1, .encode = 1 };
    fpfmt_value amax = largest_of(values, to->rows * to->columns);
    if (fpfmt_value_is_finite(amax))
        fpfmt_scale_tensor(&scale, &to->how->block, &to->how->recipe,
                           fpfmt_to_f32(amax, &stays, NULL));
    return scale;
}

static const fpfmt_tensor_scale *tensor_scale_of(const operand *of)
{
    return of->how->block.levels == 2 ? &of->tensor : NULL;
}

static void round_blocks(operand *to, const fpfmt_value *values, operand_counts *counts)
{
    const fpfmt_format *binary64 = fpfmt_named("fp64");
    const operand_format *how = to->how;
    block_grid grid = grid_of(to);
    const size_t shape[2] = { line_count(to), line_length(to) },
                 scales_shape[2] = { (shape[0] - 1) / grid.lines + 1, grid.along };
    const ptrdiff_t strides[2] = { step_of(to, 1 - to->axis), step_of(to, to->axis) };
    size_t count = to->rows * to->columns;
    uint64_t *exact = allocate(count, sizeof *exact);
    for (size_t i = 0; i < count; i++)
        exact[i] = fpfmt_encode(binary64, values[i], NULL, NULL);
    to->tensor = choose_tensor_scale(to, values);
    fpfmt_view from = { .data = exact, .rank = 2, .shape = shape, .strides = strides };
    fpfmt_view codes = from, scales = { .data = to->scales, .rank = 2, .shape = scales_shape };
    codes.data = to->codes;
    fpfmt_stats stats = { .count = 0 };
    fpfmt_block_plan plan;
    fpfmt_prepare_blocks(&plan, &how->block, &how->recipe, &how->policy, NULL);
    fpfmt_quantize(&plan, &stats, codes, scales, binary64, from, 1, tensor_scale_of(to), to->first,
                   NULL);
    counts->zeroed += stats.underflow;
    counts->beyond += stats.overflow + stats.saturated;
    fpfmt_stats_add(&counts->stats, &stats);
    release(exact);
}

static void make_room(operand *to, size_t count)
{
    if (count <= to->room)
        return;
    release(to->codes);
    release(to->scales);
    to->codes = allocate(count, sizeof(uint64_t));
    to->scales = to->how->has_blocks ? allocate(count, sizeof(uint64_t)) : NULL;
    to->room = count;
}

void round_operand(operand *to, const operand_format *how, int axis, const fpfmt_value *values,
                   size_t rows, size_t columns, uint64_t *counter, operand_counts *counts)
{
    to->how = how;
    to->rows = rows;
    to->columns = columns;
    to->axis = axis;
    to->shift = 0;
    to->tensor = (fpfmt_tensor_scale){ .decode = 1 };
    to->first = *counter;
    make_room(to, rows * columns);
    if (how->has_blocks)
        round_blocks(to, values, counts);
    else
        round_plain(to, values, counts);
    counts->rounded += rows * columns;
    if (has_chance(how->policy.rounding))
        *counter += rows * columns;
}

/* ---- values that move ---- */

/* The elements of the block that begins at this element of this line: where they are in the matrix,
 * and which number they have line by line. Returns how many there are. */
static size_t list_block(size_t *places, size_t *numbers, const operand *of, size_t line, size_t at)
{
    block_grid grid = grid_of(of);
    size_t length = line_length(of), lines = line_count(of), n = 0;
    size_t along = (size_t)step_of(of, of->axis), across = (size_t)step_of(of, 1 - of->axis);
    for (size_t l = line; l < line + grid.lines && l < lines; l++)
        for (size_t k = at; k < at + grid.length && k < length; k++, n++) {
            places[n] = l * across + k * along;
            numbers[n] = l * length + k;
        }
    return n;
}

static void find_unmoved_in_block(bool *unmoved, const operand *of, const fpfmt_value *before,
                                  const fpfmt_value *after, const size_t *places,
                                  const size_t *numbers, size_t n)
{
    const operand_format *how = of->how;
    fpfmt_value *values = allocate(n, sizeof *values);
    fpfmt_block_scale scale;
    for (size_t i = 0; i < n; i++)
        values[i] = before[places[i]];
    fpfmt_scale_block(&how->block, &how->recipe, &scale, values, n, tensor_scale_of(of));
    for (size_t i = 0; i < n; i++) {
        fpfmt_policy policy = policy_of(of, numbers[i]);
        uint64_t code =
            fpfmt_block_encode(&how->block, &how->recipe, &scale, after[places[i]], &policy, NULL);
        unmoved[places[i]] = code == fpfmt_load_code(&how->format, of->codes, places[i]);
    }
    release(values);
}

void find_unmoved(bool *unmoved, const operand *of, const fpfmt_value *before,
                  const fpfmt_value *after)
{
    size_t count = of->rows * of->columns;
    if (!of->how->has_blocks) {
        for (size_t i = 0; i < count; i++)
            unmoved[i] = plain_code(of, after[i], i, NULL) ==
                         fpfmt_load_code(&of->how->format, of->codes, i);
        return;
    }
    block_grid grid = grid_of(of);
    size_t *places = allocate(count, sizeof *places), *numbers = allocate(count, sizeof *numbers);
    for (size_t line = 0; line < line_count(of); line += grid.lines)
        for (size_t at = 0; at < line_length(of); at += grid.length) {
            size_t n = list_block(places, numbers, of, line, at);
            find_unmoved_in_block(unmoved, of, before, after, places, numbers, n);
        }
    release(places);
    release(numbers);
}
