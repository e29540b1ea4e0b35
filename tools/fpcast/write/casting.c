/* casting.c - tensors from an old file to new ones: copied, or converted
 * SPDX-License-Identifier: MIT */

#include "write/casting.h"

#include <string.h>

#include "kit/memory.h"
#include "kit/tensorfile/containers.h"
#include "kit/tensorfile/elements.h"
#include "write/output.h"

/* ---- copies ---- */

static bool end_early(const cast_plan *plan, const file_tensor *of)
{
    complain_of_tensor(plan->in, of, "its data end early, or are damaged");
    return false;
}

/* Past so many bytes of a member. */
static bool pass_by(void *member, uint64_t n, unsigned char *room, size_t size)
{
    for (; n > 0;) {
        size_t some = n < size ? (size_t)n : size;
        if (read_member(member, room, some) != some)
            return false;
        n -= some;
    }
    return true;
}

static bool copy_pieces(cast_plan *plan, cast *it, code_sink *to, void *member)
{
    const file_tensor *of = it->from;
    size_t each = it->parts[0].how.packed ? 1 : to->each, room = PIECE_ELEMENTS * (size_t)8;
    size_t piece = room / each * each;
    unsigned char *bytes = allocate(room, 1);
    const source *from = member != NULL ? NULL : open_part(plan->in, of->part);
    bool good = member != NULL ? pass_by(member, of->offset, bytes, room) || end_early(plan, of)
                               : from != NULL;
    for (uint64_t at = 0; good && at < of->bytes;) {
        size_t n = of->bytes - at < piece ? (size_t)(of->bytes - at) : piece;
        if (member != NULL)
            good = read_member(member, bytes, n) == n || end_early(plan, of);
        else
            good = read_source(from, of->offset + at, bytes, n);
        good = good && put_codes(to, at / each, bytes, n / each);
        at += n;
    }
    release(bytes);
    return good;
}

/* Bytes go as they are, but for the order of those of a number: in new files the lowest comes
 * first. */
bool copy_tensor(cast_plan *plan, cast *it)
{
    const file_tensor *of = it->from;
    code_sink to;
    void *member = NULL;
    if (of->compressed && (member = open_member(plan->in, of)) == NULL)
        return false;
    open_sink(&to, plan, it, PART_ELEMENTS);
    to.turned = of->big_endian ? it->turned : 1;
    if (it->parts[0].how.packed) {
        release(to.packed);
        to.packed = NULL;
        to.each = 1;
    }
    bool good = copy_pieces(plan, it, &to, member);
    if (member != NULL && !close_member(member))
        good = good && end_early(plan, of);
    return close_sink(&to) && good;
}

/* ---- conversions ---- */

typedef struct {
    fpfmt_plan to, from;
    bool coded; /* codes are converted, and no values are looked at */
    bool fp32, fp64;
} conversion;

static bool prepare(conversion *made, const cast *it)
{
    const file_tensor *of = it->from;
    made->coded = of->block == NULL && of->scheme.rule == NULL;
    made->fp32 = made->coded && strcmp(of->format->name, "fp32") == 0;
    made->fp64 = made->coded && strcmp(of->format->name, "fp64") == 0;
    return fpfmt_prepare(&made->to, &it->to->format, &it->to->policy, NULL) &&
           (!made->coded || fpfmt_prepare(&made->from, of->format, NULL, NULL));
}

/* Codes where they are the values' own: what a NaN carries is not lost on the way. */
static bool convert_piece(const conversion *by, cast *it, void *codes, const element_piece *piece)
{
    size_t n = piece->count;
    if (by->fp32)
        return fpfmt_plan_encode_f32(&by->to, codes, piece->codes, n, piece->first, &it->flags);
    if (by->fp64)
        return fpfmt_plan_encode_f64(&by->to, codes, piece->codes, n, piece->first, &it->flags);
    if (by->coded)
        return fpfmt_plan_convert(&by->to, codes, &by->from, piece->codes, n, piece->first,
                                  &it->flags);
    return fpfmt_plan_encode_f64(&by->to, codes, piece->doubles, n, piece->first, &it->flags);
}

static bool count_piece(const conversion *by, cast *it, const element_piece *piece)
{
    if (it->stats == NULL)
        return true;
    return piece->wide ? fpfmt_plan_stats_f64(&by->to, it->stats, piece->doubles, piece->count,
                                              piece->first)
                       : fpfmt_plan_stats_f32(&by->to, it->stats, piece->floats, piece->count,
                                              piece->first);
}

bool convert_tensor(cast_plan *plan, cast *it)
{
    conversion *by = allocate(1, sizeof *by);
    element_stream *from = open_elements(plan->in, it->from);
    if (from == NULL || !prepare(by, it))
        return false;
    element_piece *piece = new_piece();
    code_sink to;
    open_sink(&to, plan, it, PART_ELEMENTS);
    unsigned char *codes = allocate(PIECE_ELEMENTS, sizeof(uint64_t));
    bool good = true;
    do {
        good = next_piece(from, piece, !by->coded || it->stats != NULL) &&
               convert_piece(by, it, codes, piece) && count_piece(by, it, piece) &&
               put_codes(&to, piece->first, codes, piece->count);
    } while (good && piece->count > 0);
    good = close_sink(&to) && good;
    good = close_elements(from) && good;
    release(codes);
    release_piece(piece);
    release(by);
    return good;
}

/* ---- all of them ---- */

bool cast_tensors(cast_plan *plan)
{
    uint64_t total = 0;
    bool good = true;
    for (size_t i = 0; i < plan->file_count; i++)
        total += plan->files[i].bytes;
    begin_progress(&plan->bar, total, total);
    for (size_t i = 0; good && i < plan->count; i++) {
        cast *it = &plan->casts[i];
        good = it->does == DEED_LEAVE_OUT  ? true
               : it->does == DEED_COPY     ? copy_tensor(plan, it)
               : it->does == DEED_QUANTIZE ? quantise_tensor(plan, it)
                                           : convert_tensor(plan, it);
    }
    end_progress(&plan->bar);
    return good;
}
