/* view.c - conversions of strided views, whatever the order of their elements in memory
 * SPDX-License-Identifier: MIT */

#include "bulk.h"
#include "refuse.h"

enum {
    GATHERED = 256, /* elements that are converted at a time where they do not lie in a row */
    LONG_RUN = 48   /* elements in a row that are worth a call of their own */
};

/* The two sides of a conversion. */
enum { OUT, IN, SIDES };

/* An axis of more than one element; steps from one to the next in elements, later in bytes. */
typedef struct {
    size_t extent;
    ptrdiff_t step[SIDES];
} axis;

typedef struct {
    fpfmt_job job;
    const fpfmt_prepared *inside;
    bool decodes, carried;
    bool ordered;        /* elements are to be taken in the order of their indices */
    size_t bytes[SIDES]; /* of an element */
    unsigned char *data[SIDES];
    size_t count;
    int rank;
    axis axes[FPFMT_VIEW_RANK];
} conversion;

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

static size_t length(ptrdiff_t step)
{
    return step < 0 ? 0 - (size_t)step : (size_t)step;
}

static bool have_one_shape(const fpfmt_view *out, const fpfmt_view *in)
{
    if (out->rank != in->rank || out->rank < 0 || out->rank > FPFMT_VIEW_RANK)
        return refuse("two views differ in rank, or have more than FPFMT_VIEW_RANK dimensions");
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

/* The addresses from a view's first byte to its last one. */
static bool set_range(const conversion *it, int side, uintptr_t range[2])
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
    range[0] = first - below;
    range[1] = first + last;
    return true;
}

/* Sorted by the steps of a side, the largest first; alike ones stay in order. */
static void sort_axes(axis *axes, int rank, int side)
{
    for (int i = 1; i < rank; i++)
        for (int k = i; k > 0 && length(axes[k].step[side]) > length(axes[k - 1].step[side]); k--) {
            axis swapped = axes[k];
            axes[k] = axes[k - 1];
            axes[k - 1] = swapped;
        }
}

/* Each step is longer than all that the axes after it span. */
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

static bool writes_each_once(const conversion *it)
{
    axis axes[FPFMT_VIEW_RANK];
    memcpy(axes, it->axes, sizeof axes);
    sort_axes(axes, it->rank, OUT);
    return nests(axes, it->rank, OUT) ||
           refuse("the strides of the output do not nest: an element may be written twice");
}

/* Is every element written on or before where it is read, while no later one has been? */
static bool may_overlap(conversion *it)
{
    bool rises = nests(it->axes, it->rank, OUT), alike = true;
    for (int i = 0; i < it->rank; i++) {
        rises &= it->axes[i].step[OUT] > 0;
        alike &= it->axes[i].step[OUT] == it->axes[i].step[IN];
    }
    if (alike && it->bytes[OUT] == it->bytes[IN] && it->data[OUT] == it->data[IN])
        return true;
    it->ordered = true;
    return (alike && rises && it->bytes[OUT] <= it->bytes[IN] &&
            (uintptr_t)it->data[OUT] <= (uintptr_t)it->data[IN]) ||
           refuse("the output overlaps the input, and would be written before that is read");
}

static bool is_permitted(conversion *it)
{
    uintptr_t out[2], in[2];
    if (it->data[OUT] == NULL || it->data[IN] == NULL)
        return refuse("a view is NULL, but has elements");
    if (!set_range(it, OUT, out) || !set_range(it, IN, in) || !writes_each_once(it))
        return false;
    return out[1] < in[0] || in[1] < out[0] || may_overlap(it);
}

/* The output from its lowest address up, where that changes nothing. */
static void reorder(conversion *it)
{
    for (int i = 0; i < it->rank; i++) {
        axis *flipped = &it->axes[i];
        if (flipped->step[OUT] > 0)
            continue;
        for (int side = 0; side < SIDES; side++) {
            it->data[side] += (ptrdiff_t)(flipped->extent - 1) * flipped->step[side];
            flipped->step[side] = -flipped->step[side];
        }
    }
    sort_axes(it->axes, it->rank, OUT);
}

/* Neighbours that are one axis on both sides. */
static void merge(conversion *it)
{
    int last = 0;
    for (int i = 1; i < it->rank; i++) {
        axis inner = it->axes[i], *outer = &it->axes[last];
        bool merges = true;
        for (int side = 0; side < SIDES; side++)
            merges &= outer->step[side] % (ptrdiff_t)inner.extent == 0 &&
                      outer->step[side] / (ptrdiff_t)inner.extent == inner.step[side];
        if (merges)
            inner.extent *= outer->extent;
        else
            last++;
        it->axes[last] = inner;
    }
    it->rank = it->rank == 0 ? 0 : last + 1;
}

/* Steps in bytes, and at least one axis. */
static void simplify(conversion *it)
{
    for (int i = 0; i < it->rank; i++)
        for (int side = 0; side < SIDES; side++)
            it->axes[i].step[side] *= (ptrdiff_t)it->bytes[side];
    if (!it->ordered)
        reorder(it);
    merge(it);
    if (it->rank == 0)
        it->axes[it->rank++] = (axis){ 1, { (ptrdiff_t)it->bytes[OUT], (ptrdiff_t)it->bytes[IN] } };
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

/* Where a side is: past elements [0], past [1]..., and the offset in bytes that this makes. */
typedef struct {
    size_t past[FPFMT_VIEW_RANK];
    size_t offset;
} place;

/* steps along the axis, of those that are left on it; past its end, to the next row. */
static void advance(const conversion *it, int side, place *at, int along, size_t steps)
{
    at->past[along] += steps;
    at->offset += steps * (size_t)it->axes[along].step[side];
    while (at->past[along] == it->axes[along].extent && along > 0) {
        at->offset -= at->past[along] * (size_t)it->axes[along].step[side];
        at->past[along--] = 0;
        at->past[along]++;
        at->offset += (size_t)it->axes[along].step[side];
    }
}

static inline void copy_words(unsigned char *to, ptrdiff_t to_step, const unsigned char *from,
                              ptrdiff_t from_step, size_t bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + (ptrdiff_t)i * to_step, from + (ptrdiff_t)i * from_step, bytes);
}

/* The loop above with a size that the compiler knows. */
static void copy(unsigned char *to, ptrdiff_t to_step, const unsigned char *from,
                 ptrdiff_t from_step, size_t bytes, size_t n)
{
    switch (bytes) {
    case 1: copy_words(to, to_step, from, from_step, 1, n); break;
    case 2: copy_words(to, to_step, from, from_step, 2, n); break;
    case 4: copy_words(to, to_step, from, from_step, 4, n); break;
    default: copy_words(to, to_step, from, from_step, 8, n);
    }
}

/* The next count elements of a side from the view to a row, or back. */
static void move(const conversion *it, int side, place *at, unsigned char *row, size_t count)
{
    int inner = it->rank - 1;
    size_t bytes = it->bytes[side], n;
    ptrdiff_t step = it->axes[inner].step[side];
    for (; count > 0; count -= n, row += n * bytes) {
        unsigned char *element = it->data[side] + (ptrdiff_t)at->offset;
        size_t left = it->axes[inner].extent - at->past[inner];
        n = left < count ? left : count;
        if (side == IN)
            copy(row, (ptrdiff_t)bytes, element, step, bytes, n);
        else
            copy(element, step, row, (ptrdiff_t)bytes, bytes, n);
        advance(it, side, at, inner, n);
    }
}

static void convert_gathered(const conversion *it)
{
    unsigned char in[GATHERED * sizeof(uint64_t)], out[GATHERED * sizeof(uint64_t)];
    place at[SIDES] = { { .offset = 0 }, { .offset = 0 } };
    size_t n;
    for (size_t done = 0; done < it->count; done += n) {
        n = it->count - done < GATHERED ? it->count - done : GATHERED;
        move(it, IN, &at[IN], in, n);
        convert(it, out, in, n, done);
        move(it, OUT, &at[OUT], out, n);
    }
}

static void convert_runs(const conversion *it)
{
    place at[SIDES] = { { .offset = 0 }, { .offset = 0 } };
    int inner = it->rank - 1;
    size_t n = it->axes[inner].extent;
    for (size_t done = 0; done < it->count; done += n) {
        convert(it, it->data[OUT] + (ptrdiff_t)at[OUT].offset,
                it->data[IN] + (ptrdiff_t)at[IN].offset, n, done);
        for (int side = 0; side < SIDES; side++)
            advance(it, side, &at[side], inner, n);
    }
}

static void convert_all(conversion *it)
{
    simplify(it);
    const axis *inner = &it->axes[it->rank - 1];
    bool in_row = inner->step[OUT] == (ptrdiff_t)it->bytes[OUT] &&
                  inner->step[IN] == (ptrdiff_t)it->bytes[IN];
    if (in_row && (it->rank == 1 || inner->extent >= LONG_RUN))
        convert_runs(it);
    else
        convert_gathered(it);
}

bool fpfmt_plan_view(const fpfmt_plan *plan, int operation, fpfmt_view out, fpfmt_view in,
                     uint64_t first, unsigned *flags)
{
    const fpfmt_prepared *inside = fpfmt_prepared_in(plan);
    if (inside == NULL)
        return refuse("a plan is not prepared");
    if (operation < 0 || operation >= FPFMT_VIEW_COUNT)
        return refuse("there is no such operation on views");
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
    size_t values = fpfmt_carrier_bytes[carrier], codes = inside->decoder[carrier].bytes;
    it.bytes[OUT] = it.decodes || it.carried ? values : codes;
    it.bytes[IN] = it.decodes ? codes : values;
    it.ordered = !it.decodes && plan->policy.rounding >= FPFMT_ROUND_COUNT;
    if (it.bytes[OUT] == values && !inside->decoder[carrier].carries)
        return refuse("the carrier does not hold every value of the format");
    if (!have_one_shape(&out, &in) || !count_elements(&it, &out))
        return false;
    if (it.count == 0)
        return true;
    set_axes(&it, (const fpfmt_view[SIDES]){ out, in });
    if (!is_permitted(&it))
        return false;
    convert_all(&it);
    return true;
}
