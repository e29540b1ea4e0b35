/* block_stats.c - tensors to blocks with statistics: rows of floats by kernels and tallies
 * SPDX-License-Identifier: MIT
 *
 * A scale that is a power of two, 2^by, moves every number of the element format by as many
 * binades: what an element becomes is a float, and the ranges that tell its count are those of the
 * format, moved. Blocks of other scales are counted one value after the other, and other recipes,
 * carriers and views quantised so, too. */

#include "block_counts.h"
#include "blocks.h"
#include "quantize.h"
#include "shape.h"
#include "tallies.h"

enum { FRACTION = 23, SCALE_OF_ONE = 127, SCALE_NAN = 255 };
static const uint32_t INFINITE = UINT32_C(0xFF) << FRACTION;
static const uint32_t NOT_A_NUMBER = UINT32_C(0x1FF) << (FRACTION - 1);

/* A call, and the binades of the scale between which every element is a normal float. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_tensor_scale *tensor;
    fpfmt_stats *stats;
    fpfmt_reading reading;
    int least, most;
    uint64_t first;
    fpfmt_bins bins[TALLY_SUMS];
    size_t terms;
} row_tally;

/* The carried elements, times 2^by; those that are not normal floats then become NaN, as those of a
 * NaN scale are. */
static void scale_back(const row_tally *it, uint32_t *y, size_t n, uint8_t scale)
{
    int by = scale - SCALE_OF_ONE;
    bool fits = scale != SCALE_NAN && by >= it->least && by <= it->most;
    uint32_t add = (uint32_t)by << FRACTION;
    for (size_t i = 0; i < n; i++) {
        uint32_t magnitude = y[i] & ~(uint32_t)it->reading.sign;
        if (magnitude != 0 || scale == SCALE_NAN)
            y[i] = fits && magnitude < INFINITE ? y[i] + add : NOT_A_NUMBER;
    }
}

/* The scale of a block, as the reference makes it. */
static fpfmt_block_scale scale_of(const row_tally *it, const float *values, size_t size)
{
    const fpfmt_block_plan *plan = it->plan;
    fpfmt_seen seen = { .any = false };
    for (size_t i = 0; i < size; i++)
        fpfmt_see(&seen, &plan->recipe, fpfmt_from_carrier(fpfmt_load(values + i, 4), CARRIER_32));
    return fpfmt_make_scale(&plan->block, &plan->recipe, &seen, it->tensor, false);
}

/* Part of a block: count elements from the place at on. */
static void tally_part(row_tally *it, const fpfmt_ranges *ranges, const uint8_t *codes,
                       uint8_t scale, const float *block, size_t size, size_t at, size_t count,
                       uint64_t index)
{
    uint32_t x[TALLY_TILE], y[TALLY_TILE];
    float elements[TALLY_TILE];
    fpfmt_tally tally;
    size_t whole = (count + 7) / 8 * 8;
    memset(x + whole - 8, 0, 8 * sizeof *x);
    memset(y + whole - 8, 0, 8 * sizeof *y);
    memcpy(x, block + at, count * sizeof *x);
    fpfmt_plan_decode_f32(&it->plan->elements, elements, codes, count, NULL);
    memcpy(y, elements, count * sizeof *y);
    scale_back(it, y, count, scale);
    it->reading.job.set->tally(ranges, it->bins, &tally, x, y, whole);
    fpfmt_take_tally(it->stats, &tally, x, count, index);
    it->terms += whole;
    if (it->terms > TALLY_TERMS - TALLY_TILE) {
        fpfmt_empty_bins(it->stats, it->bins);
        it->terms = 0;
    }
    size_t i = fpfmt_next_left(&tally, 0, count);
    it->stats->count += count;
    if (i == count)
        return;
    fpfmt_block_scale by = scale_of(it, block, size);
    for (; i < count; i = fpfmt_next_left(&tally, i + 1, count), it->stats->count--)
        fpfmt_quantize_element(it->plan, &by, fpfmt_from_carrier(x[i], CARRIER_32), index + i,
                               it->stats, NULL);
}

static void tally_row(row_tally *it, const uint8_t *codes, const uint8_t *scales,
                      const float *values, size_t n)
{
    size_t whole = it->plan->block.size < n ? it->plan->block.size : n, size, count;
    for (size_t done = 0; done < n; done += size, scales++) {
        fpfmt_ranges ranges = fpfmt_ranges_of(&it->reading, *scales - SCALE_OF_ONE);
        size = whole < n - done ? whole : n - done;
        for (size_t at = 0; at < size; at += count) {
            count = size - at < TALLY_TILE ? size - at : TALLY_TILE;
            tally_part(it, &ranges, codes + done + at, *scales, values + done, size, at, count,
                       it->first + done + at);
        }
    }
    fpfmt_empty_bins(it->stats, it->bins);
    it->terms = 0;
}

static void count_row(const row_tally *it, const unsigned char *codes, const float *values,
                      size_t n)
{
    const block_counting by = {
        .plan = it->plan, .tensor = it->tensor, .stats = it->stats, .reading = it->reading
    };
    size_t whole = it->plan->block.size < n ? it->plan->block.size : n, size;
    for (size_t done = 0; done < n; done += size) {
        size = whole < n - done ? whole : n - done;
        fpfmt_count_block(&by, codes + done * shape_bytes(&it->plan->block.element), values + done,
                          size, it->first + done);
    }
}

/* Do the scales move what elements hold by binades? */
static bool are_tallied(const fpfmt_block_plan *plan)
{
    return plan->recipe.step == FPFMT_STEP_EXACT && plan->block.levels == 1 &&
           shape_bytes(&plan->block.element) == 1;
}

/* Do kernels quantise rows, and are values counted, unless stats is NULL, that fast too? */
static bool has_fast_rows(const fpfmt_block_plan *plan, const fpfmt_stats *stats)
{
    return fpfmt_blocks_are_fast(plan) &&
           (stats == NULL || are_tallied(plan) || plan->recipe.step == FPFMT_STEP_PRODUCT);
}

static row_tally tally_of(const fpfmt_block_plan *plan, fpfmt_stats *stats,
                          const fpfmt_tensor_scale *tensor)
{
    const fpfmt_format *element = &plan->block.element;
    const fpfmt_limits limits = fpfmt_measure(element);
    const fpfmt_encoder *encoder = &fpfmt_prepared_in(&plan->elements)->encoder[CARRIER_32];
    fpfmt_job job = { .format = element,
                      .policy = &plan->elements.policy,
                      .set = plan->elements.set,
                      .carrier = CARRIER_32 };
    return (row_tally){ .plan = plan,
                        .tensor = tensor,
                        .stats = stats,
                        .reading = fpfmt_read(&job, encoder),
                        .least = -126 - fpfmt_decode(element, limits.min_positive).exponent,
                        .most = 126 - limits.emax };
}

static void quantize_rows(const fpfmt_block_plan *plan, fpfmt_stats *stats, const float_rows *all,
                          const fpfmt_tensor_scale *tensor, unsigned *flags)
{
    size_t code = shape_bytes(&plan->block.element), scale = shape_bytes(&plan->block.scale);
    size_t n = all->n, blocks = fpfmt_block_count(&plan->block, n);
    row_tally it = { .plan = NULL };
    if (stats != NULL)
        it = tally_of(plan, stats, tensor);
    for (size_t i = 0; i < all->rows; i++) {
        unsigned char *codes = all->codes + i * n * code,
                      *scales = all->scales + i * blocks * scale;
        const float *values = all->values + i * n;
        it.first = all->first + i * n;
        fpfmt_quantize_by_tiles(plan, codes, scales, values, n, tensor, it.first, flags);
        if (stats != NULL && are_tallied(plan))
            tally_row(&it, codes, scales, values, n);
        else if (stats != NULL)
            count_row(&it, codes, values, n);
    }
}

bool fpfmt_quantize(const fpfmt_block_plan *plan, fpfmt_stats *stats, fpfmt_view codes,
                    fpfmt_view scales, const fpfmt_format *format, fpfmt_view values, int axis,
                    const fpfmt_tensor_scale *tensor, uint64_t first, unsigned *flags)
{
    float_rows rows = { .rows = 0 };
    bool fast = is_prepared(plan) && has_fast_rows(plan, stats);
    if (!fpfmt_quantize_views(plan, stats, codes, scales, format, values, axis, tensor, first,
                              flags, fast ? &rows : NULL))
        return false;
    if (rows.rows > 0)
        quantize_rows(plan, stats, &rows, tensor, flags);
    return true;
}
