/* view.c - conversions of strided views, whatever the order of their elements in memory
 * SPDX-License-Identifier: MIT */

#include "bulk.h"
#include "refuse.h"
#include "reserved.h"

/* The sizes were measured on Zen 3 with avx2, in L2, beside half and double; ./dev bench --only
 * 'view' has a line for each. */
enum {
    /* Elements that are converted at a time where they do not lie in a row, by way of copies in
     * lines. 128 takes 8 to 20 % longer, 512 1 to 10 % less. */
    GATHERED = 256,
    /* Elements in a row that are worth a call of their own. Rows of 48 took 1.4 to 2.6 times as
     * long by calls as by copies, of 64 1.2 to 1.6 times, of 96 1.05 to 1.15 times; rows of 128
     * took 6 to 8 % less to encode and 2 to 7 % more to decode. With avx2 128 would do better,
     * then; avx512 was not measured. */
    LONG_RUN = 48,
    /* Elements in a row that are worth a memcpy of a length that the compiler does not know. 4
     * takes from 5 % less to 15 % longer in rows of 6, 16 up to 53 % longer in rows of 12. */
    LONG_ROW = 8,
    /* A transposition goes by blocks of this many elements of an output's row, from this many rows:
     * 16 floats are the line of a cache that each column of the input is read by. A row of 16 takes
     * 32 to 36 % less to encode and 8 to 30 % longer to decode, of 64 29 to 55 % longer; 8 or 32
     * columns take from 4 % less to 7 % more. */
    BLOCK_ROW = 32,
    BLOCK_COLUMNS = 16,
    /* cut_blocks makes four axes of two. */
    AXES = FPFMT_VIEW_RANK_MAX + 2
};

/* The two sides of a conversion. */
enum { OUT, IN, SIDES };

/* An axis of more than one element; steps from one to the next in elements. */
typedef struct {
    size_t extent;
    ptrdiff_t step[SIDES];
} axis;

/* A call: what it converts with, and how its elements lie on both sides. */
typedef struct {
    fpfmt_job job;
    const fpfmt_prepared *inside;
    bool decodes, carried; /* carried: values in and out */
    bool ordered;          /* elements are to be taken in the order of their indices */
    size_t bytes[SIDES];   /* of an element */
    unsigned char *data[SIDES];
    size_t count; /* of elements */
    int rank;     /* axes of more than one element, the slowest first */
    axis axes[AXES];
} conversion;

/* Rows by FPFMT_VIEW_... */
static const struct {
    uint8_t carrier;
    bool decodes, carried;
} operations[FPFMT_VIEW_COUNT] = {
    [FPFMT_VIEW_ENCODE_F32] = { CARRIER_32, false, false },
    [FPFMT_VIEW_ENCODE_F64] = { CARRIER_64, false, false },
    [FPFMT_VIEW_DECODE_F32] = { CARRIER_32, true, false },
    [FPFMT_VIEW_DECODE_F64] = { CARRIER_64, true, false },
    [FPFMT_VIEW_ROUND_F32] = { CARRIER_32, false, true },
    [FPFMT_VIEW_ROUND_F64] = { CARRIER_64, false, true },
};

/* The magnitude of a step; that of PTRDIFF_MIN too has room in a size_t. */
static size_t length(ptrdiff_t step)
{
    return step < 0 ? 0 - (size_t)step : (size_t)step;
}

static bool have_one_shape(const fpfmt_view *out, const fpfmt_view *in)
{
    if (out->rank != in->rank || out->rank < 0 || out->rank > FPFMT_VIEW_RANK_MAX)
        return refuse("two views differ in rank, or have more than FPFMT_VIEW_RANK_MAX dimensions");
    for (int i = 0; i < out->rank; i++)
        if (out->shape[i] != in->shape[i])
            return refuse("two views differ in shape");
    return true;
}

/* The number of elements, 0 if an extent is; false if they take more than PTRDIFF_MAX bytes. */
static bool count_elements(conversion *it, const fpfmt_view *view)
{
    size_t widest = it->bytes[OUT] > it->bytes[IN] ? it->bytes[OUT] : it->bytes[IN];
    it->count = 1;
    for (int i = 0; i < view->rank; i++)
        it->count = view->shape[i] == 0 ? 0 : it->count;
    for (int i = 0; i < view->rank && it->count > 0; i++) {
        if (view->shape[i] > PTRDIFF_MAX / widest / it->count)
            return refuse("a view has more than PTRDIFF_MAX bytes");
        it->count *= view->shape[i];
    }
    return true;
}

/* Axes of one element say nothing. Without strides, the last axis steps by one element, and each
 * one before by all of the next. */
static void set_axes(conversion *it, const fpfmt_view views[SIDES])
{
    size_t whole = 1;
    it->rank = 0;
    for (int i = views[OUT].rank; i-- > 0;) {
        axis *next = &it->axes[it->rank];
        next->extent = views[OUT].shape[i];
        for (int side = 0; side < SIDES; side++)
            next->step[side] =
                views[side].strides == NULL ? (ptrdiff_t)whole : views[side].strides[i];
        it->rank += next->extent > 1;
        whole *= next->extent;
    }
    for (int i = 0; i < it->rank / 2; i++) {
        axis swapped = it->axes[i];
        it->axes[i] = it->axes[it->rank - 1 - i];
        it->axes[it->rank - 1 - i] = swapped;
    }
}

/* From a view's lowest byte to its highest one; false if memory does not reach as far. */
static bool set_range(const conversion *it, int side, byte_range *found)
{
    size_t limit = PTRDIFF_MAX / it->bytes[side], reach[2] = { 0, 0 };
    for (int i = 0; i < it->rank; i++) {
        ptrdiff_t step = it->axes[i].step[side];
        size_t *end = &reach[step > 0], steps = it->axes[i].extent - 1;
        if (step != 0 && steps > (limit - 1 - *end) / length(step))
            return refuse("a view reaches farther than PTRDIFF_MAX bytes");
        *end += steps * length(step);
    }
    uintptr_t first = (uintptr_t)it->data[side];
    size_t below = reach[0] * it->bytes[side],
           last = reach[1] * it->bytes[side] + it->bytes[side] - 1;
    if (below > first || last > UINTPTR_MAX - first)
        return refuse("a view reaches out of memory");
    *found = (byte_range){ first - below, first + last };
    return true;
}

/* Sorts axes by their steps on a side, the largest first; alike ones stay in order. By insertion,
 * as there are few and they are mostly in order. */
static void sort_axes(axis *axes, int rank, int side)
{
    for (int i = 1; i < rank; i++)
        for (int k = i; k > 0 && length(axes[k].step[side]) > length(axes[k - 1].step[side]); k--) {
            axis swapped = axes[k];
            axes[k] = axes[k - 1];
            axes[k - 1] = swapped;
        }
}

/* Is each step longer than all that the axes after it span? Then no two elements have one place. */
static bool nests(const axis *axes, int rank, int side)
{
    size_t span = 0;
    for (int i = rank; i-- > 0;) {
        if (length(axes[i].step[side]) <= span)
            return false;
        span += (axes[i].extent - 1) * length(axes[i].step[side]);
    }
    return true;
}

/* Refuses an output that may have two elements in one place. Strides that do not nest, but do not
 * collide either, are refused too: to find out takes long, and no layout in use is so. */
static bool writes_each_once(const conversion *it)
{
    axis axes[AXES];
    memcpy(axes, it->axes, sizeof axes);
    sort_axes(axes, it->rank, OUT);
    return nests(axes, it->rank, OUT) ||
           refuse("the strides of the output do not nest: an element may be written twice");
}

/* Views that overlap: is every element written on or before where it is read, and before all that
 * are read later? It is if both have one layout and are of one size in one place; or if also the
 * output's elements are not the larger ones, it does not begin later, and addresses rise with the
 * index on both sides. reorder leaves these in order. */
static bool is_in_step(const conversion *it)
{
    bool rises = nests(it->axes, it->rank, OUT), alike = true;
    for (int i = 0; i < it->rank; i++) {
        rises &= it->axes[i].step[OUT] > 0;
        alike &= it->axes[i].step[OUT] == it->axes[i].step[IN];
    }
    bool in_place = it->bytes[OUT] == it->bytes[IN] && it->data[OUT] == it->data[IN];
    return alike && (in_place || (rises && it->bytes[OUT] <= it->bytes[IN]));
}

static bool is_permitted(const conversion *it)
{
    byte_range out, in;
    return has_room(it->data[OUT], it->count, it->bytes[OUT]) &&
           has_room(it->data[IN], it->count, it->bytes[IN]) && set_range(it, OUT, &out) &&
           set_range(it, IN, &in) && writes_each_once(it) && may_write(out, in, is_in_step(it));
}

/* Turns and sorts axes so that the output is written from its lowest address up, which caches like;
 * the input is read in that order too. Elements keep their values; only random bits would go to
 * others. */
static void reorder(conversion *it)
{
    for (int i = 0; i < it->rank; i++) {
        axis *flipped = &it->axes[i];
        if (flipped->step[OUT] > 0)
            continue;
        for (int side = 0; side < SIDES; side++) {
            it->data[side] +=
                (ptrdiff_t)(flipped->extent - 1) * flipped->step[side] * (ptrdiff_t)it->bytes[side];
            flipped->step[side] = -flipped->step[side];
        }
    }
    sort_axes(it->axes, it->rank, OUT);
}

/* Where the input is fastest along an outer axis, a row of the output reads from as many lines of
 * the cache as it has elements. Blocks of BLOCK_COLUMNS rows by BLOCK_ROW elements use up the lines
 * that they read before the next ones take their place. Both axes are split in two, blocks and
 * within a block, if their extents are multiples; else nothing is done. */
static void cut_blocks(conversion *it)
{
    static const ptrdiff_t size[2] = { BLOCK_COLUMNS, BLOCK_ROW };
    int inner = it->rank - 1, across = inner;
    axis blocks[4];
    for (int i = 0; i < inner; i++)
        if (length(it->axes[i].step[IN]) == 1)
            across = i;
    if (across == inner || length(it->axes[inner].step[IN]) < BLOCK_COLUMNS)
        return;
    const axis two[2] = { it->axes[across], it->axes[inner] };
    for (int i = 0; i < 2; i++) {
        if (two[i].extent % (size_t)size[i] != 0)
            return;
        blocks[i] = (axis){ two[i].extent / (size_t)size[i],
                            { two[i].step[OUT] * size[i], two[i].step[IN] * size[i] } };
        blocks[i + 2] = (axis){ (size_t)size[i], { two[i].step[OUT], two[i].step[IN] } };
    }
    memmove(&it->axes[across], &it->axes[across + 1],
            sizeof *it->axes * (size_t)(inner - across - 1));
    memcpy(&it->axes[inner - 1], blocks, sizeof blocks);
    it->rank += 2;
}

/* One side from its first element to its last: past elements [0], past [1]... of its axes, and the
 * offset in bytes that this makes. The steps are in bytes too. */
typedef struct {
    unsigned char *data;
    size_t bytes, offset;
    int inner; /* the axis that is the fastest */
    size_t extent[AXES], past[AXES];
    ptrdiff_t step[AXES];
} walk;

/* A walk from the first element on. Neighbouring axes whose elements lie as those of one are one
 * here, on this side alone: so rows are as long as can be on each. */
static walk walk_along(const conversion *it, int side)
{
    walk at = { .data = it->data[side], .bytes = it->bytes[side], .extent = { 1 } };
    at.step[0] = (ptrdiff_t)at.bytes;
    for (int i = 0; i < it->rank; i++) {
        ptrdiff_t extent = (ptrdiff_t)it->axes[i].extent;
        ptrdiff_t step = it->axes[i].step[side] * (ptrdiff_t)at.bytes, *outer = &at.step[at.inner];
        bool merges = i == 0 || (*outer % extent == 0 && *outer / extent == step);
        at.inner += !merges;
        at.extent[at.inner] = (size_t)extent * (merges ? at.extent[at.inner] : 1);
        at.step[at.inner] = step;
    }
    return at;
}

/* How many of the elements to come lie one behind the other. */
static size_t left_in_row(const walk *at)
{
    return at->step[at->inner] == (ptrdiff_t)at->bytes ? at->extent[at->inner] - at->past[at->inner]
                                                       : 0;
}

static unsigned char *element_at(const walk *at)
{
    return at->data + (ptrdiff_t)at->offset;
}

/* From the end of a row to the start of the next one. */
static inline void start_row(walk *at)
{
    int along = at->inner;
    while (along > 0 && at->past[along] == at->extent[along]) {
        at->offset += (size_t)at->step[along - 1] - at->extent[along] * (size_t)at->step[along];
        at->past[along--] = 0;
        at->past[along]++;
    }
}

/* n elements on in the same row. */
static inline void advance(walk *at, size_t n)
{
    at->past[at->inner] += n;
    at->offset += n * (size_t)at->step[at->inner];
    start_row(at);
}

/* The next count elements from the view to a line (IN), or from a line to the view (OUT); bytes is
 * a constant of the caller. Rows may be short, and what is looked up for each is kept in locals. */
static inline void move_words(walk *at, int side, unsigned char *line, size_t count, size_t bytes)
{
    const ptrdiff_t step = at->step[at->inner];
    const size_t extent = at->extent[at->inner];
    size_t past = at->past[at->inner], n;
    for (; count > 0; count -= n, line += n * bytes) {
        unsigned char *element = element_at(at);
        n = extent - past < count ? extent - past : count;
        if (step == (ptrdiff_t)bytes && n >= LONG_ROW)
            memcpy(side == IN ? line : element, side == IN ? element : line, n * bytes);
        else
            for (size_t i = 0; i < n; i++)
                memcpy(side == IN ? line + i * bytes : element + (ptrdiff_t)i * step,
                       side == IN ? element + (ptrdiff_t)i * step : line + i * bytes, bytes);
        advance(at, n);
        past = at->past[at->inner];
    }
}

/* move_words with sizes that the compiler knows. */
static inline void move(walk *at, int side, unsigned char *line, size_t count)
{
    switch (at->bytes) {
    case 1: move_words(at, side, line, count, 1); break;
    case 2: move_words(at, side, line, count, 2); break;
    case 4: move_words(at, side, line, count, 4); break;
    default: move_words(at, side, line, count, 8);
    }
}

/* count elements in a row, of which the first has number done. */
static void convert(const conversion *it, void *out, const void *in, size_t count, size_t done)
{
    fpfmt_job job = it->job;
    const fpfmt_prepared *inside = it->inside;
    job.index += done;
    if (it->decodes)
        fpfmt_decode_all(&job, &inside->decoder[job.carrier], inside->table, out, in, count);
    else
        fpfmt_encode_all(&job, &inside->encoder[job.carrier], out, in, count, it->carried);
}

/* As many as lie in a row on both sides, or a line of them by way of copies. */
static void convert_all(const conversion *it)
{
    unsigned char lines[SIDES][GATHERED * sizeof(uint64_t)];
    walk out = walk_along(it, OUT), in = walk_along(it, IN);
    size_t n;
    for (size_t done = 0; done < it->count; done += n) {
        size_t from = left_in_row(&in), to = left_in_row(&out), both = from < to ? from : to;
        n = it->count - done < GATHERED ? it->count - done : GATHERED;
        n = both >= LONG_RUN ? both : n;
        bool in_row = from >= n, out_row = to >= n;
        unsigned char *source = in_row ? element_at(&in) : lines[IN];
        if (in_row)
            advance(&in, n);
        else
            move(&in, IN, source, n);
        convert(it, out_row ? element_at(&out) : lines[OUT], source, n, done);
        if (out_row)
            advance(&out, n);
        else
            move(&out, OUT, lines[OUT], n);
    }
}

bool fpfmt_plan_view(const fpfmt_plan *plan, fpfmt_view_operation operation, fpfmt_view out,
                     fpfmt_view in, uint64_t first, unsigned *flags)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    if (inside == NULL)
        return refuse("a plan is not prepared");
    if ((unsigned)operation >= FPFMT_VIEW_COUNT)
        return refuse("there is no such operation on views");
    if (!is_vacant(&out.reserved) || !is_vacant(&in.reserved))
        return refuse("the reserved room of a view is not zero");
    int carrier = operations[operation].carrier;
    conversion it = {
        .job = { .format = &plan->format,
                 .policy = &plan->policy,
                 .set = plan->set,
                 .carrier = carrier,
                 .index = plan->policy.first + first,
                 .flags = flags },
        .inside = inside,
        .decodes = operations[operation].decodes,
        .carried = operations[operation].carried,
        .data = { out.data, in.data },
    };
    size_t values = carrier_bytes(carrier), codes = inside->decoder[carrier].bytes;
    bool gives_values = it.decodes || it.carried;
    it.bytes[OUT] = gives_values ? values : codes;
    it.bytes[IN] = it.decodes ? codes : values;
    it.ordered = !it.decodes && fpfmt_mode_has_chance(fpfmt_mode_of(plan->policy.rounding));
    if (gives_values && !inside->decoder[carrier].carries)
        return refuse("the carrier does not hold every value of the format");
    if (!have_one_shape(&out, &in) || !count_elements(&it, &out))
        return false;
    if (it.count == 0)
        return true;
    set_axes(&it, (const fpfmt_view[SIDES]){ out, in });
    if (!is_permitted(&it))
        return false;
    if (!it.ordered) {
        reorder(&it);
        cut_blocks(&it);
    }
    convert_all(&it);
    return true;
}

bool fpfmt_reach_of(const fpfmt_view *view, size_t bytes, bool is_written, byte_range *range,
                    size_t *count)
{
    conversion it = { .bytes = { bytes, bytes }, .data = { view->data, view->data } };
    if (!is_vacant(&view->reserved))
        return refuse("the reserved room of a view is not zero");
    if (view->rank < 0 || view->rank > FPFMT_VIEW_RANK_MAX)
        return refuse("a view has more than FPFMT_VIEW_RANK_MAX dimensions");
    if (!count_elements(&it, view))
        return false;
    *count = it.count;
    if (it.count == 0)
        return true;
    set_axes(&it, (const fpfmt_view[SIDES]){ *view, *view });
    return has_room(view->data, it.count, bytes) && set_range(&it, OUT, range) &&
           (!is_written || writes_each_once(&it));
}
