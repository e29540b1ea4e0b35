/* quantize.c - tensors to blocks and back, along any axis of a view
 * SPDX-License-Identifier: MIT
 *
 * Each block is visited twice: for its largest magnitude, and for its elements. The elements of a
 * block need not lie beside each other, and their number has no bound, so that nothing is copied.
 */

#include "blocks.h"
#include "bulk.h"
#include "encode.h"
#include "quantize.h"
#include "refuse.h"
#include "shape.h"

/* The parts of a call. */
enum { VALUES, CODES, SCALES, PARTS };

/* A call: a view of each part by the dimensions of the tensor, of which there is one at least. */
typedef struct {
    const fpfmt_block_plan *plan;
    const fpfmt_format *format; /* of the values */
    const fpfmt_tensor_scale *tensor;
    uint64_t first; /* the index of element 0 */
    fpfmt_stats *stats;
    unsigned *flags;
    int rank;
    size_t shape[FPFMT_VIEW_RANK_MAX];  /* of the tensor */
    size_t extent[FPFMT_VIEW_RANK_MAX]; /* of a whole block */
    size_t grid[FPFMT_VIEW_RANK_MAX];   /* blocks in each direction */
    size_t bytes[PARTS];
    unsigned char *data[PARTS];
    ptrdiff_t step[PARTS][FPFMT_VIEW_RANK_MAX]; /* in bytes */
} tensor_call;

/* One block: where it starts, and how long it is in each direction. */
typedef struct {
    size_t start[FPFMT_VIEW_RANK_MAX], shape[FPFMT_VIEW_RANK_MAX];
    unsigned char *scale;
} block_place;

/* Counts on to the next place of a shape, the last index the fastest; false past the last. */
static bool next_place(size_t *at, const size_t *shape, int rank)
{
    for (int i = rank; i-- > 0;) {
        if (++at[i] < shape[i])
            return true;
        at[i] = 0;
    }
    return false;
}

static block_place place_of(const tensor_call *it, const size_t *block)
{
    block_place place = { .scale = it->data[SCALES] };
    for (int i = 0; i < it->rank; i++) {
        place.start[i] = block[i] * it->extent[i];
        size_t left = it->shape[i] - place.start[i];
        place.shape[i] = left < it->extent[i] ? left : it->extent[i];
        place.scale += (ptrdiff_t)block[i] * it->step[SCALES][i];
    }
    return place;
}

/* The element of a part that is at a place in the block. */
static unsigned char *element_of(const tensor_call *it, int part, const block_place *place,
                                 const size_t *at)
{
    ptrdiff_t offset = 0;
    for (int i = 0; i < it->rank; i++)
        offset += (ptrdiff_t)(place->start[i] + at[i]) * it->step[part][i];
    return it->data[part] + offset;
}

/* The number of an element when the last index is the fastest. */
static uint64_t number_of(const tensor_call *it, const block_place *place, const size_t *at)
{
    uint64_t number = 0;
    for (int i = 0; i < it->rank; i++)
        number = number * it->shape[i] + place->start[i] + at[i];
    return number;
}

static fpfmt_value value_at(const tensor_call *it, const block_place *place, const size_t *at)
{
    const unsigned char *from = element_of(it, VALUES, place, at);
    return fpfmt_decode(it->format, fpfmt_load(from, it->bytes[VALUES]));
}

/* What a block under one scale loses. */
static fpfmt_stats errors_under(const tensor_call *it, const block_place *place,
                                const fpfmt_block_scale *scale)
{
    const fpfmt_block_plan *plan = it->plan;
    size_t at[FPFMT_VIEW_RANK_MAX] = { 0 };
    fpfmt_stats stats = { .count = 0 };
    do {
        fpfmt_policy policy = plan->policy;
        policy.first += it->first + number_of(it, place, at);
        fpfmt_value x = value_at(it, place, at);
        uint64_t code = fpfmt_block_encode(&plan->block, &plan->recipe, scale, x, &policy, NULL);
        fpfmt_value y = fpfmt_block_decode(&plan->block, code, scale->stored);
        fpfmt_stats_count(&stats, x, y, FPFMT_OUTCOME_EXACT, 0);
    } while (next_place(at, place->shape, it->rank));
    return stats;
}

static fpfmt_block_scale scale_of(const tensor_call *it, const block_place *place)
{
    const fpfmt_block_plan *plan = it->plan;
    size_t at[FPFMT_VIEW_RANK_MAX] = { 0 };
    fpfmt_seen seen = { .any = false };
    do
        fpfmt_see(&seen, &plan->recipe, value_at(it, place, at));
    while (next_place(at, place->shape, it->rank));
    fpfmt_block_scale scale =
        fpfmt_make_scale(&plan->block, &plan->recipe, &seen, it->tensor, false);
    if (plan->recipe.rule != FPFMT_SCALE_BEST_OF_TWO)
        return scale;
    fpfmt_block_scale other =
        fpfmt_make_scale(&plan->block, &plan->recipe, &seen, it->tensor, true);
    fpfmt_stats first = errors_under(it, place, &scale), second = errors_under(it, place, &other);
    return fpfmt_stats_less_noise(&second, &first) ? other : scale;
}

uint64_t fpfmt_quantize_element(const fpfmt_block_plan *plan, const fpfmt_block_scale *scale,
                                fpfmt_value x, uint64_t index, fpfmt_stats *stats, unsigned *flags)
{
    fpfmt_policy policy = plan->policy;
    policy.first += index;
    unsigned raised = 0;
    uint64_t code = fpfmt_block_encode(&plan->block, &plan->recipe, scale, x, &policy, &raised);
    raise_if(flags, raised, true);
    if (stats == NULL)
        return code;
    fpfmt_value y = fpfmt_block_decode(&plan->block, code, scale->stored);
    fpfmt_value scaled = fpfmt_block_scaled(&plan->recipe, scale, x);
    fpfmt_stats_count(stats, x, y, fpfmt_outcome_of(&plan->block.element, scaled, y, raised),
                      index);
    return code;
}

static void quantize_block(const tensor_call *it, const block_place *place)
{
    const fpfmt_block_scale scale = scale_of(it, place);
    size_t at[FPFMT_VIEW_RANK_MAX] = { 0 };
    fpfmt_store(place->scale, scale.code, it->bytes[SCALES]);
    do {
        uint64_t index = it->first + number_of(it, place, at);
        uint64_t code = fpfmt_quantize_element(it->plan, &scale, value_at(it, place, at), index,
                                               it->stats, it->flags);
        fpfmt_store(element_of(it, CODES, place, at), code, it->bytes[CODES]);
    } while (next_place(at, place->shape, it->rank));
}

static void dequantize_block(const tensor_call *it, const block_place *place)
{
    const fpfmt_block *block = &it->plan->block;
    uint64_t scale = fpfmt_load(place->scale, it->bytes[SCALES]);
    fpfmt_value stored = fpfmt_block_stored(block, scale, it->tensor);
    size_t at[FPFMT_VIEW_RANK_MAX] = { 0 };
    do {
        uint64_t code = fpfmt_load(element_of(it, CODES, place, at), it->bytes[CODES]);
        fpfmt_value value = fpfmt_block_decode(block, code, stored);
        raise_if(it->flags, FPFMT_FLAG_INVALID, fpfmt_is_signaling(&block->element, code));
        fpfmt_store(element_of(it, VALUES, place, at),
                    fpfmt_encode(it->format, value, NULL, it->flags), it->bytes[VALUES]);
    } while (next_place(at, place->shape, it->rank));
}

/* Strides in bytes; without any, as of an array without gaps. */
static void set_steps(tensor_call *it, int part, const fpfmt_view *view, const size_t *shape)
{
    ptrdiff_t whole = 1;
    it->data[part] = view->data;
    for (int i = it->rank; i-- > 0;) {
        bool given = view->rank > 0 && view->strides != NULL;
        it->step[part][i] = (given ? view->strides[i] : whole) * (ptrdiff_t)it->bytes[part];
        whole *= (ptrdiff_t)shape[i];
    }
}

static bool has_shape(const fpfmt_view *view, const size_t *shape, int rank, const char *sentence)
{
    if (view->rank != rank)
        return refuse(sentence);
    for (int i = 0; i < rank; i++)
        if (view->shape[i] != shape[i])
            return refuse(sentence);
    return true;
}

/* How far a block reaches in each direction, and how many there are. */
static bool set_grid(tensor_call *it, const fpfmt_view *values, int axis)
{
    const fpfmt_block *block = &it->plan->block;
    bool whole = block->rows == FPFMT_BLOCK_ALL;
    it->rank = values->rank == 0 ? 1 : values->rank;
    if (axis < 0 || axis >= it->rank)
        return refuse("there is no such axis");
    if (!whole && block->rows > 1 && axis == 0)
        return refuse("tiles take an axis that has one before it");
    for (int i = 0; i < it->rank; i++) {
        size_t along = i == axis ? block->size : i == axis - 1 ? block->rows : 1;
        it->shape[i] = values->rank == 0 ? 1 : values->shape[i];
        it->extent[i] = whole || along == FPFMT_BLOCK_ALL ? it->shape[i] : along;
        it->grid[i] = it->extent[i] == 0 ? 0 : (it->shape[i] - 1) / it->extent[i] + 1;
        if (it->shape[i] == 0)
            it->grid[i] = 0;
    }
    return true;
}

/* Everything that is refused; the views are of the parts, and writes[] says which are outputs. */
static bool is_permitted(tensor_call *it, const fpfmt_view views[PARTS], const bool writes[PARTS],
                         int axis, bool *empty)
{
    byte_range ranges[PARTS] = { { 0, 0 } };
    size_t counts[PARTS];
    if (!is_prepared(it->plan) || !is_usable(it->tensor))
        return false;
    if (fpfmt_defect(it->format) != NULL)
        return refuse("the format of the values has a defect");
    it->bytes[VALUES] = shape_bytes(it->format);
    it->bytes[CODES] = shape_bytes(&it->plan->block.element);
    it->bytes[SCALES] = shape_bytes(&it->plan->block.scale);
    for (int i = 0; i < PARTS; i++)
        if (!fpfmt_reach_of(&views[i], it->bytes[i], writes[i], &ranges[i], &counts[i]))
            return false;
    int rank = views[VALUES].rank;
    if (!set_grid(it, &views[VALUES], axis) ||
        !has_shape(&views[CODES], it->shape, rank, "codes do not have the shape of the values") ||
        !has_shape(&views[SCALES], it->grid, rank, "scales are not as many as blocks"))
        return false;
    *empty = counts[VALUES] == 0;
    for (int i = 0; i < PARTS && !*empty; i++)
        for (int k = 0; k < i; k++)
            if ((writes[i] || writes[k]) && !may_write(ranges[i], ranges[k], false))
                return false;
    set_steps(it, VALUES, &views[VALUES], it->shape);
    set_steps(it, CODES, &views[CODES], it->shape);
    set_steps(it, SCALES, &views[SCALES], it->grid);
    return true;
}

static void for_each_block(const tensor_call *it,
                           void (*visit)(const tensor_call *, const block_place *))
{
    size_t block[FPFMT_VIEW_RANK_MAX] = { 0 };
    do {
        block_place place = place_of(it, block);
        visit(it, &place);
    } while (next_place(block, it->grid, it->rank));
}

/* ---- rows ---- */

static bool is_dense(const tensor_call *it, int part, const size_t *shape)
{
    ptrdiff_t step = (ptrdiff_t)it->bytes[part];
    for (int i = it->rank; i-- > 0; step *= (ptrdiff_t)shape[i])
        if (shape[i] != 1 && it->step[part][i] != step)
            return false;
    return true;
}

/* Are they floats in rows that lie one behind the other, with blocks along them, or all of them one
 * block? */
static bool has_rows(const tensor_call *it, int axis)
{
    return (it->plan->block.rows == FPFMT_BLOCK_ALL ||
            (axis == it->rank - 1 && it->plan->block.rows == 1)) &&
           shape_equal(it->format, fpfmt_carriers[CARRIER_32]) &&
           (uintptr_t)it->data[VALUES] % sizeof(float) == 0 && is_dense(it, VALUES, it->shape) &&
           is_dense(it, CODES, it->shape) && is_dense(it, SCALES, it->grid);
}

/* Rows that end with a whole block are as one, and so are those of one block. */
static float_rows rows_of(const tensor_call *it)
{
    float_rows all = { .codes = it->data[CODES],
                       .scales = it->data[SCALES],
                       .values = (const float *)(const void *)it->data[VALUES],
                       .n = it->shape[it->rank - 1],
                       .rows = 1,
                       .first = it->first };
    for (int i = 0; i < it->rank - 1; i++)
        all.rows *= it->shape[i];
    bool ends_whole = it->plan->block.size != FPFMT_BLOCK_ALL && all.n % it->plan->block.size == 0;
    if (ends_whole || it->plan->block.rows == FPFMT_BLOCK_ALL) {
        all.n *= all.rows;
        all.rows = 1;
    }
    return all;
}

bool fpfmt_quantize_views(const fpfmt_block_plan *plan, fpfmt_stats *stats, fpfmt_view codes,
                          fpfmt_view scales, const fpfmt_format *format, fpfmt_view values,
                          int axis, const fpfmt_tensor_scale *tensor, uint64_t first,
                          unsigned *flags, float_rows *rows)
{
    tensor_call it = { .plan = plan,
                       .format = format,
                       .tensor = tensor,
                       .first = first,
                       .stats = stats,
                       .flags = flags };
    const fpfmt_view views[PARTS] = { [VALUES] = values, [CODES] = codes, [SCALES] = scales };
    const bool writes[PARTS] = { [CODES] = true, [SCALES] = true };
    bool empty;
    if (!is_permitted(&it, views, writes, axis, &empty))
        return false;
    if (!empty && rows != NULL && has_rows(&it, axis))
        *rows = rows_of(&it);
    else if (!empty)
        for_each_block(&it, quantize_block);
    return true;
}

bool fpfmt_dequantize(const fpfmt_block_plan *plan, const fpfmt_format *format, fpfmt_view values,
                      fpfmt_view codes, fpfmt_view scales, int axis,
                      const fpfmt_tensor_scale *tensor, unsigned *flags)
{
    tensor_call it = { .plan = plan, .format = format, .tensor = tensor, .flags = flags };
    const fpfmt_view views[PARTS] = { [VALUES] = values, [CODES] = codes, [SCALES] = scales };
    const bool writes[PARTS] = { [VALUES] = true };
    bool empty;
    if (!is_permitted(&it, views, writes, axis, &empty))
        return false;
    if (!empty)
        for_each_block(&it, dequantize_block);
    return true;
}
